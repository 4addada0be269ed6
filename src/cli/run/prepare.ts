/** Assembles what `hookline run` needs: a model, tools, permissions, hooks, a session. */
import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse as parseYaml } from 'yaml';
import { AgentLoop } from '../../agent/loop/agent-loop.js';
import { defaultTranscripts } from '../../agent/loop/default-transcripts.js';
import { createHookModel } from '../../agent/loop/hook-model.js';
import {
  type AgentLoopOptions,
  DEFAULT_END_TIMEOUT_MS,
  DEFAULT_SYSTEM_PROMPT,
} from '../../agent/loop/options.js';
import { modelFromEnvironment } from '../../agent/models/environment.js';
import type { Model } from '../../agent/models/port.js';
import { scriptedModel } from '../../agent/models/scripted.js';
import { readScript } from '../../agent/models/scripted-schema.js';
import { builtInTools } from '../../agent/tools/built-in.js';
import type { Skills } from '../../agent/tools/skill.js';
import { findLatestSession, findSession } from '../../agent/transcript/session-files.js';
import { HookError, messageOf, show } from '../../base/errors.js';
import { findAgents } from '../../dialects/claude-code/found/agents.js';
import { findSkills } from '../../dialects/claude-code/found/skills.js';
import type { SettingsPlaces } from '../../dialects/claude-code/settings/files.js';
import { rowOf } from '../../events/registry.js';
import { instrument } from '../../integrations/opentelemetry/index.js';
import { inheritEnvironment } from '../../process/environment.js';
import { Runner } from '../../runner/runner.js';
import { hintParentConfig } from '../check/parent-config-hint.js';
import { HOW_TO_GET_A_MODEL } from '../embedded-model.js';
import { disposeHooks, type LoadedHooks, loadHooks } from '../hooks/load.js';
import type { Io } from '../io.js';
import { modelOfAgent, nameOfModel } from '../massgen/agent-model.js';
import { embeddedRunModel } from './embedded-model.js';
import { useHooks } from './live-hooks.js';
import { type ChosenAgent, chooseAgent, registerAgent, toolsAs } from './massgen-agent.js';
import { connectServers } from './mcp.js';
import type { RunValues } from './options.js';
import { type ChosenPermissions, choosePermissions, sessionVariables } from './permissions.js';
import { refuseUnprotected, type Start } from './refuse-unprotected.js';
import { type Report, reportDiagnostics, reportSkipped, withoutDuplicates } from './skipped-hooks.js';

const BACKGROUND_GRACE_MS = 1500;
const FLUSH_GRACE_MS = 3000;

/** What the agent needs besides files and options. */
export interface RunContext
  extends Pick<AgentLoopOptions, 'canUseTool' | 'mailbox' | 'includePartialMessages' | 'onWake'> {
  /** Asks the user at the terminal, if there is one. */
  readonly confirm?: Io['confirm'];
}

export interface Prepared {
  readonly loop: AgentLoop;
  /** The runner on which the loop fires events. */
  readonly runner: Runner;
  /** All hooks that were found, also those that do not run. */
  readonly hooks: LoadedHooks;
  /** What `/name` loads. */
  readonly skills: Skills;
  /** The permission mode at the start. */
  readonly mode: string;
  /** The name of the model. */
  modelName(): string;
  /** Uses another model from the next request on; resolves to its name, or to undefined if there is no key for it. */
  useModel(name: string): Promise<string | undefined>;
  /** Stops the hooks and the MCP servers; call it after closing the loop. */
  close(): Promise<void>;
}

