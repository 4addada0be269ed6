import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentLoop, type Run } from '../../../../src/agent/loop/agent-loop.js';
import type { LoopMessage, ResultMessage } from '../../../../src/agent/loop/messages.js';
import type { ModelUsage } from '../../../../src/agent/models/port.js';
import { costOf } from '../../../../src/agent/models/prices.js';
import { defineTool } from '../../../../src/agent/tools/tool.js';
import {
  fails,
  hangs,
  type Loopback,
  type Step,
  sends,
  startLoopback,
} from '../../models/servers/loopback.js';
import type { Answer, Wire } from '../../models/servers/wire.js';
import { makePlaces } from '../support/run-loop.js';
import { WIRES } from '../support/run-on-wire.js';

/** One more than it takes, because the interrupt ends one of them early. */
const PROMPTS = 31;
const TURNS = 10;
const ANSWERS = 300;
/** Numbers of answers, counted from 1. */
const OVERLOADED = [50, 150];
const OVERLOADED_IN_STREAM = 250;
const FULL = 205;
const HANGING = 145;
const RESUMED_AFTER = 18;
const COMPACTED_AFTER = 8;

const PRICE = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
} as const;

const look = defineTool({
  name: 'Look',
  description: 'Looks at something',
  input: z.strictObject({ n: z.number() }),
  harmless: true,
  run: ({ n }) => ({
    ok: true,
    content:
      n % 7 === 0 ? [{ type: 'text', text: `result-${n}.` }, IMAGE] : `result-${n}. ${'x'.repeat(200)}`,
    response: null,
  }),
});

interface Played {
  readonly server: Loopback;
  /** What the service has counted for the answers that it finished. */
  readonly usages: readonly ModelUsage[];
}

/** A service that answers with reasoning and calls, and sometimes is not ready. It follows the plan whatever it is asked. */
async function startService(wire: Wire): Promise<Played> {
  const usages: ModelUsage[] = [];
  let answers = 0;
  let failures = 0;
  const finish = (answer: Answer, usage: ModelUsage): Step => {
    usages.push(usage);
    return sends(wire.events({ ...answer, usage }));
  };
  const next = (): Step => {
    const { body } = server.received.at(-1) ?? {};
    const text = JSON.stringify(body);
    const usage = {
      inputTokens: 10,
      outputTokens: 5,
      cacheReadInputTokens: Math.ceil(text.length / 4),
      ...(wire.name === 'anthropic' && { cacheCreationInputTokens: 3 }),
    };
    if (text.includes('Write a summary of this conversation'))
      return finish({ texts: ['<summary>Summed up.</summary>'] }, usage);
    const n = answers + 1;
    if (OVERLOADED.includes(n) && failures < OVERLOADED.indexOf(n) + 1) {
      failures += 1;
      return fails(wire, 529, 'too many of you', { 'retry-after-ms': '1' });
    }
    const [beginning = ''] = wire.events({});
    if (n === OVERLOADED_IN_STREAM && failures < 3) {
      failures += 1;
      return sends([beginning, wire.overloadedEvent('too many of you')]);
    }
    answers = n;
    const thinking = { pieces: [`I think of ${n}. `, 'Then I look.'], redacted: `hidden ${n}` };
    if (n === HANGING) {
      // The Messages API says at the beginning what the request has used, so an answer that is interrupted counts.
      if (wire.name === 'anthropic') usages.push({ ...usage, outputTokens: 1 });
      const events = wire.events({ thinking, texts: ['I was about to'], usage });
      return hangs(events.slice(0, 1 + events.findIndex((each) => each.includes('I was about'))).join(''));
    }
    const full = n === FULL ? { ...usage, inputTokens: 500_000 } : usage;
    if (n % TURNS === 0) return finish({ thinking, texts: [`Done with ${n}.`] }, full);
    const calls = [{ id: `toolu_${n}`, name: 'Look', json: [`{"n":${n}}`] }];
    return finish({ thinking, texts: [`Now ${n}.`], calls }, full);
  };
  const server: Loopback = await startLoopback(
    wire,
    Array.from({ length: 400 }, (): Step => (response) => next()(response)),
  );
  return { server, usages };
}

async function read(loop: AgentLoop, run: Run, messages: LoopMessage[]): Promise<ResultMessage> {
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    messages.push(step.value);
    if (JSON.stringify(step.value).includes('"text":"I was about to"')) loop.interrupt();
  }
}

