/** Converts a rewritten tool output, which may be any JSON value, to MCP content blocks. */

export interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const textBlock = (text: string): Block & { type: 'text'; text: string } => ({ type: 'text', text });

/** Accepts a text, a list of blocks, or an object with such a list; anything else is shown as JSON. */
export function contentBlocks(output: unknown): readonly Block[] {
  if (typeof output === 'string') return [textBlock(output)];
  if (isBlockList(output)) return output;
  const inner = fieldOf(output, 'content');
  if (isBlockList(inner)) return inner;
  return [textBlock(JSON.stringify(output) ?? '')];
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** The text of all text blocks. */
export function textOf(blocks: readonly unknown[]): string {
  return blocks
    .map((block) => fieldOf(block, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function isBlockList(value: unknown): value is readonly Block[] {
  return Array.isArray(value) && value.every(isBlock);
}

/** Hosts fail on blocks that lack the required fields of their type. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

function isBlock(value: unknown): boolean {
  const type = fieldOf(value, 'type');
  if (type === 'resource') return isResource(fieldOf(value, 'resource'));
  const needs = typeof type === 'string' && Object.hasOwn(NEEDS, type) ? NEEDS[type] : undefined;
  return needs?.every((name) => typeof fieldOf(value, name) === 'string') === true;
}

const isResource = (value: unknown): boolean =>
  typeof fieldOf(value, 'uri') === 'string' &&
  (typeof fieldOf(value, 'text') === 'string' || typeof fieldOf(value, 'blob') === 'string');
