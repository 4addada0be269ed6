import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { createTaskList } from '../../../../src/agent/tools/task-list.js';
import { command } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { lastSaid, story, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { kind, start } from './support.js';

watchProcess();

const create = {
  tools: [{ name: 'TaskCreate', input: { subject: 'Dig', description: 'Until water comes' } }],
};
const complete = {
  tools: [{ name: 'TaskUpdate', id: 'use-2', input: { taskId: '1', status: 'completed' } }],
};

describe('a task that is to be completed', () => {
  it('LO-35: TaskCompleted fires before it is, once, and not for other changes', async () => {
    const tasks = createTaskList();
    const statuses: unknown[] = [];
    const { loop, seen } = await watchLoop({
      hooks: { TaskCompleted: [{ hooks: [() => void statuses.push(tasks.list()[0]?.status)] }] },
      turns: [
        create,
        { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'in_progress' } }] },
        complete,
        complete,
        { text: 'Done.' },
      ],
      options: { tools: builtInTools({ tasks }) },
    });
    await readRun(loop.run('Go.'));
    expect(statuses).toEqual(['in_progress']);
    expect(tasks.list()[0]?.status).toBe('completed');
    const around = story(seen).indexOf('TaskCompleted');
    expect(story(seen).slice(around - 1, around + 2)).toEqual([
      'PreToolUse:TaskUpdate',
      'TaskCompleted',
      'PostToolUse:TaskUpdate',
    ]);
  });

  it.each([
    ['blocks', () => ({ decision: 'block' as const, reason: 'there is no water' })],
    ['exits with 2', command('echo "there is no water" >&2; exit 2')],
  ])('LO-35: a hook that %s keeps it open, and the model reads why', async (_, hook) => {
    const tasks = createTaskList();
    const { loop, of, requests } = await watchLoop({
      hooks: { TaskCompleted: [{ hooks: [hook as never] }] },
      turns: [create, complete, { text: 'I go on digging.' }],
      options: { tools: builtInTools({ tasks }) },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'I go on digging.' });
    expect(tasks.list()).toEqual([expect.objectContaining({ status: 'pending' })]);
    expect(lastSaid(requests)).toMatch(/^TaskCompleted hook feedback:\n[\s\S]*there is no water/);
    expect(of('PostToolUse').at(-1)?.['tool_response']).toMatchObject({
      success: false,
      taskId: '1',
      updatedFields: [],
    });
  });

  it('LO-21, LO-35: a hook that ends the run ends the turn, and the task stays open', async () => {
    const tasks = createTaskList();
    const { loop, of, requests } = await watchLoop({
      hooks: { TaskCompleted: [{ hooks: [() => ({ continue: false, stopReason: 'there is no water' })] }] },
      turns: [create, complete, { text: 'Unsaid.' }],
      options: { tools: builtInTools({ tasks }) },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'hook_stopped', hook_stop_reason: 'there is no water' });
    expect(tasks.list()).toEqual([expect.objectContaining({ status: 'pending' })]);
    expect(requests).toHaveLength(2);
    expect(of('Stop')).toEqual([]);
  });

  it('LO-35: all who refuse are heard', async () => {
    const no = (reason: string) => () => ({ decision: 'block' as const, reason });
    const { loop, requests } = await watchLoop({
      hooks: { TaskCompleted: [{ hooks: [no('no water')] }, { hooks: [no('no tests')] }] },
      turns: [create, complete, { text: 'Hm.' }],
    });
    await readRun(loop.run('Go.'));
    expect(lastSaid(requests)).toMatch(/no water[\s\S]*no tests/);
  });

  it('LO-35: inside a team, hooks hear which member completes it, and that one reads the feedback', async () => {
    const ada = kind([create, complete, { text: 'It stays open.' }]);
    const { loop, of, requests } = await watchLoop({
      hooks: { TaskCompleted: [{ hooks: [() => ({ decision: 'block', reason: 'there is no water' })] }] },
      turns: [{ tools: [start('digger', { name: 'ada' })] }, { text: 'Heard.', repeat: true }],
      options: { team: 'engine', agents: { digger: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(of('TaskCompleted')).toEqual([
      expect.objectContaining({
        task_id: '1',
        task_subject: 'Dig',
        task_description: 'Until water comes',
        teammate_name: 'ada',
        team_name: 'engine',
        agent_type: 'digger',
      }),
    ]);
    expect(lastSaid(ada.requests)).toContain('there is no water');
    expect(JSON.stringify(requests)).not.toContain('there is no water');
  });
});
