/** The tasks an agent has set itself, and the question that is asked before one of them is completed. */
import type { ToolContext } from './tool.js';

export const TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Something an agent has set itself to do. */
export interface Task {
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** What is shown while it is in progress. */
  readonly activeForm?: string | undefined;
  readonly status: TaskStatus;
  readonly owner?: string | undefined;
}

/** What is undefined stays as it is. */
export type TaskChanges = { readonly [Field in Exclude<keyof Task, 'id'>]?: Task[Field] | undefined };

/** What became of an update. */
export type TaskUpdate =
  | {
      readonly kind: 'updated';
      readonly task: Task;
      readonly before: Task;
      readonly fields: readonly string[];
    }
  /** The task stays as it was. */
  | { readonly kind: 'refused'; readonly feedback: string }
  | { readonly kind: 'unknown' };

/** Who is asked before a task is completed. */
export interface TaskListOptions {
  /**
   * Asked before a task becomes completed, once each time, instead of the loop. A feedback keeps the whole task as it
   * was, and is what the model reads. What it throws reaches the caller of `update`.
   */
  beforeComplete?(task: Task, context: ToolContext): Promise<{ readonly feedback: string } | undefined>;
}

/** The tasks of one agent or of several. Never throws, but for `update`. */
export interface TaskList {
  /** Adds a task; it is pending, and its id is the next number. */
  create(task: Pick<Task, 'subject' | 'description' | 'activeForm'>): Task;
  /**
   * Changes a task, and says what has changed. Rejects only when `beforeComplete` does; the task then stays as it was.
   */
  update(id: string, changes: TaskChanges, context: ToolContext): Promise<TaskUpdate>;
  /** False: there is no such task. */
  remove(id: string): boolean;
  /** All of them, in the order they were added. */
  list(): readonly Task[];
}

/** A list of tasks in memory. Never throws. */
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
      // Looked up again: it may have changed or gone while the question was open.
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
