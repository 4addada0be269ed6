/** One call to a service, from opening to the last event: handles retries, aborts, closing and errors for all services. */
import { abortable, onAbort } from '../../base/async/abortable.js';
import { ModelError, type ModelEvent } from './port.js';
import { delayBefore, limitsFor, type RetryOptions, waitBeforeRetry } from './retry.js';
import { brokenStream, type Phase, serviceError } from './service-error.js';

/** Reads one stream format piece by piece. */
export interface StreamReader<Raw> {
  /**
   * Returns the events that this piece completes. If it throws, the stream is broken, unless the error is a
   * `ModelError`.
   */
  take(raw: Raw): readonly ModelEvent[];
  /** The `end` event, or undefined until the service has completed the answer. */
  end(): ModelEvent | undefined;
}

export interface ServiceCall<Raw> {
  readonly service: string;
  readonly signal: AbortSignal;
  readonly retries: RetryOptions;
  /** Makes a reader for each try. */
  read(): StreamReader<Raw>;
  open(signal: AbortSignal): Promise<AsyncIterable<Raw>>;
}

/** Tries again while nothing of the answer has arrived. Each retry is announced before the wait. */
export async function* streamCall<Raw>(call: ServiceCall<Raw>): AsyncGenerator<ModelEvent, void> {
  const { signal, retries } = call;
  const startedAt = performance.now();
  for (let failed = 1; ; failed++) {
    let hasBegun = false;
    try {
      for await (const event of streamOnce(call)) {
        hasBegun ||= event.type !== 'usage';
        yield event;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (hasBegun || !(error instanceof ModelError)) throw error;
      const { maxRetries } = limitsFor(error, retries);
      const delayMs = delayBefore(error, failed, performance.now() - startedAt, retries);
      if (delayMs === undefined) throw error;
      yield { type: 'retry', attempt: failed, maxRetries, delayMs, error };
      await waitBeforeRetry(delayMs, signal);
    }
  }
}

async function* streamOnce<Raw>(call: ServiceCall<Raw>): AsyncGenerator<ModelEvent, void> {
  const { service, signal } = call;
  const reader = call.read();
  signal.throwIfAborted();
  // Each call has its own signal: a session's signal is long-lived, and SDKs do not remove their listeners.
  const own = new AbortController();
  const stop = onAbort(signal, () => own.abort(signal.reason));
  let phase: Phase = 'opening';
  try {
    // SDKs may be slow to react to an abort.
    const stream = await abortable(call.open(own.signal), own.signal);
    phase = 'reading';
    for await (const raw of stream) {
      signal.throwIfAborted();
      yield* reader.take(raw);
    }
  } catch (error) {
    signal.throwIfAborted();
    // If the connection breaks after the answer is complete, nothing is lost.
    if (reader.end() === undefined) throw serviceError(service, error, phase);
  } finally {
    stop();
    own.abort();
  }
  // After an abort, the SDKs end the stream as if it were complete.
  signal.throwIfAborted();
  const end = reader.end();
  if (end === undefined) throw brokenStream(service, 'it ended before the answer was complete');
  yield end;
}
