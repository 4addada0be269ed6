/** hookline/strands: hooks and injection in an agent on `@strands-agents/sdk`, as one plugin. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { Conversation } from '../session/conversation.js';
export type { HookSession, SessionOptions, SessionRunner, SubagentOptions } from '../session/index.js';
export type { RunEnding } from '../session/run-turns.js';
export { createHooks, type StrandsHooks } from './hooks.js';
export type { StrandsModule, StrandsPlugin } from './host.js';
