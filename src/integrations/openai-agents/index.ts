/** hookline/openai-agents: hooks and injection in an agent on `@openai/agents`. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { Conversation } from '../session/conversation.js';
export type { HookSession, SessionOptions, SessionRunner, SubagentOptions } from '../session/index.js';
export type { RunEnding } from '../session/run-turns.js';
export { type Call, createHooks, type OpenaiAgentsHooks, type RunEnd, type RunOptions } from './hooks.js';
export type { FunctionToolLike, HostAgent, HostResult, ToolOptionsLike, TurnOptions } from './host.js';
