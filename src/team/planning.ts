/** MassGen's planning tools (`enable_agent_task_planning`): a list of tasks, also in a file if the configuration says so. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { defineTool, type Tool, type ToolOutcome } from '../agent/tools/tool.js';
import type { MassgenSettings } from '../dialects/loaders.js';

const PRIORITIES = ['low', 'medium', 'high'] as const;
const STATUSES = ['pending', 'in_progress', 'completed', 'blocked'] as const;

interface PlannedTask {
  readonly id: string;
  readonly description: string;
  readonly priority: (typeof PRIORITIES)[number];
  readonly status: (typeof STATUSES)[number];
}

const taskSchema = z.strictObject({
  id: z.string().min(1).optional().describe('Default: the next number.'),
  description: z.string().min(1),
  priority: z.enum(PRIORITIES).default('medium'),
});

/** The folder of the workspace, and the file in it, that hold the tasks with `task_planning_filesystem_mode`. */
export const PLAN_FILE = join('tasks', 'plan.json');

/** The loop's own list of tasks, which MassGen's tools replace. */
export const TASK_TOOLS: ReadonlySet<string> = new Set(['TaskCreate', 'TaskUpdate', 'TaskList']);

/** The tools of an agent that works in a folder, with MassGen's planning tools if the file asks for them. */
export function withPlanning(
  tools: readonly Tool[],
  { taskPlanning, tasksInFiles }: Pick<MassgenSettings, 'taskPlanning' | 'tasksInFiles'>,
  folder: string,
): readonly Tool[] {
  if (!taskPlanning) return tools;
  return [
    ...tools.filter(({ name }) => !TASK_TOOLS.has(name)),
    ...planningTools(tasksInFiles ? folder : undefined),
  ];
}

/** The tools for one agent. `folder`: its workspace, if the tasks are also written there. */
export function planningTools(folder: string | undefined): readonly Tool[] {
  let tasks: readonly PlannedTask[] = [];
  const save = async (): Promise<void> => {
    if (folder === undefined) return;
    await mkdir(join(folder, 'tasks'), { recursive: true });
    await writeFile(join(folder, PLAN_FILE), `${JSON.stringify({ tasks }, null, 2)}\n`);
  };
  const done = async (response: object): Promise<ToolOutcome> => {
    await save();
    return { ok: true, content: JSON.stringify(response), response };
  };
  const toTask = ({ id, description, priority }: z.output<typeof taskSchema>, i: number): PlannedTask => ({
    id: id ?? String(i + 1),
    description,
    priority,
    status: 'pending',
  });
  return [
    defineTool({
      name: 'create_task_plan',
      description: 'Writes down your plan as a list of tasks. Replaces an earlier plan.',
      input: z.strictObject({ tasks: z.array(taskSchema).min(1) }),
      harmless: true,
      run: (plan) => {
        const given = plan.tasks.map(toTask);
        const twice = given.find(({ id }, i) => given.findIndex((other) => other.id === id) < i);
        if (twice !== undefined)
          return { ok: false, error: `Two tasks have the id ${twice.id}. Give each its own.` };
        tasks = given;
        return done({ tasks });
      },
    }),
    defineTool({
      name: 'add_task',
      description: 'Adds a task to your plan.',
      input: taskSchema,
      harmless: true,
      run: (given) => {
        const task = toTask(given, tasks.length);
        if (tasks.some(({ id }) => id === task.id))
          return { ok: false, error: `There is a task ${task.id} already. Give another id.` };
        tasks = [...tasks, task];
        return done({ task });
      },
    }),
    defineTool({
      name: 'update_task_status',
      description: 'Changes the status of a task of your plan.',
      input: z.strictObject({ task_id: z.string().min(1), status: z.enum(STATUSES) }),
      harmless: true,
      run: ({ task_id: id, status }) => {
        const task = tasks.find((each) => each.id === id);
        if (task === undefined) {
          const known = tasks.map((each) => each.id).join(', ') || 'none';
          return { ok: false, error: `There is no task ${id}. Your tasks: ${known}.` };
        }
        const changed = { ...task, status };
        tasks = tasks.map((each) => (each === task ? changed : each));
        return done({ task: changed });
      },
    }),
    defineTool({
      name: 'get_task_plan',
      description: 'Shows your plan.',
      input: z.strictObject({}),
      readOnly: true,
      run: () => ({ ok: true, content: JSON.stringify({ tasks }), response: { tasks } }),
    }),
  ];
}