const ofSubtype = (messages: readonly LoopMessage[], subtype: string) =>
  messages.filter((message) => message.type === 'system' && message.subtype === subtype);

describe.each(['anthropic', 'chat', 'responses'] as const)('a session of 300 turns on %s', (name) => {
  it('LM-13: reasoning, images, two compactions, three overloads, an interrupt and a resume: nothing is refused or lost, and the cost adds up', async () => {
    const wire = WIRES[name];
    const { server, usages } = await startService(wire);
    const model = wire.model(server.url);
    const options = {
      model,
      tools: [look],
      ...makePlaces(),
      systemPrompt: 'You are under test.',
      prices: { [model.name]: PRICE },
      contextWindow: 400_000,
      includePartialMessages: true,
    };
    const messages: LoopMessage[] = [];
    const results: ResultMessage[] = [];
    let loop = new AgentLoop(options);
    for (let prompt = 1; prompt <= PROMPTS; prompt++) {
      const image = prompt % 5 === 0 ? [IMAGE] : [];
      const blocks = [...image, { type: 'text', text: `prompt-${prompt}.` } as const];
      results.push(await read(loop, loop.run(blocks), messages));
      if (prompt === COMPACTED_AFTER) results.push(await read(loop, loop.compact(), messages));
      if (prompt !== RESUMED_AFTER) continue;
      const { transcriptPath } = await loop.session();
      const before = await loop.conversation();
      await loop.close();
      loop = new AgentLoop({ ...options, resume: transcriptPath });
      expect(await loop.conversation()).toEqual(before);
    }
    // The resumed session counts on from the one before.
    const cost = results.at(-1)?.total_cost_usd;
    const last = JSON.stringify(await loop.conversation());
    await loop.close();

    expect(server.refused).toEqual([]);
    const reasons = results.map(({ terminal_reason }) => terminal_reason);
    expect(reasons.filter((reason) => reason === 'aborted')).toHaveLength(1);
    expect(new Set(reasons)).toEqual(new Set(['completed', 'aborted', 'compacted']));
    expect(ofSubtype(messages, 'compact_boundary')).toHaveLength(2);
    expect(ofSubtype(messages, 'api_retry')).toHaveLength(3);

    const bodies = server.received.map(({ body }) => JSON.stringify(body));
    // 300 answers, two summaries, three that were overloaded.
    expect(bodies).toHaveLength(ANSWERS + 5);
    const sent = bodies.join('');
    // One look at each text: they are long.
    const marksIn = (text: string) => new Set(text.match(/(?:prompt|result)-\d+\.|I think of \d+\. /g));
    const [inSent, inLast] = [marksIn(sent), marksIn(last)];
    for (let prompt = 1; prompt <= PROMPTS; prompt++) expect(inSent).toContain(`prompt-${prompt}.`);
    for (let n = 1; n < ANSWERS; n++)
      if (n % TURNS !== 0 && n !== HANGING) expect(inSent).toContain(`result-${n}.`);
    // Since the last compaction, everything is still there: prompts, results, reasoning, images.
    for (let n = FULL; n < ANSWERS; n++) {
      if (n % TURNS !== 0) expect(inLast).toContain(`result-${n}.`);
      expect(inLast).toContain(`I think of ${n}. `);
    }
    expect(last).toContain('Summed up.');
    expect(bodies.at(-1)).toContain('iVBORw0KGgo=');
    expect(sent).toContain('I was about to');

    const total = (read: (usage: ModelUsage) => number | undefined): number =>
      usages.reduce((sum, usage) => sum + (read(usage) ?? 0), 0);
    const counted = (read: (usage: ResultMessage['usage']) => number): number =>
      results.reduce((sum, { usage }) => sum + read(usage), 0);
    expect(counted((usage) => usage.input_tokens)).toBe(total((usage) => usage.inputTokens));
    expect(counted((usage) => usage.output_tokens)).toBe(total((usage) => usage.outputTokens));
    expect(counted((usage) => usage.cache_read_input_tokens)).toBe(
      total((usage) => usage.cacheReadInputTokens),
    );
    const expected = usages.reduce((sum, usage) => sum + costOf(usage, PRICE), 0);
    expect(cost).toBeCloseTo(expected, 6);
  }, 120_000);
});
