/** What a loop is made from, and what it does where it is not told. */

import type { OptionNames } from '../../base/text/known-options.js';
import { FRAMES_PARAGRAPH } from '../../injection/frame.js';
import type { Mailbox } from '../../injection/port.js';
import type { PermissionOptions } from '../../permissions/permissions.js';
import type { HookRunner } from '../../runner/hook-runner.js';
import type { LateAnswer } from '../../runner/late.js';
import type { HookMessage } from '../../runner/messages/hook-messages.js';
import type { Model } from '../models/port.js';
import type { Tool } from '../tools/tool.js';
import type { CanUseTool } from './ask-permission.js';

/**
 * The hooks of a loop: all it needs is `fire`; the rest it uses where it is there, as in a `Runner`, and must not
 * throw.
 */
export interface LoopHooks extends HookRunner {
  /** Hook messages, which become messages of the run. */
  readonly messages?: { on(kind: 'message', listener: (message: HookMessage) => void): () => void };
  /** What hooks in the background have to tell by now. */
  takeLate?(agentId?: string): readonly LateAnswer[];
  /** Shell files with variables that hooks have set, in the order in which commands read them. */
  environmentFiles?(): readonly string[];
}

/** A kind of agent that the Agent tool can start. */
export interface AgentDefinition {
  /** What it is good for. */
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  /** The names of the tools it may use. Default: all of the session's. */
  readonly tools?: readonly string[];
  /** Default: the one of the session. */
  readonly model?: Model;
}

/** What a session is made from. Only the model is needed. */
export interface AgentLoopOptions {
  /** Who is asked: `anthropicModel`, `openaiModel`, `scriptedModel`, or your own. */
  readonly model: Model;
  /** Default: the built-in tools. A list is taken as it is; `[...builtInTools(), mine]` has both. */
  readonly tools?: readonly Tool[];
  /** Default: none. The loop fires events at it, and never disposes it. */
  readonly hooks?: LoopHooks;
  /** What reaches the agent from outside while it works: with its next request, and before it stops. */
  readonly mailbox?: Mailbox;
  /** Default: a short one. With a mailbox, the paragraph that explains frames is added. */
  readonly systemPrompt?: string;
  /** Default: this process's directory. */
  readonly cwd?: string;
  /** Whose own hooks count beside the global ones; hooks see it as `agent_id`. Default: none. */
  readonly agentId?: string;
  /** Default: that of the resumed session, else a new UUID. */
  readonly sessionId?: string;
  /** A transcript to go on from: its path. The session keeps its id. */
  readonly resume?: string;
  /**
   * The directory that holds the transcripts of all projects; false writes none. Default:
   * `$HOOKLINE_HOME`, else `$XDG_STATE_HOME/hookline`, else `~/.local/state/hookline`.
   */
  readonly transcripts?: string | false;
  /** Default: mode `default`, no rules; the root is `cwd`. */
  readonly permissions?: PermissionOptions;
  /** Asks a person. Without it, what needs permission is refused. */
  readonly canUseTool?: CanUseTool;
  /** Kinds of agents beside `general-purpose`. */
  readonly agents?: Readonly<Record<string, AgentDefinition>>;
  /** Whether agents work in the background unless the model says otherwise. Default: false. */
  readonly backgroundAgents?: boolean;
  /** A team: agents that get a name become members, and stay. */
  readonly team?: string;
  /**
   * Names of members that the host knows: hooks registered for such a name, and items addressed to it, are the member's. A
   * member of any other name goes by its id there, for the model has made that name up.
   */
  readonly members?: readonly string[];
  /** Fires Setup before the session starts. */
  readonly setup?: 'init' | 'maintenance';
  /** How often the model may be called for one prompt. Default: no limit. */
  readonly maxTurns?: number;
  /** How often in a row hooks may keep the agent from stopping. Default: 8. */
  readonly stopCap?: number;
  /** Tokens that the model can hold; close to it the conversation is compacted. Default: 200,000. */
  readonly contextWindow?: number;
  /** Pieces of text become messages as they come. Default: false. */
  readonly includePartialMessages?: boolean;
  /** Names and states of MCP servers, for the first message. */
  readonly mcpServers?: readonly { readonly name: string; readonly status: string }[];
  /** When hooks are told that somebody is waited for. */
  readonly notify?: {
    /** Seconds that a question for permission is open until hooks are notified. Default: 6. */
    readonly permissionAfter?: number;
    /** Seconds without a prompt until hooks are notified. Default: never. */
    readonly idleAfter?: number;
  };
  /** Milliseconds that hooks have at the end of the session. Default: 1500. */
  readonly endTimeoutMs?: number;
}

/** The names of `AgentLoopOptions`, for who refuses others. */
export const LOOP_OPTIONS: OptionNames<AgentLoopOptions> = {
  model: true,
  tools: true,
  hooks: true,
  mailbox: true,
  systemPrompt: true,
  cwd: true,
  agentId: true,
  sessionId: true,
  resume: true,
  transcripts: true,
  permissions: true,
  canUseTool: true,
  agents: true,
  backgroundAgents: true,
  team: true,
  members: true,
  setup: true,
  maxTurns: true,
  stopCap: true,
  contextWindow: true,
  includePartialMessages: true,
  mcpServers: true,
  notify: true,
  endTimeoutMs: true,
};

/** How the members of a team call the agent that leads it. */
export const LEAD = 'team-lead';

export const DEFAULT_STOP_CAP = 8;
export const DEFAULT_CONTEXT_WINDOW = 200_000;
export const DEFAULT_END_TIMEOUT_MS = 1500;
export const DEFAULT_PERMISSION_NOTICE_SECONDS = 6;

/** What is told from outside looks like nothing else; the model has to know what it is. */
export function completeSystemPrompt(own: string, { mailbox }: Pick<AgentLoopOptions, 'mailbox'>): string {
  return mailbox === undefined || own.includes(FRAMES_PARAGRAPH) ? own : `${own}\n\n${FRAMES_PARAGRAPH}`;
}

export const DEFAULT_SYSTEM_PROMPT = [
  'You are an agent that works on the tasks of its user with the tools you have been given.',
  'Look before you change something, make the smallest change that does the job, and check the result.',
  'Texts inside <system-reminder> tags come from the program around you, not from the user.',
  'When a tool is refused, read the reason and find another way, or say what you would need.',
].join('\n');
