/** Delivers peers' answers to agents while they work: only unseen ones, when the policy allows, once each. */

import { cutText } from '../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Disposer } from '../../config/types.js';
import type { AnswerBoard, PeerUpdate } from '../answer-board.js';
import { MailboxError } from '../mailbox-error.js';
import type { Mailbox, NewInjection } from '../port.js';
import { rewritePaths } from '../rewrite-paths.js';
import {
  DEFAULT_TIMING,
  decidePeerUpdate,
  type Moment,
  type TimingDecision,
  type TimingPolicy,
} from '../timing.js';
import { type BuiltInHook, collectAtSafePoints, type Registrar, stableId } from './built-in.js';
import { type Guidance, peerNotice } from './peer-text.js';
import type { RoundTimer } from './round-timer.js';

/** Whose answers are delivered, when, and with which text. */
export interface MidStreamOptions {
  readonly mailbox: Pick<Mailbox, 'put'>;
  readonly board: AnswerBoard;
  /** Missing fields are taken from `DEFAULT_TIMING`. */
  readonly policy?: Partial<TimingPolicy> | undefined;
  /** Provides the time left in a round. */
  readonly timer?: RoundTimer | undefined;
  /** Whether an agent can only vote, so that new answers need a restart. Default: no. */
  readonly isVoteOnly?: ((agentId: string) => boolean) | undefined;
  /** Undefined in a run without a checklist. */
  readonly checklistSubmitted?: ((agentId: string) => boolean | undefined) | undefined;
  /** Default: `plain`. */
  readonly guidance?: Guidance | undefined;
  /** A longer answer is truncated mid-stream and marked as such. Default: 2,000 characters. */
  readonly maxAnswerLength?: number | undefined;
  /** Makes an author's files readable for an agent and returns their path. Paths in the answer are rewritten to it. */
  readonly shareWorkspace?:
    | ((
        update: PeerUpdate,
        viewer: string,
        signal: AbortSignal,
      ) => string | undefined | Promise<string | undefined>)
    | undefined;
}

const OPTIONS: OptionNames<MidStreamOptions> = {
  mailbox: true,
  board: true,
  policy: true,
  timer: true,
  isVoteOnly: true,
  checklistSubmitted: true,
  guidance: true,
  maxAnswerLength: true,
  shareWorkspace: true,
};

/** The hook, and its methods for the host. */
export interface MidStreamInjection extends BuiltInHook {
  /**
   * Starts a new round: delivers all unseen answers as messages and resets the count of mid-stream updates. Rejects
   * when the mailbox's `put` or `shareWorkspace` does; answers that could not be put are offered again.
   */
  beginRound(agentId: string, signal?: AbortSignal): Promise<void>;
  /**
   * Decides whether updates may be delivered now, and why not. Has no side effects; throws only if one of the given
   * functions throws.
   */
  judge(agentId: string, moment: Moment): TimingDecision;
}

/**
 * Delivers peers' answers to agents while they work: only unseen ones, when the policy allows, once each. Throws a
 * `HookError` for an unknown option.
 */
export function createMidStreamInjection(options: MidStreamOptions): MidStreamInjection {
  refuseUnknownOptions('createMidStreamInjection', options, OPTIONS);
  return new MidStream(options);
}

class MidStream implements MidStreamInjection {
  readonly name = 'mid-stream-injection';
  readonly #options: MidStreamOptions;
  readonly #policy: TimingPolicy;
  /** Mid-stream updates per agent in the current round. */
  readonly #delivered = new Map<string, number>();

  constructor(options: MidStreamOptions) {
    this.#options = options;
    this.#policy = { ...DEFAULT_TIMING, ...options.policy };
  }

  register(registrar: Registrar): Disposer {
    return collectAtSafePoints(registrar, this.name, (agentId, moment, signal) =>
      this.#collect(agentId, moment, signal),
    );
  }

  async beginRound(agentId: string, signal = new AbortController().signal): Promise<void> {
    this.#delivered.delete(agentId);
    await this.#collect(agentId, 'restart', signal);
  }

