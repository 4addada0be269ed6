/** The input as bytes for commands: encoded once per fire and dialect, however many commands read it. */

import { HookError, messageOf } from '../base/errors.js';
import type { Dialect } from '../config/dialect.js';
import { nameOfEvent } from '../config/event-names.js';
import type { AnyEvent } from '../events/types.js';

type Input = Readonly<Record<string, unknown>>;

export type Wire = (input: Input, dialect: Dialect) => Uint8Array;

/**
 * Hooks that rewrite the input create a new object, so the last encoding is remembered by identity. Throws a
 * HookError, code `invalid_input`, for data that JSON cannot represent.
 */
export function createWire(event: AnyEvent): Wire {
  let written: Input | undefined;
  const bytes = new Map<Dialect, Uint8Array>();
  return (input, dialect) => {
    if (written !== input) bytes.clear();
    written = input;
    let known = bytes.get(dialect);
    if (known === undefined) {
      known = write(event, input, dialect);
      bytes.set(dialect, known);
    }
    return known;
  };
}

/** With the event's name as the dialect's commands know it; `encode` may still leave it out. */
function named(event: AnyEvent, input: Input, dialect: Dialect): Input {
  const name = nameOfEvent(event, dialect);
  return name === event ? input : { ...input, hook_event_name: name };
}

function write(event: AnyEvent, input: Input, dialect: Dialect): Uint8Array {
  try {
    const own = named(event, input, dialect);
    return Buffer.from(`${JSON.stringify(dialect.encode?.(event, own) ?? own)}\n`);
  } catch (error) {
    throw new HookError('invalid_input', `The input of ${event} is not JSON data: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}
