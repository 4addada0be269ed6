/** What this adapter needs of `@openai/agents`. Described here, so that it has not to be installed. */

/** An item of the conversation, as far as it is read here. */
export interface HostItem {
  readonly role?: string;
  readonly content?: unknown;
}

/** An agent of the host, as far as it is read here. */
export interface HostAgent {
  readonly name: string;
}

/** What a tool is called with beside its input. */
export interface CallDetails {
  readonly toolCall?: { readonly callId: string } | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The run context of the host, as far as it is read here. */
export interface RunContextLike {
  isToolApproved?(call: { toolName: string; callId: string }): boolean | undefined;
}

/** A tool that was made with `tool()`, as far as it is read here. */
export interface FunctionToolLike {
  readonly type: 'function';
  readonly name: string;
  readonly invoke: (context: never, input: string, details?: never) => Promise<unknown>;
  readonly needsApproval: (context: never, input: never, callId?: string) => Promise<boolean>;
}

/** The options of `tool()`, as far as they are read here. */
export interface ToolOptionsLike {
  readonly name?: string | undefined;
  readonly parameters?: unknown;
  readonly execute: (input: never, context?: never, details?: never) => unknown;
  readonly errorFunction?: ((context: never, error: never, details?: never) => unknown) | null | undefined;
  readonly needsApproval?: unknown;
}

/** The result of the host's `run`, as far as it is read here. */
export interface HostResult {
  readonly history: readonly object[];
  readonly finalOutput?: unknown;
  readonly interruptions?: readonly unknown[] | undefined;
  readonly lastAgent?: HostAgent | undefined;
  readonly state: object;
  /** Of a streamed run: resolves when it is over. */
  readonly completed?: Promise<void> | undefined;
}

interface ModelData<Item> {
  input: Item[];
  instructions?: string;
}

/** The options of the host's `run`: pass them on. */
export interface TurnOptions<Item> {
  readonly callModelInputFilter: (args: {
    modelData: ModelData<object>;
    agent: HostAgent;
  }) => Promise<ModelData<Item>>;
  readonly signal?: AbortSignal;
}
