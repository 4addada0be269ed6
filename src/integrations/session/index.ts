/** hookline/session: what a host with its own agent loop does around its model and tools. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { RenderItems } from '../take-items.js';
export type { Ask, Judgement, ToolCall, ToolEnd, ToolInput, ToolQuestion } from '../tool-call.js';
export type { SessionOptions, SessionRunner } from './options.js';
export {
  createSession,
  type Halt,
  type HookSession,
  type ModelRequest,
  type PromptEnd,
  type StopEnd,
  type SubagentOptions,
} from './session.js';
