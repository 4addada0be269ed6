import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../../src/agent/tools/built-in.js';
import { createTaskList, type Task, type TaskListOptions } from '../../../src/agent/tools/task-list.js';
import { createTaskTools } from '../../../src/agent/tools/tasks.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();

function tasks(options: TaskListOptions = {}) {
  const list = createTaskList(options);
  const tools = new Map(createTaskTools(list).map((tool) => [tool.name, tool]));
  const call = (name: string, input: object) => {
    const tool = tools.get(name);
    return tool ? bench.run(tool, input) : expect.fail(`no tool ${name}`);
  };
  return { list, call };
}

describe('the built-in tools', () => {
  it('TO-2: each has a schema that refuses unknown fields, and says whether it only reads', () => {
    const tools = builtInTools();
    expect(tools.map(({ name, readOnly }) => (readOnly ? `${name} (reads)` : name))).toEqual([
      'Bash',
      'BashOutput',
      'KillShell',
      'Read (reads)',
      'Write',
      'Edit',
      'Glob (reads)',
      'Grep (reads)',
      'TaskCreate',
      'TaskUpdate',
      'TaskList (reads)',
      'Agent',
      'SendMessage',
    ]);
    for (const { inputSchema, description, check } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(description).not.toBe('');
      expect(check({ unknown: 1 })).toMatchObject({
        ok: false,
        error: expect.stringContaining('unknown: unknown'),
      });
    }
  });
});

describe('the list of tasks', () => {
  it('TO-30: tasks are made, changed, shown and deleted', async () => {
    const { call, list } = tasks();
    const made = succeeded(await call('TaskCreate', { subject: 'S', description: 'D', activeForm: 'doing' }));
    expect(made.response).toEqual({ task: { id: '1', subject: 'S', description: 'D' } });
    succeeded(await call('TaskCreate', { subject: 'other' }));
    expect(
      succeeded(await call('TaskUpdate', { taskId: '1', status: 'in_progress', owner: 'me' })).response,
    ).toEqual({
      success: true,
      taskId: '1',
      updatedFields: ['status', 'owner'],
      statusChange: { from: 'pending', to: 'in_progress' },
    });
    const shown = succeeded(await call('TaskList', {}));
    expect(shown.content).toBe('#1 [in_progress] S\n#2 [pending] other');
    expect(shown.response).toMatchObject({
      tasks: [{ id: '1', status: 'in_progress', owner: 'me' }, { id: '2' }],
    });
    succeeded(await call('TaskUpdate', { taskId: '2', status: 'deleted' }));
    expect(list.list().map(({ id }) => id)).toEqual(['1']);
    succeeded(await call('TaskUpdate', { taskId: '1', status: 'deleted' }));
    expect(succeeded(await call('TaskList', {})).content).toBe('No tasks.');
  });

  it('TO-30: unknown tasks and statuses are errors that say what there is', async () => {
    const { call } = tasks();
    expect(failed(await call('TaskUpdate', { taskId: '9', status: 'completed' })).error).toMatch(
      /list is empty/,
    );
    succeeded(await call('TaskCreate', { subject: 'S' }));
    expect(failed(await call('TaskUpdate', { taskId: '9', status: 'deleted' })).error).toBe(
      'There is no task #9. Available: #1.',
    );
    expect(failed(await call('TaskUpdate', { taskId: '1', status: 'done' })).error).toMatch(/status/);
  });

  it('TO-31: completion is asked for once, with the task as it would be and the call’s context', async () => {
    const asked: [Task, string][] = [];
    const { call } = tasks({
      beforeComplete: async (task, { toolUseId }) => {
        asked.push([task, toolUseId]);
        return undefined;
      },
    });
    await call('TaskCreate', { subject: 'S', description: 'D' });
    expect(
      succeeded(await call('TaskUpdate', { taskId: '1', status: 'completed', subject: 'T' })).response,
    ).toMatchObject({ success: true, statusChange: { from: 'pending', to: 'completed' } });
    expect(asked).toEqual([[{ id: '1', subject: 'T', description: 'D', status: 'completed' }, 'toolu_1']]);
    const again = succeeded(await call('TaskUpdate', { taskId: '1', status: 'completed' }));
    expect(again.response).toEqual({ success: true, taskId: '1', updatedFields: [] });
    expect(asked).toHaveLength(1);
  });

  it('TO-31: a refusal keeps the task open and is a result, not an error', async () => {
    const { call, list } = tasks({ beforeComplete: async () => ({ feedback: 'tests are red' }) });
    await call('TaskCreate', { subject: 'S' });
    expect(await call('TaskUpdate', { taskId: '1', status: 'completed', subject: 'T' })).toEqual({
      ok: true,
      content: 'tests are red',
      response: { success: false, taskId: '1', updatedFields: [], error: 'tests are red' },
    });
    expect(list.list()).toMatchObject([{ subject: 'S', status: 'pending' }]);
  });

  it('TO-31: a question that throws, or is aborted, leaves the task open', async () => {
    const throwing = tasks({ beforeComplete: () => Promise.reject(new Error('no answer')) });
    await throwing.call('TaskCreate', { subject: 'S' });
    expect(failed(await throwing.call('TaskUpdate', { taskId: '1', status: 'completed' })).error).toMatch(
      /no answer/,
    );
    expect(throwing.list.list()).toMatchObject([{ status: 'pending' }]);

    const open = tasks({
      beforeComplete: (_, { signal }) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    await open.call('TaskCreate', { subject: 'S' });
    const run = open.call('TaskUpdate', { taskId: '1', status: 'completed' });
    bench.controller.abort();
    expect(failed(await run).interrupted).toBe(true);
    expect(open.list.list()).toMatchObject([{ status: 'pending' }]);
  });

  it('TO-31: a task that is deleted while the question is open is unknown afterwards', async () => {
    const { call, list } = tasks({
      beforeComplete: async ({ id }) => {
        list.remove(id);
        return undefined;
      },
    });
    await call('TaskCreate', { subject: 'S' });
    expect(failed(await call('TaskUpdate', { taskId: '1', status: 'completed' })).error).toMatch(
      /no task #1/,
    );
  });
});
