/** Normalizes a tool's input, so that permission checks and the tool see the same paths. */
import { isUnparsedInput } from '../models/tool-input.js';
import { type PreparedInput, prepareInput } from '../tools/input-paths.js';
import type { Tool } from '../tools/tool.js';
import type { Agent } from './agent.js';
import type { Session } from './session.js';

export function prepareFor(
  { options }: Session,
  { cwd }: Agent,
  tool: Tool,
  input: unknown,
): PreparedInput<unknown> {
  if (isUnparsedInput(input))
    return {
      ok: false,
      error: `The input of ${tool.name} is not a JSON object. Call ${tool.name} again with one.`,
    };
  return prepareInput(tool, input, { cwd, home: options.permissions?.home });
}
