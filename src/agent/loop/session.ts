/** The state that all agents of a session share. */
import { randomUUID } from 'node:crypto';
import type { Permissions } from '../../permissions/permissions.js';
import type { ModelUsage, ToolUseBlock } from '../models/port.js';
import type { AgentRequest } from '../tools/host.js';
import type { ToolContext, ToolOutcome } from '../tools/tool.js';
import type { Agent } from './agent.js';
import type { BackgroundAgents } from './background-agents.js';
import type { HookDispatcher } from './hook-dispatcher.js';
import type { LoopMessage, NewMessage, PermissionDenial } from './messages.js';
import type { AgentLoopOptions } from './options.js';
import type { OwnItems } from './own-items.js';
import type { SessionParts } from './session-parts.js';
import type { Spending } from './spending.js';

export interface Session {
  readonly id: string;
  readonly options: AgentLoopOptions;
  readonly hooks: HookDispatcher;
  readonly permissions: Permissions;
  readonly background: BackgroundAgents;
  readonly parts: SessionParts;
  /** Which items of the mailbox are for agents of this session. */
  readonly items: OwnItems;
  readonly main: Agent;
  /** What the session has used and cost so far. */
  readonly spending: Spending;
  /** Starts another agent for a tool call. Part of the session to avoid a circular import. */
  readonly startAgent: StartAgent;
  /** Emits a message of the run. */
  readonly emit: (message: LoopMessage) => void;
  /** The transcript path of a subagent; undefined if no transcripts are written. */
  readonly subagentTranscript: (agentId: string) => string | undefined;
  readonly onTranscriptProblem: (problem: string) => void;
  /** The skills that were loaded since the session began; their hooks run until it ends. */
  readonly activeSkills: Set<string>;
  /** Set if a SessionStart hook ended the run; the next turn takes it. */
  halt: StopRequest | undefined;
  /** First prompts of the session that SessionStart hooks gave. */
  readonly firstPrompts: string[];
  /** The title of the session, if it has one. */
  title: string | undefined;
  /** The id of the current prompt. */
  promptId: string | undefined;
  /** When a model answered last, in milliseconds since 1970. */
  lastAnswerAt: number | undefined;
  /** Usage and denials since the prompt began. */
  tally: Tally;
}

/** `onStopRequest` is called if a hook ends the parent's turn; the turn ends after the tool has its result. */
export type StartAgent = (
  session: Session,
  parent: Agent,
  request: AgentRequest,
  context: ToolContext,
  onStopRequest: (halt: StopRequest) => void,
) => Promise<ToolOutcome>;

export interface Tally {
  readonly startedAt: number;
  turns: number;
  usage: ModelUsage;
  modelMs: number;
  readonly denials: PermissionDenial[];
}

/** Returns the stop request and clears it: the caller must act on it. */
export function takeStopRequest(session: Session): StopRequest | undefined {
  const { halt } = session;
  session.halt = undefined;
  return halt;
}

const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0 };

export function newTally(): Tally {
  return { startedAt: performance.now(), turns: 0, usage: NO_USAGE, modelMs: 0, denials: [] };
}

export function emitMessage(session: Session, message: NewMessage): void {
  session.emit({ ...message, uuid: randomUUID(), session_id: session.id } as LoopMessage);
}

/** Why an agent's turn ends, requested by a hook or by a permission answer. */
export interface StopRequest {
  readonly reason: 'hook_stopped' | 'tool_deferred' | 'permission_interrupt';
  readonly stopReason?: string | undefined;
  readonly deferred?: ToolUseBlock | undefined;
}
