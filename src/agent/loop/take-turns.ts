/** The turn loop: the model answers and its tools run, until it stops and no hook blocks that. */

import { yieldIfBusy } from '../../base/async/yield.js';
import { remind } from '../../base/text/remind.js';
import type { Lease } from '../../injection/port.js';
import type { Agent } from './agent.js';
import { type Answer, callModel } from './call-model.js';
import { compactIfFull } from './compact.js';
import { CutAnswers } from './cut-answers.js';
import { endLease, takeItems } from './deliver-items.js';
import { askToStop } from './end-turn.js';
import type { EndReason } from './messages.js';
import { DEFAULT_STALL_CAP, DEFAULT_STOP_CAP } from './options.js';
import { Progress } from './progress.js';
import { Recovery } from './recover.js';
import { emitMessage, type Session, type StopRequest, takeStopRequest } from './session.js';
import { endOfBudget } from './spending.js';
import { closeOpenCalls, useTools } from './use-tools.js';

/** How the work on a prompt ended. */
export interface TurnEnd {
  readonly reason: EndReason;
  /** Replaces the agent's last text in the result. */
  readonly text?: string | undefined;
  readonly error?: string | undefined;
  /** What was thrown, if the turn ended that way. */
  readonly cause?: unknown;
  readonly stopReason?: string | undefined;
  readonly modelStop?: string | undefined;
  readonly deferred?: StopRequest['deferred'];
}

/** Throws the model's error, or the signal's reason. */
export async function takeTurns(session: Session, agent: Agent, signal: AbortSignal): Promise<TurnEnd> {
  const { stopCap = DEFAULT_STOP_CAP, stallCap = DEFAULT_STALL_CAP } = session.options;
  const limit = agent.maxTurns;
  const progress = new Progress();
  const cuts = new CutAnswers();
  const recovery = new Recovery();
  agent.beginTurns();
  let hasBlockedStop = false;
  let stopsInARow = 0;
  let waiting: Lease | undefined;
  for (let turn = 0; ; turn += 1) {
    if (turn >= limit) {
      await endLease(session, waiting, 'release', signal);
      return { reason: 'max_turns', error: `The limit of ${limit} turns was reached.` };
    }
    const spent = endOfBudget(session);
    if (spent !== undefined) {
      await endLease(session, waiting, 'release', signal);
      return spent;
    }
    await yieldIfBusy();
    signal.throwIfAborted();
    if (waiting === undefined) await compactIfFull(session, agent, signal);
    const halted = agent === session.main ? takeStopRequest(session) : undefined;
    if (halted !== undefined) return { ...halted, text: '' };
    const delivery: Lease | undefined = waiting ?? (await takeItems(session, agent, signal));
    waiting = undefined;
    if (delivery !== undefined) progress.reset();
    let answer: Answer;
    try {
      answer = await callModel(session, agent, signal, delivery);
    } catch (error) {
      if (!(await recovery.after(session, agent, error, signal))) throw error;
      turn -= 1;
      continue;
    }
    recovery.reset();
    const after = cuts.after(agent, answer);
    if (after.end !== undefined) {
      closeOpenCalls(agent, 'the answer was not complete.');
      return after.end;
    }
    if (after.goOn) continue;
    if (answer.toolUses.length > 0) {
      const halt = await useTools(session, agent, answer.toolUses, signal, after.cut);
      // Work was done since the last stop, so the hooks that block it are not in vain.
      stopsInARow = 0;
      signal.throwIfAborted();
      if (halt !== undefined) return { ...halt, text: '', modelStop: answer.stopReason };
      const repeated = progress.afterTools(agent.messages);
      if (repeated >= stallCap) return { reason: 'no_progress', error: stalled(repeated) };
      if (repeated === Math.ceil(stallCap / 2))
        agent.appendUserMessage([{ type: 'text', text: remind(repeating(repeated)) }], { isMeta: true });
      continue;
    }
    const ending = await askToStop(session, agent, hasBlockedStop, signal);
    signal.throwIfAborted();
    if (!ending.continues) {
      if (ending.halted) return { reason: 'hook_stopped', text: '', stopReason: ending.stopReason };
      waiting = await takeItems(session, agent, signal);
      if (waiting !== undefined) continue;
      return { reason: 'completed', modelStop: answer.stopReason };
    }
    hasBlockedStop = true;
    stopsInARow += 1;
    if (stopCap > 0 && stopsInARow > stopCap) {
      emitMessage(session, {
        type: 'system',
        subtype: 'informational',
        content: capped(stopsInARow),
        level: 'warning',
      });
      return { reason: 'stop_hook_cap', modelStop: answer.stopReason };
    }
    agent.appendUserMessage(ending.texts, { isMeta: true, promptId: session.promptId });
  }
}

const capped = (stops: number): string =>
  `Hooks kept the agent from stopping ${stops} times in a row, without a tool call in between; the turn ends now. A Stop hook should let the agent stop when \`stop_hook_active\` is true and nothing has changed. \`stopCap\`, or CLAUDE_CODE_STOP_HOOK_BLOCK_CAP, raises the limit; 0 switches it off.`;

const repeating = (turns: number): string =>
  `Your last ${turns} turns repeated calls that you had made before, with the same results. Try something else, or end your turn and say what is in the way.`;

const stalled = (turns: number): string =>
  `The agent made no progress: its last ${turns} turns repeated earlier calls with the same results. Raise \`stallCap\` if that is intended.`;
