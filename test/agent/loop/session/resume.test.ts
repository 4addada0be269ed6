import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import type { ScriptedTurn } from '../../../../src/agent/models/scripted-schema.js';
import type { HookConfig } from '../../../../src/index.js';
import { refusalOf, watchProcess } from '../../../support/runner.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { checkConversation, expectValid, story, textOf, watchLoop } from './support.js';

watchProcess();

/** A session that has ended; where its transcript is. */
async function past(
  turns: readonly ScriptedTurn[],
  options: Partial<AgentLoopOptions> = {},
): Promise<{ id: string; transcriptPath: string; transcripts: string; cwd: string }> {
  const { loop, transcripts, cwd } = await makeLoop({
    turns,
    options: { tools: testTools().tools, ...options },
  });
  await readRun(loop.run('Remember seven.'));
  const { id, transcriptPath } = await loop.session();
  await loop.close();
  return { id, transcriptPath, transcripts, cwd };
}

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a session that goes on from a transcript', () => {
  it('LO-5: has the same id, the same file and the same conversation', async () => {
    const { id, transcriptPath, transcripts, cwd } = await past([
      { tools: [{ name: 'Note', input: { text: 'seven' } }] },
      { text: 'I will.' },
    ]);
    const before = linesOf(transcriptPath);
    const { loop, requests } = await makeLoop({
      turns: [{ text: 'Seven.' }],
      options: { resume: transcriptPath, transcripts, cwd },
    });
    const { result } = await readRun(loop.run('What was it?'));
    expect(result.session_id).toBe(id);
    expect(await loop.session()).toMatchObject({ id, transcriptPath });
    expectValid(requests);
    expect(requests[0]?.messages.map(textOf)).toEqual([
      'Remember seven.',
      '{"text":"seven"}',
      'Note: seven',
      'I will.',
      'What was it?',
    ]);
    await loop.close();
    const after = linesOf(transcriptPath);
    expect(after.slice(0, before.length)).toEqual(before);
    const added = after.slice(before.length);
    expect(added.map(({ sessionId }) => sessionId)).toEqual([id, id]);
    expect(added[0]?.['parentUuid']).toBe(before.at(-1)?.['uuid']);
  });

  it('TS-32 TS-33: has what hooks added, and readers of the file find the prompt as it was written', async () => {
    const adds = (hookEventName: 'SessionStart' | 'UserPromptSubmit' | 'PostToolUse') => ({
      hooks: [() => ({ hookSpecificOutput: { hookEventName, additionalContext: `${hookEventName} says` } })],
    });
    const hooks = {
      SessionStart: [adds('SessionStart')],
      UserPromptSubmit: [adds('UserPromptSubmit')],
      PostToolUse: [adds('PostToolUse')],
    };
    const first = await makeLoop({
      hooks: hooks as HookConfig,
      turns: [{ tools: [{ name: 'Note', input: { text: 'a' } }] }, { text: 'I will.' }],
      options: { tools: testTools().tools },
    });
    await readRun(first.loop.run('Remember seven.'));
    const before = await first.loop.conversation();
    const { transcriptPath } = await first.loop.session();
    await first.loop.close();
    const lines = linesOf(transcriptPath);
    expect(
      lines.filter(({ type }) => type === 'attachment').map(({ attachment }) => attachment),
    ).toMatchObject(
      ['SessionStart', 'UserPromptSubmit', 'PostToolUse'].map((hookEvent) => ({
        type: 'hook_additional_context',
        hookEvent,
        content: [`${hookEvent} says`],
      })),
    );
    const users = lines.filter(({ type }) => type === 'user') as { message: { content: unknown } }[];
    expect(users[0]?.message.content).toBe('Remember seven.');
    expect(users[1]?.message.content).toMatchObject([{ type: 'tool_result' }]);
    const again = await makeLoop({ turns: [{ text: 'Seven.' }], options: { resume: transcriptPath } });
    expect(await again.loop.conversation()).toEqual(before);
  });

  it('TS-32: a transcript with the context in the line of the prompt, as earlier versions wrote it, is read as before', async () => {
    const { transcriptPath } = await past([{ text: 'I will.' }]);
    const old = linesOf(transcriptPath).map((line) =>
      line['type'] === 'user'
        ? {
            ...line,
            message: {
              role: 'user',
              content: ['<system-reminder>\nOld.\n</system-reminder>', 'Remember seven.'].map((text) => ({
                type: 'text',
                text,
              })),
            },
          }
        : line,
    );
    writeFileSync(transcriptPath, `${old.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const { loop } = await makeLoop({ turns: [{ text: 'Seven.' }], options: { resume: transcriptPath } });
    expect((await loop.conversation()).map(textOf)).toEqual([
      '<system-reminder>\nOld.\n</system-reminder>\nRemember seven.',
      'I will.',
    ]);
  });

  it('LO-5: SessionStart says resume, and what is known about the time before', async () => {
    const { transcriptPath } = await past([
      { text: 'I will.', usage: { inputTokens: 1200, outputTokens: 34 } },
    ]);
    const old = linesOf(transcriptPath).map((line) => ({
      ...line,
      timestamp: new Date(Date.now() - 400_000).toISOString(),
    }));
    writeFileSync(transcriptPath, `${old.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const model = scriptedModel([{ text: 'Yes.' }]);
    const prices = { scripted: { input: 1, output: 1, cacheWrite: 1000 } };
    const { loop, seen, of } = await watchLoop({ options: { model, prices, resume: transcriptPath } });
    await readRun(loop.run('Still there?'));
    expect(story(seen)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
    expect(of('SessionStart')[0]).toMatchObject({
      source: 'resume',
      model: 'scripted',
      seconds_since_last_response: expect.any(Number),
      prompt_cache_likely_expired: true,
      context_tokens: 1234,
      estimated_cache_write_usd: 1.234,
    });
    const seconds = Number(of('SessionStart')[0]?.['seconds_since_last_response']);
    expect(seconds).toBeGreaterThanOrEqual(400);
    expect(seconds).toBeLessThan(430);
  });

  it('LO-5: what is not known is left out: no answer so far, no tokens counted, no price', async () => {
    const { transcriptPath } = await past([{ text: 'I will.' }]);
    const { loop, of } = await watchLoop({ turns: [{ text: 'Yes.' }], options: { resume: transcriptPath } });
    await readRun(loop.run('Still there?'));
    expect(Object.keys(of('SessionStart')[0] ?? {}).sort()).toEqual(
      [
        ...['session_id', 'transcript_path', 'cwd', 'permission_mode', 'hook_event_name', 'source', 'model'],
        ...['seconds_since_last_response', 'prompt_cache_likely_expired'],
      ].sort(),
    );
    expect(of('SessionStart')[0]).toMatchObject({ prompt_cache_likely_expired: false });
  });

  it('LO-5: context of the new start comes before the new prompt, that of the first start is kept', async () => {
    const context = (additionalContext: string) => ({
      SessionStart: [
        {
          hooks: [
            () => ({ hookSpecificOutput: { hookEventName: 'SessionStart' as const, additionalContext } }),
          ],
        },
      ],
    });
    const first = await makeLoop({ hooks: context('old news'), turns: [{ text: 'Hello.' }] });
    await readRun(first.loop.run('Hi.'));
    const { transcriptPath } = await first.loop.session();
    await first.loop.close();
    const { loop, requests } = await makeLoop({
      hooks: context('new news'),
      turns: [{ text: 'Yes.' }],
      options: { resume: transcriptPath },
    });
    await readRun(loop.run('Still there?'));
    const [hi, , now] = requests[0]?.messages ?? [];
    expect(textOf(hi)).toMatch(/old news[\s\S]*Hi\.$/);
    expect(textOf(now)).toMatch(/new news[\s\S]*Still there\?$/);
  });

  it('LO-5: a session that was cut in the middle of a tool call goes on with a result that says so', async () => {
    const { transcriptPath } = await past([
      { text: 'I do both', tools: ['a', 'b'].map((text) => ({ name: 'Note', id: text, input: { text } })) },
      { text: 'Never said.' },
    ]);
    const lines = readFileSync(transcriptPath, 'utf8').split('\n');
    const asked = lines.findIndex((line) => line.includes('I do both'));
    writeFileSync(transcriptPath, `${lines.slice(0, asked + 1).join('\n')}\n{"type":"user","mess`);
    const { loop, requests } = await makeLoop({
      turns: [{ text: 'On we go.' }],
      options: { resume: transcriptPath },
    });
    const { messages, result } = await readRun(loop.run('Go on.'));
    expect(result.terminal_reason).toBe('completed');
    expectValid(requests);
    const [, , results] = requests[0]?.messages ?? [];
    expect(results?.content.slice(0, 2)).toEqual(
      ['a', 'b'].map((id) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: expect.stringContaining('not known'),
        is_error: true,
      })),
    );
    expect(textOf(results)).toMatch(/Go on\.$/);
    expect(messages).toContainEqual(
      expect.objectContaining({
        subtype: 'informational',
        content: expect.stringMatching(/Line \d+ was left out/),
      }),
    );
  });

  it('LO-5: a transcript that cannot be read is told, never passed over', async () => {
    const { transcriptPath } = await past([{ text: 'I will.' }]);
    const { loop, requests } = await makeLoop({
      turns: [{ text: 'Hello.' }],
      options: { resume: `${transcriptPath}.gone` },
    });
    const refusal = await refusalOf(() => readRun(loop.run('Hi.')));
    expect(refusal.code).toBe('invalid_option');
    expect(refusal.message).toMatch(/cannot be resumed.*jsonl\.gone cannot be read/);
    expect(requests).toEqual([]);
  });

  it('LO-5: a session that was resumed can be resumed again', async () => {
    const { transcriptPath } = await past([{ text: 'One.' }]);
    for (const [prompt, text] of [
      ['Second', 'Two.'],
      ['Third', 'Three.'],
    ] as const) {
      const { loop } = await makeLoop({ turns: [{ text }], options: { resume: transcriptPath } });
      await readRun(loop.run(prompt));
      await loop.close();
    }
    const { loop } = await makeLoop({ options: { resume: transcriptPath } });
    const conversation = await loop.conversation();
    expect(conversation.map(textOf)).toEqual([
      'Remember seven.',
      'One.',
      'Second',
      'Two.',
      'Third',
      'Three.',
    ]);
    checkConversation(conversation.slice(0, -1));
  });
});
