/** The tools that work on the agent itself, with and without a loop around them. */
import { describe, expect, it } from 'vitest';
import {
  agentTool,
  builtInTools,
  runTool,
  sendMessageTool,
  type ToolContext,
  type ToolHost,
} from '../../../src/agent/index.js';

const context = (host?: ToolHost): ToolContext => ({
  cwd: '/',
  setCwd: () => {},
  signal: new AbortController().signal,
  environmentFiles: [],
  toolUseId: 'use-1',
  host,
});

/** A loop that only notes what it is asked for. */
function noteTaker(feedback?: string) {
  const asked: unknown[] = [];
  const host: ToolHost = {
    beforeTaskCompleted: async ({ subject }) => {
      asked.push(subject);
      return feedback === undefined ? undefined : { feedback };
    },
    startAgent: async (request) => {
      asked.push(request);
      return { ok: true, content: 'found it', response: {} };
    },
    sendMessage: async (message) => {
      asked.push(message);
      return { ok: true, content: 'sent', response: {} };
    },
    keep: (_, make) => make(),
  };
  return { asked, host };
}

describe('tools that work on the agent', () => {
  it('TO-39: they hand over to the loop what the model asked for', async () => {
    const { asked, host } = noteTaker();
    const input = { description: 'look', prompt: 'Look.', run_in_background: true, name: 'ada' };
    expect(await runTool(agentTool, input, context(host))).toMatchObject({ ok: true, content: 'found it' });
    await runTool(sendMessageTool, { to: 'ada', message: 'hurry' }, context(host));
    expect(asked).toEqual([
      { description: 'look', prompt: 'Look.', agentType: 'general-purpose', inBackground: true, name: 'ada' },
      { to: 'ada', message: 'hurry' },
    ]);
  });

  it('TO-39: outside a loop they say that there is none', async () => {
    for (const [tool, input] of [
      [agentTool, { description: 'look', prompt: 'Look.' }],
      [sendMessageTool, { to: 'ada', message: 'hurry' }],
    ] as const)
      expect(await runTool(tool, input, context())).toEqual({
        ok: false,
        error: 'There are no other agents here: this tool works inside an agent loop only.',
      });
  });

  it('TO-40: the loop is asked before a task becomes completed, and its feedback keeps the task open', async () => {
    const tools = builtInTools();
    const use = (name: string, input: object, host: ToolHost) => {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      return runTool(tool, input, context(host));
    };
    const strict = noteTaker('run the tests first');
    await use('TaskCreate', { subject: 'Fix it' }, strict.host);
    const refused = await use('TaskUpdate', { taskId: '1', status: 'completed' }, strict.host);
    expect(refused).toMatchObject({
      ok: true,
      content: 'run the tests first',
      response: { success: false },
    });
    expect(strict.asked).toEqual(['Fix it']);
    const mild = noteTaker();
    const done = await use('TaskUpdate', { taskId: '1', status: 'completed' }, mild.host);
    expect(done).toMatchObject({ ok: true, response: { success: true } });
    expect(mild.asked).toEqual(['Fix it']);
  });

  it('TO-41: tools say by which other names they go, and whether they are harmless', () => {
    expect(agentTool.aliases).toEqual(['Task']);
    const harmless = builtInTools().filter((tool) => tool.harmless);
    expect(harmless.map(({ name }) => name)).toEqual([
      'BashOutput',
      'KillShell',
      'TaskCreate',
      'TaskUpdate',
      'Agent',
      'SendMessage',
    ]);
  });
});
