/** Runs turns of a host until its agent may stop: fires Stop, and has the host continue when hooks or items want it. */
import type { HookSession } from './session.js';

/** How a run ended. */
export type RunEnding =
  /** `waiting`: a call waits for approval, or for a tool of a client. `step_limit`: the host's limit has ended the run. */
  | { readonly status: 'completed' | 'waiting' | 'step_limit' }
  /**
   * `blocked`: a hook refused the prompt. `halted`: a hook answered `continue: false`. `stop_cap`: hooks kept the agent
   * from stopping too often.
   */
  | { readonly status: 'blocked' | 'halted' | 'stop_cap'; readonly reason: string };

/** What a host does for `runTurns`. */
export interface HostTurns<Result> {
  /** Calls the host once, up to the point where its model calls no more tools. */
  call(): Promise<Result>;
  /** Why the turn ended, if not because the model had nothing more to do. */
  interruption(result: Result): 'waiting' | 'step_limit' | undefined;
  /** What the model said last. */
  lastMessage(result: Result): string | undefined | PromiseLike<string | undefined>;
  /** Adds the message of a user to the conversation. */
  say(text: string): void;
}

/** Rejects with the host's errors. */
export async function runTurns<Result>(
  session: HookSession,
  host: HostTurns<Result>,
  signal: AbortSignal | undefined,
): Promise<RunEnding & { readonly result: Result }> {
  for (;;) {
    const result = await host.call();
    const ending = await endingOf(session, host, result, signal);
    if (ending !== undefined) return { ...ending, result };
  }
}

/** Undefined: the agent continues. */
async function endingOf<Result>(
  session: HookSession,
  host: HostTurns<Result>,
  result: Result,
  signal: AbortSignal | undefined,
): Promise<RunEnding | undefined> {
  if (session.halt !== undefined) return halted(session);
  const status = host.interruption(result);
  if (status !== undefined) return { status };
  // The model has answered to all of it.
  session.request().answered();
  const stop = await session.stop({ lastMessage: await host.lastMessage(result), signal });
  if (session.halt !== undefined) return halted(session);
  if (stop.continues) {
    host.say(stop.texts.join('\n\n'));
    return undefined;
  }
  return stop.capped
    ? { status: 'stop_cap', reason: 'Hooks kept the agent from stopping too often.' }
    : { status: 'completed' };
}

/** The end of a run that a hook has ended. */
export const halted = ({ halt }: HookSession): RunEnding => ({
  status: 'halted',
  reason: halt?.stopReason ?? 'A hook has ended the run.',
});
