import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command } from '../../../../src/index.js';
import { gate, refusalOf, watchProcess } from '../../../support/runner.js';
import { kind, start } from '../agents/support.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { hangingModel, watchLoop } from './support.js';

watchProcess();

const halts = { continue: false, stopReason: 'not today' } as const;
const heard = { text: 'Heard.', repeat: true };

describe('how a session starts', () => {
  it('LO-21: `continue: false` at a start holds for the next prompt, whatever was called first', async () => {
    const { loop, requests } = await makeLoop({
      hooks: { SessionStart: [{ matcher: 'startup', hooks: [() => halts] }] },
      turns: [heard],
    });
    await readRun(loop.clear());
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'hook_stopped', hook_stop_reason: 'not today' });
    expect(requests).toEqual([]);
    expect((await readRun(loop.run('Again.'))).result.terminal_reason).toBe('completed');
  });

  it('LO-21: `continue: false` when the session starts from a summary ends the turn', async () => {
    const { tools } = testTools();
    const { loop, requests } = await makeLoop({
      hooks: { SessionStart: [{ matcher: 'compact', hooks: [() => halts] }] },
      turns: [
        { tools: [{ name: 'Note', input: { text: 'a' } }], usage: { inputTokens: 950, outputTokens: 0 } },
        { when: 'summary', text: 'Short.' },
        heard,
      ],
      options: { tools, contextWindow: 1000 },
    });
    expect((await readRun(loop.run('Go.'))).result.terminal_reason).toBe('hook_stopped');
    expect(requests.map(({ purpose }) => purpose)).toEqual(['turn', 'summary']);
  });

  it('LO-5: what is no transcript is not resumed, and an id that is taken not begun anew', async () => {
    const made = await makeLoop({ turns: [heard] });
    const data = join(made.cwd, 'data.jsonl');
    writeFileSync(data, '{"id":1}\n');
    const wrong = await makeLoop({ options: { resume: data } });
    expect((await refusalOf(() => readRun(wrong.loop.run('Go.')))).message).toContain('is not a transcript');
    await readRun(made.loop.run('Go.'));
    const { id } = await made.loop.session();
    const { cwd, transcripts } = made;
    const again = await makeLoop({ options: { sessionId: id, cwd, transcripts } });
    expect((await refusalOf(() => readRun(again.loop.run('Go.')))).message).toContain('already');
  });

  it('LO-5: a resumed session knows how full it is', async () => {
    const made = await makeLoop({
      turns: [{ text: 'Long.', usage: { inputTokens: 950, outputTokens: 0 } }],
    });
    await readRun(made.loop.run('Go.'));
    const { transcriptPath } = await made.loop.session();
    const again = await makeLoop({
      turns: [{ when: 'summary', text: 'Short.' }, heard],
      options: { resume: transcriptPath, contextWindow: 1000, cwd: made.cwd, transcripts: made.transcripts },
    });
    await readRun(again.loop.run('More.'));
    expect(again.requests.map(({ purpose }) => purpose)).toEqual(['summary', 'turn']);
  });
});

