/** Reads and makes the host's blocks. */
import { fieldOf, textOf as textOfBlocks } from '../tool-content.js';
import type { HostBlock, HostMessage, StrandsModule, ToolResult } from './host.js';

/** What was said in a message. */
export const textOf = ({ content }: HostMessage): string => textOfBlocks(content);

/** Whether a person wrote the message; results of tools have the same role. */
export const isPrompt = ({ role, content }: HostMessage): boolean =>
  role === 'user' && !content.some(({ type }) => type === 'toolResultBlock');

/** What hooks see of a result: its text, its JSON value, or its blocks. */
export function responseOf({ content }: ToolResult): unknown {
  const [first] = content;
  if (content.length === 1 && first?.type === 'jsonBlock') return first.json;
  return content.every(({ type }) => type === 'textBlock')
    ? textOfBlocks(content)
    : JSON.parse(JSON.stringify(content));
}

/** The error text of a result that reports a failure. */
export const failureIn = (result: ToolResult): string | undefined =>
  result.status === 'error' ? textOfBlocks(result.content) || 'The tool failed.' : undefined;

const isBlock = (value: unknown): value is HostBlock =>
  typeof fieldOf(value, 'toJSON') === 'function' && typeof fieldOf(value, 'type') === 'string';

/** A text, or blocks of the host. An output that is neither becomes JSON. */
export function blocksOf({ TextBlock }: StrandsModule, output: unknown): readonly HostBlock[] {
  if (Array.isArray(output) && output.length > 0 && output.every(isBlock)) return output;
  if (isBlock(output)) return [output];
  return [new TextBlock(typeof output === 'string' ? output : (JSON.stringify(output) ?? ''))];
}
