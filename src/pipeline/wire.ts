/** The input as bytes for commands: written once, however many commands read it. */
import { HookError, messageOf } from '../errors.js';
import type { HookEvent } from '../events/types.js';

type Input = Readonly<Record<string, unknown>>;

/**
 * Hooks that rewrite the input make a new object, so the last one written is remembered by identity.
 * Throws a HookError, code `invalid_input`, for data that JSON cannot hold.
 */
export function createWire(event: HookEvent): (input: Input) => Uint8Array {
  let written: Input | undefined;
  let bytes: Uint8Array | undefined;
  return (input) => {
    if (bytes === undefined || written !== input) {
      bytes = write(event, input);
      written = input;
    }
    return bytes;
  };
}

function write(event: HookEvent, input: Input): Uint8Array {
  try {
    return Buffer.from(`${JSON.stringify(input)}\n`);
  } catch (error) {
    throw new HookError('invalid_input', `The input of ${event} is not JSON data: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}
