/** Delivers peers' answers to agents while they work: only unseen ones, when the policy allows, once each. */
import { randomUUID } from 'node:crypto';
import { HookError, show } from '../../base/errors.js';
import { cutText } from '../../base/text/cut-text.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { Disposer } from '../../config/types.js';
import type { AnswerBoard, PeerUpdate } from '../answer-board.js';
import { MailboxError } from '../mailbox-error.js';
import type { PeerLabels } from '../peer-labels.js';
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
  /** What the notice asks for. Default: `plain`. `voting` is the text of MassGen. */
  readonly guidance?: Guidance | undefined;
  /** A longer answer is truncated mid-stream and marked as such. Default: 2,000 characters. */
  readonly maxAnswerLength?: number | undefined;
  /** Shares peers' files and rewrites paths for the reader: `openWorkspaces` of `hookline/workspaces`. */
  readonly workspaces?: PeerWorkspaces | undefined;
}

/** Shares the files that belong to answers. `Workspaces` of `hookline/workspaces` implements it. */
export interface PeerWorkspaces {
  /** The labels of the answer board. */
  readonly labels: PeerLabels;
  /** Makes the files of an answer readable for a viewer, and rewrites the answer for it. Rejects when copying fails. */
  shareAnswer(update: PeerUpdate, viewer: string, signal: AbortSignal): Promise<SharedAnswer>;
}

/** An answer as a viewer can read it. */
export interface SharedAnswer {
  /** The answer with the viewer's own paths, labels and names. */
  readonly content: string;
  /** Where the viewer finds the author's files; undefined if there are none. */
  readonly path?: string | undefined;
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
  workspaces: true,
};

/** How a round starts. */
export interface RoundStart {
  /**
   * Whether the agent starts with an empty conversation, so that it has to be shown the answers again that it has seen.
   * Default: false.
   */
  readonly isFresh?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The hook, and its methods for the host. */
export interface MidStreamInjection extends BuiltInHook {
  /**
   * Starts a new round: delivers all unseen answers as messages and resets the count of mid-stream updates. Rejects
   * when the mailbox or `workspaces` does; answers that could not be put are offered again.
   */
  beginRound(agentId: string, options?: RoundStart): Promise<void>;
  /**
   * Decides whether updates may be delivered now, and why not. Has no side effects; throws only if one of the given
   * functions throws.
   */
  judge(agentId: string, moment: Moment): TimingDecision;
}

/**
 * Delivers peers' answers to agents while they work: only unseen ones, when the policy allows, once each. Throws a
 * `HookError` for an unknown option, for an invalid `maxPerRound`, and if board and workspaces have different labels.
 */
export function createMidStreamInjection(options: MidStreamOptions): MidStreamInjection {
  refuseUnknownOptions('createMidStreamInjection', options, OPTIONS);
  const { board, workspaces, policy: { maxPerRound = 0 } = {} } = options;
  if (!(maxPerRound >= 0 && (Number.isSafeInteger(maxPerRound) || maxPerRound === Number.POSITIVE_INFINITY)))
    throw new HookError(
      'invalid_option',
      `maxPerRound of a timing policy is ${show(maxPerRound)}; give a whole number of at least 0.`,
    );
  if (workspaces !== undefined && workspaces.labels !== board.labels)
    throw new HookError(
      'invalid_option',
      'The answer board and the workspaces have different labels, so notices and folders would name different agents. Create the board with `new AnswerBoard({ labels: workspaces.labels })`.',
    );
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

  async beginRound(
    agentId: string,
    { isFresh = false, signal = new AbortController().signal }: RoundStart = {},
  ): Promise<void> {
    this.#delivered.delete(agentId);
    if (isFresh && this.judge(agentId, 'restart').room > 0) {
      const seen = this.#options.board.seenBy(agentId);
      // A new id each time: an item is delivered once, and these were delivered before.
      if (seen.length > 0) await this.#put(agentId, 'restart', seen, signal, randomUUID());
    }
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
    again = '',
  ): Promise<void> {
    const { maxAnswerLength = 2000 } = this.#options;
    const shared: SharedAnswer[] = [];
    for (const update of updates) shared.push(await this.#share(update, agentId, signal));
    const strategy = moment === 'mid-stream' ? 'tool_result' : 'user_message';
    const about = updates.map(({ label, content }) => `${label} ${content}`);
    await this.#putOnce({
      id: stableId('peers', agentId, ...about, again),
      content: this.#notice(agentId, updates, shared),
      strategy,
      source: { kind: 'system', label: this.name },
      to: agentId,
    });
    for (const [i, update] of updates.entries()) {
      const content = shared[i]?.content ?? '';
      await this.#putOnce({
        id: stableId('peer', agentId, update.label, update.content, again),
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

  #notice(agentId: string, updates: readonly PeerUpdate[], shared: readonly SharedAnswer[]): string {
    const { guidance = 'plain', checklistSubmitted } = this.#options;
    const paths = shared.map(({ path }) => path);
    return peerNotice(updates, paths, guidance, checklistSubmitted?.(agentId) !== undefined);
  }

  /** Without shared workspaces the reader cannot open any peer's folder: only the name of its owner is left of it. */
  async #share(update: PeerUpdate, viewer: string, signal: AbortSignal): Promise<SharedAnswer> {
    const { board, workspaces } = this.#options;
    if (workspaces !== undefined) return workspaces.shareAnswer(update, viewer, signal);
    const folders = [...board.workspaces]
      .filter(([agentId]) => agentId !== viewer)
      .map(([agentId, from]) => ({ from, to: `(${board.labels.nameOf(viewer, agentId)})` }));
    const translated = board.labels.translate(update.content, update.author, viewer);
    return { content: rewritePaths(translated, folders) };
  }
}