describe('how a turn ends', () => {
  it('LO-33: after any end but completion nobody works on: what agents tell waits for the next prompt', async () => {
    const digger = kind([{ text: 'Dug.' }]);
    const told = gate();
    const { loop, requests } = await watchLoop({
      prepare: ({ runner }) => {
        runner.on('SubagentStop', () => told.open());
        runner.on('PostToolUse', { matcher: 'Bash' }, async () => {
          await told.passed;
          return halts;
        });
      },
      turns: [
        { tools: [start('digger', { run_in_background: true })] },
        { tools: [{ name: 'Bash', input: { command: 'true' } }] },
        heard,
      ],
      options: { agents: { digger: digger.definition } },
    });
    const { result, messages } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'hook_stopped', hook_stop_reason: 'not today' });
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(requests).toHaveLength(2);
    await readRun(loop.run('And now?'));
    expect(JSON.stringify(requests.map(({ messages: sent }) => sent).slice(2))).toContain('Dug.');
  });

  it('LO-33: `continue: false` on what an agent tells ends the turn', async () => {
    const digger = kind([{ text: 'Dug.' }]);
    let prompts = 0;
    const { loop } = await watchLoop({
      hooks: { UserPromptSubmit: [{ hooks: [() => (prompts++ === 0 ? undefined : halts)] }] },
      turns: [{ tools: [start('digger', { run_in_background: true })] }, heard],
      options: { agents: { digger: digger.definition } },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'hook_stopped', hook_stop_reason: 'not today' });
  });

  it('LO-33: what hooks have not judged to the end does not enter the conversation', async () => {
    const digger = kind([{ text: 'Dug.' }]);
    const judging = gate();
    let prompts = 0;
    const { loop, of } = await watchLoop({
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              async (_input, _id, { signal }) => {
                prompts += 1;
                if (prompts !== 2) return;
                judging.open();
                await new Promise((resolve) => signal.addEventListener('abort', resolve));
              },
            ],
          },
        ],
      },
      turns: [{ tools: [start('digger', { run_in_background: true })] }, heard],
      options: { agents: { digger: digger.definition } },
    });
    const reading = readRun(loop.run('Go.'));
    await judging.passed;
    loop.interrupt();
    await reading;
    expect(JSON.stringify(await loop.conversation())).not.toContain('Dug.');
    await readRun(loop.run('And now?'));
    expect(JSON.stringify(await loop.conversation())).toContain('Dug.');
    expect(of('UserPromptSubmit').length).toBeGreaterThanOrEqual(4);
  });

  it('LO-7: whoever aborts and does not read on has the session ended all the same', async () => {
    const begun = gate();
    const { loop, of } = await watchLoop({ options: { model: hangingModel(() => begun.open()) } });
    const controller = new AbortController();
    const run = loop.run('Go.', { signal: controller.signal });
    const first = run.next();
    await begun.passed;
    controller.abort();
    await loop.close();
    expect(of('SessionEnd')).toHaveLength(1);
    await first;
    await run.return(undefined as never);
  });

  it('LO-7: a reader that returns while it waits ends the run at once', async () => {
    const begun = gate();
    const { loop } = await watchLoop({ options: { model: hangingModel(() => begun.open()) } });
    const run = loop.run('Go.');
    const pending = (async () => {
      for (;;) if ((await run.next()).done) return;
    })();
    await begun.passed;
    await run.return(undefined as never);
    await pending;
    expect(loop.run('Next.')).toBeDefined();
  });
});

describe('guards', () => {
  it('LO-9: are asked although the agent has removed the directory it is in', async () => {
    const { tools, ran } = testTools();
    const { loop, cwd } = await makeLoop({
      prepare: ({ runner }) => {
        runner.on('PreToolUse', { matcher: 'Change' }, command('echo no >&2; exit 2'));
      },
      turns: [{ tools: [{ name: 'Change', input: { text: 'a' } }] }, heard],
      options: { tools, permissions: { mode: 'bypassPermissions' } },
    });
    const sub = join(cwd, 'sub');
    mkdirSync(sub);
    const moved = await makeLoop({
      prepare: ({ runner }) => {
        runner.on('PreToolUse', { matcher: 'Change' }, command('echo no >&2; exit 2'));
      },
      turns: [{ tools: [{ name: 'Change', input: { text: 'a' } }] }, heard],
      options: { tools, cwd: sub, permissions: { mode: 'bypassPermissions' } },
    });
    rmdirSync(sub);
    const { result } = await readRun(moved.loop.run('Go.'));
    expect(ran).toEqual([]);
    expect(result.permission_denials).toHaveLength(1);
    await loop.close();
  });

  it('LO-27: nothing of an answer counts whose input does not fit', async () => {
    const { tools, ran } = testTools();
    const call = { tools: [{ name: 'Change', input: { text: 'a' } }] };
    const { loop } = await makeLoop({
      turns: [call, call, heard],
      options: {
        tools,
        canUseTool: async () => ({
          behavior: 'allow',
          updatedInput: { wrong: 1 },
          updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }],
        }),
      },
    });
    await readRun(loop.run('Go.'));
    expect(ran).toEqual([]);
  });
});
