/** The table of handler kinds: the fields each kind has, what it needs, what it executes, and how it is made ready to run. */
import { z } from 'zod';
import { HookError, show } from '../base/errors.js';
import { isListOf, isRecord, isString } from '../events/fast-validators.js';
import {
  text as anyText,
  anything,
  bySchema,
  described,
  type Field,
  field,
  fitsExactly,
  flag,
  optional,
  record,
  schemasOf,
  word,
} from '../events/field.js';
import type { AnyEvent } from '../events/types.js';
import { checkCommand } from './command/check.js';
import { type CommandRuntime, commandHook, type RunEnvironment } from './command/command.js';
import { DEFAULT_TIMEOUTS } from './default-timeouts.js';
import type { RunHook, StartCheck } from './hook.js';
import { httpHook } from './http/http.js';
import { checkHttpOptions } from './http/options.js';
import { checkMcpToolOptions, type HookMcpClient, mcpToolHook } from './mcp-tool.js';
import { checkPromptOptions, type HookModel, promptHook } from './prompt.js';
import type { AnyCallback, DescribedHook } from './types.js';

/** Services of the application, for hooks that need more than a process. */
export interface HandlerServices {
  /** Answers hooks of type prompt and agent. */
  readonly model?: HookModel | undefined;
  /** Runs hooks of type mcp_tool. */
  readonly mcp?: HookMcpClient | undefined;
}

export interface HandlerContext extends HandlerServices {
  readonly commands: CommandRuntime;
  /** Additional variables that the dialect gives to commands. */
  readonly environment?: RunEnvironment | undefined;
  /** Called when a command has its process slot, right before it starts. */
  readonly check?: StartCheck | undefined;
}

/** A handler that is ready to run: a function to call directly, or a `RunHook`. */
export type Ready = { readonly callback: AnyCallback } | { readonly run: RunHook };

type Fields = Readonly<Record<string, unknown>>;

/** What a hook executes on this machine. An approval covers the content of these files, and what the command runs. */
export interface Executes {
  /** A line for the shell; with `args`, a program. */
  readonly command?: string;
  readonly args?: readonly unknown[];
  readonly shell?: string;
  /** Relative paths start at the workspace. */
  readonly files?: readonly string[];
}

interface HandlerKind<H extends DescribedHook> {
  /** Every field except those that all kinds have. */
  readonly fields: Readonly<Record<Exclude<keyof H, CommonField>, Field>>;
  /** The fields that say what it runs or asks; the others say how. Hooks that differ in one of them are different hooks. */
  readonly identity: readonly Exclude<keyof H, CommonField>[];
  /** What it executes, for trust: a file that is not listed here could be replaced after the approval. */
  executes(fields: Fields): Executes;
  /** For code only: a file cannot contain functions. */
  readonly codeOnly?: true;
  /** The service that the application has to provide. */
  readonly needs?: keyof HandlerServices;
  /** The default timeout, in seconds. Default: the group's. */
  readonly timeout?: number;
  /** It calls `check` itself, at the last moment; for other kinds it is called before they start. */
  readonly checksItself?: true;
  /** A description for people, for hooks without a name. */
  describe(fields: Fields): string;
  /** Throws a HookError with code `invalid_hook` for fields that do not fit. */
  prepare(event: AnyEvent, fields: Fields, context: HandlerContext): Ready;
}

const text = field<string>(
  (value) => typeof value === 'string' && value !== '',
  () => z.string().min(1),
);
const texts = field<readonly string[]>(isListOf(isString), () => z.array(z.string()));
const textRecord = field<Readonly<Record<string, string>>>(
  (value) => isRecord(value) && Object.values(value as object).every(isString),
  () => z.record(z.string(), z.string()),
);
const seconds = field<number>(
  (value) => Number.isFinite(value) && (value as number) > 0,
  () => z.number().positive(),
);

/** The fields that all kinds have, and groups too. */
export const COMMON_FIELDS = {
  name: optional(text),
  timeout: optional(described(seconds, 'Seconds; fractions are fine.')),
  onFailure: optional(described(word('continue', 'block'), 'What a hook without a valid answer means.')),
} as const;
/** What hooks have and groups do not. */
const HOOK_FIELDS = {
  ...COMMON_FIELDS,
  statusMessage: optional(described(anyText, 'What people who watch see while it runs.')),
} as const;
type CommonField = 'type' | keyof typeof HOOK_FIELDS;

const executesNothing = (): Executes => ({});

const judged = {
  prompt: described(text, 'What the model is to judge; $ARGUMENTS stands for the input.'),
  model: optional(text),
  continueOnBlock: optional(flag),
};

