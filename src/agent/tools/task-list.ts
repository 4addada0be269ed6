/** The task list of an agent, with a check before a task is completed. */
import type { ToolContext } from './tool.js';

export const TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A task of an agent. */
export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** Shown while it is in progress. */
  readonly activeForm?: string | undefined;
  readonly status: TaskStatus;
  readonly owner?: string | undefined;
}

/** Undefined fields are not changed. */
export type TaskChanges = { readonly [Field in Exclude<keyof Task, 'id'>]?: Task[Field] | undefined };

/** The result of an update. */
export type TaskUpdate =
  | {
      readonly kind: 'updated';
      readonly task: Task;
      readonly before: Task;
      readonly fields: readonly string[];
    }
  /** The task is unchanged. */
  | { readonly kind: 'refused'; readonly feedback: string }
  | { readonly kind: 'unknown' };

/** Options of `createTaskList`. */
export interface TaskListOptions {
  /**
   * Called before a task is completed, instead of the loop's check. If it returns feedback, the task is unchanged and
   * the model reads the feedback. If it rejects, so does `update`.
   */
  beforeComplete?(task: Task, context: ToolContext): Promise<{ readonly feedback: string } | undefined>;
}

/** The tasks of one or more agents. Only `update` can reject; nothing throws. */
export interface TaskList {
  /** Adds a pending task; its id is the next number. */
  create(task: Pick<Task, 'subject' | 'description' | 'activeForm'>): Task;
  /** Changes a task and returns what changed. Rejects only if `beforeComplete` does; the task is then unchanged. */
  update(id: string, changes: TaskChanges, context: ToolContext): Promise<TaskUpdate>;
  /** Returns false if there is no such task. */
  remove(id: string): boolean;
  /** All tasks, in the order they were added. */
  list(): readonly Task[];
}

/** Creates a task list in memory. Never throws. */
export function createTaskList(options: TaskListOptions = {}): TaskList {
  const tasks = new Map<string, Task>();
  let last = 0;
  return {
    create({ subject, description, activeForm }) {
      const id = String(++last);
      const task: Task = Object.freeze({
        id,
        subject,
        description,
        ...(activeForm !== undefined && { activeForm }),
        status: 'pending',
      });
      tasks.set(id, task);
      return task;
    },
    async update(id, changes, context) {
      const asked = tasks.get(id);
      if (!asked) return { kind: 'unknown' };
      if (changes.status === 'completed' && asked.status !== 'completed') {
        const task = merge(asked, changes);
        const refusal = options.beforeComplete
          ? await options.beforeComplete(task, context)
          : await context.host?.beforeTaskCompleted(task, context);
        if (refusal) return { kind: 'refused', feedback: refusal.feedback };
      }
      // Look it up again: it may have changed or been removed while waiting.
      const before = tasks.get(id);
      if (!before) return { kind: 'unknown' };
      const task = merge(before, changes);
      tasks.set(id, task);
      const fields = (Object.keys(task) as (keyof Task)[]).filter((field) => task[field] !== before[field]);
      return { kind: 'updated', task, before, fields };
    },
    remove: (id) => tasks.delete(id),
    list: () => [...tasks.values()],
  };
}

function merge(task: Task, changes: TaskChanges): Task {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.freeze({ ...task, ...Object.fromEntries(given) });
}
