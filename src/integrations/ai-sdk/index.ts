/** hookline/ai-sdk: hooks and injection in an agent on the AI SDK (`ai` 5 to 7). */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { Conversation } from '../session/conversation.js';
export type { HookSession, SessionOptions, SessionRunner, SubagentOptions } from '../session/index.js';
export type { RunEnding } from '../session/run-turns.js';
export { ToolRefusedError } from './hooked-tool.js';
export {
  type AiSdkHooks,
  type AiSdkOptions,
  createHooks,
  type RunEnd,
  type RunOptions,
  type StopCondition,
} from './hooks.js';
export type { StepSettings, Turn } from './host.js';
export type { HookChunk, HookedStream, UiStreamOptions } from './stream.js';
