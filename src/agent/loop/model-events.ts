/** Reads a model's stream defensively: every failure becomes a `ModelError`, and an abort takes effect at once. */
import { abortable } from '../../base/async/abortable.js';
import { yieldIfBusy } from '../../base/async/yield.js';
import { messageOf } from '../../base/errors.js';
import { type Model, ModelError, type ModelEvent, type ModelRequest } from '../models/port.js';

/** Throws a `ModelError`, or the signal's reason when it was aborted. */
export async function* modelEvents(model: Model, request: ModelRequest): AsyncGenerator<ModelEvent, void> {
  const { signal } = request;
  let events: AsyncIterator<ModelEvent> | undefined;
  try {
    signal.throwIfAborted();
    events = model.stream(request)[Symbol.asyncIterator]();
    for (;;) {
      const step = await abortable(events.next(), signal);
      if (step.done === true) return;
      yield step.value;
      await yieldIfBusy();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ModelError
      ? error
      : new ModelError('broken_stream', messageOf(error), { cause: error });
  } finally {
    // Ask the model to stop, but do not wait for it.
    events?.return?.().catch(() => {});
  }
}
