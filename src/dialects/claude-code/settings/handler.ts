/** One entry of a group: a command, an address, a prompt, a tool; checked, and with the reason if it will not run. */
import { dirname } from 'node:path';
import { asyncGuardProblem } from '../../../config/hook.js';
import type { JsonNode } from '../../../config/json-file.js';
import { isOfWorkspace, type LoadedHook } from '../../../config/loaded.js';
import { failurePolicy } from '../../../config/policy.js';
import { preflightCommand } from '../../../config/preflight/index.js';
import { timeoutMs } from '../../../config/timeout.js';
import type { FailurePolicy, Hook, PreparedHook } from '../../../config/types.js';
import { messageOf } from '../../../errors.js';
import { rowOf } from '../../../events/schemas.js';
import type { HookEvent } from '../../../events/types.js';
import { checkHttpOptions } from '../../../hooks/http-options.js';
import { checkMcpToolOptions, mcpToolHook } from '../../../hooks/mcp-tool.js';
import { checkPromptOptions, promptHook } from '../../../hooks/prompt.js';
import { compileCondition } from '../../../permission/rule.js';
import { expand, readCommand } from './command.js';
import { meansPolicy, type Reading } from './groups.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a kind of handler settles; it throws a HookError for fields that do not fit. */
interface Handler {
  readonly hook: Hook;
  readonly description: string;
  readonly inactive?: string;
}

interface Kind {
  readonly keys: readonly string[];
  read(event: HookEvent, fields: Fields, reading: Reading): Handler;
}

const COMMON_KEYS = ['type', 'if', 'timeout', 'statusMessage', 'once', 'onFailure', 'name'];

const KINDS: Readonly<Record<string, Kind>> = {
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
      const hook = { ...options, allowedUrls, allowedEnvVars: variables, type: 'http' } as const;
      // The rest of an address often holds a secret.
      return { hook, description: `POST ${new URL(options.url).origin}` };
    },
  },
  prompt: {
    keys: ['prompt', 'model', 'continueOnBlock'],
    read: (...given) => readPrompt('prompt', ...given),
  },
  agent: { keys: ['prompt', 'model', 'continueOnBlock'], read: (...given) => readPrompt('agent', ...given) },
  mcp_tool: {
    keys: ['server', 'tool', 'input', 'arguments'],
    read: (event, fields, { mcp }) => {
      const options = checkMcpToolOptions(event, fields);
      const description = `${options.server}: ${options.tool}`;
      if (mcp !== undefined)
        return { hook: { type: 'prepared', run: mcpToolHook(options, mcp) }, description };
      return { hook: NEVER, description, inactive: 'it needs an MCP client, and none was given' };
    },
  },
};

/** Fields that do not make one hook into another. */
const SAYS_NOTHING_ELSE: ReadonlySet<string> = new Set(['timeout', 'statusMessage', 'name', 'once']);

/** Seconds, where a kind has a default of its own. */
const PATIENCE: Readonly<Record<string, number>> = { prompt: 30, agent: 60 };

const ASYNC_GUARD =
  'It runs in the background (`async`), so it cannot refuse the call. Remove `async` if it is a guard.';

/** Stands for a hook that is only described. */
const NEVER: PreparedHook = {
  type: 'prepared',
  run: () => ({ kind: 'failed-to-start', message: 'it is inactive' }),
};

function readPrompt(kind: 'prompt' | 'agent', event: HookEvent, fields: Fields, { model }: Reading): Handler {
  const options = checkPromptOptions(event, kind, fields);
  const description = `${kind}: ${options.prompt.slice(0, 60)}`;
  if (model !== undefined)
    return { hook: { type: 'prepared', run: promptHook(options, model) }, description };
  return { hook: NEVER, description, inactive: `a hook of type ${kind} needs a model, and none was given` };
}

export async function readHandler(event: HookEvent, node: JsonNode, reading: Reading): Promise<LoadedHook> {
  const fields = node.value as Fields;
  const kind =
    typeof fields?.['type'] === 'string' && Object.hasOwn(KINDS, fields['type'])
      ? KINDS[fields['type']]
      : undefined;
  if (kind === undefined) {
    const known = Object.keys(KINDS).join(', ');
    const message = `A hook of ${event} has no type that is known here (${known}); it never runs.`;
    reading.tell('error', 'unknown_type', message, node.get('type')?.source ?? node.source);
    return brokenHook(message, node);
  }
  tellUnknownKeys(kind, node, reading);
  try {
    const handler = kind.read(event, fields, reading);
    return await finish(event, handler, node, reading);
  } catch (error) {
    reading.tell('error', 'bad_hook', `${messageOf(error)} It never runs.`, node.source);
    return brokenHook(messageOf(error), node);
  }
}

