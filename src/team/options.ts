/** The options of a team and their defaults. */
import { isAbsolute } from 'node:path';
import type { Run } from '../agent/loop/agent-loop.js';
import type { CanUseTool } from '../agent/loop/ask-permission.js';
import type { Model } from '../agent/models/port.js';
import type { Tool } from '../agent/tools/tool.js';
import { MAX_TIMER_MS } from '../base/async/timeout.js';
import { HookError, show } from '../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import type { LoadedConfig } from '../config/loaded.js';
import type { MassgenAgent, MassgenConfig } from '../dialects/loaders.js';
import type { Mailbox } from '../injection/port.js';
import type { PermissionOptions } from '../permissions/permissions.js';
import type { Runner } from '../runner/runner.js';
import type { TeamEvent } from './events.js';
import { refuseBrokenSettings } from './wire.js';

/** A page that shows a team; `startLiveView` of `hookline/live` returns one. */
export interface TeamView {
  /** Shows the fires of a runner until the returned function is called. Must not throw. */
  watch(runner: Runner): () => void;
  /** Returns a run with the same messages, which are shown as they are read. Must not throw. */
  follow(run: Run, options: { readonly agentId: string }): Run;
}

/** The options of `runTeam`. `modelFor` and `directory` are required. */
export interface TeamOptions {
  /** The model of an agent. Called once for each agent that runs here. */
  readonly modelFor: (agent: MassgenAgent) => Model;
  /**
   * The absolute path of the folder for the copies of workspaces, and for the workspaces of agents whose file names
   * none. Created if it is missing, and private. Processes of one team on one machine share it.
   */
  readonly directory: string;
  /** The name of the team: the same in all of its processes, and a new one for a new question. Default: random. */
  readonly session?: string | undefined;
  /** The ids of the agents that run in this process. Default: all of the file. */
  readonly agents?: readonly string[] | undefined;
  /** Where the agents' messages are queued. For several processes: one that they share. Default: in memory. */
  readonly mailbox?: Mailbox | undefined;
  /**
   * Where answers and votes are kept. It needs a `maxContentLength` above that of answers. Default: the `mailbox` if
   * given, otherwise in memory.
   */
  readonly log?: Mailbox | undefined;
  /** Further configurations whose hooks apply to every agent, after those of the file. */
  readonly hooks?: readonly LoadedConfig[] | undefined;
  /** Further tools of an agent. */
  readonly tools?: ((agent: MassgenAgent) => readonly Tool[]) | undefined;
  /** Default: mode `acceptEdits`, in the agent's own workspace. */
  readonly permissions?: PermissionOptions | undefined;
  /** Asks a person for permission. Without it, calls that need permission are denied. */
  readonly canUseTool?: ((agentId: string) => CanUseTool) | undefined;
  /** The directory for transcripts. Default: none are written. */
  readonly transcripts?: string | undefined;
  /** How many answers each agent may hand in. Default: `max_new_answers_per_agent` of the file, or 5. */
  readonly maxAnswers?: number | undefined;
  /** Longer answers are refused, so that the agent puts the details into files. Default: 50,000 characters. */
  readonly maxAnswerLength?: number | undefined;
  /**
   * When the time is over, the best answer so far wins. Default: `orchestrator_timeout_seconds` of the file, or 1,800.
   */
  readonly timeoutSeconds?: number | undefined;
  /** An agent of another process that has not joined by then is not waited for. Default: 60 seconds. */
  readonly joinSeconds?: number | undefined;
  /** An agent of another process that was not heard of for so long counts as lost. Default: 30 seconds. */
  readonly lostSeconds?: number | undefined;
  /** How often the log is read if nothing announces a change. Default: 250 ms. */
  readonly pollMs?: number | undefined;
  /** Whether the winner presents the final result. Default: true. */
  readonly presentation?: boolean | undefined;
  /** Shows hooks and runs on a page. */
  readonly view?: TeamView | undefined;
  /** Called for everything that happens. Must not throw. */
  readonly onEvent?: ((event: TeamEvent) => void) | undefined;
  /** Ends the team. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: OptionNames<TeamOptions> = {
  modelFor: true,
  directory: true,
  session: true,
  agents: true,
  mailbox: true,
  log: true,
  hooks: true,
  tools: true,
  permissions: true,
  canUseTool: true,
  transcripts: true,
  maxAnswers: true,
  maxAnswerLength: true,
  timeoutSeconds: true,
  joinSeconds: true,
  lostSeconds: true,
  pollMs: true,
  presentation: true,
  view: true,
  onEvent: true,
  signal: true,
};

/** A timer cannot wait longer, and would fire at once. */
const MAX_SECONDS = Math.floor(MAX_TIMER_MS / 1000);

function refuse(name: string, value: unknown, wanted: string): never {
  throw new HookError('invalid_option', `\`${name}\` is ${show(value)}; give ${wanted}.`);
}

/** The limits of a team, complete. */
export interface TeamLimits {
  readonly maxAnswers: number;
  readonly maxAnswerLength: number;
  readonly timeoutMs: number;
  readonly joinMs: number;
  readonly lostMs: number;
  readonly pollMs: number;
}

/** Throws a `HookError` for an invalid option, a question without text, and a file with wrong settings or no agents. */
export function checkTeam(config: MassgenConfig, question: string, options: TeamOptions): TeamLimits {
  const { settings } = config;
  refuseUnknownOptions('runTeam', options, OPTIONS);
  refuseBrokenSettings(config);
  if (typeof question !== 'string' || question.trim() === '')
    throw new HookError('invalid_option', 'The question is empty; say what the team should work on.');
  if (settings.agents.length === 0)
    throw new HookError(
      'invalid_option',
      'The file has no agents; list them under `agents:`, each with an id.',
    );
  if (typeof options.directory !== 'string' || !isAbsolute(options.directory))
    throw new HookError(
      'invalid_option',
      `\`directory\` is ${show(options.directory)}; give an absolute path.`,
    );
  const { session } = options;
  if (session !== undefined && !(typeof session === 'string' && session.length >= 1 && session.length <= 100))
    refuse('session', session, 'a name of 1 to 100 characters');
  const limits = {
    maxAnswers: options.maxAnswers ?? settings.maxAnswers ?? 5,
    maxAnswerLength: options.maxAnswerLength ?? 50_000,
    timeoutSeconds: options.timeoutSeconds ?? settings.timeoutSeconds ?? 1800,
    joinSeconds: options.joinSeconds ?? 60,
    lostSeconds: options.lostSeconds ?? 30,
    pollMs: options.pollMs ?? 250,
  };
  for (const [name, value] of Object.entries(limits))
    if (!(Number.isFinite(value) && value > 0)) refuse(name, value, 'a number above 0');
  for (const name of ['maxAnswers', 'maxAnswerLength'] as const)
    if (!Number.isSafeInteger(limits[name])) refuse(name, limits[name], 'a whole number of at least 1');
  for (const name of ['timeoutSeconds', 'joinSeconds', 'lostSeconds'] as const)
    if (limits[name] > MAX_SECONDS) refuse(name, limits[name], `at most ${MAX_SECONDS}`);
  return {
    ...limits,
    timeoutMs: limits.timeoutSeconds * 1000,
    joinMs: limits.joinSeconds * 1000,
    lostMs: limits.lostSeconds * 1000,
  };
}
