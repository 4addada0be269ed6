/** hookline/anthropic: hooks and injection in an agent that calls `@anthropic-ai/sdk` itself, or uses its tool runner. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { HookSession, SessionOptions, SessionRunner } from '../session/index.js';
export type { RunEnding } from '../session/run-turns.js';
export { type AnthropicHooks, createHooks, type RunEnd, type RunOptions, ToolRefusedError } from './hooks.js';
export type { Reply, RunnableTool, ToolRunnerLike, Turn } from './host.js';
