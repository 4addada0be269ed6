import { describe, expect, it } from 'vitest';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import type { Model } from '../../../../src/agent/models/port.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { command } from '../../../../src/index.js';
import { until } from '../../../support/process-harness.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { hangingModel, makePidFile, type PidFile, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { abortAt, tap } from './support.js';

watchProcess();

const start = (more: object = {}) => ({
  name: 'Agent',
  input: { description: 'Dig', prompt: 'Dig.', subagent_type: 'digger', ...more },
});
const bash = (line: string) => ({ tools: [{ name: 'Bash', input: { command: line } }] });

function withDigger(model: Model, more: Partial<AgentLoopOptions> = {}): Partial<AgentLoopOptions> {
  return {
    permissions: { mode: 'bypassPermissions' },
    agents: { digger: { description: 'digs', prompt: 'Dig', model } },
    ...more,
  };
}

const digging = (pids: PidFile): Model => scriptedModel([bash(pids.sleeper), { text: 'Unsaid.' }]);

describe('an abort of the run ends other agents', () => {
  it('LO-7: the tool of one that is waited for', async () => {
    const pids = makePidFile();
    const made = await watchLoop({ turns: [{ tools: [start()] }], options: withDigger(digging(pids)) });
    await abortAt(made, { begun: pids.reported(), running: pids.running });
    expect(made.of('SubagentStop')).toEqual([]);
  });

  it('LO-7: the tools of two that work side by side', async () => {
    const pids = makePidFile();
    const model = scriptedModel([{ ...bash(pids.sleeper), repeat: true }]);
    const made = await watchLoop({ turns: [{ tools: [start(), start()] }], options: withDigger(model) });
    await abortAt(made, { begun: pids.reported(4), running: pids.running });
  });

  it('LO-7: the model of one that is waited for', async () => {
    const asked = gate();
    const made = await watchLoop({
      turns: [{ tools: [start()] }],
      options: withDigger(hangingModel(() => asked.open())),
    });
    await abortAt(made, { begun: asked.passed });
  });

  it('LO-7: the hook of one that is waited for', async () => {
    const pids = makePidFile();
    const made = await watchLoop({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [command(pids.sleeper)] }] },
      turns: [{ tools: [start()] }],
      options: withDigger(scriptedModel([bash('true')])),
    });
    await abortAt(made, { begun: pids.reported(), running: pids.running });
    expect(made.of('PostToolUse')).toEqual([]);
  });

  it('LO-7: the question of one that is waited for', async () => {
    const asked = gate();
    const made = await watchLoop({
      turns: [{ tools: [start()] }],
      options: withDigger(scriptedModel([bash('mkdir hole')]), {
        permissions: {},
        canUseTool: () => {
          asked.open();
          return new Promise(() => {});
        },
      }),
    });
    await abortAt(made, { begun: asked.passed });
  });

  it('LO-7: the tool of one in the background, while its starter is at work', async () => {
    const pids = makePidFile();
    const made = await watchLoop({
      turns: [{ tools: [start({ run_in_background: true })] }, bash(pids.sleeper)],
      options: withDigger(digging(pids)),
    });
    await abortAt(made, { begun: pids.reported(4), running: pids.running });
  });

  it('LO-7: the tool of one in the background, while the run only waits for it: the prompt keeps its result', async () => {
    const pids = makePidFile();
    const ended = gate();
    const made = await watchLoop({
      turns: [{ tools: [start({ run_in_background: true })] }, { text: 'Started.' }],
      options: withDigger(digging(pids)),
    });
    const { result } = await abortAt(made, {
      start: (signal) =>
        tap(made.loop.run('Begin.', { signal }), ({ type }) => type === 'result' && ended.open()),
      begun: Promise.all([ended.passed, pids.reported()]),
      running: pids.running,
      reason: 'completed',
    });
    expect(result.result).toBe('Started.');
  });

  it('LO-7: a member of a team at work, and one that is idle', async () => {
    const pids = makePidFile();
    const made = await watchLoop({
      turns: [
        { tools: [start({ name: 'ada' }), start({ name: 'bob', subagent_type: 'idler' })] },
        bash(pids.sleeper),
      ],
      options: withDigger(digging(pids), {
        team: 'engine',
        agents: {
          digger: { description: 'digs', prompt: 'Dig', model: digging(pids) },
          idler: { description: 'idles', prompt: 'Idle', model: scriptedModel([{ text: 'Done already.' }]) },
        },
      }),
    });
    const idle = until(() => made.of('TeammateIdle').length === 1, 'an idle member');
    await abortAt(made, { begun: Promise.all([idle, pids.reported(4)]), running: pids.running });
  });

  it('LO-7: a member whose being idle is asked about', async () => {
    const pids = makePidFile();
    const made = await watchLoop({
      hooks: { TeammateIdle: [{ hooks: [command(pids.sleeper)] }] },
      turns: [{ tools: [start({ name: 'ada' })] }, { text: 'Started.' }],
      options: withDigger(scriptedModel([{ text: 'Done.' }]), { team: 'engine' }),
    });
    const ended = gate();
    await abortAt(made, {
      start: (signal) =>
        tap(made.loop.run('Begin.', { signal }), ({ type }) => type === 'result' && ended.open()),
      begun: Promise.all([ended.passed, pids.reported()]),
      running: pids.running,
      reason: 'completed',
    });
  });

  it('LO-7: closing a session ends members that are idle, and a run is not kept by them', async () => {
    const made = await watchLoop({
      turns: [{ tools: [start({ name: 'ada' })] }, { text: 'Started.' }, { text: 'Heard.' }],
      options: withDigger(scriptedModel([{ text: 'Done.' }]), { team: 'engine' }),
    });
    const { result } = await readRun(made.loop.run('Begin.'));
    expect(result.result).toBe('Heard.');
    await made.loop.close();
    expect(made.of('SessionEnd')).toHaveLength(1);
  });
});