/** A new kind is one entry here, and its type in types.ts. The compiler asks for every column. */
export const HANDLER_KINDS: { readonly [T in DescribedHook['type']]: HandlerKind<OfType<T>> } = {
  callback: {
    fields: { callback: anything },
    identity: [],
    executes: executesNothing,
    codeOnly: true,
    describe: ({ callback }) => (callback as { readonly name?: string } | undefined)?.name || 'a function',
    prepare: (event, { callback }) => {
      if (typeof callback !== 'function') throw notAHook(event, callback);
      return { callback: callback as AnyCallback };
    },
  },
  command: {
    fields: {
      command: described(text, 'A line for /bin/sh, or a program when args is there.'),
      args: optional(described(texts, 'Runs the program with exactly these arguments, without a shell.')),
      shell: optional(text),
      cwd: optional(text),
      env: optional(textRecord),
      environment: optional(word('inherit', 'scrub')),
      allowedEnvVars: optional(texts),
      async: optional(described(flag, 'Goes to the background at once.')),
      asyncRewake: optional(described(flag, 'Goes to the background, and exit code 2 wakes the agent.')),
      rewakeMessage: optional(described(text, 'What the agent reads before the output.')),
      rewakeSummary: optional(described(text, 'What people see when it wakes the agent.')),
    },
    identity: ['command', 'args'],
    executes: ({ command, args, shell }) => ({
      ...(typeof command === 'string' && { command }),
      ...(Array.isArray(args) && { args }),
      ...(typeof shell === 'string' && { shell }),
    }),
    checksItself: true,
    describe: ({ command, args }) => [command, ...(Array.isArray(args) ? args : [])].join(' '),
    prepare: (event, fields, { commands, environment, check }) => ({
      run: commandHook(checkCommand(event, fields), commands, environment, check),
    }),
  },
  http: {
    fields: {
      url: bySchema(() => z.url({ protocol: /^https?$/ })),
      headers: optional(textRecord),
      allowedEnvVars: optional(texts),
      allowedUrls: optional(texts),
    },
    identity: ['url'],
    executes: executesNothing,
    // The rest of a URL often contains a secret.
    describe: ({ url }) => `POST ${URL.canParse(String(url)) ? new URL(String(url)).origin : 'somewhere'}`,
    prepare: (event, fields) => ({ run: httpHook(checkHttpOptions(event, fields)) }),
  },
  prompt: {
    fields: judged,
    identity: ['prompt'],
    executes: executesNothing,
    needs: 'model',
    timeout: DEFAULT_TIMEOUTS.prompt,
    describe: describePrompt,
    prepare: (...given) => preparePrompt('prompt', ...given),
  },
  agent: {
    fields: judged,
    identity: ['prompt'],
    executes: executesNothing,
    needs: 'model',
    timeout: DEFAULT_TIMEOUTS.agent,
    describe: describePrompt,
    prepare: (...given) => preparePrompt('agent', ...given),
  },
  mcp_tool: {
    fields: { server: text, tool: text, input: optional(record) },
    identity: ['server', 'tool'],
    executes: executesNothing,
    needs: 'mcp',
    describe: ({ server, tool }) => `${server}: ${tool}`,
    prepare: (event, fields, { mcp }) => ({
      run: mcpToolHook(checkMcpToolOptions(event, fields), provided(event, 'mcp_tool', 'mcp', mcp)),
    }),
  },
  prepared: {
    fields: { run: anything },
    identity: [],
    executes: executesNothing,
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

export const HANDLER_TYPES = Object.keys(HANDLER_KINDS) as readonly HandlerType[];

/** The kinds that a file can contain. */
export const FILE_KINDS: readonly HandlerType[] = HANDLER_TYPES.filter(
  (type) => kindOf(type).codeOnly !== true,
);

/** An entry of the table, for code that works with any kind. */
export function kindOf(type: HandlerType): HandlerKind<DescribedHook> {
  return HANDLER_KINDS[type] as HandlerKind<DescribedHook>;
}

export function isHandlerType(type: unknown): type is HandlerType {
  return typeof type === 'string' && Object.hasOwn(HANDLER_KINDS, type);
}

/** The names of all its fields. */
export function fieldNames(type: HandlerType): readonly string[] {
  return ['type', ...Object.keys(HOOK_FIELDS), ...Object.keys(kindOf(type).fields)];
}

/** Whether the fields of a hook in a file certainly fit its kind; false means: ask the schema. */
export function fitsHandler(type: HandlerType, value: unknown): boolean {
  return fitsExactly({ type: word(type), ...kindOf(type).fields, ...HOOK_FIELDS }, value);
}

/** The schema of a kind in files; the JSON Schema for editors is generated from it. */
export function handlerSchema(type: HandlerType): z.ZodObject {
  return z.strictObject({
    type: z.literal(type),
    ...schemasOf(kindOf(type).fields),
    ...schemasOf(HOOK_FIELDS),
  });
}

export function notAHook(event: AnyEvent, hook: unknown): HookError {
  return new HookError(
    'invalid_hook',
    `A hook for ${event} is ${show(hook)}; give a function (input, toolUseID, context) => answer, or an object with one of these types: ${HANDLER_TYPES.join(', ')}.`,
  );
}

/** Why a hook cannot run, if the application does not provide the service it needs. */
export function missingService(type: HandlerType, services: HandlerServices): string | undefined {
  const { needs } = kindOf(type);
  if (needs === undefined || services[needs] !== undefined) return undefined;
  const what = needs === 'model' ? 'a model' : 'an MCP client';
  return `a hook of type ${type} needs ${what}, and none was given`;
}

function provided<T>(
  event: AnyEvent,
  type: HandlerType,
  name: keyof HandlerServices,
  service: T | undefined,
): T {
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
  return { run: promptHook(checkPromptOptions(event, kind, fields), provided(event, kind, 'model', model)) };
}

function describePrompt({ type, prompt }: Fields): string {
  return `${type}: ${String(prompt).slice(0, 60)}`;
}
