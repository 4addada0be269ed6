/** The hook that is a tool of an MCP server: the text it returns is read like a command's stdout. */
import { HookError, show } from '../base/errors.js';
import { plainCopy } from '../base/json/plain-copy.js';
import type { AnyEvent } from '../events/types.js';
import { callOutside } from './call-outside.js';
import type { Completion } from './completion.js';
import type { RunHook } from './hook.js';

export interface McpToolOptions {
  readonly server: string;
  readonly tool: string;
  /** The arguments; `${tool_input.path}` in a string stands for that part of the hook's input. */
  readonly input?: Readonly<Record<string, Template>> | undefined;
}

/** What a tool of an MCP server returned. */
export interface McpToolResult {
  readonly content: unknown;
  readonly isError?: boolean | undefined;
}

/** The interface to MCP servers. A server that is not connected is a rejection; the hook does not connect it. */
export interface HookMcpClient {
  /** Calls a tool. If it rejects, the hook has failed. */
  callTool(
    server: string,
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<McpToolResult>;
}

const MAX_TEXT = 1024 * 1024;

/** Reads the fields of an mcp_tool hook; `arguments` is an alias of `input`. Throws `invalid_hook`. */
export function checkMcpToolOptions(
  event: AnyEvent,
  fields: Readonly<Record<string, unknown>>,
): McpToolOptions {
  const { server, tool, input = fields['arguments'] } = fields;
  const refuse = (what: string, value: unknown, wanted: string): HookError =>
    new HookError(
      'invalid_hook',
      `${what} of an mcp_tool hook for ${event} is ${show(value)}; give ${wanted}.`,
    );
  if (typeof server !== 'string' || server === '')
    throw refuse('server', server, 'the name of an MCP server');
  if (typeof tool !== 'string' || tool === '') throw refuse('tool', tool, 'the name of one of its tools');
  if (input === undefined) return Object.freeze({ server, tool });
  const copied = plainCopy(input);
  if (!copied.ok || typeof copied.value !== 'object' || copied.value === null || Array.isArray(copied.value))
    throw refuse('input', input, 'an object of JSON data');
  return Object.freeze({ server, tool, input: copied.value as Readonly<Record<string, Template>> });
}

export function mcpToolHook(options: McpToolOptions, client: HookMcpClient): RunHook {
  return (run) =>
    callOutside(run, async (signal): Promise<Completion> => {
      const args = fillTemplate(options.input ?? {}, run.input) as Record<string, unknown>;
      const result: unknown = await client.callTool(options.server, options.tool, args, signal);
      return toCompletion(result, options);
    });
}

function toCompletion(result: unknown, { server, tool }: McpToolOptions): Completion {
  const text = textOf((result as Partial<McpToolResult> | null | undefined)?.content);
  if (text === undefined) {
    const message = `the tool ${tool} of ${server} returned no content; expected a list of content blocks`;
    return { kind: 'threw', error: new Error(message) };
  }
  const failed = (result as McpToolResult).isError === true;
  if (Buffer.byteLength(text) > MAX_TEXT)
    return { kind: 'too-much-output', message: `it returned more than ${MAX_TEXT} bytes of text` };
  return {
    kind: 'exited',
    exitCode: failed ? 1 : 0,
    signal: undefined,
    stdout: failed ? '' : text,
    stderr: failed ? text : '',
  };
}

/** The text blocks, joined; images and other content are ignored. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((block: { type?: unknown; text?: unknown } | null) =>
      block?.type === 'text' && typeof block.text === 'string' ? block.text : undefined,
    )
    .filter((text) => text !== undefined)
    .join('\n');
}

/** JSON data whose strings may contain `${path.to.field}`. */
export type Template = unknown;

type Fields = Readonly<Record<string, unknown>>;

const PATH = String.raw`\$\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}`;
const WHOLE = new RegExp(`^${PATH}$`);
const INSIDE = new RegExp(PATH, 'g');

/**
 * A string that is exactly one placeholder becomes the value itself, of any type; placeholders inside a longer string
 * become text. A missing field is omitted, or empty inside a text.
 */
export function fillTemplate(template: Template, input: Fields): unknown {
  if (typeof template === 'string') return fillText(template, input);
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, input) ?? null);
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template)
    .map(([key, value]) => [key, fillTemplate(value, input)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled);
}

function fillText(text: string, input: Fields): unknown {
  const path = WHOLE.exec(text)?.[1];
  if (path !== undefined) {
    // A copy, because all hooks of the fire share the input and the client is foreign code.
    const copied = plainCopy(lookUp(input, path));
    return copied.ok ? copied.value : undefined;
  }
  return text.replaceAll(INSIDE, (_, inner: string) => asText(lookUp(input, inner)));
}

/** Own properties only: prototypes are out of reach. */
function lookUp(input: Fields, path: string): unknown {
  let value: unknown = input;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Fields)[key];
  }
  return value;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
