import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { readTranscript } from '../../../../src/agent/transcript/read-transcript.js';
import { watchProcess } from '../../../support/runner.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { checkConversation, textOf } from './support.js';

watchProcess();

const { tools } = testTools();
const TOKENS = 7;
const usage = { inputTokens: 1, outputTokens: TOKENS };

/** A session of three prompts that has ended. */
async function past() {
  const { loop, transcripts, cwd } = await makeLoop({
    turns: [
      { text: 'One.', usage },
      { tools: [{ name: 'Note', id: 'c1', input: { text: 'two' } }], usage },
      { text: 'Two.', usage },
      { text: 'Three.', usage },
    ],
    options: { tools },
  });
  const answers: { uuid?: string; id: string; text: string }[] = [];
  for (const prompt of ['1', '2', '3'])
    for (const message of (await readRun(loop.run(prompt))).messages)
      if (message.type === 'assistant')
        answers.push({ id: message.message.id, text: JSON.stringify(message.message.content) });
  const { id, transcriptPath } = await loop.session();
  await loop.close();
  return { id, transcriptPath, transcripts, cwd, answers };
}

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A session that goes on from that one, with one prompt. */
async function goOn(
  { transcriptPath, transcripts, cwd }: Awaited<ReturnType<typeof past>>,
  options: Partial<AgentLoopOptions>,
) {
  const model = scriptedModel([{ text: 'Then this.', usage }]);
  const loop = new AgentLoop({ model, tools, cwd, transcripts, resume: transcriptPath, ...options });
  await readRun(loop.run('And now?'));
  const session = await loop.session();
  await loop.close();
  return { ...session, sent: model.requests[0]?.messages.map(textOf) ?? [] };
}

