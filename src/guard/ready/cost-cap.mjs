// Ends a session that has cost more than a limit. It adds up the usage in the transcript of the session, which hookline
// and Claude Code write. Hosts without such a transcript report no usage: see UNKNOWN. This file is yours.
import { existsSync, readFileSync } from 'node:fs';
import { guard } from 'hookline/guard';

const LIMIT_USD = 5;
/** US dollars for a million tokens: input, output, written to and read from the cache. The first name that fits counts. */
const PRICES = [
  [/opus/, { input: 15, output: 75, write: 18.75, read: 1.5 }],
  [/sonnet/, { input: 3, output: 15, write: 3.75, read: 0.3 }],
  [/haiku/, { input: 1, output: 5, write: 1.25, read: 0.1 }],
  [/gpt-.*(mini|nano)/, { input: 0.4, output: 2, write: 0.4, read: 0.1 }],
  [/gpt/, { input: 2.5, output: 15, write: 2.5, read: 0.25 }],
  // Any other model counts as an expensive one.
  [/./, { input: 15, output: 75, write: 18.75, read: 1.5 }],
];
/** If the host reports no usage: 'say' tells the user at each prompt, 'refuse' ends the session. */
const UNKNOWN = 'say';

await guard(({ transcript_path = '', hook_event_name }) => {
  const cost = costOf(transcript_path);
  if (cost === undefined) {
    const text = 'The cost of this session is not known: the host writes no transcript with usage.';
    if (UNKNOWN === 'refuse') return { continue: false, stopReason: text };
    return hook_event_name === 'UserPromptSubmit' ? { systemMessage: text } : undefined;
  }
  if (cost <= LIMIT_USD) return undefined;
  const text = `This session has cost ${cost.toFixed(2)} US dollars; the limit is ${LIMIT_USD}.`;
  return { continue: false, stopReason: text, decision: 'block', reason: text };
});

/** Of all answers in a transcript, each counted once; undefined if there is no usage in it. */
function costOf(path) {
  if (!existsSync(path)) return undefined;
  const answers = new Map();
  let hasLines = false;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const entry = parse(line);
    hasLines ||= entry?.type === 'user' || entry?.type === 'assistant';
    // The last line of an answer has its final usage.
    if (entry?.message?.usage) answers.set(entry.message.id ?? answers.size, entry.message);
  }
  if (!hasLines) return undefined;
  return [...answers.values()].reduce((sum, message) => sum + priceOf(message), 0);
}

function priceOf({ model = '', usage }) {
  const [, price] = PRICES.find(([names]) => names.test(model)) ?? PRICES.at(-1);
  const tokens = (name) => Number(usage[name]) || 0;
  const sum =
    tokens('input_tokens') * price.input +
    tokens('output_tokens') * price.output +
    tokens('cache_creation_input_tokens') * price.write +
    tokens('cache_read_input_tokens') * price.read;
  return sum / 1e6;
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
