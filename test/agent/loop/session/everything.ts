/** A session that passes every event there is: what it is made from, and what is done with it. */
import type { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { gate } from '../../../support/runner.js';
import { readRun } from '../support/run-loop.js';

export interface Everything {
  readonly options: Partial<AgentLoopOptions>;
  /** To be called by a hook on Notification: only then does the person answer. */
  readonly noticed: () => void;
  act(loop: AgentLoop): Promise<void>;
}

export function everything(): Everything {
  const noticed = gate();
  const bash = (command: string, id: string) => ({ tools: [{ name: 'Bash', id, input: { command } }] });
  const model = scriptedModel(
    [
      bash('mkfifo made', 'use-1'),
      bash('mkfifo again; exit 3', 'use-2'),
      { tools: [{ name: 'TaskCreate', input: { subject: 'Dig', description: 'Until water comes' } }] },
      { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
      {
        tools: [
          {
            name: 'Agent',
            id: 'use-5',
            input: { description: 'Look', prompt: 'Look around', subagent_type: 'scout' },
          },
        ],
      },
      {
        tools: [
          {
            name: 'Agent',
            id: 'use-6',
            input: { description: 'Stay', prompt: 'Stay here', subagent_type: 'guard', name: 'ada' },
          },
        ],
      },
      { text: 'Started.' },
      { text: 'Heard of it.' },
      { when: 'summary', text: '<summary>All is well.</summary>' },
    ],
    { name: 'main-model' },
  );
  return {
    noticed: noticed.open,
    options: {
      model,
      setup: 'init',
      team: 'engine',
      sessionId: 'session-1',
      notify: { permissionAfter: 0.01 },
      canUseTool: async (_, { command }) => {
        if (command === 'mkfifo made') await noticed.passed;
        return { behavior: 'allow' };
      },
      agents: {
        scout: { description: 'looks', prompt: 'Look', model: scriptedModel([{ text: 'Nothing there' }]) },
        guard: { description: 'stays', prompt: 'Stay', model: scriptedModel([{ text: 'All quiet' }]) },
      },
    },
    act: async (loop) => {
      await readRun(loop.run('Do everything.'));
      await readRun(loop.compact('keep the names'));
      await loop.close();
    },
  };
}
