/** What this adapter needs of `@strands-agents/sdk` 1. Described here, so that it has not to be installed. */

/** A block of a message or of a tool's result, as far as it is read here. */
export interface HostBlock {
  readonly type: string;
  readonly text?: unknown;
  readonly json?: unknown;
}

/** A message of the conversation, as far as it is read here. */
export interface HostMessage {
  readonly role: string;
  /** Extended in place: the host keeps the message, and sends it with every later request. */
  readonly content: HostBlock[];
}

export interface ToolUse {
  readonly name: string;
  readonly toolUseId: string;
  readonly input: unknown;
}

/** The result of a tool, as far as it is read here. */
export interface ToolResult {
  readonly toolUseId: string;
  readonly status: 'success' | 'error';
  readonly content: readonly HostBlock[];
  readonly error?: Error;
}

/** What a tool is called with. */
export interface ToolContext {
  readonly toolUse: ToolUse;
  readonly cancelSignal?: AbortSignal | undefined;
}

/** A tool of the host, as far as it is read here. */
export interface HostTool {
  readonly name: string;
  readonly description: string;
  readonly toolSpec: unknown;
  stream(context: ToolContext): AsyncGenerator<unknown, ToolResult, undefined>;
}

/** An agent of the host, as far as it is used here. */
export interface HostAgent {
  readonly messages: HostMessage[];
  readonly cancelSignal: AbortSignal;
  readonly toolRegistry: { get(name: string): unknown };
  /** Registers a callback for the events of a class. */
  addHook(event: never, callback: (event: never) => Promise<void>, options?: { order?: number }): unknown;
}

export interface AgentEvent {
  readonly agent: HostAgent;
}

export interface AfterInvocation extends AgentEvent {
  /** What the host runs next, in the same conversation. */
  resume: unknown;
}

export interface MessageAdded extends AgentEvent {
  readonly message: HostMessage;
}

export interface BeforeModelCall extends AgentEvent {
  /** What the host answers in place of the model. */
  cancel: boolean | string;
}

export interface AfterModelCall extends AgentEvent {
  readonly stopData?: { readonly message: HostMessage; readonly stopReason: string };
  readonly error?: Error;
}

export interface BeforeToolCall extends AgentEvent {
  toolUse: ToolUse;
  readonly tool?: HostTool | undefined;
  /** Why the tool is not run. */
  cancel: boolean | string;
  /** The tool that runs in the place of `tool`. */
  selectedTool?: HostTool | undefined;
  /** Ends the run with a question; returns the answer when the run is resumed. */
  interrupt(question: { name: string; reason?: unknown }): unknown;
}

type Class = abstract new (...args: never[]) => object;

/** The host's classes: `import * as strands from '@strands-agents/sdk'`. */
export interface StrandsModule {
  readonly BeforeInvocationEvent: Class;
  readonly AfterInvocationEvent: Class;
  readonly MessageAddedEvent: Class;
  readonly BeforeModelCallEvent: Class;
  readonly AfterModelCallEvent: Class;
  readonly BeforeToolCallEvent: Class;
  readonly InterruptEvent: Class;
  readonly TextBlock: new (text: string) => HostBlock;
  readonly ToolResultBlock: new (data: never) => ToolResult;
}

/** A plugin of the host: `new Agent({ model, tools, plugins: [plugin] })`. */
export interface StrandsPlugin {
  readonly name: string;
  /** Registers the callbacks. Throws if the plugin is used for a second agent. */
  initAgent(agent: HostAgent): void;
}
