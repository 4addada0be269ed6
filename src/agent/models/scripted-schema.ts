/** The schema of a script, given in code or in a JSON or YAML file. */

import { z } from 'zod';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import { HookError } from '../../base/errors.js';
import type { ModelError, ModelRequest, StopReason } from './port.js';

const PURPOSES = ['turn', 'summary', 'hook'] as const satisfies readonly ModelRequest['purpose'][];
const STOP_REASONS = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'refusal',
  'pause_turn',
  'model_context_window_exceeded',
] as const satisfies readonly StopReason[];
const ERROR_CODES = [
  'missing_package',
  'unauthorized',
  'rate_limited',
  'overloaded',
  'bad_request',
  'context_overflow',
  'broken_stream',
  'unavailable',
  'script_exhausted',
  'blocked',
] as const satisfies readonly ModelError['code'][];

const tokens = z.int().nonnegative();

/** Strict, so that a misspelled key is an error. */
const turnSchema = z.strictObject({
  /** What the model thinks before it answers. */
  thinking: z.string().optional(),
  text: z.string().optional(),
  tools: z
    .array(
      z.strictObject({ name: z.string().min(1), input: z.unknown().optional(), id: z.string().optional() }),
    )
    .optional(),
  stopReason: z.enum(STOP_REASONS).optional(),
  usage: z
    .strictObject({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheReadInputTokens: tokens.optional(),
      cacheCreationInputTokens: tokens.optional(),
      cacheCreation1hInputTokens: tokens.optional(),
    })
    .optional(),
  delayMs: z.number().nonnegative().max(MAX_TIMER_MS).optional(),
  error: z
    .strictObject({ code: z.enum(ERROR_CODES), message: z.string(), status: z.int().optional() })
    .optional(),
  when: z
    .union(
      [
        z.enum(PURPOSES),
        z.custom<(request: ModelRequest) => boolean>((value) => typeof value === 'function'),
      ],
      { error: `expected a function of the request, or one of ${PURPOSES.join(', ')}` },
    )
    .optional(),
  repeat: z.boolean().optional(),
});

const scriptSchema = z.array(turnSchema);

/** One turn of a script. */
export type ScriptedTurn = z.input<typeof turnSchema>;
/** A script: a list of turns, or an object with the key `turns`, as in a file. */
export type Script = readonly ScriptedTurn[] | { readonly turns: readonly ScriptedTurn[] };
export type Turn = z.output<typeof turnSchema>;

/**
 * Validates a script: a list of turns, or an object with the key `turns`. Throws a `HookError` that lists all
 * problems.
 */
export function readScript(script: unknown): readonly Turn[] {
  const turns = typeof script === 'object' && script !== null && 'turns' in script ? script.turns : script;
  const read = scriptSchema.safeParse(turns);
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => {
    const [index, ...below] = path;
    if (typeof index !== 'number') return message;
    return `turn ${index + 1}${below.length === 0 ? '' : `, \`${below.join('.')}\``}: ${message}`;
  });
  throw new HookError('invalid_option', `scriptedModel: the script cannot be used: ${wrong.join('; ')}`);
}
