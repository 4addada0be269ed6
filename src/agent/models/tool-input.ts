/** Parses the tool input that a model wrote, which may not be valid JSON. */

/** The key that holds the model's text if it is not a JSON object. */
export const UNPARSED_INPUT = 'unparsed_input';

/**
 * Returns the input as an object. Text that is not a JSON object is kept under a key that no tool has: the tool's
 * schema rejects it, the model reads why, and the history stays valid for every service.
 */
export function parseToolInput(text: string): Readonly<Record<string, unknown>> {
  // Tools without parameters may be called with empty input.
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Not JSON: handled below.
  }
  return { [UNPARSED_INPUT]: text };
}

/**
 * Whether a tool's input could not be parsed. Loops check this, because a loose schema could accept it. Never throws.
 */
export function isUnparsedInput(input: unknown): boolean {
  return (
    typeof input === 'object' &&
    input !== null &&
    Object.keys(input).length === 1 &&
    Object.hasOwn(input, UNPARSED_INPUT)
  );
}
