/**
 * The events that pages receive: one small, self-contained event for each thing that happens to agents, hooks and
 * items.
 */
import type { InjectionState, InjectionStrategy } from '../injection/port.js';

/** A new agent, or new details about a known one. */
export interface AgentEvent {
  readonly type: 'agent';
  readonly agent: string;
  /** Its name in hooks and mailboxes. */
  readonly address: string;
  readonly label: string;
  /** Its model or type. */
  readonly detail?: string;
}

/** Starts a turn: later events of the agent belong to it. Turn 0 is what comes before the first prompt. */
export interface TurnEvent {
  readonly type: 'turn';
  readonly agent: string;
  readonly turn: number;
  readonly prompt?: string;
}

export interface TurnEndEvent {
  readonly type: 'turn_end';
  readonly agent: string;
  readonly turn: number;
  readonly ok: boolean;
  /** Why it ended, as a single word. */
  readonly reason: string;
  readonly durationMs?: number;
  readonly error?: string;
  /** What the turn has used, and what the session has cost so far. */
  readonly spent?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly sessionUsd: number;
  };
}

/** Text of the model. */
export interface TextEvent {
  readonly type: 'text';
  readonly agent: string;
  readonly turn: number;
  readonly text: string;
  /** The call that came after the text: a fire may already have shown it. */
  readonly before?: string;
}

export interface ToolEvent {
  readonly type: 'tool';
  readonly agent: string;
  readonly turn: number;
  readonly tool: string;
  readonly name: string;
  readonly input: string;
}

export interface ToolResultEvent {
  readonly type: 'tool_result';
  readonly agent: string;
  readonly turn: number;
  readonly tool: string;
  readonly ok: boolean;
  readonly text: string;
}

/** A denied call. */
export interface DeniedEvent {
  readonly type: 'denied';
  readonly agent: string;
  readonly turn: number;
  readonly tool: string;
  readonly by: string;
  readonly reason: string;
}

export interface NoteEvent {
  readonly type: 'note';
  readonly agent: string;
  readonly turn: number;
  readonly level: 'info' | 'warning';
  readonly text: string;
}

/** A fire with at least one hook. */
export interface FireEvent {
  readonly type: 'fire';
  readonly agent: string;
  readonly turn: number;
  readonly fire: string;
  readonly event: string;
  /** The value that matchers were compared with. */
  readonly subject?: string;
  /** The call it is about. */
  readonly tool?: { readonly id: string; readonly name: string; readonly input: string };
  /** The fire that it repeats, at the request of a page. */
  readonly again?: string;
}

/** A fire in which no hook ran, although hooks are registered for its event. */
export interface PassedEvent
  extends Pick<FireEvent, 'agent' | 'fire' | 'event' | 'subject' | 'tool' | 'again'> {
  readonly type: 'passed';
}

/** A fire of an earlier session, from a recording. */
export interface EarlierEvent {
  readonly type: 'earlier';
  /** The recording, and its agent if it had a name. */
  readonly agent: string;
  readonly fire: string;
  readonly event: string;
  readonly subject?: string;
  readonly input?: string;
  readonly durationMs?: number;
  readonly decision?: string;
  readonly reason?: string;
  readonly continue?: boolean;
  readonly effects: readonly string[];
  /** The hooks that failed, and why. */
  readonly failures: readonly string[];
}

/** The result of one hook, known only when the fire has ended. */
export interface HookVerdict {
  readonly hook: string;
  readonly decision?: string;
  readonly reason?: string;
  /** The hook still runs in the background. */
  readonly pending?: true;
}

export interface FireEndEvent {
  readonly type: 'fire_end';
  readonly fire: string;
  readonly durationMs: number;
  readonly decision?: string;
  readonly reason?: string;
  /** False: the agent must end. True: it must continue. */
  readonly continue?: boolean;
  /** Other effects, in words. */
  readonly effects: readonly string[];
  readonly hooks: readonly HookVerdict[];
  /** An error of the code that fired the event. */
  readonly error?: string;
}

export interface HookStartEvent {
  readonly type: 'hook';
  readonly agent: string;
  readonly turn: number;
  readonly fire: string;
  readonly event: string;
  readonly hook: string;
  /** Its name, or else its command line or URL. */
  readonly name: string;
  /** The file and line of a hook that comes from a file. */
  readonly place?: string;
}

export interface ProgressEvent {
  readonly type: 'progress';
  readonly hook: string;
  readonly text: string;
}

export interface HookEndEvent {
  readonly type: 'hook_end';
  readonly hook: string;
  readonly name: string;
  readonly outcome: 'success' | 'error' | 'cancelled';
  /** The hook's own decision: a hook that denies with an error code has not failed. */
  readonly decision?: string;
  readonly durationMs: number;
  readonly exitCode?: number;
  readonly output: string;
}

/** An item for an agent. */
export interface ItemEvent {
  readonly type: 'item';
  readonly item: string;
  /** The address it is for; `*` if there is no agent yet. */
  readonly to: string;
  readonly state: InjectionState;
  readonly strategy: InjectionStrategy;
  readonly from: string;
  readonly label?: string;
  readonly reason?: string;
  /** The agent that received it. */
  readonly agent?: string;
  readonly turn?: number;
}

/** The text of an item, which changes of its state do not include. */
export interface ItemTextEvent {
  readonly type: 'item_text';
  readonly item: string;
  readonly text: string;
}

/** A permission question for a person. */
export interface QuestionEvent {
  readonly type: 'question';
  readonly question: string;
  readonly agent: string;
  readonly name: string;
  readonly input: string;
  readonly reason?: string;
  /** What "always" approves; absent if it is not offered. */
  readonly always?: string;
}

export interface AnsweredEvent {
  readonly type: 'answered';
  readonly question: string;
  readonly answer: 'yes' | 'always' | 'no' | 'none';
}

/** An event, as sent to pages. */
export type LiveEvent = (
  | AgentEvent
  | TurnEvent
  | TurnEndEvent
  | TextEvent
  | ToolEvent
  | ToolResultEvent
  | DeniedEvent
  | NoteEvent
  | FireEvent
  | PassedEvent
  | EarlierEvent
  | FireEndEvent
  | HookStartEvent
  | ProgressEvent
  | HookEndEvent
  | ItemEvent
  | ItemTextEvent
  | QuestionEvent
  | AnsweredEvent
) & {
  /** Milliseconds since the epoch. */
  readonly at: number;
};

type WithoutTime<E> = E extends LiveEvent ? Omit<E, 'at'> : never;

/** An event without its time. */
export type NewLiveEvent = WithoutTime<LiveEvent>;