/** Rejects with a HookError for mistakes on the command line. */
export async function prepare(
  options: RunValues,
  cwd: string,
  note: Report,
  signal: AbortSignal,
  { confirm, ...context }: RunContext = {},
): Promise<Prepared> {
  const as = await chooseAgent(options.massgen, options.agent, cwd, note);
  const workspace = as?.agent.workspace ?? cwd;
  const model = await chooseModel(options, cwd, as, note, context.canUseTool !== undefined);
  const past = await findPast(options, workspace);
  const permissions = await choosePermissions(options, cwd);
  const variables = await sessionVariables(options, cwd);
  const servers = await connectServers(options['mcp-config'], cwd, signal);
  for (const { message } of servers.failures) note(message);
  const bash = Object.keys(variables).length === 0 ? {} : { env: { ...inheritEnvironment(), ...variables } };
  const tools = [...toolsAs(as, builtInTools({ bash }), workspace), ...servers.tools];
  const hookModel = createHookModel(model, {
    tools,
    cwd: workspace,
    permissions: permissions.rules,
    modelFor: (name) => modelNamed(name),
  });
  const start = { cwd, ignored: options['ignore-broken-settings'], confirm, report: note };
  const hooks = await loadProtected(
    options,
    { model: hookModel, mcp: servers.client },
    permissions,
    start,
  ).catch(async (error: unknown) => {
    await servers.close();
    throw error;
  });
  reportDiagnostics(
    withoutDuplicates([...hooks.diagnostics, ...permissions.diagnostics]),
    options.verbose,
    cwd,
    note,
  );
  const runner = new Runner({ cwd, onWarning: () => {} });
  const telemetry = await instrument(runner);
  const massgen = registerAgent(as, hooks.configs, runner, context.mailbox);
  const live = await useHooks(hooks, runner, options.verbose, note);
  reportSkipped(hooks, runner, note);
  await hintParentConfig(hooks, note);
  for (const text of permissions.skipped) note(text);
  const places = {
    cwd,
    plugins: options.plugin.map((name) => resolve(cwd, name)),
    ...(options['no-user'] && { configDir: devNull }),
  };
  const skills = await skillsOf(places);
  const loop = new AgentLoop({
    ...context,
    ...massgen,
    model,
    tools,
    hooks: runner,
    modelFor: (name) => modelNamed(name),
    cwd: workspace,
    systemPrompt: systemPrompt(options, as?.agent.systemMessage),
    permissions: permissions.rules,
    transcripts: defaultTranscripts(),
    backgroundAgents: true,
    agents: await agentsOf(places),
    skills,
    includePartialMessages: context.includePartialMessages ?? options['include-partial-messages'],
    mcpServers: servers.states,
    ...past,
    ...(options.name !== undefined && { title: options.name }),
    endTimeoutMs: endTimeoutMs(hooks),
    ...limits(options),
    ...(options.team !== undefined && { team: options.team }),
    ...setup(options),
  });
  live.follow(loop);
  let modelName = model.name;
  return {
    loop,
    runner,
    hooks,
    skills,
    mode: permissions.rules.mode ?? 'default',
    modelName: () => modelName,
    useModel: async (name) => {
      const chosen = modelNamed(name);
      if (chosen === undefined) return undefined;
      await loop.setModel(chosen);
      modelName = chosen.name;
      return modelName;
    },
    close: async () => {
      live.close();
      // Gives background hooks that are about to finish the time to do so.
      await Promise.race([runner.drain(), sleep(BACKGROUND_GRACE_MS, undefined, { ref: false })]);
      await runner.dispose();
      // A slow or unreachable telemetry collector must not keep the command from exiting.
      await Promise.race([telemetry.flush(), sleep(FLUSH_GRACE_MS, undefined, { ref: false })]);
      await servers.close();
    },
  };
}

/** The agents that files of the folder, its user and plugins define. */
async function agentsOf(places: SettingsPlaces): Promise<NonNullable<AgentLoopOptions['agents']>> {
  const found = await findAgents(places);
  return Object.fromEntries(
    found.map(({ name, description, prompt, tools }) => [
      name,
      { description, prompt, ...(tools !== undefined && { tools }) },
    ]),
  );
}

/** The skills and commands of the same. */
async function skillsOf(places: SettingsPlaces): Promise<Skills> {
  const found = await findSkills(places);
  return Object.fromEntries(found.map(({ name, file: _, ...skill }) => [name, skill]));
}

/** Loads the hooks; rejects if something that protects cannot be read. */
async function loadProtected(
  options: RunValues,
  brought: Parameters<typeof loadHooks>[2],
  permissions: ChosenPermissions,
  start: Start,
): Promise<LoadedHooks> {
  const hooks = await loadHooks(start.cwd, options, brought);
  try {
    await refuseUnprotected(hooks, permissions.diagnostics, start);
    return hooks;
  } catch (error) {
    await disposeHooks(hooks);
    throw error;
  }
}

async function chooseModel(
  options: RunValues,
  cwd: string,
  as: ChosenAgent | undefined,
  note: Report,
  watched: boolean,
): Promise<Model> {
  if (options.script !== undefined) return scripted(resolve(cwd, options.script));
  const model = modelAs(as, options, note) ?? modelNamed(options.model);
  if (model !== undefined) return model;
  if (options.model === undefined) {
    note(
      `There is no key for a model, so the embedded one answers: the prompt \`! ls\` makes it run a tool. ${HOW_TO_GET_A_MODEL}`,
    );
    return embeddedRunModel({ watched });
  }
  throw new HookError(
    'invalid_option',
    `There is no key for the model ${show(options.model)}. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or leave out --model.`,
  );
}

/** The model that the file names for its agent, unless the command line names one. */
function modelAs(as: ChosenAgent | undefined, options: RunValues, tell: Report): Model | undefined {
  if (as === undefined || options.model !== undefined) return undefined;
  const { agent } = as;
  const model = modelOfAgent(agent, { env: process.env, sendKeyTo: options['send-key-to'], tell });
  const other = model ?? modelNamed(undefined);
  if (model === undefined && other !== undefined && agent.model !== undefined)
    tell(`${agent.id}: there is no key for ${nameOfModel(agent)}, so ${other.name} answers.`);
  return model;
}

