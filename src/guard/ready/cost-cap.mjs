// Ends a session that has cost more than a limit. It adds up the usage in the transcript of the session, which hookline
// and Claude Code write. Hosts without such a transcript report no usage: see UNKNOWN. This file is yours.
import { guard, sessionCost } from 'hookline/guard';

const LIMIT_USD = 5;
/** Prices that differ from the list prices of hookline: US dollars for a million tokens, by the beginning of the model's name. */
const PRICES = {
  // 'my-model': { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 },
};
/** If the host reports no usage: 'say' tells the user at each prompt, 'refuse' ends the session. */
const UNKNOWN = 'say';

await guard(({ transcript_path = '', hook_event_name }) => {
  const cost = sessionCost(transcript_path, { prices: PRICES });
  if (cost === undefined) {
    const text = 'The cost of this session is not known: the host writes no transcript with usage.';
    if (UNKNOWN === 'refuse') return { continue: false, stopReason: text };
    return hook_event_name === 'UserPromptSubmit' ? { systemMessage: text } : undefined;
  }
  if (cost <= LIMIT_USD) return undefined;
  const text = `This session has cost ${cost.toFixed(2)} US dollars; the limit is ${LIMIT_USD}.`;
  return { continue: false, stopReason: text, decision: 'block', reason: text };
});
