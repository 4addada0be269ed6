/** The streams of all turns of a run as one, with the messages of hooks in between for user interfaces. */
import { Queue } from '../../base/async/queue.js';
import type { HookMessage } from '../../runner/messages/hook-messages.js';
import type { HostStream } from './host.js';

/** Follows the stream of one turn to its end; `onAnswer` is called when the model has begun to answer. */
export type Follow<Result> = (result: Result, onAnswer: () => void) => Promise<void>;

/** A message of a hook in a UI message stream: a data part that is not kept in the message. */
export interface HookChunk {
  readonly type: 'data-hook';
  readonly data: HookMessage;
  readonly transient: true;
}

type PartOf<Result extends HostStream> =
  Result['fullStream'] extends AsyncIterable<infer Part> ? Part : never;

type ChunkOf<Result extends HostStream> =
  ReturnType<Result['toUIMessageStream']> extends AsyncIterable<infer Chunk> ? Chunk : never;

/** Options of `toUIMessageStream` that are passed on to the host for every turn. */
export interface UiStreamOptions {
  readonly sendReasoning?: boolean;
  readonly sendSources?: boolean;
  /** The text that people read instead of an error. Default: that of the host. */
  readonly onError?: (error: unknown) => string;
}

interface Watched {
  readonly messages?: { on(type: 'message', listener: (message: HookMessage) => void): () => void };
}

/** The parts that come before the model has answered. */
const BEFORE_ANSWER = new Set(['start', 'start-step', 'error', 'abort', 'ping', 'raw']);

/** A run in progress. It runs whether or not its streams are read. Its methods never throw; streams fail with the run. */
export class HookedStream<Result extends HostStream, End> {
  readonly #turns: Result[] = [];
  readonly #readers = new Set<Queue<Result>>();
  readonly #runner: Watched;
  #over = false;
  /** How the run ended; rejects with the error that ended it. */
  readonly end: Promise<End>;

  /** Use `hooks.stream`. */
  constructor(runner: object, start: (follow: Follow<Result>) => Promise<End>) {
    this.#runner = runner;
    this.end = start((result, onAnswer) => this.#follow(result, onAnswer)).finally(() => {
      this.#over = true;
      for (const reader of this.#readers) reader.close();
    });
    // A caller that only reads the stream finds the error there.
    this.end.catch(() => {});
  }

  /** The parts of all turns, as in the host's `fullStream`. */
  get fullStream(): AsyncIterable<PartOf<Result>> {
    return this.#parts();
  }

  /** What the model says, piece by piece. */
  get textStream(): AsyncIterable<string> {
    return this.#texts();
  }

  /** Chunks for `createUIMessageStreamResponse`: one message for the whole run, and hook messages as `data-hook` parts. */
  toUIMessageStream(options: UiStreamOptions = {}): ReadableStream<ChunkOf<Result> | HookChunk> {
    const chunks = new Queue<ChunkOf<Result> | HookChunk>();
    const off = this.#runner.messages?.on('message', (data) =>
      chunks.push({ type: 'data-hook', data, transient: true }),
    );
    const reading = this.#readTurns(async (result, index) => {
      const own = { ...options, sendStart: index === 0, sendFinish: false };
      for await (const chunk of result.toUIMessageStream(own as never)) chunks.push(chunk as ChunkOf<Result>);
    });
    void reading
      .then(() => this.end)
      .then(
        () => chunks.push({ type: 'finish' } as unknown as ChunkOf<Result>),
        () => {},
      )
      .finally(() => {
        off?.();
        chunks.close();
      });
    return ReadableStream.from(chunks) as ReadableStream<ChunkOf<Result> | HookChunk>;
  }

  async #follow(result: Result, onAnswer: () => void): Promise<void> {
    // Each reader takes its own branch of the stream, so all have to begin before it is read to the end.
    this.#turns.push(result);
    for (const reader of this.#readers) reader.push(result);
    let failure: { readonly error: unknown } | undefined;
    for await (const part of result.fullStream) {
      if (!BEFORE_ANSWER.has(part.type)) onAnswer();
      if (part.type === 'error') failure = { error: (part as unknown as { error: unknown }).error };
      if (part.type === 'abort') failure = { error: new DOMException('The run was aborted.', 'AbortError') };
    }
    if (failure !== undefined) throw failure.error;
  }

  async *#parts(): AsyncGenerator<PartOf<Result>> {
    for await (const result of this.#following())
      for await (const part of result.fullStream) yield part as PartOf<Result>;
    await this.end;
  }

  async *#texts(): AsyncGenerator<string> {
    for await (const part of this.#parts() as AsyncIterable<{ type: string; text?: unknown }>)
      if (part.type === 'text-delta' && typeof part.text === 'string') yield part.text;
  }

  async #readTurns(read: (result: Result, index: number) => Promise<void>): Promise<void> {
    let index = 0;
    for await (const result of this.#following()) {
      await read(result, index).catch(() => {});
      index += 1;
    }
  }

  /** The turns so far, and those to come. */
  #following(): Queue<Result> {
    const queue = new Queue<Result>();
    for (const turn of this.#turns) queue.push(turn);
    if (this.#over) queue.close();
    else this.#readers.add(queue);
    return queue;
  }
}