  judge(agentId: string, moment: Moment): TimingDecision {
    const { board, timer, isVoteOnly, checklistSubmitted } = this.#options;
    return decidePeerUpdate(this.#policy, {
      moment,
      hasOwnAnswer: board.hasAnswer(agentId),
      hasSeenUpdates: board.hasSeenUpdates(agentId),
      isVoteOnly: isVoteOnly?.(agentId) ?? false,
      checklistSubmitted: checklistSubmitted?.(agentId),
      deliveredThisRound: this.#delivered.get(agentId) ?? 0,
      secondsLeft: timer?.secondsLeft(agentId),
      graceSeconds: timer?.graceSeconds ?? 0,
    });
  }

  /**
   * Reading and marking happen synchronously, so tools that finish at the same time cannot get the same answer twice.
   */
  async #collect(agentId: string, moment: Moment, signal: AbortSignal): Promise<void> {
    const unseen = this.#options.board.unseenBy(agentId);
    if (unseen.length === 0) return;
    const { room } = this.judge(agentId, moment);
    const updates = unseen.slice(0, room);
    if (updates.length === 0) return;
    const undo = this.#options.board.markSeen(agentId, updates);
    const before = this.#delivered.get(agentId) ?? 0;
    if (moment === 'mid-stream') this.#delivered.set(agentId, before + updates.length);
    try {
      await this.#put(agentId, moment, updates, signal);
    } catch (error) {
      // Answers that could not be put are offered again.
      undo();
      if (moment === 'mid-stream') {
        this.#delivered.set(agentId, Math.max(0, (this.#delivered.get(agentId) ?? 0) - updates.length));
      }
      throw error;
    }
  }

  async #put(
    agentId: string,
    moment: Moment,
    updates: readonly PeerUpdate[],
    signal: AbortSignal,
  ): Promise<void> {
    const { maxAnswerLength = 2000 } = this.#options;
    const workspaces = await this.#share(agentId, updates, signal);
    const strategy = moment === 'mid-stream' ? 'tool_result' : 'user_message';
    const notice = this.#notice(agentId, updates, workspaces);
    const about = updates.map(({ label, content }) => `${label} ${content}`);
    await this.#putOnce({
      id: stableId('peers', agentId, ...about),
      content: notice,
      strategy,
      source: { kind: 'system', label: this.name },
      to: agentId,
    });
    for (const update of updates) {
      const workspace = workspaces.get(update.author);
      const folders =
        workspace === undefined || update.workspace === undefined
          ? []
          : [{ from: update.workspace, to: workspace }];
      const content = rewritePaths(update.content, folders);
      await this.#putOnce({
        id: stableId('peer', agentId, update.label, update.content),
        content: moment === 'mid-stream' ? cutText(content, maxAnswerLength) : content,
        strategy,
        source: { kind: 'peer', label: update.name },
        to: agentId,
      });
    }
  }

  /**
   * A failed attempt may have put the item already, with a different strategy: mid-stream then, at the end of the turn
   * now.
   */
  async #putOnce(item: NewInjection): Promise<void> {
    try {
      await this.#options.mailbox.put(item);
    } catch (error) {
      if (!(error instanceof MailboxError && error.problem === 'duplicate')) throw error;
    }
  }

  #notice(agentId: string, updates: readonly PeerUpdate[], workspaces: ReadonlyMap<string, string>): string {
    const { guidance = 'plain', checklistSubmitted } = this.#options;
    return peerNotice(updates, workspaces, guidance, checklistSubmitted?.(agentId) !== undefined);
  }

  async #share(
    agentId: string,
    updates: readonly PeerUpdate[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const { shareWorkspace } = this.#options;
    const workspaces = new Map<string, string>();
    if (shareWorkspace === undefined) return workspaces;
    for (const update of updates) {
      const place = await shareWorkspace(update, agentId, signal);
      if (place !== undefined) workspaces.set(update.author, place);
    }
    return workspaces;
  }
}
