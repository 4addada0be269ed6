/**
 * Reads one entry of a group (command, http, prompt, agent, mcp_tool): checked, and with the reason if it will not
 * run.
 */
import { dirname } from 'node:path';
import { messageOf, show } from '../../../base/errors.js';
import { suggest } from '../../../base/text/suggest.js';
import type { JsonNode } from '../../../config/json-file.js';
import { isOfWorkspace, type LoadedHook } from '../../../config/loaded.js';
import { preflightCommand } from '../../../config/preflight/preflight-command.js';
import { rowOf } from '../../../events/registry.js';
import type { AnyEvent } from '../../../events/types.js';
import { asyncGuardProblem, failurePolicy, timeoutMs } from '../../../handlers/common-options.js';
import { checkHttpOptions } from '../../../handlers/http/options.js';
import {
  HANDLER_TYPES,
  type HandlerType,
  isHandlerType,
  kindOf,
  missingService,
} from '../../../handlers/kinds.js';
import { checkMcpToolOptions } from '../../../handlers/mcp-tool.js';
import { checkPromptOptions, type PromptOptions } from '../../../handlers/prompt.js';
import type { CommandHook, DescribedHook, FailurePolicy, PreparedHook } from '../../../handlers/types.js';
import { compileCondition } from '../../../permissions/rule.js';
import { expand, readCommand } from './command.js';
import type { Reading } from './groups.js';

type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  readonly keys: readonly string[];
  /** Throws a HookError for invalid fields. */
  read(event: AnyEvent, fields: Fields, reading: Reading): DescribedHook;
}

const COMMON_KEYS = ['type', 'if', 'timeout', 'statusMessage', 'once', 'onFailure', 'name'];

/** The kinds in settings files, with the keys they have there; undefined: not available in settings. */
const KINDS: Readonly<Record<HandlerType, Kind | undefined>> = {
  callback: undefined,
  prepared: undefined,
  command: {
    keys: ['command', 'args', 'shell', 'async', 'asyncRewake', 'rewakeMessage', 'rewakeSummary'],
    read: readCommand,
  },
  http: {
    keys: ['url', 'headers', 'allowedEnvVars'],
    read: (event, fields, { httpPolicy }) => {
      const { allowedEnvVars, ...options } = checkHttpOptions(event, fields);
      const { allowedUrls, allowedVariables } = httpPolicy;
      const variables = allowedEnvVars?.filter((name) => allowedVariables?.includes(name) ?? true);
      return { ...options, allowedUrls, allowedEnvVars: variables, type: 'http' };
    },
  },
  prompt: {
    keys: ['prompt', 'model', 'continueOnBlock'],
    read: (event, fields) => ({
      ...withoutKind(checkPromptOptions(event, 'prompt', fields)),
      type: 'prompt',
    }),
  },
  agent: {
    keys: ['prompt', 'model', 'continueOnBlock'],
    read: (event, fields) => ({ ...withoutKind(checkPromptOptions(event, 'agent', fields)), type: 'agent' }),
  },
  mcp_tool: {
    keys: ['server', 'tool', 'input', 'arguments'],
    read: (event, fields) => ({ ...checkMcpToolOptions(event, fields), type: 'mcp_tool' }),
  },
};

function withoutKind({ kind: _, ...options }: PromptOptions): Omit<PromptOptions, 'kind'> {
  return options;
}

/** Fields that do not make hooks different. */
const SAYS_NOTHING_ELSE: ReadonlySet<string> = new Set(['timeout', 'statusMessage', 'name', 'once']);

/** Keys that only `true` switches on. */
const FLAGS: ReadonlySet<string> = new Set(['async', 'asyncRewake', 'once', 'continueOnBlock']);

const ASYNC_GUARD =
  'It runs in the background, so it cannot refuse the call. Remove `async` and `asyncRewake` if it is a guard.';

/** Stands for a hook that is only described. */
const NEVER: PreparedHook = {
  type: 'prepared',
  run: () => ({ kind: 'failed-to-start', message: 'it is inactive' }),
};

export async function readHandler(event: AnyEvent, node: JsonNode, reading: Reading): Promise<LoadedHook> {
  const fields = node.value as Fields;
  const type = fields?.['type'];
  const kind = isHandlerType(type) ? KINDS[type] : undefined;
  if (kind === undefined) {
    const known = HANDLER_TYPES.filter((each) => KINDS[each] !== undefined).join(', ');
    const message = `A hook of ${event} has no known type (${known}); it never runs.`;
    reading.report('error', 'unknown_type', message, node.get('type')?.source ?? node.source);
    return brokenHook(message, node);
  }
  reportUnknownKeys(kind, node, reading);
  try {
    return await finish(event, kind.read(event, fields, reading), node, reading);
  } catch (error) {
    reading.report('error', 'bad_hook', `${messageOf(error)} It never runs.`, node.source);
    return brokenHook(messageOf(error), node);
  }
}

/** A hook that cannot run is kept: it is reported, and if it is set to block it refuses. */
function brokenHook(message: string, node: JsonNode): LoadedHook {
  const { source } = node;
  const written = typeof node.value === 'object' && node.value !== null ? (node.value as Fields) : {};
  const blocks = node.get('onFailure')?.value === 'block';
  return {
    hook: blocks ? { ...NEVER, onFailure: 'block' } : NEVER,
    description: String(written['command'] ?? written['type'] ?? 'a hook'),
    source,
    written,
    inactive: { reason: 'broken', message },
  };
}

