/** The options of the agent loop and their defaults. */

import { HookError, show } from '../../base/errors.js';
import type { OptionNames } from '../../base/text/known-options.js';
import { FRAMES_PARAGRAPH } from '../../injection/frame.js';
import type { Mailbox } from '../../injection/port.js';
import type { PermissionOptions } from '../../permissions/permissions.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import type { LateAnswer, WakeUp } from '../../runner/late.js';
import type { HookMessage } from '../../runner/messages/hook-messages.js';
import type { Model } from '../models/port.js';
import type { ModelPrices } from '../models/prices.js';
import type { Skills } from '../tools/skill.js';
import type { Tool } from '../tools/tool.js';
import type { CanUseTool } from './ask-permission.js';
import type { OnElicitation } from './elicitation.js';
import { type AfterModel, type BeforeModel, type BoundedModelHook, checkModelHook } from './model-hooks.js';

/**
 * The hooks of a loop. Only `fire` is required; the other members are optional, are provided by `Runner`, and must
 * not throw.
 */
export interface LoopHooks extends HookRunner {
  /** Hook messages, which are emitted as messages of the run. */
  readonly messages?: { on(kind: 'message', listener: (message: HookMessage) => void): () => void };
  /** Takes the answers that asynchronous hooks have given so far. */
  takeLate?(agentId?: string): readonly LateAnswer[];
  /** Calls the listener when a hook in the background wakes the agent. Without a listener such hooks are awaited. */
  onRewake?(listener: (wakeUp: WakeUp) => void): () => void;
  /** Whether hooks are registered for an event, for this agent or for all. */
  hasHooks?(event: string, agentId?: string): boolean;
  /** Shell files with variables that hooks have set, in the order in which they are sourced. */
  environmentFiles?(): readonly string[];
}

/** A type of agent that the Agent tool can start. */
export interface AgentDefinition {
  /** What it should be used for. */
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  /** The names of the tools it may use. Default: all of the session's. */
  readonly tools?: readonly string[];
  /** Default: the session's model. */
  readonly model?: Model;
  /** How often its model may be called for one task. Default: the session's `maxTurns`. */
  readonly maxTurns?: number;
}

