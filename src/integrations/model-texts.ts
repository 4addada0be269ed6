/** What an outcome has to tell a model, as texts: context, injected content, and system messages that are meant for it. */
import type { HookOutcome } from '../runner/outcome.js';

/** What hooks add and what they inject, in this order. How a host places it is its own affair. */
export function contextBy({ additionalContext, injections }: HookOutcome): string[] {
  return [...additionalContext, ...injections.map(({ content }) => content)].filter((text) => text !== '');
}

/** The outcome's texts are capped and in the order of the hooks that have one; whom each is for stands with its hook. */
export function systemMessagesForModel({ results, systemMessages }: HookOutcome): string[] {
  const speakers = results.filter(({ systemMessage }) => systemMessage !== undefined);
  return systemMessages.filter((text, i) => text !== '' && speakers[i]?.systemMessageFor !== 'people');
}

/** Whether a hook ended the run before the tool; in some dialects the tool that was asked about still runs. */
export function endsBeforeTool({ continue: goesOn, results }: HookOutcome): boolean {
  return (
    goesOn === false && results.some((result) => result.continue === false && result.toolFinishes !== true)
  );
}
