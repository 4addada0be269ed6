/** What an agent loop offers to those tools that work on the agent itself. */
import type { Task } from './task-list.js';
import type { ToolContext, ToolOutcome } from './tool.js';

/** Somebody is to work on something beside the agent that asks. */
export interface AgentRequest {
  readonly description: string;
  readonly prompt: string;
  readonly agentType: string;
  /** Whether the caller goes on at once and is told later; undefined leaves it to the loop. */
  readonly inBackground?: boolean | undefined;
  /** A name makes it a member of the team, which stays after its work and can be written to. */
  readonly name?: string | undefined;
}

/** What one agent writes to another. */
export interface TeamMessage {
  /** The name of a member, or `*` for all of them. */
  readonly to: string;
  readonly message: string;
}

/**
 * What a loop does for the tools it runs; absent where a tool runs outside a loop. What it rejects with is a failure
 * of the tool.
 */
export interface ToolHost {
  /** Asked before a task is completed; a feedback keeps it open. */
  beforeTaskCompleted(task: Task, context: ToolContext): Promise<{ readonly feedback: string } | undefined>;
  /** Starts an agent. Resolves with its last answer; in the background, as soon as it has begun. */
  startAgent(request: AgentRequest, context: ToolContext): Promise<ToolOutcome>;
  /** Writes to members of the team. Resolves when it is in their inboxes. */
  sendMessage(message: TeamMessage, context: ToolContext): Promise<ToolOutcome>;
  /**
   * What a tool has for the whole session, such as its processes in the background: made by the first call with this key,
   * closed when the session ends.
   */
  keep<Kept extends SessionPart>(key: object, make: () => Kept): Kept;
}

/** Something that lasts as long as a session. */
export interface SessionPart {
  /** The session waits for it. What it throws is passed over. */
  close(): Promise<void> | void;
}
