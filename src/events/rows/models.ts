/** The events of a change of the session's model. */
import { type FieldsOf, flag, nullable, number, open, optional, text, word } from '../field.js';
import { type AddsContext, addsContext } from '../fields.js';
import { row } from '../row.js';

/** What a switch means for the conversation and its price. */
export type ModelSwitchInput = {
  /** The model so far. */
  from_model: string;
  /** The new model; a matcher sees it. */
  to_model: string;
  /** The model that was asked for, as it was written. Null: none was. */
  requested_model: string | null;
  /** Who asked for the change. */
  source: 'command' | 'picker' | 'sdk' | 'auto' | 'resume';
  /** How many tokens the conversation has. */
  context_tokens: number;
  /** Whether the cache of the model so far holds the conversation. */
  prompt_cache_warm: boolean;
  /** How long the new model's cache holds it. */
  cache_ttl: '5m' | '1h';
  /** What it costs to write the conversation to the new model's cache, in US dollars. */
  estimated_cache_write_usd: number;
  /** Where the price comes from. */
  pricing: 'configured' | 'catalog' | 'default';
};

const modelSwitch: FieldsOf<ModelSwitchInput> = {
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

export type PreModelSwitchAnswer = {
  /** Whether the change happens: `allow` without asking, `deny`, or `ask` a person. */
  permissionDecision?: 'allow' | 'deny' | 'ask' | undefined;
  /** Why; the one who asked for the change reads it. */
  permissionDecisionReason?: string | undefined;
};

/** Fires before the session changes its model; a hook may refuse that. */
export const PreModelSwitch = row<ModelSwitchInput, PreModelSwitchAnswer>()({
  input: modelSwitch,
  answer: {
    permissionDecision: optional(word('allow', 'deny', 'ask')),
    permissionDecisionReason: optional(text),
  },
  matcherField: 'to_model',
  blocks: 'action',
});

/** Fires after the change; the new model reads the context that hooks add. */
export const PostModelSwitch = row<ModelSwitchInput, AddsContext>()({
  input: modelSwitch,
  answer: addsContext,
  matcherField: 'to_model',
});
