/** What an agent loop asks of a model: messages in, a stream of events out. Small enough to implement in twenty lines. */

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

/** A part of a message: text, a call of a tool, or the result of one. */
export type ContentBlock = TextBlock | ToolUseBlock | ToolResultBlock;

/** The conversation in one canonical form; adapters turn it into what their API wants. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

/** A tool as a model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One question to a model: the whole conversation, and what it may use. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** What the request is for: an adapter may choose another model, a script another turn. */
  readonly purpose: 'turn' | 'summary' | 'hook';
  /** The longest answer. Default: the adapter's. */
  readonly maxTokens?: number;
  /** Ends the request early. */
  readonly signal: AbortSignal;
}

/** How many tokens a request has used. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Why a model has stopped speaking. */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal';

/** Text comes in pieces; a tool use comes whole; `end` comes last, exactly once. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | ToolUseBlock
  | { readonly type: 'end'; readonly stopReason: StopReason; readonly usage: ModelUsage };

/**
 * Contract: the stream ends with one `end` event, or throws: a `ModelError` for what the service said, the signal's
 * reason when it was aborted. Retrying what can be retried is the adapter's business.
 */
export interface Model {
  readonly name: string;
  /** The answer as it comes. An aborted `request.signal` ends it. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** What it costs, in US dollars, to put so many tokens into the service's cache again, where that is known. */
  cacheWriteUsd?(tokens: number): number | undefined;
}

/** Why a model gave no answer. */
export class ModelError extends Error {
  readonly code:
    | 'missing_package'
    | 'unauthorized'
    | 'rate_limited'
    | 'overloaded'
    | 'bad_request'
    | 'broken_stream'
    | 'unavailable'
    | 'script_exhausted';
  /** The HTTP status, where there was one. */
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