/** The options of a session. Only `model` is required. */
export interface AgentLoopOptions {
  /** The model: `anthropicModel`, `openaiModel`, `scriptedModel`, or your own. */
  readonly model: Model;
  /**
   * Looks at each request before it is sent: may change its system prompt, messages, tools or model, answer it, or refuse
   * it. Runs after PreModelCall hooks. A failure refuses the request, unless `{ hook, onFailure: 'continue' }` says otherwise.
   */
  readonly beforeModel?: BeforeModel | BoundedModelHook<BeforeModel>;
  /**
   * Looks at each answer before anybody sees it: may replace its content, or refuse it. Runs before PostModelCall hooks.
   * Answers are then not streamed, but emitted as a whole. A failure refuses the answer, as for `beforeModel`.
   */
  readonly afterModel?: AfterModel | BoundedModelHook<AfterModel>;
  /** Finds the model that a PreModelCall hook names. Default: none is known, and such a request is refused. */
  readonly modelFor?: (name: string) => Model | undefined;
  /** Default: the built-in tools. A list replaces them; `[...builtInTools(), mine]` has both. */
  readonly tools?: readonly Tool[];
  /** The runner on which the loop fires events. The loop never disposes it. Default: no hooks. */
  readonly hooks?: LoopHooks;
  /** Items for the agent from outside: delivered with its next request, and before it stops. */
  readonly mailbox?: Mailbox;
  /**
   * A longer item of the mailbox reaches the model as a preview that names the file with the whole text. Default: 10,000
   * characters.
   */
  readonly maxItemLength?: number;
  /**
   * Whether what hooks inject is marked for the model: between lines in a tool's result, as a `<system-reminder>` after
   * it. Default: true.
   */
  readonly markInjections?: boolean;
  /** Default: a short prompt. With a mailbox, a paragraph that explains injected items is appended. */
  readonly systemPrompt?: string;
  /** Default: the working directory of this process. */
  readonly cwd?: string;
  /** Hooks registered for this id run in addition to the global ones, and see it as `agent_id`. Default: none. */
  readonly agentId?: string;
  /** Default: the id of the resumed session, or a new UUID. */
  readonly sessionId?: string;
  /** The path of a transcript to resume. The session keeps its id, unless it is forked. */
  readonly resume?: string;
  /** With `resume`: a new session with its own id and transcript, which begins with what the resumed one has. Default: false. */
  readonly forkSession?: boolean;
  /**
   * With `resume`: the last message that the conversation keeps, given by the id of an answer (`message.id`) or the `uuid`
   * of a line of the transcript. Default: all.
   */
  readonly resumeSessionAt?: string;
  /**
   * The directory that holds the transcripts of all projects; false writes none. Default:
   * `$HOOKLINE_HOME`, else `$XDG_STATE_HOME/hookline`, else `~/.local/state/hookline`.
   */
  readonly transcripts?: string | false;
  /** Default: mode `default`, no rules; the root is `cwd`. */
  readonly permissions?: PermissionOptions;
  /** Asks a person for permission. Without it, calls that need permission are denied. */
  readonly canUseTool?: CanUseTool;
  /** Answers a question of an MCP server that no hook has answered, for example by asking a person. Default: it is declined. */
  readonly onElicitation?: OnElicitation;
  /** Agent types in addition to `general-purpose`. */
  readonly agents?: Readonly<Record<string, AgentDefinition>>;
  /**
   * Prompts that are loaded when they are needed, by name: the model calls the tool Skill, the user writes `/name`. From then
   * on hooks see the name in `active_skills`.
   */
  readonly skills?: Skills;
  /** Whether agents run in the background unless the model requests otherwise. Default: false. */
  readonly backgroundAgents?: boolean;
  /** The name of a team. Agents that get a name become its members, and stay when they are idle. */
  readonly team?: string;
  /**
   * Names of team members that the host knows. Hooks registered for such a name and items addressed to it belong to
   * that member. A member with any other name goes by its id, because the model chose the name.
   */
  readonly members?: readonly string[];
  /** Fires Setup with this trigger before the session starts. */
  readonly setup?: 'init' | 'maintenance';
  /** How often the model may be called for one prompt, and each subagent's for its task. Default: no limit. */
  readonly maxTurns?: number;
  /** Ends a prompt when the session has cost this much, in US dollars (`error_max_budget_usd`). Default: no limit. */
  readonly maxBudgetUsd?: number;
  /** Prices by the name of a model, or by the beginning of names. They go before the built-in list prices. */
  readonly prices?: ModelPrices;
  /** Takes over for the rest of a prompt if the model is overloaded or cannot be reached. Default: none. */
  readonly fallbackModel?: Model;
  /** How often in a row, without a tool call in between, hooks may block a stop. 0: no limit. Default: 8. */
  readonly stopCap?: number;
  /**
   * How many turns in a row may only repeat earlier calls with the same results, or calls that fail for the same
   * reason. Halfway, the model reads a reminder. `Infinity` removes the limit. Default: 20.
   */
  readonly stallCap?: number;
  /** The model's context window in tokens; the conversation is compacted when it is nearly full. Default: 200,000. */
  readonly contextWindow?: number;
  /** Emits streamed text as it arrives. Default: false. */
  readonly includePartialMessages?: boolean;
  /** Seconds between progress messages of a running tool call. `Infinity`: none. Default: 1. */
  readonly progressInterval?: number;
  /** Names and states of MCP servers, for the init message. */
  readonly mcpServers?: readonly { readonly name: string; readonly status: string }[];
  /**
   * Called when a hook in the background (`asyncRewake`) has something for the agent and no run is in progress: call
   * `run()` without a prompt, and the agent reads it. Default: none, and such hooks are awaited instead.
   */
  readonly onWake?: () => void;
  /** The title of the session, as people see it. Hooks can change it. Default: that of the resumed session. */
  readonly title?: string;
  /** When to fire Notification events. */
  readonly notify?: {
    /** Seconds until an unanswered permission question fires one. Default: 6. */
    readonly permissionAfter?: number;
    /** Seconds without a prompt until one is fired. Default: never. */
    readonly idleAfter?: number;
  };
  /** How long hooks may run when the session ends, in milliseconds. Default: 1500. */
  readonly endTimeoutMs?: number;
}

