/** What this adapter needs of the package `ai`, versions 5 to 7. Described here, so that none of them has to be installed. */

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A model message, as far as it is read here. */
export interface HostMessage {
  readonly role: string;
  readonly content: unknown;
}

/** The part of the options of `prepareStep` that is read here. */
export interface StepOptions {
  readonly messages: readonly unknown[];
}

/** What `execute` and `needsApproval` are called with. */
export interface ExecuteOptions {
  readonly toolCallId: string;
  readonly messages?: readonly unknown[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

export type Execute = (input: unknown, options: ExecuteOptions) => unknown;

/** A tool, as far as it is read here. */
export interface HostTool {
  readonly execute?: Execute | undefined;
  readonly inputSchema?: unknown;
  readonly needsApproval?: unknown;
  readonly toModelOutput?: ((value: never) => unknown) | undefined;
}

/** The result of `generateText`, `streamText` or an agent, as far as it is read here. */
export interface HostResult {
  readonly text: string | PromiseLike<string>;
  readonly response: ResponseLike | PromiseLike<ResponseLike>;
}

interface ResponseLike {
  readonly messages: readonly object[];
}

/** The result of `streamText`, as far as it is read here. */
export interface HostStream extends HostResult {
  readonly fullStream: AsyncIterable<{ readonly type: string }>;
  toUIMessageStream(options?: never): AsyncIterable<{ readonly type: string }>;
}

/** What `generateText`, `streamText` and the settings of an agent are given, so that hooks take part. */
export interface StepSettings {
  readonly prepareStep: (options: StepOptions) => undefined;
  readonly onStepFinish: () => void;
  readonly stopWhen: ((options: { steps: readonly unknown[] }) => boolean)[];
}

/** The options of one call of the host: spread them into it. */
export interface Turn<Message> extends StepSettings {
  readonly messages: Message[];
  readonly abortSignal?: AbortSignal;
}
