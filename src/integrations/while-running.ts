/** A generator of what a running function passes on; used for tools that report while their hooks wait for them. */
import { Queue } from '../base/async/queue.js';

/** Yields what `run` passes on, as it comes, and returns what it returns. Throws what it rejects with. */
export async function* whileRunning<T, R>(
  run: (pass: (value: T) => void) => Promise<R>,
): AsyncGenerator<T, R, undefined> {
  const values = new Queue<T>();
  const running = run((value) => values.push(value)).finally(() => values.close());
  // It is awaited after the last value.
  running.catch(() => {});
  yield* values;
  return running;
}
