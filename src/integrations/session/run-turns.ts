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
  /** The agent that was handed the conversation, if any: it stops before the one that the run began with. */
  inner?(): HookSession | undefined;
  /** Adds the message of a user to the conversation. */
  say(text: string): void;
}

/** Rejects with the host's errors. */
export async function runTurns<Result>(
  session: HookSession,
  host: HostTurns<Result>,
  signal: AbortSignal | undefined,
): Promise<RunEnding & { readonly result: Result }> {
  try {
    for (;;) {
      const result = await host.call();
      // Its results are in the conversation, whatever happens next.
      for (const each of sessionsOf(session, host)) each.request();
      // Some hosts end an aborted run without an error.
      signal?.throwIfAborted();
      const ending = await endingOf(session, host, result, signal);
      if (ending !== undefined) return { ...ending, result };
    }
  } catch (error) {
    // Results of tools that were not sent are not in the conversation that the host keeps.
    for (const each of sessionsOf(session, host)) await each.releaseUnsent();
    throw error;
  }
}

/** The innermost first. */
function sessionsOf<Result>(session: HookSession, host: HostTurns<Result>): readonly HookSession[] {
  const inner = host.inner?.();
  return inner === undefined ? [session] : [inner, session];
}

/** Undefined: the agent continues. */
async function endingOf<Result>(
  session: HookSession,
  host: HostTurns<Result>,
  result: Result,
  signal: AbortSignal | undefined,
): Promise<RunEnding | undefined> {
  const sessions = sessionsOf(session, host);
  const status = host.interruption(result);
  if (status !== undefined) return haltIn(sessions) ?? { status };
  const turn = await finishTurn(sessions, async () => host.lastMessage(result), signal);
  if (!('texts' in turn)) return turn;
  host.say(turn.texts.join('\n\n'));
  return undefined;
}

/** The model has nothing more to do: fires Stop of each session, the innermost first. `texts`: it continues with them. */
export async function finishTurn(
  sessions: readonly HookSession[],
  lastMessage: () => Promise<string | undefined>,
  signal: AbortSignal | undefined,
): Promise<RunEnding | { readonly texts: readonly string[] }> {
  const halted = haltIn(sessions);
  if (halted !== undefined) return halted;
  // The model has answered to all of it.
  for (const session of sessions) session.request().answered();
  const said = await lastMessage();
  for (const session of sessions) {
    const stop = await session.stop({ lastMessage: said, signal });
    const ended = haltIn(sessions);
    if (ended !== undefined) return ended;
    if (stop.continues) return { texts: stop.texts };
    if (stop.capped) return { status: 'stop_cap', reason: 'Hooks kept the agent from stopping too often.' };
  }
  return { status: 'completed' };
}

function haltIn(sessions: readonly HookSession[]): RunEnding | undefined {
  const halt = sessions.find((session) => session.halt !== undefined)?.halt;
  return halt && { status: 'halted', reason: halt.stopReason };
}
