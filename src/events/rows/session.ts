/** The events of a session: its start and end, prompts, notifications, and its context. */
import { flag, nullable, number, open, optional, text } from '../field.js';
import { type AddsContext, addsContext, texts } from '../fields.js';
import { type NoAnswer, row } from '../row.js';

export type SetupInput = {
  /** Why the host prepares the project; a matcher sees it. */
  trigger: 'init' | 'maintenance';
};

export const Setup = row<SetupInput, AddsContext>()({
  input: { trigger: open('init', 'maintenance') },
  answer: addsContext,
  matcherField: 'trigger',
  setsEnvironment: true,
});

export type SessionStartInput = {
  /** How the session begins; a matcher sees it. */
  source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
  /** The type of the agent, such as `reviewer`. */
  agent_type?: string;
  /** The session's model. */
  model?: string;
  /** The title of the session, as people see it. */
  session_title?: string;
  /** How long ago the model answered last, if the session is resumed. */
  seconds_since_last_response?: number;
  /** How many tokens the conversation has, if the session is resumed. */
  context_tokens?: number;
  /** Whether the model's cache has probably forgotten the conversation. */
  prompt_cache_likely_expired?: boolean;
  /** What it costs to write the conversation to the cache again, in US dollars. */
  estimated_cache_write_usd?: number;
};

export type SessionStartAnswer = AddsContext & {
  /** The first prompt of the session, if the person has given none. */
  initialUserMessage?: string | undefined;
  /** The title of the session, as people see it. */
  sessionTitle?: string | undefined;
  /** Files whose changes fire FileChanged. */
  watchPaths?: string[] | undefined;
  /** Whether the host reads its skills again. */
  reloadSkills?: boolean | undefined;
};

export const SessionStart = row<SessionStartInput, SessionStartAnswer>()({
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
    initialUserMessage: optional(text),
    sessionTitle: optional(text),
    watchPaths: optional(texts),
    reloadSkills: optional(flag),
  },
  matcherField: 'source',
  moment: 'session-begins',
  plainText: 'context',
  late: 'context',
  setsEnvironment: true,
});

export type UserPromptSubmitInput = {
  /** What the person said. */
  prompt: string;
  /** Where the prompt comes from. */
  source?: 'user' | 'sdk' | 'system' | 'loop_wakeup' | 'schedule_wakeup' | 'poll_event';
  /** The title of the session, as people see it. */
  session_title?: string;
};

type HidesPrompt = {
  /** Leaves the prompt itself out of the notice that it was blocked. */
  suppressOriginalPrompt?: boolean | undefined;
};

export type UserPromptSubmitAnswer = AddsContext &
  HidesPrompt & {
    /** The title of the session, as people see it. */
    sessionTitle?: string | undefined;
  };

export const UserPromptSubmit = row<UserPromptSubmitInput, UserPromptSubmitAnswer>()({
  input: {
    prompt: text,
    source: optional(open('user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event')),
    session_title: optional(text),
  },
  answer: { ...addsContext, sessionTitle: optional(text), suppressOriginalPrompt: optional(flag) },
  matcherField: null,
  moment: 'prompt',
  blocks: 'prompt',
  plainText: 'context',
  late: 'context',
});

export type UserPromptExpansionInput = {
  /** What kind of command it is. */
  expansion_type: 'slash_command' | 'mcp_prompt';
  /** The name of the command; a matcher sees it. */
  command_name: string;
  /** What the person wrote behind the name. */
  command_args: string;
  /** Where the command is defined. */
  command_source?: string;
  /** The prompt that the command becomes. */
  prompt: string;
};

export type UserPromptExpansionAnswer = AddsContext & HidesPrompt;

/** Fires when a command of the user becomes a prompt, after UserPromptSubmit. */
export const UserPromptExpansion = row<UserPromptExpansionInput, UserPromptExpansionAnswer>()({
  input: {
    expansion_type: open('slash_command', 'mcp_prompt'),
    command_name: text,
    command_args: text,
    command_source: optional(text),
    prompt: text,
  },
  answer: { ...addsContext, suppressOriginalPrompt: optional(flag) },
  matcherField: 'command_name',
  blocks: 'prompt',
});

export type MessageDisplayInput = {
  /** The turn that the answer is of. */
  turn_id: string;
  /** The answer that the lines are of. */
  message_id: string;
  /** The number of this part of the answer, from 0. */
  index: number;
  /** Whether this is the last part. */
  final: boolean;
  /** The lines that are shown now. */
  delta: string;
};

export type MessageDisplayAnswer = {
  /** What people see in place of the lines. */
  displayContent?: string | undefined;
};

/** Fires with the lines of an answer as they are shown; a hook may replace what people see of them. */
export const MessageDisplay = row<MessageDisplayInput, MessageDisplayAnswer>()({
  input: { turn_id: text, message_id: text, index: number, final: flag, delta: text },
  answer: { displayContent: optional(text) },
  matcherField: null,
});

export type NotificationInput = {
  /** The text that people see. */
  message: string;
  /** The heading above it. */
  title?: string;
  /** The kind of notification, such as `permission_prompt`; a matcher sees it. */
  notification_type: string;
};

export const Notification = row<NotificationInput, AddsContext>()({
  input: { message: text, title: optional(text), notification_type: text },
  answer: addsContext,
  matcherField: 'notification_type',
});

export type PreCompactInput = {
  /** Whether a person asked for it, or the context is full; a matcher sees it. */
  trigger: 'manual' | 'auto';
  /** What the person wants the summary to keep. Null: nothing was said. */
  custom_instructions: string | null;
};

export const PreCompact = row<PreCompactInput, AddsContext>()({
  input: { trigger: open('manual', 'auto'), custom_instructions: nullable(text) },
  answer: addsContext,
  matcherField: 'trigger',
  blocks: 'compaction',
  plainText: 'instructions',
});

export type PostCompactInput = {
  /** Whether a person asked for it, or the context was full; a matcher sees it. */
  trigger: 'manual' | 'auto';
  /** The summary in place of the conversation. */
  compact_summary: string;
};

export const PostCompact = row<PostCompactInput, NoAnswer>()({
  input: { trigger: open('manual', 'auto'), compact_summary: text },
  answer: {},
  matcherField: 'trigger',
});

export type SessionEndInput = {
  /** Why the session ends; a matcher sees it. */
  reason: 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other' | 'bypass_permissions_disabled';
};

export const SessionEnd = row<SessionEndInput, NoAnswer>()({
  input: {
    reason: open('clear', 'resume', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'),
  },
  answer: {},
  matcherField: 'reason',
  moment: 'session-ends',
});
