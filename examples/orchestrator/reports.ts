/** What agents tell the orchestrator: items like all others, in the same mailbox. */
import type { InjectionItem, Mailbox } from 'hookline/injection';
import { z } from 'zod';
import { until } from './mailboxes.js';

export const ORCHESTRATOR = 'orchestrator';

const schema = z.discriminatedUnion('type', [
  /** The agent is in the middle of a tool that takes its time. */
  z.object({ type: z.literal('working'), agentId: z.string(), what: z.string() }),
  z.object({ type: z.literal('answer'), agentId: z.string(), content: z.string() }),
  z.object({ type: z.literal('vote'), agentId: z.string(), label: z.string() }),
]);

export type Report = z.output<typeof schema>;

/** Resolves when the orchestrator has dealt with it: the files of an answer are kept by then. */
export async function report(mailbox: Mailbox, told: Report, signal?: AbortSignal): Promise<void> {
  const { id } = await mailbox.put({
    content: JSON.stringify(told),
    to: ORCHESTRATOR,
    source: { kind: 'agent', label: told.agentId },
  });
  await until(async () => (await mailbox.status(id))?.[ORCHESTRATOR] === 'delivered', signal);
}

export function readReport({ content }: InjectionItem): Report {
  return schema.parse(JSON.parse(content));
}
