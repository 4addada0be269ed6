/** The events of a session: its start and end, prompts, notifications, and its context. */
import { z } from 'zod';
import { addsContext, open } from '../fields.js';
import { row } from '../row.js';

export const Setup = row({
  input: () => ({ trigger: open('init', 'maintenance') }),
  answer: addsContext,
  matcherField: 'trigger',
  setsEnvironment: true,
});

export const SessionStart = row({
  input: () => ({
    source: open('startup', 'resume', 'clear', 'compact'),
    agent_type: z.string().optional(),
    model: z.string().optional(),
    seconds_since_last_response: z.number().optional(),
    context_tokens: z.number().optional(),
    prompt_cache_likely_expired: z.boolean().optional(),
    estimated_cache_write_usd: z.number().optional(),
  }),
  answer: addsContext,
  matcherField: 'source',
  moment: 'session-begins',
  plainText: 'context',
  late: 'context',
  setsEnvironment: true,
});

export const UserPromptSubmit = row({
  input: () => ({ prompt: z.string() }),
  answer: addsContext,
  matcherField: null,
  moment: 'prompt',
  blocks: 'prompt',
  plainText: 'context',
  late: 'context',
});

export const Notification = row({
  input: () => ({ message: z.string(), title: z.string().optional(), notification_type: z.string() }),
  answer: addsContext,
  matcherField: 'notification_type',
});

export const PreCompact = row({
  input: () => ({ trigger: open('manual', 'auto'), custom_instructions: z.string().nullable() }),
  answer: addsContext,
  matcherField: 'trigger',
  blocks: 'compaction',
  plainText: 'instructions',
});

export const PostCompact = row({
  input: () => ({ trigger: open('manual', 'auto'), compact_summary: z.string() }),
  answer: () => ({}),
  matcherField: 'trigger',
});

export const SessionEnd = row({
  input: () => ({
    reason: open('clear', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'),
  }),
  answer: () => ({}),
  matcherField: 'reason',
  moment: 'session-ends',
});
