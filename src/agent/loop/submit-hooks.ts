/** Fires UserPromptSubmit for everything that reaches the main agent as a prompt. */
import type { HookOutcome } from '../../runner/outcome.js';
import type { Agent } from './agent.js';
import type { Session } from './session.js';
import { takeTitle, titleField } from './title.js';

/** Rejects as `HookRunner.fire` does. */
export async function fireUserPromptSubmit(
  session: Session,
  agent: Agent,
  own: { readonly prompt: string; readonly source: 'user' | 'sdk' | 'system' },
  signal: AbortSignal,
): Promise<HookOutcome<'UserPromptSubmit'>> {
  const input = { ...own, ...titleField(session) };
  const outcome = await session.hooks.fire('UserPromptSubmit', agent, input, { signal });
  takeTitle(session, outcome);
  return outcome;
}
