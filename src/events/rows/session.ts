/** The events of a session: its start and end, prompts, notifications, and its context. */
import { flag, nullable, number, open, optional, text } from '../field.js';
import { addsContext, texts } from '../fields.js';
import { row } from '../row.js';

export const Setup = row({
  input: { trigger: open('init', 'maintenance') },
  answer: addsContext,
  matcherField: 'trigger',
  setsEnvironment: true,
});

export const SessionStart = row({
  input: {
    source: open('startup', 'resume', 'clear', 'compact', 'fork'),
    agent_type: optional(text),
    model: optional(text),
    session_title: optional(text),
    seconds_since_last_response: optional(number),
    context_tokens: optional(number),
    prompt_cache_likely_expired: optional(flag),
    estimated_cache_write_usd: optional(number),
  },
  answer: {
    ...addsContext,
    /** The first prompt of the session, if the person has given none. */
    initialUserMessage: optional(text),
    /** The title of the session, as people see it. */
    sessionTitle: optional(text),
    /** Files whose changes fire FileChanged. */
    watchPaths: optional(texts),
    /** Whether the host reads its skills again. */
    reloadSkills: optional(flag),
  },
  matcherField: 'source',
  moment: 'session-begins',
  plainText: 'context',
  late: 'context',
  setsEnvironment: true,
});

export const UserPromptSubmit = row({
  input: {
    prompt: text,
    source: optional(open('user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event')),
    session_title: optional(text),
  },
  answer: {
    ...addsContext,
    /** The title of the session, as people see it. */
    sessionTitle: optional(text),
    /** Leaves the prompt itself out of the notice that it was blocked. */
    suppressOriginalPrompt: optional(flag),
  },
  matcherField: null,
  moment: 'prompt',
  blocks: 'prompt',
  plainText: 'context',
  late: 'context',
});

/** Fires when a command of the user becomes a prompt, after UserPromptSubmit. */
export const UserPromptExpansion = row({
  input: {
    expansion_type: open('slash_command', 'mcp_prompt'),
    command_name: text,
    command_args: text,
    command_source: optional(text),
    prompt: text,
  },
  answer: {
    ...addsContext,
    /** Leaves the prompt itself out of the notice that it was blocked. */
    suppressOriginalPrompt: optional(flag),
  },
  matcherField: 'command_name',
  blocks: 'prompt',
});

/** Fires with the lines of an answer as they are shown; a hook may replace what people see of them. */
export const MessageDisplay = row({
  input: { turn_id: text, message_id: text, index: number, final: flag, delta: text },
  answer: {
    /** What people see in place of the lines. */
    displayContent: optional(text),
  },
  matcherField: null,
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
    reason: open('clear', 'resume', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'),
  },
  answer: {},
  matcherField: 'reason',
  moment: 'session-ends',
});
