/** What a page is told: one small, self-contained event for each thing that happens to agents, hooks and items. */
import type { InjectionState, InjectionStrategy } from '../injection/port.js';

/** An agent has been seen, or more is known about it now. */
export interface AgentEvent {
  readonly type: 'agent';
  readonly agent: string;
  /** How hooks and mailboxes call it. */
  readonly address: string;
  readonly label: string;
  /** Its model, its kind. */
  readonly detail?: string;
}

/** From here on, what the agent does belongs to this turn. Turn 0 is what comes before the first prompt. */
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
  /** Why it ended, in a word. */
  readonly reason: string;
  readonly durationMs?: number;
  readonly error?: string;
}

/** Something the model said. */
export interface TextEvent {
  readonly type: 'text';
  readonly agent: string;
  readonly turn: number;
  readonly text: string;
  /** The call that was said after it: a fire may have shown that one already. */
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

/** A call that may not run. */
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

/** A fire that at least one hook answers. */
export interface FireEvent {
  readonly type: 'fire';
  readonly agent: string;
  readonly turn: number;
  readonly fire: string;
  readonly event: string;
  /** What matchers looked at. */
  readonly subject?: string;
  /** The call that it is about. */
  readonly tool?: { readonly id: string; readonly name: string; readonly input: string };
}

/** What one hook came to, as only the end of its fire tells. */
export interface HookVerdict {
  readonly hook: string;
  readonly decision?: string;
  readonly reason?: string;
  /** Its answer is still to come. */
  readonly pending?: true;
}

export interface FireEndEvent {
  readonly type: 'fire_end';
  readonly fire: string;
  readonly durationMs: number;
  readonly decision?: string;
  readonly reason?: string;
  /** False: the agent is to end. True: it is to go on. */
  readonly continue?: boolean;
  /** What else it changes, in words. */
  readonly effects: readonly string[];
  readonly hooks: readonly HookVerdict[];
  /** A mistake of whoever fired. */
  readonly error?: string;
}

export interface AnyEvent {
  readonly type: 'hook';
  readonly agent: string;
  readonly turn: number;
  readonly fire: string;
  readonly event: string;
  readonly hook: string;
  readonly name: string;
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
  /** What it decided itself: one that exits with an error code to refuse has not failed. */
  readonly decision?: string;
  readonly durationMs: number;
  readonly exitCode?: number;
  readonly output: string;
}

/** An item on its way to an agent. */
export interface ItemEvent {
  readonly type: 'item';
  readonly item: string;
  /** The address it is for; `*` while there is no agent. */
  readonly to: string;
  readonly state: InjectionState;
  readonly strategy: InjectionStrategy;
  readonly from: string;
  readonly label?: string;
  readonly reason?: string;
  /** Where it arrived. */
  readonly agent?: string;
  readonly turn?: number;
}

/** What an item says; a change of its state does not tell. */
export interface ItemTextEvent {
  readonly type: 'item_text';
  readonly item: string;
  readonly text: string;
}

/** Somebody has to say whether a call may run. */
export interface QuestionEvent {
  readonly type: 'question';
  readonly question: string;
  readonly agent: string;
  readonly name: string;
  readonly input: string;
  readonly reason?: string;
  /** What a yes for the whole session agrees to; absent where there is no such yes. */
  readonly always?: string;
}

export interface AnsweredEvent {
  readonly type: 'answered';
  readonly question: string;
  readonly answer: 'yes' | 'always' | 'no' | 'none';
}

/** One thing that happened, as pages are sent it. */
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
  | FireEndEvent
  | AnyEvent
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

/** An event before it is written down. */
export type NewLiveEvent = WithoutTime<LiveEvent>;
