/** What a host is to the behaviours: an agent on a real framework, with hookline's adapter in it. */
import type { Runner } from 'hookline';
import type { createMailbox } from 'hookline/injection';
import type { SessionOptions } from 'hookline/session';
import type { BehaviourId } from './behaviours.js';

/** A tool of the agent: takes `{ what: string }`, returns a text, or throws. */
export interface HostTool {
  readonly name: string;
  run(input: { what: string }): string | Promise<string>;
}

export interface Setup {
  /** Of the model server, without `/v1`. */
  readonly url: string;
  readonly runner: Runner;
  readonly mailbox: ReturnType<typeof createMailbox>;
  readonly tools: readonly HostTool[];
  /** The name of the tool that hands its work to a subagent of type `scout`, if the behaviour needs one. */
  readonly subagent?: { readonly tool: string; readonly type: string } | undefined;
  readonly onProblem: NonNullable<SessionOptions['onProblem']>;
}

export interface End {
  readonly status: 'completed' | 'blocked' | 'halted' | 'waiting' | 'other';
  /** What the model said last, or why the run has ended. */
  readonly text: string;
}

export interface Agent {
  run(prompt: string, options?: { signal?: AbortSignal }): Promise<End>;
  /** Runs a conversation: what the person said, what the agent answered, and so on; the person said the last. */
  converse?(said: readonly string[]): Promise<End>;
  /** Answers the question of a run that has ended as `waiting`. */
  decide?(approved: boolean): Promise<End>;
  /** Continues after an abort, in a host that takes no new prompt then. */
  recover?(): Promise<End>;
  /** Sends the conversation again after a request has failed. */
  retry?(): Promise<End>;
  /** Ends the session. */
  end(): Promise<void>;
}

export interface Host {
  /** As in the table. */
  readonly title: string;
  /** The package whose version is shown. */
  readonly package: string;
  /** Behaviours that the host does not allow, each with its reason. */
  readonly cannot: Partial<Record<BehaviourId, string>>;
  open(setup: Setup): Agent | Promise<Agent>;
}

/** A conversation as messages: the person begins, and each answers the other. */
export const roles = (said: readonly string[]) =>
  said.map((content, at) =>
    at % 2 === 0 ? { role: 'user' as const, content } : { role: 'assistant' as const, content },
  );

/** What only one adapter has to do. */
export type Extras = Readonly<Record<string, () => Promise<void>>>;
