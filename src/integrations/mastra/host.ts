/** What this adapter needs of `@mastra/core` 1. Described here, so that it has not to be installed. */

/** A message of the conversation, as far as it is read here. */
export interface HostMessage {
  readonly role?: string;
  readonly content?: unknown;
}

/** What a tool is called with beside its input. */
export interface ExecuteContext {
  readonly abortSignal?: AbortSignal | undefined;
  /** Absent if a workflow or your own code calls the tool. */
  readonly agent?: AgentContext | undefined;
  /** Of tools that are made for the AI SDK. */
  readonly toolCallId?: string | undefined;
}

interface AgentContext {
  readonly toolCallId: string;
  /** Ends the run. The tool is called again with what a person has answered. */
  readonly suspend?: ((payload: unknown, options?: unknown) => Promise<unknown>) | undefined;
  readonly resumeData?: unknown;
}

export type Execute = (input: unknown, context?: ExecuteContext) => unknown;

/** A tool of `createTool`, of an MCP server or of the AI SDK, as far as it is read here. */
export interface HostTool {
  readonly execute?: ((input: never, context: never) => unknown) | undefined;
  readonly inputSchema?: unknown;
  readonly toModelOutput?: ((output: never) => unknown) | undefined;
}

/** The result of `agent.generate`, and of `getFullOutput` of a stream, as far as it is read here. */
export interface HostResult {
  readonly text: string;
  readonly finishReason?: string | undefined;
  readonly response?: { readonly messages?: readonly object[] | undefined } | undefined;
  readonly error?: Error | undefined;
  /** A processor of the host has ended the run. */
  readonly tripwire?: unknown;
}

/** The options of `agent.generate` and `agent.stream`: pass them on. */
export interface TurnOptions {
  readonly prepareStep: (step: { readonly messages?: readonly object[] }) => undefined;
  readonly onStepFinish: (step: { readonly finishReason?: string | undefined }) => void;
  readonly stopWhen: ((options: { steps: readonly unknown[] }) => boolean)[];
  readonly abortSignal?: AbortSignal;
}
