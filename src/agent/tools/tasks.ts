/** The tools TaskCreate, TaskUpdate and TaskList. */
import { z } from 'zod';
import { TASK_STATUSES, type TaskList, type TaskUpdate } from './task-list.js';
import { defineTool, type Tool, type ToolOutcome } from './tool.js';

/** Creates the tools `TaskCreate`, `TaskUpdate` and `TaskList` for a list. Never throws. */
export function createTaskTools(list: TaskList): Tool[] {
  return [createTool(list), updateTool(list), listTool(list)];
}

const createTool = (list: TaskList): Tool =>
  defineTool({
    name: 'TaskCreate',
    description: 'Adds a task to your task list. It is pending until you update it.',
    harmless: true,
    input: z.strictObject({
      subject: z.string().min(1).describe('The task in one line'),
      description: z.string().default('').describe('What to do, and when it is done'),
      activeForm: z.string().optional().describe('Shown while it is in progress'),
    }),
    // The hooks that check a new task may take long.
    timeout: 900,
    async run(asked, context): Promise<ToolOutcome> {
      const task = list.create(asked);
      const { id, subject, description } = task;
      const refusal = await context.host?.afterTaskCreated?.(task, context);
      if (refusal !== undefined) {
        list.remove(id);
        return { ok: false, error: refusal.feedback };
      }
      return {
        ok: true,
        content: `Created task #${id}: ${subject}`,
        response: { task: { id, subject, description } },
      };
    },
  });

const updateTool = (list: TaskList): Tool =>
  defineTool({
    name: 'TaskUpdate',
    description:
      'Changes a task: set status to in_progress when you start, to completed when it is done, to deleted when it is no longer needed.',
    input: z.strictObject({
      taskId: z.string().min(1).describe('The number of the task'),
      status: z.enum([...TASK_STATUSES, 'deleted']).optional(),
      subject: z.string().min(1).optional(),
      description: z.string().optional(),
      activeForm: z.string().optional(),
      owner: z.string().optional(),
    }),
    harmless: true,
    // The check before a task is completed may take long.
    timeout: 900,
    async run({ taskId, status, ...texts }, context): Promise<ToolOutcome> {
      if (status === 'deleted') return deleteTask(list, taskId);
      return describeUpdate(list, taskId, await list.update(taskId, { ...texts, status }, context));
    },
  });

const listTool = (list: TaskList): Tool =>
  defineTool({
    name: 'TaskList',
    description: 'Shows all tasks on your list with their status.',
    input: z.strictObject({}),
    readOnly: true,
    run(): ToolOutcome {
      const tasks = list.list();
      return {
        ok: true,
        content:
          tasks.map(({ id, status, subject }) => `#${id} [${status}] ${subject}`).join('\n') || 'No tasks.',
        response: { tasks: tasks.map(({ id, subject, status, owner }) => ({ id, subject, status, owner })) },
      };
    },
  });

function describeUpdate(list: TaskList, taskId: string, update: TaskUpdate): ToolOutcome {
  if (update.kind === 'unknown') return unknownTask(list, taskId);
  if (update.kind === 'refused')
    return {
      ok: true,
      content: update.feedback,
      response: { success: false, taskId, updatedFields: [], error: update.feedback },
    };
  const { fields, task, before } = update;
  return {
    ok: true,
    content:
      fields.length === 0
        ? `Task #${taskId} is unchanged.`
        : `Updated ${fields.join(', ')} of task #${taskId}.`,
    response: {
      success: true,
      taskId,
      updatedFields: fields,
      ...(task.status !== before.status && { statusChange: { from: before.status, to: task.status } }),
    },
  };
}

function deleteTask(list: TaskList, taskId: string): ToolOutcome {
  if (!list.remove(taskId)) return unknownTask(list, taskId);
  return {
    ok: true,
    content: `Deleted task #${taskId}.`,
    response: { success: true, taskId, updatedFields: ['deleted'] },
  };
}

function unknownTask(list: TaskList, taskId: string): ToolOutcome {
  const known = list.list().map(({ id }) => `#${id}`);
  return {
    ok: false,
    error: `There is no task #${taskId}. ${known.length === 0 ? 'The list is empty.' : `Available: ${known.join(', ')}.`}`,
  };
}
