/** Converts the result of an MCP tool to content for the model. */
import type { ToolBlock, ToolOutcome } from './tool.js';

type McpResult = Readonly<Record<string, unknown>>;

/** Hooks see the server's content blocks unchanged. */
export function mcpOutcome(name: string, result: McpResult): ToolOutcome {
  const blocks = contentOf(result);
  if (blocks === undefined)
    return { ok: false, error: `${name} returned no content; a list of content blocks was expected.` };
  const content = blocks.map(toToolBlock);
  if (result['isError'] === true)
    return { ok: false, error: textOf(content) || `${name} failed and did not say why.` };
  return { ok: true, content, response: blocks };
}

function contentOf(result: McpResult): readonly unknown[] | undefined {
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return undefined;
  if (content.length > 0 || structuredContent === undefined) return content;
  return [{ type: 'text', text: JSON.stringify(structuredContent) }];
}

interface LooseBlock {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly uri?: unknown;
  readonly resource?: LooseBlock | null;
}

function toToolBlock(raw: unknown): ToolBlock {
  const block = (raw ?? {}) as LooseBlock;
  if (block.type === 'text') return text(String(block.text));
  if (block.type === 'image' && typeof block.data === 'string')
    return {
      type: 'image',
      source: { type: 'base64', media_type: String(block.mimeType), data: block.data },
    };
  if (block.type === 'resource' && typeof block.resource?.text === 'string') return text(block.resource.text);
  const uri = block.uri ?? block.resource?.uri;
  const what = `${String(block.type)}${uri === undefined ? '' : ` ${String(uri)}`}`;
  return text(`[${what}: this kind of content cannot be shown]`);
}

const text = (value: string): ToolBlock => ({ type: 'text', text: value });

function textOf(blocks: readonly ToolBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '[an image]')).join('\n');
}