describe('a fork of a session', () => {
  it('LO-55: has its own id and transcript; the first session stays as it was, and both can be resumed', async () => {
    const before = await past();
    const bytes = readFileSync(before.transcriptPath, 'utf8');
    const fork = await goOn(before, { forkSession: true });
    expect(fork.id).not.toBe(before.id);
    expect(fork.transcriptPath).toBe(before.transcriptPath.replace(before.id, fork.id));
    expect(readFileSync(before.transcriptPath, 'utf8')).toBe(bytes);
    expect(fork.sent.slice(-2)).toEqual(['Three.', 'And now?']);
    const { messages, problems, sessionId } = await readTranscript(fork.transcriptPath);
    expect(problems).toEqual([]);
    expect(sessionId).toBe(fork.id);
    expect(messages.map(textOf).slice(-3)).toEqual(['Three.', 'And now?', 'Then this.']);
    checkConversation(messages.slice(0, -1));
    const again = await goOn({ ...before, transcriptPath: fork.transcriptPath }, {});
    expect(again.id).toBe(fork.id);
    expect(again.sent.slice(-2)).toEqual(['Then this.', 'And now?']);
    expect((await goOn(before, {})).sent.slice(-2)).toEqual(['Three.', 'And now?']);
  });

  it('LO-55 TS-30: every line is of the new session, says where it comes from, and names the one before', async () => {
    const before = await past();
    const fork = await goOn(before, { forkSession: true, sessionId: 'my-fork' });
    const lines = linesOf(fork.transcriptPath);
    const copied = linesOf(before.transcriptPath);
    expect(lines.map(({ sessionId }) => sessionId)).toEqual(lines.map(() => 'my-fork'));
    expect(lines.slice(0, copied.length).map(({ forkedFrom }) => forkedFrom)).toEqual(
      copied.map(({ uuid }) => ({ sessionId: before.id, messageUuid: uuid })),
    );
    expect(lines.slice(1).map(({ parentUuid }) => parentUuid)).toEqual(
      lines.slice(0, -1).map(({ uuid }) => uuid),
    );
  });

  it.each(['the id of an answer', 'the uuid of a line'] as const)(
    'LO-55: at a message, given by %s, it has what came until then',
    async (kind) => {
      const before = await past();
      const answer = before.answers.find(({ text }) => text.includes('Two.')) ?? expect.fail();
      const line = linesOf(before.transcriptPath).find((each) =>
        JSON.stringify(each['message'] ?? '').includes('"Two."'),
      );
      const at = kind === 'the id of an answer' ? answer.id : String(line?.['uuid']);
      const fork = await goOn(before, { forkSession: true, resumeSessionAt: at });
      expect(fork.sent).toEqual(['1', 'One.', '2', '{"text":"two"}', 'Note: two', 'Two.', 'And now?']);
      const { messages } = await readTranscript(fork.transcriptPath);
      expect(messages.map(textOf)).toEqual([...fork.sent, 'Then this.']);
      const without = await goOn(before, { forkSession: true, resumeSessionAt: at, transcripts: false });
      expect(without.sent).toEqual(fork.sent);
      expect(without.transcriptPath).toBe('');
    },
  );

  it('LO-55: at an answer whose calls have their results later, the conversation is still valid', async () => {
    const before = await past();
    const call = before.answers.find(({ text }) => text.includes('tool_use')) ?? expect.fail();
    const fork = await goOn(before, { forkSession: true, resumeSessionAt: call.id });
    checkConversation((await readTranscript(fork.transcriptPath)).messages.slice(0, -1));
    expect(fork.sent.at(-1)).toMatch(/And now\?$/);
  });

  it('LO-55: without a fork the session itself goes on from the message; what was spent still counts', async () => {
    const before = await past();
    const lines = linesOf(before.transcriptPath);
    const at = before.answers.find(({ text }) => text.includes('Two.'))?.id ?? expect.fail();
    const { id, transcriptPath, sent } = await goOn(before, { resumeSessionAt: at });
    expect({ id, transcriptPath }).toEqual({ id: before.id, transcriptPath: before.transcriptPath });
    expect(sent.at(-1)).toBe('And now?');
    expect(sent).toContain('Two.');
    expect(sent).not.toContain('Three.');
    expect(linesOf(transcriptPath).slice(0, lines.length)).toEqual(lines);
    // It is resumed from there, and with what all of it has used.
    const again = await readTranscript(transcriptPath);
    expect(again.problems).toEqual([]);
    expect(again.messages.map(textOf)).toEqual([...sent, 'Then this.']);
    const model = scriptedModel([{ text: 'Done.', usage }]);
    const { transcripts, cwd } = before;
    const loop = new AgentLoop({ model, tools, cwd, transcripts, resume: transcriptPath });
    const { result } = await readRun(loop.run('Last.'));
    await loop.close();
    expect(model.requests[0]?.messages.map(textOf)).toEqual([...sent, 'Then this.', 'Last.']);
    expect(result.modelUsage['scripted']?.outputTokens).toBe(6 * TOKENS);
  });

  it('LO-55: hooks see it as SessionStart with source fork', async () => {
    const before = await past();
    const sources: unknown[] = [];
    const { loop } = await makeLoop({
      hooks: { SessionStart: [{ hooks: [({ source }) => void sources.push(source)] }] },
      turns: [{ text: 'x' }],
      options: {
        cwd: before.cwd,
        transcripts: before.transcripts,
        resume: before.transcriptPath,
        forkSession: true,
      },
    });
    await readRun(loop.run('Go.'));
    expect(sources).toEqual(['fork']);
  });

  it.each([
    [{ resumeSessionAt: 'nothing', forkSession: true }, 'no message "nothing"'],
    [{ resumeSessionAt: 'nothing' }, 'no message "nothing"'],
    [{ resume: undefined, forkSession: true }, '`resume`'],
    [{ resume: undefined, resumeSessionAt: 'nothing' }, 'resumeSessionAt needs `resume`'],
  ])('LO-55: what cannot be done is refused, and nothing is written: %o', async (options, message) => {
    const before = await past();
    const files = readdirSync(dirname(before.transcriptPath));
    const { transcriptPath, transcripts, cwd } = before;
    const loop = new AgentLoop({
      model: scriptedModel([]),
      cwd,
      transcripts,
      resume: transcriptPath,
      ...options,
    } as AgentLoopOptions);
    await expect(loop.start()).rejects.toThrow(message);
    expect(readdirSync(dirname(transcriptPath))).toEqual(files);
    expect(existsSync(transcriptPath)).toBe(true);
  });
});
