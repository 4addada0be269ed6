/** Validates a new item, fills in defaults, truncates its content and freezes it. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { cutText } from '../base/text/cut-text.js';
import { describeIssue } from '../events/schemas.js';
import { MailboxError } from './mailbox-error.js';
import { compileToolMatcher } from './matcher.js';
import type { InjectionItem } from './port.js';

/** Stands for agents that have not joined yet; an agent cannot have this name. */
export const ANYONE = '*';

const name = z.string().min(1).max(256);
export const agentName = name.refine((text) => text !== ANYONE, { error: 'an agent cannot be called *' });

const shape = {
  content: z.string().refine((text) => text.trim() !== '', { error: 'it is empty' }),
  matcher: z.string().optional(),
  // zod 4 accepts only finite numbers: an invalid expiry is rejected and does not mean "never".
  expiresAt: z.number().optional(),
  priority: z.number().optional(),
};
const strategy = z.enum(['tool_result', 'user_message']);
const source = z.object({ kind: z.string().min(1).max(64), label: z.string().max(1000).optional() });
const to = z.union([agentName, z.array(agentName).min(1), z.object({ all: z.literal(true) })], {
  error: 'give an agent, a list of agents, or { all: true }',
});

export const itemSchema = z.object({ id: name, strategy, source, to, ...shape });
const newItemSchema = z.object({
  id: name.optional(),
  strategy: strategy.default('tool_result'),
  source: source.default({ kind: 'system' }),
  to: to.default({ all: true }),
  ...shape,
});

export interface CompletedItem {
  readonly item: InjectionItem;
  /** The original length, if the content was truncated. */
  readonly cutFrom?: number;
}

/** Throws a HookError for an invalid item. */
export function completeItem(given: unknown, maxContentLength: number): CompletedItem {
  const read = newItemSchema.safeParse(given);
  if (!read.success) {
    throw new MailboxError('invalid', `The item cannot be put in: ${describeIssue(read.error)}.`);
  }
  compileToolMatcher(read.data.matcher);
  const { content } = read.data;
  const item = freezeItem({
    ...read.data,
    id: read.data.id ?? randomUUID(),
    content: cutText(content, maxContentLength),
  });
  return content.length > maxContentLength ? { item, cutFrom: content.length } : { item };
}

/** Frozen, so that no receiver can change an item for the others. Undefined fields are omitted. */
export function freezeItem(item: z.output<typeof itemSchema>): InjectionItem {
  const { id, content, matcher, expiresAt, priority } = item;
  return Object.freeze({
    id,
    content,
    strategy: item.strategy,
    source: Object.freeze({ ...item.source }),
    to: Array.isArray(item.to)
      ? Object.freeze([...new Set(item.to)])
      : typeof item.to === 'string'
        ? item.to
        : Object.freeze({ all: true as const }),
    ...(matcher !== undefined && { matcher }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(priority !== undefined && { priority }),
  });
}

/** Items are plain data with a fixed order of fields, so equal items have equal JSON. */
export function isSameItem(a: InjectionItem, b: InjectionItem): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The agents that an item names; undefined if it is for all agents. */
export function targetsOf({ to }: InjectionItem): readonly string[] | undefined {
  if (typeof to === 'string') return [to];
  return Array.isArray(to) ? (to as readonly string[]) : undefined;
}
