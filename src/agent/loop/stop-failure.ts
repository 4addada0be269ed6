/** Fires StopFailure in the place of Stop when a turn fails. Its hooks watch; they cannot change the end. */
import { ModelError } from '../models/port.js';
import type { Agent } from './agent.js';
import type { Session } from './session.js';
import type { TurnEnd } from './take-turns.js';

/** The Agent SDK's words for what a service answers. Other failures go by their end reason, such as `max_turns`. */
const WORDS: Readonly<Partial<Record<ModelError['code'], string>>> = {
  unauthorized: 'authentication_failed',
  rate_limited: 'rate_limit',
  overloaded: 'overloaded',
  bad_request: 'invalid_request',
  context_overflow: 'invalid_request',
  broken_stream: 'server_error',
  unavailable: 'server_error',
};
const BY_STATUS: Readonly<Record<number, string>> = { 402: 'billing_error', 404: 'model_not_found' };

/** Does nothing if the turn did not fail, or was interrupted. Never rejects. */
export async function fireStopFailure(
  session: Session,
  agent: Agent,
  end: TurnEnd,
  signal: AbortSignal,
): Promise<void> {
  if (end.error === undefined || signal.aborted) return;
  const { lastText } = agent;
  await session.hooks
    .fire(
      'StopFailure',
      agent,
      {
        error: wordFor(end),
        error_details: end.error,
        ...(lastText !== '' && { last_assistant_message: lastText }),
      },
      { signal },
    )
    // The runner may have been disposed, which the result reports.
    .catch(() => {});
}

function wordFor({ reason, cause }: TurnEnd): string {
  if (reason === 'max_tokens') return 'max_output_tokens';
  if (!(cause instanceof ModelError) || cause.code === 'blocked') return reason;
  return wordForError(cause);
}

/** The Agent SDK's word for an error of the model. */
export function wordForError({ status, code }: ModelError): string {
  return BY_STATUS[status ?? 0] ?? WORDS[code] ?? 'unknown';
}
