/** hookline/mastra: hooks and injection in an agent on `@mastra/core`. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { Conversation } from '../session/conversation.js';
export type { HookSession, SessionOptions, SessionRunner, SubagentOptions } from '../session/index.js';
export type { RunEnding } from '../session/run-turns.js';
export { type ToolApproval, ToolRefusedError } from './hooked-tool.js';
export {
  type Call,
  createHooks,
  type MastraHooks,
  type MastraOptions,
  type RunEnd,
  type RunOptions,
  type StopCondition,
} from './hooks.js';
export type { TurnOptions } from './host.js';