/** The names of `AgentLoopOptions`, used to reject unknown options. */
export const LOOP_OPTIONS: OptionNames<AgentLoopOptions> = {
  model: true,
  beforeModel: true,
  afterModel: true,
  modelFor: true,
  tools: true,
  hooks: true,
  mailbox: true,
  maxItemLength: true,
  markInjections: true,
  systemPrompt: true,
  cwd: true,
  agentId: true,
  sessionId: true,
  resume: true,
  forkSession: true,
  resumeSessionAt: true,
  transcripts: true,
  permissions: true,
  canUseTool: true,
  onElicitation: true,
  agents: true,
  skills: true,
  backgroundAgents: true,
  team: true,
  members: true,
  setup: true,
  maxTurns: true,
  maxBudgetUsd: true,
  prices: true,
  fallbackModel: true,
  stopCap: true,
  stallCap: true,
  contextWindow: true,
  includePartialMessages: true,
  progressInterval: true,
  mcpServers: true,
  onWake: true,
  title: true,
  notify: true,
  endTimeoutMs: true,
};

/** The name of the lead agent within a team. */
export const LEAD = 'team-lead';

export const DEFAULT_STOP_CAP = 8;
export const DEFAULT_STALL_CAP = 20;
export const DEFAULT_CONTEXT_WINDOW = 200_000;
export const DEFAULT_END_TIMEOUT_MS = 1500;
export const DEFAULT_PROGRESS_SECONDS = 1;
export const DEFAULT_PERMISSION_NOTICE_SECONDS = 6;

/** Throws a `HookError` if a limit is not a whole number of at least 1 (`Infinity` is no limit), or a hook of the model is none. */
export function checkLimits({ maxTurns, stallCap, agents = {}, ...others }: AgentLoopOptions): void {
  checkModelHook('beforeModel', others.beforeModel);
  checkModelHook('afterModel', others.afterModel);
  const { progressInterval = DEFAULT_PROGRESS_SECONDS } = others;
  if (!(progressInterval > 0))
    throw new HookError(
      'invalid_option',
      `progressInterval is ${show(progressInterval)}; give seconds, or Infinity for no messages.`,
    );
  const limits: [string, number | undefined][] = [
    ['maxTurns', maxTurns],
    ['stallCap', stallCap],
    ['maxItemLength', others.maxItemLength],
    ...Object.entries(agents).map(
      ([type, agent]) => [`maxTurns of the agent ${type}`, agent.maxTurns] as [string, number | undefined],
    ),
  ];
  for (const [name, value] of limits)
    if (value !== undefined && value !== Number.POSITIVE_INFINITY && !(Number.isInteger(value) && value > 0))
      throw new HookError('invalid_option', `${name} is ${show(value)}; give a whole number of at least 1.`);
}

/** With a mailbox, appends the paragraph that explains to the model what injected items look like. */
export function completeSystemPrompt(own: string, { mailbox }: Pick<AgentLoopOptions, 'mailbox'>): string {
  return mailbox === undefined || own.includes(FRAMES_PARAGRAPH) ? own : `${own}\n\n${FRAMES_PARAGRAPH}`;
}

export const DEFAULT_SYSTEM_PROMPT = [
  'You are an agent that works on the tasks of its user with the given tools.',
  'Look before you change something, make the smallest change that does the job, and check the result.',
  'Texts inside <system-reminder> tags come from the program around you, not from the user.',
  'When a tool is refused, read the reason and find another way, or say what you need.',
].join('\n');
