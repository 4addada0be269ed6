/** What this adapter needs of the package `openai`. Described here, so that it has not to be installed. */
import type { RunnableTool } from '../session/own-loop.js';

/** A message of chat completions, or an item of the Responses API, as far as it is read here. */
export interface HostMessage {
  readonly role?: string;
  readonly content?: unknown;
  readonly type?: string;
}

/** A tool: the description that the API takes, and the code that runs it. */
export interface OpenaiTool extends RunnableTool {
  readonly description?: string | undefined;
  /** The JSON Schema of its input. */
  readonly parameters: Record<string, unknown>;
  /** Whether the API keeps to the schema. Default: false. */
  readonly strict?: boolean | undefined;
}

interface ToolDefinition {
  name: string;
  description?: string;
  parameters: Record<string, unknown>;
}

/** What a chat completion is made with: `client.chat.completions.create({ model, ...turn })`. */
export interface ChatTurn<Message> {
  readonly messages: Message[];
  readonly tools: { type: 'function'; function: ToolDefinition & { strict: boolean } }[];
}

/** What a response is made with: `client.responses.create({ model, ...turn })`. */
export interface ResponsesTurn<Item> {
  readonly input: Item[];
  readonly tools: (ToolDefinition & { type: 'function'; strict: boolean })[];
}

/** A chat completion, as far as it is read here. */
export interface ChatReply {
  readonly choices: readonly {
    readonly message: {
      readonly content?: string | null;
      readonly tool_calls?: readonly object[] | null | undefined;
    };
  }[];
}

/** A response, as far as it is read here. */
export interface ResponsesReply {
  readonly output: readonly { readonly type: string }[];
  readonly output_text?: string | undefined;
}
