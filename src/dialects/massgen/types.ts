/** What a MassGen file says, apart from how it is written. */
import type { Source } from '../../config/loaded.js';

export type HandlerKind = 'python' | 'command' | 'module';

export interface WrittenHook {
  readonly handler: string;
  readonly kind: HandlerKind;
  readonly matcher?: string;
  /** Seconds. */
  readonly timeout: number;
  /** Undefined: not set. */
  readonly failClosed?: boolean;
  /** Why it can never run. */
  readonly broken?: string;
  readonly source: Source;
}

/** An agent of a MassGen file, with everything that applies to it, wherever in the file it is set. */
export interface MassgenAgent {
  /** Agents without an id are named `agent1`, `agent2`, … by their position, as in MassGen. */
  readonly id: string;
  /** The kind of model: `claude`, `openai`, `gemini`, … */
  readonly backend?: string | undefined;
  readonly model?: string | undefined;
  /** The address of the model's API. */
  readonly baseUrl?: string | undefined;
  /** Its own key for the model (`api_key`), or `${NAME}`, a variable of the environment. */
  readonly apiKey?: string | undefined;
  readonly systemMessage?: string | undefined;
  /** The folder it works in (`cwd`), absolute; undefined if the file names none. */
  readonly workspace?: string | undefined;
  /** Whether it may run commands (`enable_mcp_command_line`). */
  readonly commandLine: boolean;
  readonly debugDelay?: { readonly seconds: number; readonly afterTools?: number | undefined } | undefined;
  /** The time limits of its rounds; undefined if there are none. */
  readonly rounds?:
    | {
        readonly initialSeconds?: number | undefined;
        readonly subsequentSeconds?: number | undefined;
        readonly graceSeconds?: number | undefined;
      }
    | undefined;
  /** When it gets its peers' answers. What the file does not say is undefined. */
  readonly peerUpdates: {
    readonly deferPeerUpdatesUntilRestart?: boolean | undefined;
    readonly allowMidstreamPeerUpdatesBeforeChecklistSubmit?: boolean | undefined;
    readonly maxPerRound?: number | undefined;
  };
}

/** What a MassGen file says about the agents and how they work together. */
export interface MassgenSettings {
  readonly agents: readonly MassgenAgent[];
  /** How many answers each agent may publish (`max_new_answers_per_agent`); undefined: no limit. */
  readonly maxAnswers?: number | undefined;
  /** When the best answer so far wins (`timeout_settings.orchestrator_timeout_seconds`); undefined: not said. */
  readonly timeoutSeconds?: number | undefined;
  /** Whether agents keep a list of tasks (`enable_agent_task_planning`). */
  readonly taskPlanning: boolean;
  /** Whether the list is also written to the workspace (`task_planning_filesystem_mode`). */
  readonly tasksInFiles: boolean;
}
