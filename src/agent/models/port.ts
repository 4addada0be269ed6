/**
 * The interface between the agent loop and a model: messages in, a stream of events out. Twenty lines are enough to
 * implement it.
 */

export type TextBlock = { readonly type: 'text'; readonly text: string };

export type ToolUseBlock = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};

export type ToolResultBlock = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | readonly (TextBlock | { readonly type: string })[];
  readonly is_error?: boolean;
};

/** A part of a message: text, a tool call, or a tool result. */
export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock;

/** A message in the canonical form; adapters convert it to what their API expects. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

/** A tool as described to the model. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One request to a model: the whole conversation and the available tools. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** The purpose of the request: an adapter may choose another model for it, a script another turn. */
  readonly purpose: 'turn' | 'summary' | 'hook';
  /** The maximum length of the answer in tokens. Default: the adapter's. */
  readonly maxTokens?: number;
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

/** The token usage of a request. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why a model stopped. */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal';

/** Text arrives in pieces, a tool use as a whole; `end` comes last, exactly once. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | ToolUseBlock
  | { readonly type: 'end'; readonly stopReason: StopReason; readonly usage: ModelUsage };

/**
 * Contract: the stream ends with one `end` event, or throws: a `ModelError` if the service failed, the signal's
 * reason if it was aborted. Adapters retry on their own.
 */
export interface Model {
  readonly name: string;
  /** Streams the answer. Aborting `request.signal` ends it. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** The estimated price, in US dollars, of writing this many tokens to the service's cache again, if known. */
  cacheWriteUsd?(tokens: number): number | undefined;
}

/** A model gave no answer; `code` says why. */
export class ModelError extends Error {
  readonly code:
    | 'missing_package'
    | 'unauthorized'
    | 'rate_limited'
    | 'overloaded'
    | 'bad_request'
    | 'broken_stream'
    | 'unavailable'
    | 'script_exhausted'
    /** A hook around the call refused it. */
    | 'blocked';
  /** The HTTP status, if there was one. */
  readonly status: number | undefined;

  constructor(
    code: ModelError['code'],
    message: string,
    options?: ErrorOptions & { readonly status?: number },
  ) {
    super(message, options);
    this.code = code;
    this.status = options?.status;
  }
}

Object.defineProperty(ModelError.prototype, 'name', {
  value: 'ModelError',
  configurable: true,
  writable: true,
});
