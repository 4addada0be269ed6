/**
 * The interface between the agent loop and a model: messages in, a stream of events out. Twenty lines are enough to
 * implement it.
 */

export type TextBlock = {
  readonly type: 'text';
  readonly text: string;
  /** The part of the answer that the text belongs to, for services that want it back. */
  readonly phase?: string;
};

/** An image, in the Messages API's form. */
export type ImageBlock = {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
};

/** A file that the model can read, such as a PDF, in the Messages API's form. */
export type DocumentBlock = {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
  /** The name of the file. */
  readonly title?: string;
};

export type ToolUseBlock = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};

export type ToolResultBlock = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | readonly (TextBlock | ImageBlock | DocumentBlock | { readonly type: string })[];
  readonly is_error?: boolean;
};

/** Where a block that only its service understands comes from. It is sent to no other service and no other model. */
interface Origin {
  readonly provider: string;
  readonly model: string;
}

/** What a model thought before it answered. It goes back to its model unchanged, at the same place. */
export type ThinkingBlock = Origin & {
  readonly type: 'thinking';
  /** What people can read of it; may be empty. */
  readonly thinking: string;
  readonly signature?: string;
  /** What else its service wants back. */
  readonly data?: unknown;
};

/** Thinking that the service has encrypted. */
export type RedactedThinkingBlock = Origin & { readonly type: 'redacted_thinking'; readonly data: string };

/** Any other block of a service, such as a call of a tool that the service runs itself; kept as it came. */
export type ServiceBlock = Origin & {
  readonly type: 'service_block';
  readonly block: Readonly<Record<string, unknown>>;
};

/** A block that goes back only to the model that made it. */
export type OpaqueBlock = ThinkingBlock | RedactedThinkingBlock | ServiceBlock;

/** What a prompt consists of. */
export type PromptBlock = TextBlock | ImageBlock | DocumentBlock;

/** A part of a message. */
export type ContentBlock = PromptBlock | ToolUseBlock | ToolResultBlock | OpaqueBlock;

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
  /** Without those that were read from a cache or written to it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens?: number;
  readonly cacheCreationInputTokens?: number;
  /** How many of those were written for an hour, which costs more. */
  readonly cacheCreation1hInputTokens?: number;
}

/** Why a model stopped. */
export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'refusal'
  /** The service paused a long answer: send the conversation back as it is, and it goes on. */
  | 'pause_turn'
  /** The answer filled the context window. */
  | 'model_context_window_exceeded';

/** Text and thinking arrive in pieces, other blocks as a whole; `end` comes last, exactly once. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string; readonly phase?: string }
  /** A piece of thinking, for people who watch. The whole block follows. */
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | ToolUseBlock
  | OpaqueBlock
  /** The request failed before the answer began, and is tried again after the delay. */
  | {
      readonly type: 'retry';
      /** Starts at 1. */
      readonly attempt: number;
      readonly maxRetries: number;
      readonly delayMs: number;
      readonly error: ModelError;
    }
  /** What the request has used so far. It counts only if no `end` follows: the stream broke, or was aborted. */
  | { readonly type: 'usage'; readonly usage: ModelUsage }
  | { readonly type: 'end'; readonly stopReason: StopReason; readonly usage: ModelUsage };

/**
 * Contract: the stream ends with one `end` event, or throws: a `ModelError` if the service failed, the signal's
 * reason if it was aborted. Adapters retry on their own.
 */
export interface Model {
  readonly name: string;
  /** The most tokens an answer may have, if known: usually, and after answers were cut off. */
  readonly maxTokens?: { readonly usual: number; readonly raised?: number };
  /** How much it reasons, if that was chosen; hooks see it. */
  readonly effort?: string | undefined;
  /** Streams the answer. Aborting `request.signal` ends it. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** A model gave no answer; `code` says why. */
export class ModelError extends Error {
  readonly code:
    | 'missing_package'
    | 'unauthorized'
    | 'rate_limited'
    | 'overloaded'
    | 'bad_request'
    /** The conversation is too long for the model. */
    | 'context_overflow'
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
