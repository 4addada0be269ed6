/** The texts of an outcome that a model should read: context, injected content, and system messages for the model. */
import { withoutFrames } from '../base/text/remind.js';
import { setApart } from '../injection/set-apart.js';
import type { HookOutcome } from '../runner/outcome.js';

/** None of them can pass for an item of a mailbox. Added context first, then injections, marked. The host decides where they are placed. */
export function contextBy({ additionalContext = [], injections }: HookOutcome): string[] {
  const context = additionalContext.map(withoutFrames);
  return [...context, ...injections.map(setApart)].filter((text) => text !== '');
}

/** The outcome's texts are capped and in the order of the hooks; the recipient of each is in its hook's result. */
export function systemMessagesForModel({ results, systemMessages }: HookOutcome): string[] {
  const speakers = results.filter(({ systemMessage }) => systemMessage !== undefined);
  return systemMessages
    .filter((text, i) => text !== '' && speakers[i]?.systemMessageFor !== 'people')
    .map(withoutFrames);
}

/** Everything in an outcome that the model reads next: context, injections, system messages. */
export function textsForModel(outcome: HookOutcome): string[] {
  return [...contextBy(outcome), ...systemMessagesForModel(outcome)];
}

/** The reason of a refusal that comes too late to prevent anything. */
export function objectionsOf({ decision, reason }: HookOutcome): string[] {
  return decision === 'deny' && reason !== undefined ? [reason] : [];
}

/** Whether a hook ended the run before the tool call; in some dialects the current tool still runs. */
export function endsBeforeTool({ continue: goesOn, results }: HookOutcome): boolean {
  return (
    goesOn === false && results.some((result) => result.continue === false && result.toolFinishes !== true)
  );
}
