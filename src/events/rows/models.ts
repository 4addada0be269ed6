/** The events of a change of the session's model. */
import { flag, nullable, number, open, optional, text, word } from '../field.js';
import { addsContext } from '../fields.js';
import { row } from '../row.js';

/** What a switch means for the conversation and its price. */
const modelSwitch = {
  from_model: text,
  to_model: text,
  requested_model: nullable(text),
  source: open('command', 'picker', 'sdk', 'auto', 'resume'),
  context_tokens: number,
  prompt_cache_warm: flag,
  cache_ttl: open('5m', '1h'),
  estimated_cache_write_usd: number,
  pricing: open('configured', 'catalog', 'default'),
};

/** Fires before the session changes its model; a hook may refuse that. */
export const PreModelSwitch = row({
  input: modelSwitch,
  answer: {
    /** Whether the change happens: `allow` without asking, `deny`, or `ask` a person. */
    permissionDecision: optional(word('allow', 'deny', 'ask')),
    /** Why; the one who asked for the change reads it. */
    permissionDecisionReason: optional(text),
  },
  matcherField: 'to_model',
  blocks: 'action',
});

/** Fires after the change; the new model reads the context that hooks add. */
export const PostModelSwitch = row({ input: modelSwitch, answer: addsContext, matcherField: 'to_model' });