/** A hook that cannot run is still there: it is told about, and a guard that is set to block refuses in its place. */
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
  event: HookEvent,
  handler: Handler,
  node: JsonNode,
  reading: Reading,
): Promise<LoadedHook> {
  const { pluginRoot } = reading.file;
  const seconds = node.get('timeout')?.value ?? PATIENCE[String(node.get('type')?.value)];
  if (seconds !== undefined) timeoutMs(seconds, 'hook');
  const policy = failurePolicy(node.get('onFailure')?.value, 'a hook');
  const problem = tellAsync(event, node, reading, policy);
  const hook = {
    ...(handler.hook as Exclude<Hook, (...given: never[]) => unknown>),
    ...(seconds !== undefined && { timeout: seconds as number }),
    ...(policy !== undefined && { onFailure: policy }),
  };
  if (hook.type === 'command') await tellPreflight(hook, node, reading);
  if (handler.inactive !== undefined)
    reading.tell('warning', 'inactive', `This hook never runs: ${handler.inactive}.`, node.source);
  const fields = node.value as Fields;
  const { root, ...condition } = readCondition(node, reading);
  const same = Object.entries(fields).filter(([name]) => !SAYS_NOTHING_ELSE.has(name));
  return {
    hook,
    description: handler.description,
    source: node.source,
    written: fields,
    ...workspaceEnv(hook, reading),
    key: expand(JSON.stringify([pluginRoot ?? null, root ?? null, same.sort()]), reading),
    ...condition,
    ...(handler.inactive !== undefined && { inactive: { reason: 'unsupported', message: handler.inactive } }),
    ...(problem !== undefined && { inactive: { reason: 'broken', message: problem } }),
  };
}

/** What the workspace sets for its command decides what that does, so it is approved with it. */
function workspaceEnv(
  { type }: { readonly type: string },
  { file, env }: Reading,
): Pick<LoadedHook, 'settingsEnv'> {
  const counts = type === 'command' && isOfWorkspace(file) && Object.keys(env.ofWorkspace).length > 0;
  return counts ? { settingsEnv: env.ofWorkspace } : {};
}

/** Returns why one that is set to block cannot run so. Any other may still be meant as a guard. */
function tellAsync(
  event: HookEvent,
  node: JsonNode,
  { tell }: Reading,
  policy: FailurePolicy | undefined,
): string | undefined {
  const fields = node.value as Fields;
  const source = node.get('async')?.source ?? node.source;
  const problem = asyncGuardProblem(event, fields, policy);
  if (problem !== undefined) tell('error', 'async_guard', problem, source);
  else if (fields['async'] === true && rowOf(event).blocks === 'tool')
    tell('warning', 'async_guard', ASYNC_GUARD, source);
  return problem;
}

/** Paths of a condition that begin at the root begin at the workspace in its own files, else where the file is. */
function readCondition(
  node: JsonNode,
  { file, workspace }: Reading,
): Pick<LoadedHook, 'applies' | 'condition'> & { readonly root?: string } {
  const condition = node.get('if')?.value;
  if (condition === undefined) return {};
  const root = isOfWorkspace(file) ? workspace : dirname(file.file);
  return { applies: compileCondition(String(condition), { root }), condition: String(condition), root };
}

async function tellPreflight(
  hook: Extract<Hook, { type: 'command' }>,
  node: JsonNode,
  reading: Reading,
): Promise<void> {
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

function tellUnknownKeys(kind: Kind, node: JsonNode, { tell }: Reading): void {
  for (const {
    key,
    keySource,
    node: { value },
  } of node.entries()) {
    if (!COMMON_KEYS.includes(key) && !kind.keys.includes(key)) {
      const severity = meansPolicy(key) ? 'error' : 'warning';
      const message = `\`${key}\` is not known for this type of hook; it is ignored.`;
      tell(severity, 'unknown_key', message, keySource);
    }
    if (key === 'once' && value === true)
      tell('warning', 'ignored_key', '`once` has no effect in settings files.', keySource);
  }
}
