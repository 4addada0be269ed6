/** What an agent loop provides to tools that act on the agent itself. */
import type { Task } from './task-list.js';
import type { ToolContext, ToolOutcome } from './tool.js';

/** A request to start another agent. */
export interface AgentRequest {
  readonly description: string;
  readonly prompt: string;
  readonly agentType: string;
  /** Whether the caller continues at once and is notified later; undefined: the loop decides. */
  readonly inBackground?: boolean | undefined;
  /** An agent with a name becomes a team member, which stays after its work and can receive messages. */
  readonly name?: string | undefined;
}

/** A message from one agent to another. */
export interface TeamMessage {
  /** The name of a team member, or `*` for all. */
  readonly to: string;
  readonly message: string;
}

/**
 * What a loop provides to the tools it runs; absent if a tool runs outside a loop. If a method rejects, the tool
 * fails.
 */
export interface ToolHost {
  /** Called when a task was created. If it returns feedback, the task is removed again. */
  afterTaskCreated?(task: Task, context: ToolContext): Promise<{ readonly feedback: string } | undefined>;
  /** Called before a task is completed. If it returns feedback, the task stays open. */
  beforeTaskCompleted(task: Task, context: ToolContext): Promise<{ readonly feedback: string } | undefined>;
  /** Starts an agent. Resolves with its last answer; in the background, as soon as it has started. */
  startAgent(request: AgentRequest, context: ToolContext): Promise<ToolOutcome>;
  /** Writes to team members. Resolves when the message is in their inboxes. */
  sendMessage(message: TeamMessage, context: ToolContext): Promise<ToolOutcome>;
  /** A skill was loaded: its hooks run from now on. */
  useSkill?(name: string): void;
  /** A server asks the user something while one of its tools runs. Resolves with the answer; never rejects. */
  elicit?(elicitation: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer>;
  /** A job that a tool left running has ended: the agent learns of it. Has no effect after the session has ended. */
  reportJob?(job: EndedJob): void;
  /**
   * Keeps state of a tool for the whole session, such as background processes: created by the first call with this
   * key, closed when the session ends.
   */
  keep<Kept extends SessionPart>(key: object, make: () => Kept): Kept;
}

/** A question of an MCP server to the user. */
export interface Elicitation {
  readonly server: string;
  readonly message: string;
  /** `form`: values are asked for. `url`: the user is to open an address. */
  readonly mode?: string | undefined;
  readonly url?: string | undefined;
  readonly id?: string | undefined;
  /** JSON Schema of what `content` should hold. */
  readonly requestedSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** What the user answers: `content` belongs to `accept`. */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** A background job of a tool that has ended. */
export interface EndedJob {
  readonly id: string;
  readonly tool: string;
  readonly status: 'completed' | 'failed';
  readonly result: string;
}

/** State that lasts as long as a session. */
export interface SessionPart {
  /** The session waits for it. Errors it throws are ignored. */
  close(): Promise<void> | void;
}
