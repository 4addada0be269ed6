/** One line of a recording: what was fired, and what came of it. */

import { z } from 'zod';
import type { HookOutcome } from '../../runner/outcome.js';

/** What an outcome decided and told, without how: the part that can be compared with another day's. */
const decided = z.looseObject({
  decision: z.string().optional(),
  reason: z.string().optional(),
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  updatedOutput: z.unknown().optional(),
  additionalContext: z.array(z.string()).default([]),
  systemMessages: z.array(z.string()).default([]),
  failures: z.array(z.looseObject({ name: z.string(), kind: z.string(), message: z.string() })).default([]),
});

export const entrySchema = z.looseObject({
  version: z.literal(1),
  /** When it was fired, as ISO 8601. */
  at: z.string(),
  event: z.string(),
  input: z.record(z.string(), z.unknown()),
  agentId: z.string().optional(),
  durationMs: z.number().optional(),
  /** Absent where only the input was seen. */
  outcome: decided.optional(),
});

export type RecordedOutcome = z.output<typeof decided>;
export type RecordedFire = z.output<typeof entrySchema>;

export function recordedOutcome(outcome: HookOutcome): RecordedOutcome {
  const { decision, reason, stopReason, updatedInput, updatedOutput } = outcome;
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason }),
    ...(outcome.continue !== undefined && { continue: outcome.continue }),
    ...(stopReason !== undefined && { stopReason }),
    ...(updatedInput !== undefined && { updatedInput: { ...updatedInput } }),
    ...(updatedOutput !== undefined && { updatedOutput }),
    additionalContext: [...outcome.additionalContext],
    systemMessages: [...outcome.systemMessages],
    failures: outcome.failures.map(({ name, kind, message }) => ({ name, kind, message })),
  };
}
