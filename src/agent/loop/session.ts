/** What all agents of one session share. */
import { randomUUID } from 'node:crypto';
import type { Permissions } from '../../permissions/permissions.js';
import type { ToolUseBlock } from '../models/port.js';
import type { AgentRequest } from '../tools/host.js';
import type { ToolContext, ToolOutcome } from '../tools/tool.js';
import type { Agent } from './agent.js';
import type { BackgroundAgents } from './background-agents.js';
import type { HookDispatcher } from './hook-dispatcher.js';
import type { LoopMessage, NewMessage, PermissionDenial } from './messages.js';
import type { AgentLoopOptions } from './options.js';
import type { SessionParts } from './session-parts.js';

export interface Session {
  readonly id: string;
  readonly options: AgentLoopOptions;
  readonly hooks: HookDispatcher;
  readonly permissions: Permissions;
  readonly background: BackgroundAgents;
  readonly parts: SessionParts;
  readonly main: Agent;
  /** Starts another agent for a tool call. In here, because agents that work start agents that work. */
  readonly startAgent: StartAgent;
  /** Sends a message to whoever reads the run. */
  readonly emit: (message: LoopMessage) => void;
  /** Where the transcript of an agent belongs; undefined where none is written. */
  readonly subagentTranscript: (agentId: string) => string | undefined;
  readonly onTranscriptProblem: (problem: string) => void;
  /** A hook at a start of the session wants no work to be done; heeded once, by the next turn. */
  halt: StopRequest | undefined;
  /** The prompt that is worked on. */
  promptId: string | undefined;
  /** What was used and refused since the prompt began. */
  tally: Tally;
}

/** `onStopRequest`: a hook ends the turn of the parent, once the tool has its result. */
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
  inputTokens: number;
  outputTokens: number;
  modelMs: number;
  readonly denials: PermissionDenial[];
}

/** Asked once: whoever asks has to heed it. */
export function takeStopRequest(session: Session): StopRequest | undefined {
  const { halt } = session;
  session.halt = undefined;
  return halt;
}

export function newTally(): Tally {
  return { startedAt: performance.now(), turns: 0, inputTokens: 0, outputTokens: 0, modelMs: 0, denials: [] };
}

export function emitMessage(session: Session, message: NewMessage): void {
  session.emit({ ...message, uuid: randomUUID(), session_id: session.id } as LoopMessage);
}

/** Why the turn of an agent does not go on, said by a hook or by whoever was asked for permission. */
export interface StopRequest {
  readonly reason: 'hook_stopped' | 'tool_deferred' | 'permission_interrupt';
  readonly stopReason?: string | undefined;
  readonly deferred?: ToolUseBlock | undefined;
}