function modelNamed(name: string | undefined): Model | undefined {
  return modelFromEnvironment(process.env, name === undefined ? {} : { model: name });
}

async function scripted(file: string): Promise<Model> {
  try {
    return scriptedModel(readScript(parseYaml(await readFile(file, 'utf8'))));
  } catch (error) {
    throw new HookError('invalid_option', `The script ${show(file)} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function findPast(
  options: RunValues,
  cwd: string,
): Promise<Pick<AgentLoopOptions, 'resume' | 'sessionId' | 'forkSession' | 'resumeSessionAt'>> {
  const home = defaultTranscripts();
  const isContinued = options.resume !== undefined || options.continue;
  const forkSession = options['fork-session'];
  const at = options['resume-session-at'];
  if ((forkSession || at !== undefined) && !isContinued)
    throw new HookError(
      'invalid_option',
      '--fork-session and --resume-session-at go with --resume or --continue.',
    );
  const fork = {
    ...(forkSession && { forkSession }),
    ...(at !== undefined && { resumeSessionAt: at }),
    ...(forkSession && options['session-id'] !== undefined && { sessionId: options['session-id'] }),
  };
  if (isContinued && !forkSession && options['session-id'] !== undefined)
    throw new HookError('invalid_option', '--session-id is for a new session; leave it out to continue one.');
  if (options.resume !== undefined) {
    const path = options.resume.endsWith('.jsonl')
      ? resolve(cwd, options.resume)
      : await findSession({ home, cwd, sessionId: options.resume });
    if (path !== undefined) return { resume: path, ...fork };
    throw new HookError('invalid_option', `This folder has no session ${show(options.resume)}.`);
  }
  if (options.continue) {
    const resume = await findLatestSession({ home, cwd });
    if (resume !== undefined) return { resume, ...fork };
    throw new HookError('invalid_option', 'This folder has no session to continue.');
  }
  return options['session-id'] === undefined ? {} : { sessionId: options['session-id'] };
}

function systemPrompt(options: RunValues, ofAgent: string | undefined): string {
  const first = options['system-prompt'] ?? ofAgent ?? DEFAULT_SYSTEM_PROMPT;
  const last = options['append-system-prompt'];
  return last === undefined ? first : `${first}\n\n${last}`;
}

type Limits = Pick<AgentLoopOptions, 'maxTurns' | 'stopCap' | 'maxBudgetUsd' | 'fallbackModel'>;

function limits(options: RunValues): Limits {
  const budget = options['max-budget-usd'];
  const fallback = options['fallback-model'];
  const turns = options['max-turns'];
  const cap = process.env['CLAUDE_CODE_STOP_HOOK_BLOCK_CAP'];
  return {
    ...(turns !== undefined && { maxTurns: wholeNumber('--max-turns', turns) }),
    // A budget that is not a number is refused by the loop.
    ...(budget !== undefined && { maxBudgetUsd: Number(budget) }),
    ...(fallback !== undefined && { fallbackModel: fallbackNamed(fallback) }),
    ...(cap !== undefined && { stopCap: wholeNumber('CLAUDE_CODE_STOP_HOOK_BLOCK_CAP', cap, 0) }),
  };
}

const MAX_END_MS = 60_000;

/** How long SessionEnd hooks may take: as long as the longest timeout that the user's or the folder's files set for one. */
function endTimeoutMs({ entries }: LoadedHooks): number {
  const given = process.env['CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS'];
  if (given !== undefined) return wholeNumber('CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS', given);
  const own = entries
    .filter(
      ({ group, hook }) => rowOf(group.event).moment === 'session-ends' && hook.source.layer !== 'plugin',
    )
    .map(({ hook: { hook } }) => ('timeout' in hook ? (hook.timeout ?? 0) * 1000 : 0));
  return Math.min(MAX_END_MS, Math.max(DEFAULT_END_TIMEOUT_MS, ...own));
}

function fallbackNamed(name: string): Model {
  const model = modelNamed(name);
  if (model !== undefined) return model;
  throw new HookError(
    'invalid_option',
    '--fallback-model needs ANTHROPIC_API_KEY or OPENAI_API_KEY, as --model does.',
  );
}

function wholeNumber(name: string, text: string, least = 1): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value;
  throw new HookError(
    'invalid_option',
    `${name} is ${show(text)}; give a whole number of at least ${least}.`,
  );
}

function setup(options: RunValues): Pick<AgentLoopOptions, 'setup'> {
  if (options.maintenance) return { setup: 'maintenance' };
  return options.init || options['init-only'] ? { setup: 'init' } : {};
}
