/** The events of a session: its start and end, prompts, notifications, and its context. */
import { flag, nullable, number, open, optional, text } from '../field.js';
import { addsContext } from '../fields.js';
import { row } from '../row.js';

export const Setup = row({
  input: { trigger: open('init', 'maintenance') },
  answer: addsContext,
  matcherField: 'trigger',
  setsEnvironment: true,
});

export const SessionStart = row({
  input: {
    source: open('startup', 'resume', 'clear', 'compact'),
    agent_type: optional(text),
    model: optional(text),
    seconds_since_last_response: optional(number),
    context_tokens: optional(number),
    prompt_cache_likely_expired: optional(flag),
    estimated_cache_write_usd: optional(number),
  },
  answer: addsContext,
  matcherField: 'source',
  moment: 'session-begins',
  plainText: 'context',
  late: 'context',
  setsEnvironment: true,
});

export const UserPromptSubmit = row({
  input: { prompt: text },
  answer: addsContext,
  matcherField: null,
  moment: 'prompt',
  blocks: 'prompt',
  plainText: 'context',
  late: 'context',
});

export const Notification = row({
  input: { message: text, title: optional(text), notification_type: text },
  answer: addsContext,
  matcherField: 'notification_type',
});

export const PreCompact = row({
  input: { trigger: open('manual', 'auto'), custom_instructions: nullable(text) },
  answer: addsContext,
  matcherField: 'trigger',
  blocks: 'compaction',
  plainText: 'instructions',
});

export const PostCompact = row({
  input: { trigger: open('manual', 'auto'), compact_summary: text },
  answer: {},
  matcherField: 'trigger',
});

export const SessionEnd = row({
  input: {
    reason: open('clear', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'),
  },
  answer: {},
  matcherField: 'reason',
  moment: 'session-ends',
});
