/** Listens to a stream to its end, whatever the end is. */
import type { Model, ModelEvent, ModelRequest } from '../../../src/agent/models/port.js';

export interface Heard {
  readonly events: readonly ModelEvent[];
  /** The text in one piece. */
  readonly text: string;
  /** What the stream threw. */
  readonly error: unknown;
}

export async function listen(model: Model, request: ModelRequest): Promise<Heard> {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    // What was used until now is no part of the answer.
    for await (const event of model.stream(request)) if (event.type !== 'usage') events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { events, text, error };
}
