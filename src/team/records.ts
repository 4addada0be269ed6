/** What the members of a team write into their common log. Every process reads the same records, in any order. */
import { z } from 'zod';

const name = z.string().min(1);
const revision = z.int().positive();
/** By author: the newest answer that the voter had seen. */
const known = z.record(name, revision);
const choice = z.object({ agentId: name, revision });

const recordSchema = z.discriminatedUnion('type', [
  /** An agent takes part. `run` is new whenever it is started. */
  z.object({ type: z.literal('joined'), agentId: name, run: name }),
  /** It still runs. The record expires, so a process that was killed falls silent. */
  z.object({ type: z.literal('alive'), agentId: name, run: name }),
  /** It takes no further part. */
  z.object({ type: z.literal('left'), agentId: name, run: name, reason: z.string() }),
  z.object({
    type: z.literal('answer'),
    agentId: name,
    revision,
    content: z.string(),
    /** The folder that it worked in. */
    workspace: z.string().optional(),
    /** The copy of the folder that belongs to this answer. */
    files: z.string().optional(),
  }),
  z.object({
    type: z.literal('vote'),
    agentId: name,
    number: revision,
    for: choice,
    reason: z.string(),
    known,
  }),
  /** It ended its round without an answer or a vote, and is not waited for until there is a new answer. */
  z.object({ type: z.literal('passed'), agentId: name, number: revision, reason: z.string(), known }),
  /** Written once: the first one counts. */
  z.object({
    type: z.literal('decided'),
    reason: z.enum(['votes', 'timeout', 'nobody_left']),
    winner: choice.optional(),
    /** Who presents the result; absent: nobody, the answer stands as it is. */
    presenter: name.optional(),
    /** Agents that were not waited for, and why: they could not say it themselves. */
    lost: z.record(name, z.string()).optional(),
  }),
  z.object({ type: z.literal('presented'), agentId: name, text: z.string() }),
]);

export type TeamRecord = z.output<typeof recordSchema>;
export type RecordOf<T extends TeamRecord['type']> = Extract<TeamRecord, { type: T }>;

/** The id of a record within its session. The same id means the same record. */
export function recordId(record: TeamRecord): string {
  switch (record.type) {
    case 'decided':
    case 'presented':
      return record.type;
    case 'answer':
      return `answer/${record.agentId}/${record.revision}`;
    case 'vote':
    case 'passed':
      return `ballot/${record.agentId}/${record.number}`;
    case 'alive':
      return `alive/${record.run}/${Date.now()}`;
    default:
      return `${record.type}/${record.agentId}/${record.run}`;
  }
}

/** Undefined for something that is no record of a team. */
export function readRecord(text: string): TeamRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
