/** Reminds an agent that has completed a high-priority task to write down what it has learned. */
import { randomUUID } from 'node:crypto';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Mailbox, NewInjection } from '../port.js';
import { agentOf, type BuiltInHook, builtInOptions, stableId } from './built-in.js';
import { Intake } from './intake.js';

/** Which tools trigger the reminder, and its text. */
export interface TaskReminderOptions {
  readonly mailbox: Pick<Mailbox, 'put'>;
  /** The tools that change the status of a task. Default: `*update_task_status`. */
  readonly matcher?: string | undefined;
  /** The reminder's text. Default: which lessons to write to which of MassGen's memory folders. */
  readonly text?: string | undefined;
}

const OPTIONS: OptionNames<TaskReminderOptions> = { mailbox: true, matcher: true, text: true };

const REMINDER = `You have completed a task of high priority. While it is fresh, write down what will help the next time:
- which tools and skills helped, and which did not: memory/long_term/skill_effectiveness.md
- which approach worked or failed, and why: memory/long_term/approach_patterns.md
- what would have prevented mistakes: memory/long_term/lessons_learned.md
- what you have learned about the user's preferences: memory/short_term/user_prefs.md`;

/**
 * Reminds an agent that has completed a high-priority task to write down what it has learned. Throws a `HookError` for
 * an unknown option; `register` throws for an invalid matcher.
 */
export function createTaskReminder(options: TaskReminderOptions): BuiltInHook {
  refuseUnknownOptions('createTaskReminder', options, OPTIONS);
  const name = 'high-priority-task-reminder';
  const matcher = options.matcher ?? '*update_task_status';
  const intake = new Intake(options.mailbox);
  const remind = (agentId: string, call: string): NewInjection => ({
    // The same call triggers one reminder only.
    id: stableId('reminder', agentId, call),
    content: options.text ?? REMINDER,
    strategy: 'user_message',
    source: { kind: 'system', label: name },
    to: agentId,
  });
  return {
    name,
    register: (registrar) =>
      registrar.on('PostToolUse', builtInOptions(name, { matcher }), async (input, toolUseID, context) => {
        const isDone = hasCompletedImportantTask(input.tool_response);
        // Also called without a new reminder: a kept one may fit into the mailbox now.
        await intake.add(isDone ? [remind(agentOf(input, context), toolUseID ?? randomUUID())] : []);
      }),
  };
}

/** Tools return JSON as text, data, or text blocks; any other result triggers no reminder. */
export function hasCompletedImportantTask(response: unknown): boolean {
  for (const data of readings(response)) {
    const task = isRecord(data) ? data['task'] : undefined;
    if (isRecord(task) && task['priority'] === 'high' && task['status'] === 'completed') return true;
  }
  return false;
}

function readings(response: unknown): readonly unknown[] {
  if (typeof response === 'string') return [parse(response)];
  if (Array.isArray(response))
    return response.map((block) => (isRecord(block) ? parse(block['text']) : undefined));
  if (!isRecord(response)) return [];
  const { content } = response;
  return [
    response,
    response['structuredContent'],
    ...(Array.isArray(content) || typeof content === 'string' ? readings(content) : []),
  ];
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
