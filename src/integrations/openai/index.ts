/** hookline/openai: hooks and injection in an agent that calls the package `openai` itself. */
export type { ErrorPolicy } from '../ask-hooks.js';
export type { Conversation } from '../session/conversation.js';
export type { HookSession, SessionOptions, SessionRunner, SubagentOptions } from '../session/index.js';
export type { RunEnding } from '../session/run-turns.js';
export { createHooks, type OpenaiHooks, type RunEnd, type RunOptions } from './hooks.js';
export type { ChatReply, ChatTurn, OpenaiTool, ResponsesReply, ResponsesTurn } from './host.js';
