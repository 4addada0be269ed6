/** What this adapter needs of `@anthropic-ai/sdk`. Described here, so that it has not to be installed. */
import type { Definition } from '../session/own-loop.js';

/** A message of the conversation, as far as it is read here. */
export interface HostMessage {
  readonly role: string;
  readonly content: unknown;
}

/** An answer of the model, as far as it is read here. */
export interface Reply {
  readonly content: readonly { readonly type: string }[];
  readonly stop_reason: string | null;
}

export interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a request is made with: `client.messages.create({ model, max_tokens, ...turn })`. */
export interface Turn<Message, Tool> {
  readonly messages: Message[];
  /** Without the code that runs them. */
  readonly tools: Definition<Tool>[];
}

/** The SDK's tool runner, as far as it is used here. Its methods reject with the errors of the SDK. */
export interface ToolRunnerLike<Item> extends AsyncIterable<Item> {
  readonly params: { readonly messages: readonly object[] };
  /** Runs the tools that the last answer calls. */
  generateToolResponse(signal?: AbortSignal): Promise<unknown>;
  /** Adds messages to the conversation. */
  pushMessages(...messages: never[]): void;
}