/** What all kinds share: deadline, policy, condition, the key that finds duplicates, preflight. */
async function finish(
  event: AnyEvent,
  handler: DescribedHook,
  node: JsonNode,
  reading: Reading,
): Promise<LoadedHook> {
  const { pluginRoot } = reading.file;
  const seconds = node.get('timeout')?.value;
  if (seconds !== undefined) timeoutMs(seconds, 'hook');
  const policy = failurePolicy(node.get('onFailure')?.value, 'a hook');
  const status = node.get('statusMessage')?.value;
  const problem = checkAsync(event, node, reading, policy);
  const hook = {
    ...handler,
    ...(seconds !== undefined && { timeout: seconds as number }),
    ...(policy !== undefined && { onFailure: policy }),
    ...(typeof status === 'string' && { statusMessage: status }),
  };
  if (hook.type === 'command') await reportPreflight(hook, node, reading);
  const inactive = missingService(handler.type, reading);
  if (inactive !== undefined)
    reading.report('warning', 'inactive', `This hook never runs: ${inactive}.`, node.source);
  const fields = node.value as Fields;
  const { root, ...condition } = readCondition(node, reading);
  const same = Object.entries(fields).filter(([name]) => !SAYS_NOTHING_ELSE.has(name));
  return {
    hook,
    description: kindOf(handler.type).describe({ ...handler }),
    source: node.source,
    written: fields,
    ...workspaceEnv(hook, reading),
    key: expand(JSON.stringify([pluginRoot ?? null, root ?? null, same.sort()]), reading),
    ...condition,
    ...(inactive !== undefined && { inactive: { reason: 'unsupported', message: inactive } }),
    ...(problem !== undefined && { inactive: { reason: 'broken', message: problem } }),
  };
}

/** What the workspace sets for a command affects what it does, so it is approved with it. */
function workspaceEnv(
  { type }: { readonly type: string },
  { file, env }: Reading,
): Pick<LoadedHook, 'settingsEnv'> {
  const counts = type === 'command' && isOfWorkspace(file) && Object.keys(env.ofWorkspace).length > 0;
  return counts ? { settingsEnv: env.ofWorkspace } : {};
}

/**
 * Returns why a hook that is set to block cannot be async. Any other async hook may still be intended as a guard: a
 * warning.
 */
function checkAsync(
  event: AnyEvent,
  node: JsonNode,
  { report }: Reading,
  policy: FailurePolicy | undefined,
): string | undefined {
  const fields = node.value as Fields;
  const source = node.get('async')?.source ?? node.source;
  const problem = asyncGuardProblem(event, fields, policy);
  if (problem !== undefined) report('error', 'async_guard', problem, source);
  else if ((fields['async'] === true || fields['asyncRewake'] === true) && rowOf(event).blocks === 'tool')
    report('warning', 'async_guard', ASYNC_GUARD, source);
  return problem;
}

/**
 * Paths of a condition that start at the root start at the workspace for its own files, otherwise at the file's
 * directory.
 */
function readCondition(
  node: JsonNode,
  { file, workspace }: Reading,
): Pick<LoadedHook, 'applies' | 'condition'> & { readonly root?: string } {
  const condition = node.get('if')?.value;
  if (condition === undefined) return {};
  const root = isOfWorkspace(file) ? workspace : dirname(file.file);
  return { applies: compileCondition(String(condition), { root }), condition: String(condition), root };
}

async function reportPreflight(hook: CommandHook, node: JsonNode, reading: Reading): Promise<void> {
  const env = { ...process.env, ...hook.env };
  const { command, args, shell } = hook;
  const problems = await preflightCommand({
    command,
    args,
    shell,
    cwd: reading.workspace,
    env,
    workspace: reading.workspace,
  });
  const source = node.get('command')?.source ?? node.source;
  for (const problem of problems) reading.note({ ...problem, source });
}

function reportUnknownKeys(kind: Kind, node: JsonNode, { file, report }: Reading): void {
  for (const {
    key,
    keySource,
    node: { value },
  } of node.entries()) {
    if (!COMMON_KEYS.includes(key) && !kind.keys.includes(key)) {
      const severity = meansPolicy(key) ? 'error' : 'warning';
      const message = `\`${key}\` is unknown for this type of hook; it is ignored.`;
      report(severity, 'unknown_key', message, keySource);
    }
    if (FLAGS.has(key) && typeof value !== 'boolean') {
      const message = `\`${key}\` is ${show(value)}, which has no effect; write true or false, without quotes.`;
      report('warning', 'wrong_type', message, keySource);
    }
    if (key === 'once' && value === true && file.obeysOnce !== true)
      report('warning', 'ignored_key', '`once` has an effect in skills and commands only.', keySource);
  }
}

/** Whether a key probably means `onFailure`: without it a guard fails open. */
export function meansPolicy(key: string): boolean {
  return suggest(key, ['onFailure', 'onError', 'failClosed']) !== undefined;
}
