/** hookline/langchain: hooks and injection in an agent of LangChain's `createAgent`, as one middleware. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { Conversation } from '../session/conversation.js';
export type { HookSession, SessionOptions, SessionRunner, SubagentOptions } from '../session/index.js';
export type { RunEnding } from '../session/run-turns.js';
export { createHooks, type LangchainHooks, type ToolApproval } from './hooks.js';
export type { MiddlewareConfig } from './host.js';
