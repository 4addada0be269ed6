import { describe, expect, it } from 'vitest';
import type { Model } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import type { ScriptedTurn } from '../../../../src/agent/models/scripted-schema.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { command } from '../../../../src/index.js';
import { until } from '../../../support/process-harness.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { hangingModel, hangs, makePidFile, textOf, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { expectToGoOn, interruptAt } from './support.js';

watchProcess();

const bypass = { permissions: { mode: 'bypassPermissions' } } as const;
const bash = (line: string): ScriptedTurn => ({
  tools: [{ name: 'Bash', id: 'use-1', input: { command: line } }],
});

describe('an interrupt ends the run alone', () => {
  it('LO-50: while the model streams; what it had begun to say is kept, and it knows that it was interrupted', async () => {
    const asked = gate();
    const hanging = hangingModel(() => asked.open());
    const later = scriptedModel([{ text: 'Here I am.' }]);
    let calls = 0;
    const model: Model = {
      name: 'both',
      stream: (request) => (calls++ === 0 ? hanging : later).stream(request),
    };
    const made = await watchLoop({ options: { model } });
    await interruptAt(made, { begun: asked.passed });
    await expectToGoOn({ ...made, requests: later.requests });
    const [prompt, begun, next] = later.requests[0]?.messages.map(textOf) ?? [];
    expect([prompt, begun]).toEqual(['Begin.', 'I begin']);
    expect(next).toMatch(
      /^<system-reminder>\nThe run was interrupted here\.[\s\S]*<\/system-reminder>\nAre you there\?$/,
    );
  });

  it('LO-7: while a shell command runs; its call has a result that says so', async () => {
    const pids = makePidFile();
    const made = await watchLoop({ turns: [bash(pids.sleeper), { text: 'Here I am.' }], options: bypass });
    await interruptAt(made, { begun: pids.reported(), running: pids.running });
    await expectToGoOn(made);
    expect(made.requests[1]?.messages[2]?.content[0]).toEqual({
      type: 'tool_result',
      tool_use_id: 'use-1',
      content: expect.stringContaining('interrupted'),
      is_error: true,
    });
  });

  it.each(['PreToolUse', 'PostToolUse'] as const)(
    'LO-7: while a hook on %s runs; every call of the answer has its result',
    async (event) => {
      const pids = makePidFile();
      const { tools, ran } = testTools();
      const calls = ['a', 'b'].map((text) => ({ name: 'Note', id: text, input: { text } }));
      const made = await watchLoop({
        hooks: { [event]: [{ hooks: [command(pids.sleeper)] }] },
        turns: [{ tools: calls }, { text: 'Here I am.' }],
        options: { tools },
      });
      await interruptAt(made, { begun: pids.reported(), running: pids.running });
      expect(ran).toHaveLength(event === 'PreToolUse' ? 0 : 1);
      await expectToGoOn(made);
      expect(made.requests[1]?.messages[2]?.content.slice(0, 2).map(({ type }) => type)).toEqual([
        'tool_result',
        'tool_result',
      ]);
    },
  );

  it('LO-7: while the session begins; the prompt was not let in, and the next one begins the session again', async () => {
    const begun = gate();
    const made = await watchLoop({
      prepare: ({ runner }) => {
        const stop = runner.on('SessionStart', hangs(begun));
        begun.passed.then(stop);
        runner.on('SessionStart', () => ({
          hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'the rules of the house' },
        }));
      },
      turns: [{ text: 'Here I am.' }],
    });
    await interruptAt(made, { begun: begun.passed });
    await expectToGoOn(made);
    expect(textOf(made.requests.at(-1)?.messages[0] as never)).toContain('the rules of the house');
  });

  it('LO-7: while a person is asked; the answer that comes too late changes nothing', async () => {
    const asked = gate();
    const answer = gate<{ behavior: 'allow' }>();
    const { tools, ran } = testTools();
    const made = await watchLoop({
      turns: [{ tools: [{ name: 'Change', input: { text: 'a' } }] }, { text: 'Here I am.' }],
      options: {
        tools,
        canUseTool: () => {
          asked.open();
          return answer.passed;
        },
      },
    });
    await interruptAt(made, { begun: asked.passed });
    answer.open({ behavior: 'allow' });
    await expectToGoOn(made);
    expect(ran).toEqual([]);
  });

  it('LO-7: while an agent works that is waited for', async () => {
    const pids = makePidFile();
    const made = await watchLoop({
      turns: [
        { tools: [{ name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'digger' } }] },
        { text: 'Here I am.' },
      ],
      options: {
        ...bypass,
        agents: { digger: { description: '', prompt: '', model: scriptedModel([bash(pids.sleeper)]) } },
      },
    });
    await interruptAt(made, { begun: pids.reported(), running: pids.running });
    await expectToGoOn(made);
  });

  it('LO-7: while a conversation is compacted', async () => {
    const begun = gate();
    const made = await watchLoop({
      hooks: {
        PreCompact: [{ hooks: [hangs(begun)] }],
      },
      turns: [{ text: 'Hello.' }, { text: 'Here I am.' }],
    });
    await readRun(made.loop.run('Hi.'));
    await interruptAt(made, { begun: begun.passed, start: () => made.loop.compact() });
    await expectToGoOn(made);
    expect(made.requests[1]?.messages.map(textOf)).toEqual(['Hi.', 'Hello.', 'Are you there?']);
  });

  it('LO-7: while the session begins anew after clear(): the result says so, and nothing is half done', async () => {
    const begun = gate();
    const made = await watchLoop({
      hooks: {
        SessionStart: [{ matcher: 'clear', hooks: [hangs(begun)] }],
      },
      turns: [{ text: 'Hello.' }, { text: 'Here I am.' }],
    });
    await readRun(made.loop.run('Hi.'));
    const reading = readRun(made.loop.clear());
    await begun.passed;
    made.loop.interrupt();
    expect((await reading).result.terminal_reason).toBe('aborted');
    await readRun(made.loop.run('Are you there?'));
    expect(made.requests.at(-1)?.messages.map(textOf)).toEqual(['Are you there?']);
  });

  it('LO-7: with an agent in the background: it works on, and is heard of with the next prompt', async () => {
    const answer = gate();
    const asked = gate();
    const digger: Model = {
      name: 'digger',
      async *stream() {
        await answer.passed;
        yield { type: 'text', text: 'Found water' };
        yield { type: 'end', stopReason: 'end_turn', usage: { inputTokens: 0, outputTokens: 0 } };
      },
    };
    const { tools } = testTools((name) => {
      if (name !== 'Look') return undefined;
      asked.open();
      return new Promise(() => {});
    });
    const made = await watchLoop({
      turns: [
        {
          tools: [
            {
              name: 'Agent',
              input: { description: 'd', prompt: 'p', subagent_type: 'digger', run_in_background: true },
            },
          ],
        },
        { tools: [{ name: 'Look', input: { text: 'x' } }] },
        { tools: [{ name: 'Note', input: { text: 'x' } }] },
        { text: 'I heard of it.' },
      ],
      options: {
        tools: [...builtInTools(), ...tools],
        agents: { digger: { description: '', prompt: '', model: digger } },
      },
      hooks: {
        PreToolUse: [
          {
            matcher: 'Note',
            hooks: [
              () => {
                answer.open();
                return until(() => made.of('SubagentStop').length > 0, 'the end of the agent');
              },
            ],
          },
        ],
      },
    });
    await interruptAt(made, { begun: asked.passed });
    const { messages, result } = await readRun(made.loop.run('And now?'));
    expect(result.result).toBe('I heard of it.');
    expect(JSON.stringify(made.requests.at(-1)?.messages)).toContain('Found water');
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'task_notification', status: 'completed' }),
    );
  });

  it('LO-7: an interrupt without a run does nothing', async () => {
    const made = await watchLoop({ turns: [{ text: 'Here I am.' }] });
    made.loop.interrupt();
    await expectToGoOn(made);
  });
});
