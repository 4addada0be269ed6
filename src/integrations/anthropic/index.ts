/** hookline/anthropic: hooks and injection in an agent that calls `@anthropic-ai/sdk` itself, or uses its tool runner. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { Conversation } from '../session/conversation.js';
export type { HookSession, SessionOptions, SessionRunner, SubagentOptions } from '../session/index.js';
export { type RunnableTool, ToolRefusedError } from '../session/own-loop.js';
export type { RunEnding } from '../session/run-turns.js';
export { type AnthropicHooks, createHooks, type RunEnd, type RunOptions } from './hooks.js';
export type { Reply, ToolRunnerLike, Turn } from './host.js';
