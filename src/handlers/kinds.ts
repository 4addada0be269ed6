/** The one table of handler kinds: the fields each kind has, what it needs, and how it is made ready to run. */
import { z } from 'zod';
import { HookError, show } from '../base/errors.js';
import type { AnyEvent } from '../events/types.js';
import { checkCommand } from './command/check.js';
import { type CommandRuntime, commandHook, type RunEnvironment } from './command/command.js';
import type { RunHook, StartCheck } from './hook.js';
import { httpHook } from './http/http.js';
import { checkHttpOptions } from './http/options.js';
import { checkMcpToolOptions, type HookMcpClient, mcpToolHook } from './mcp-tool/mcp-tool.js';
import { checkPromptOptions, type HookModel, promptHook } from './prompt/prompt.js';
import type { AnyCallback, DescribedHook } from './types.js';

/** What the application lends to hooks that need more than a process. */
export interface HandlerServices {
  /** Answers hooks of type prompt and agent. */
  readonly model?: HookModel | undefined;
  /** Runs hooks of type mcp_tool. */
  readonly mcp?: HookMcpClient | undefined;
}

export interface HandlerContext extends HandlerServices {
  readonly commands: CommandRuntime;
  /** Further variables for commands, as their dialect has them. */
  readonly environment?: RunEnvironment | undefined;
  /** Asked when a command has its process slot, right before it starts. */
  readonly check?: StartCheck | undefined;
}

/** A handler that is ready: a function that is called directly, or anything else that runs. */
export type Ready = { readonly callback: AnyCallback } | { readonly run: RunHook };

type Fields = Readonly<Record<string, unknown>>;

interface HandlerKind<H extends DescribedHook> {
  /** Every field beside those that all kinds have, as files may write it. */
  readonly fields: Readonly<Record<Exclude<keyof H, CommonField>, z.ZodType>>;
  /** Only code can write it down: functions have no place in a file. */
  readonly codeOnly?: true;
  /** What the application has to lend it. */
  readonly needs?: keyof HandlerServices;
  /** Seconds that it may take where nobody says otherwise. Default: its group's. */
  readonly timeout?: number;
  /** It asks `check` itself, at the last moment; others are asked before they start. */
  readonly checksItself?: true;
  /** How people recognise one that has no name. */
  describe(fields: Fields): string;
  /** Throws a HookError, code `invalid_hook`, for fields that do not fit. */
  prepare(event: AnyEvent, fields: Fields, context: HandlerContext): Ready;
}

const COMMON_FIELDS = {
  name: z.string().min(1),
  timeout: z.number().positive().describe('Seconds; fractions are fine.'),
  onFailure: z.enum(['continue', 'block']).describe('What a hook without a valid answer means.'),
} as const;
type CommonField = 'type' | keyof typeof COMMON_FIELDS;

const text = z.string().min(1);
const texts = z.array(z.string());
const record = z.record(z.string(), z.string());
const judged = {
  prompt: text.describe('What the model is to judge; $ARGUMENTS stands for the input.'),
  model: text.optional(),
  continueOnBlock: z.boolean().optional(),
};

