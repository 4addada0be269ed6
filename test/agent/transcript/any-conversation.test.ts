/** Whatever was said, and wherever the file was cut. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContentBlock, ModelMessage } from '../../../src/agent/models/port.js';
import type { NewLine } from '../../../src/agent/transcript/line.js';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import { assistantSays, deskIn, expectSound, messageOf, said, userSays } from './support.js';

/** As JSON has it: there is no -0. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const text = fc.string({ unit: 'binary', maxLength: 20 });
const texts = fc.array(text.map(said), { maxLength: 2 });
const someTexts = fc.array(text.map(said), { minLength: 1, maxLength: 3 });

interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly result: string | readonly { readonly type: string }[];
  readonly isError: boolean | undefined;
}

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('Bash', 'Read', 'mcp__a__b'),
  input: json,
  result: fc.oneof(
    text,
    fc.array(
      fc.oneof(
        text.map(said),
        fc.record({ type: fc.constant('image'), source: json }, { noNullPrototype: true }),
      ),
    ),
  ),
  isError: fc.option(fc.boolean(), { nil: undefined }),
});

/** What one turn is made of: a prompt, rounds of calls with their results, and a last answer. */
const turn = fc.record({
  prompt: someTexts,
  rounds: fc.array(
    fc.record({
      before: texts,
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      after: texts,
    }),
    { maxLength: 3 },
  ),
  answer: someTexts,
});

const compaction = fc.record({ summary: someTexts, answer: someTexts });
const script = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: turn },
    { weight: 2, arbitrary: compaction },
    { weight: 1, arbitrary: fc.constant('clear' as const) },
  ),
  { maxLength: 5 },
);
type Step = typeof script extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

let count = 0;

function linesOf(step: Step): readonly NewLine[] {
  if (step === 'clear') return [{ type: 'clear' }];
  if ('summary' in step) {
    const { summary, answer } = step;
    return [{ type: 'compaction', trigger: 'auto', preTokens: 7, summary }, assistantSays(...answer)];
  }
  const rounds = step.rounds.flatMap(({ before, calls, after }) => {
    const named = calls.map((each) => ({ ...each, id: `t${count++}` }));
    const uses = named.map(({ id, name, input }): ContentBlock => ({ type: 'tool_use', id, name, input }));
    const results = named.map(
      ({ id, result, isError }): ContentBlock => ({
        type: 'tool_result',
        tool_use_id: id,
        content: result,
        ...(isError !== undefined && { is_error: isError }),
      }),
    );
    return [assistantSays(...before, ...uses), userSays(...results, ...after)];
  });
  return [userSays(...step.prompt), ...rounds, assistantSays(...step.answer)];
}

/** The conversation as the loop has it in memory. */
function conversation(lines: readonly NewLine[]): readonly ModelMessage[] {
  const start = lines.findLastIndex(({ type }) => type === 'compaction' || type === 'clear');
  return lines.slice(Math.max(0, start)).flatMap((line): readonly ModelMessage[] => {
    if (line.type === 'compaction')
      return [{ role: 'user', content: line.summary as readonly ContentBlock[] }];
    return 'role' in line ? [messageOf(line as NewLine & ModelMessage)] : [];
  });
}

describe('any conversation', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'hookline-transcript-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function write(steps: readonly Step[]) {
    const desk = deskIn(directory, `session-${count++}.jsonl`);
    const lines = steps.flatMap(linesOf);
    await desk.write(...lines);
    expect(desk.complaints).toEqual([]);
    return { desk, lines };
  }

  it('TS-14: is the same when it is read back', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const { desk, lines } = await write(steps);
        const read = await readTranscript(desk.path);
        expect(read.messages).toStrictEqual(conversation(lines));
        expect(read.problems).toEqual([]);
        expectSound(read.messages);
      }),
    );
  });

  it('TS-15: can be gone on with, wherever its file was cut', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), async (steps, cuts) => {
        const { desk } = await write(steps);
        const bytes = readFileSync(desk.path);
        for (const cut of cuts) {
          writeFileSync(desk.path, bytes.subarray(0, cut % (bytes.length + 1)));
          const read = await readTranscript(desk.path);
          expectSound(read.messages);
          expect(read.problems.length).toBeLessThanOrEqual(1);
          await desk.write(userSays(said('go on')));
          const { messages } = await readTranscript(desk.path);
          expectSound(messages);
          expect(messages.at(-1)?.content.at(-1)).toEqual(said('go on'));
          expect(desk.complaints).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('TS-15: any lines of it, in any order, make one that a model accepts', async () => {
    await fc.assert(
      fc.asyncProperty(script, fc.infiniteStream(fc.nat()), async (steps, choices) => {
        const { desk } = await write(steps);
        const lines = desk.text().split('\n').slice(0, -1);
        const mixed = lines.flatMap(() => lines[(choices.next().value ?? 0) % lines.length] ?? []);
        writeFileSync(desk.path, mixed.map((line) => `${line}\n`).join(''));
        const { messages, problems } = await readTranscript(desk.path);
        expectSound(messages);
        expect(problems).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
