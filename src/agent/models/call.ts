/** One call to a service, from opening to the last event: aborting, closing and naming errors are the same for all. */
import { abortable, onAbort } from '../../base/async/abortable.js';
import type { ModelEvent } from './port.js';
import { brokenStream, type Phase, serviceError } from './service-error.js';

/** Reads one format: a fold over what the service sends. */
export interface StreamReader<Raw> {
  /** The events that this piece completes. What it throws is a broken stream, unless it is a `ModelError`. */
  take(raw: Raw): readonly ModelEvent[];
  /** The `end` event; undefined as long as the service has not said that the answer is whole. */
  end(): ModelEvent | undefined;
}

export interface ServiceCall<Raw> {
  readonly service: string;
  readonly signal: AbortSignal;
  readonly reader: StreamReader<Raw>;
  open(signal: AbortSignal): Promise<AsyncIterable<Raw>>;
}

export async function* streamCall<Raw>(call: ServiceCall<Raw>): AsyncGenerator<ModelEvent, void> {
  const { service, signal, reader } = call;
  signal.throwIfAborted();
  // A signal of its own for every call: a session's signal lives long, and SDKs leave listeners behind.
  const own = new AbortController();
  const stop = onAbort(signal, () => own.abort(signal.reason));
  let phase: Phase = 'opening';
  try {
    // SDKs may be slow to notice an abort.
    const stream = await abortable(call.open(own.signal), own.signal);
    phase = 'reading';
    for await (const raw of stream) {
      signal.throwIfAborted();
      yield* reader.take(raw);
    }
  } catch (error) {
    signal.throwIfAborted();
    // A connection that breaks after the last word has taken nothing from the answer.
    if (reader.end() === undefined) throw serviceError(service, error, phase);
  } finally {
    stop();
    own.abort();
  }
  // The SDKs end an aborted stream as if it were over.
  signal.throwIfAborted();
  const end = reader.end();
  if (end === undefined) throw brokenStream(service, 'it ended before the answer was whole');
  yield end;
}
