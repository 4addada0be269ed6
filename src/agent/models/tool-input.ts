/** What a model wrote as the input of a tool, when it is JSON and when it is not. */

/** The key that holds what a model wrote where an object in JSON was asked for. */
export const UNPARSED_INPUT = 'unparsed_input';

/**
 * The input as an object. Text that is no JSON object is kept under one key that no tool has: the tool's schema
 * refuses it, the model reads why, and the history stays valid for every service.
 */
export function parseToolInput(text: string): Readonly<Record<string, unknown>> {
  // Tools without parameters are called with nothing at all.
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told by what is returned.
  }
  return { [UNPARSED_INPUT]: text };
}

/** For loops: whether a tool's input could not be read, whatever the tool's schema would let pass. */
export function isUnparsedInput(input: unknown): boolean {
  return (
    typeof input === 'object' &&
    input !== null &&
    Object.keys(input).length === 1 &&
    Object.hasOwn(input, UNPARSED_INPUT)
  );
}