/** A new kind is one entry here, and its type in types.ts. */
export const HANDLER_KINDS: { readonly [T in DescribedHook['type']]: HandlerKind<OfType<T>> } = {
  callback: {
    fields: { callback: z.unknown() },
    codeOnly: true,
    describe: ({ callback }) => (callback as { readonly name?: string } | undefined)?.name || 'a function',
    prepare: (event, { callback }) => {
      if (typeof callback !== 'function') throw notAHook(event, callback);
      return { callback: callback as AnyCallback };
    },
  },
  command: {
    fields: {
      command: text.describe('A line for /bin/sh, or a program when args is there.'),
      args: texts.describe('Runs the program with exactly these arguments, without a shell.').optional(),
      shell: text.optional(),
      cwd: text.optional(),
      env: record.optional(),
      environment: z.enum(['inherit', 'scrub']).optional(),
      allowedEnvVars: texts.optional(),
      async: z.boolean().describe('Goes to the background at once.').optional(),
    },
    checksItself: true,
    describe: ({ command, args }) => [command, ...(Array.isArray(args) ? args : [])].join(' '),
    prepare: (event, fields, { commands, environment, check }) => ({
      run: commandHook(checkCommand(event, fields), commands, environment, check),
    }),
  },
  http: {
    fields: {
      url: z.url({ protocol: /^https?$/ }),
      headers: record.optional(),
      allowedEnvVars: texts.optional(),
      allowedUrls: texts.optional(),
    },
    // The rest of an address often holds a secret.
    describe: ({ url }) => `POST ${URL.canParse(String(url)) ? new URL(String(url)).origin : 'somewhere'}`,
    prepare: (event, fields) => ({ run: httpHook(checkHttpOptions(event, fields)) }),
  },
  prompt: {
    fields: judged,
    needs: 'model',
    timeout: 30,
    describe: describePrompt,
    prepare: (...given) => preparePrompt('prompt', ...given),
  },
  agent: {
    fields: judged,
    needs: 'model',
    timeout: 60,
    describe: describePrompt,
    prepare: (...given) => preparePrompt('agent', ...given),
  },
  mcp_tool: {
    fields: { server: text, tool: text, input: z.record(z.string(), z.unknown()).optional() },
    needs: 'mcp',
    describe: ({ server, tool }) => `${server}: ${tool}`,
    prepare: (event, fields, { mcp }) => ({
      run: mcpToolHook(checkMcpToolOptions(event, fields), lent(event, 'mcp_tool', 'mcp', mcp)),
    }),
  },
  prepared: {
    fields: { run: z.unknown() },
    codeOnly: true,
    describe: () => 'a hook',
    prepare: (event, fields) => {
      if (typeof fields['run'] !== 'function') throw notAHook(event, fields);
      return { run: fields['run'] as RunHook };
    },
  },
};

type OfType<T> = Extract<DescribedHook, { readonly type: T }>;
export type HandlerType = DescribedHook['type'];

/** Those that a file can hold. */
export const FILE_KINDS: readonly HandlerType[] = (Object.keys(HANDLER_KINDS) as HandlerType[]).filter(
  (type) => kindOf(type).codeOnly !== true,
);

/** What any entry is told by; a table of different kinds has no other common face. */
export function kindOf(type: HandlerType): HandlerKind<DescribedHook> {
  return HANDLER_KINDS[type] as HandlerKind<DescribedHook>;
}

export function isHandlerType(type: unknown): type is HandlerType {
  return typeof type === 'string' && Object.hasOwn(HANDLER_KINDS, type);
}

/** The names of all its fields, for those who refuse others. */
export function fieldNames(type: HandlerType): readonly string[] {
  return ['type', ...Object.keys(COMMON_FIELDS), ...Object.keys(kindOf(type).fields)];
}

/** What a file may hold of a kind; the JSON Schema that editors use is made from it. */
export function handlerSchema(type: HandlerType): z.ZodObject {
  const optional = z.strictObject(COMMON_FIELDS).partial().shape;
  return z.strictObject({ type: z.literal(type), ...kindOf(type).fields, ...optional });
}

export const commonFields = z.strictObject(COMMON_FIELDS).partial().shape;

export function notAHook(event: AnyEvent, hook: unknown): HookError {
  return new HookError(
    'invalid_hook',
    `A hook for ${event} is ${show(hook)}; give a function (input, toolUseID, context) => answer, or an object with one of these types: ${Object.keys(HANDLER_KINDS).join(', ')}.`,
  );
}

/** Why a hook cannot run without something that the application has to lend. */
export function missingService(type: HandlerType, services: HandlerServices): string | undefined {
  const { needs } = kindOf(type);
  if (needs === undefined || services[needs] !== undefined) return undefined;
  const what = needs === 'model' ? 'a model' : 'an MCP client';
  return `a hook of type ${type} needs ${what}, and none was given`;
}

function lent<T>(event: AnyEvent, type: HandlerType, name: keyof HandlerServices, service: T | undefined): T {
  if (service !== undefined) return service;
  const message = `A hook for ${event} cannot run: ${missingService(type, {})}. Give it as new Runner({ ${name} }).`;
  throw new HookError('invalid_hook', message);
}

function preparePrompt(
  kind: 'prompt' | 'agent',
  event: AnyEvent,
  fields: Fields,
  { model }: HandlerContext,
): Ready {
  return { run: promptHook(checkPromptOptions(event, kind, fields), lent(event, kind, 'model', model)) };
}

function describePrompt({ type, prompt }: Fields): string {
  return `${type}: ${String(prompt).slice(0, 60)}`;
}
