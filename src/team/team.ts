/** What the agents of one process share: the log and what it comes to, the answers, the files, and the decision. */
import { existsSync } from 'node:fs';
import { AnswerBoard } from '../injection/answer-board.js';
import type { PeerLabels } from '../injection/peer-labels.js';
import type { Workspaces } from '../integrations/workspaces/index.js';
import type { DecisionReason, TeamEvent } from './events.js';
import type { TeamLog } from './log.js';
import { recordId, type TeamRecord } from './records.js';
import { foldRecords, isCurrent, standings, type TeamState } from './state.js';

export interface TeamParts {
  readonly log: TeamLog;
  readonly workspaces: Workspaces;
  /** All agents, in the order of the file. */
  readonly agents: readonly string[];
  /** Those that run in this process. */
  readonly here: ReadonlySet<string>;
  /** An agent of another process that has not joined by then is not waited for. */
  readonly joinMs: number;
  /** An agent of another process that gave no sign of life for so long is lost. */
  readonly lostMs: number;
  emit(event: TeamEvent): void;
}

export class Team {
  readonly parts: TeamParts;
  readonly board: AnswerBoard;
  readonly #started = performance.now();
  readonly #emitted = new Set<string>();
  #state: TeamState = foldRecords([]);
  #version = -1;
  #last: Promise<void> = Promise.resolve();
  /** A reading that has not begun. */
  #next: Promise<void> | undefined;
  #failingSince: number | undefined;
  /** Set when the time of the team is over. */
  isTimedOut = false;

  constructor(parts: TeamParts) {
    this.parts = parts;
    this.board = new AnswerBoard({ labels: parts.workspaces.labels });
  }

  get labels(): PeerLabels {
    return this.board.labels;
  }

  get state(): TeamState {
    return this.#state;
  }

  /**
   * Reads the log, and writes the decision when it is due. A reading that has begun may miss what the caller has just
   * written, so it is followed by another one. Rejects when the mailbox does.
   */
  refresh(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = this.#last.then(() => {
        this.#next = undefined;
        return this.#read();
      });
      this.#last = this.#next.catch(() => {});
    }
    return this.#next;
  }

  /** As `refresh`; a server that is not available is waited for. */
  update(): Promise<void> {
    return this.parts.log.patiently(() => this.refresh());
  }

  /**
   * Resolves when the log may have changed since the last reading, and has been read. A mailbox that is unavailable is
   * asked again for a while; then it rejects.
   */
  async change(signal: AbortSignal): Promise<void> {
    await this.parts.log.changed(this.#version, signal);
    if (signal.aborted) return;
    try {
      await this.refresh();
      this.#failingSince = undefined;
    } catch (error) {
      this.#failingSince ??= performance.now();
      if (performance.now() - this.#failingSince > this.parts.joinMs) throw error;
      // The next reading must not return at once.
      this.#version = this.parts.log.version;
    }
  }

  /** Whether an agent's newest ballot was cast in the knowledge of all answers. */
  hasVoted(agentId: string): boolean {
    const ballot = this.#state.ballots.get(agentId);
    return ballot !== undefined && isCurrent(ballot, this.#state.answers);
  }

  /** The newest answers that an agent has seen, its own among them: what its ballot says about its knowledge. */
  knownTo(agentId: string): Record<string, number> {
    const own = this.#state.answers.get(agentId);
    const seen = this.board.seenBy(agentId).map(({ author, revision }) => [author, revision]);
    return Object.fromEntries([...seen, ...(own === undefined ? [] : [[agentId, own.revision]])]);
  }

  /** Whether an agent can still be expected to answer and vote. */
  isExpected(agentId: string): boolean {
    return !this.#state.left.has(agentId) && this.#lossOf(agentId) === undefined;
  }

  /** Why an agent of another process counts as lost; undefined if it does not. */
  #lossOf(agentId: string): string | undefined {
    const { here, joinMs, lostMs } = this.parts;
    if (here.has(agentId)) return undefined;
    const isAlive = this.#state.present.get(agentId);
    if (isAlive === undefined)
      return performance.now() - this.#started < joinMs
        ? undefined
        : `it has not joined within ${joinMs / 1000} s`;
    return isAlive ? undefined : `its process gave no sign of life for ${lostMs / 1000} s`;
  }

  async #read(): Promise<void> {
    const { log } = this.parts;
    this.#version = log.version;
    this.#take(await log.read());
    if (this.#state.decision !== undefined) return;
    const decision = this.#decide();
    if (decision === undefined) return;
    await log.append(decision);
    // Another process may have been first: what it wrote counts.
    this.#version = log.version;
    this.#take(await log.read());
  }

  #take(records: readonly TeamRecord[]): void {
    this.#state = foldRecords(records);
    const { workspaces } = this.parts;
    for (const { agentId, revision, content, workspace, files } of this.#state.answers.values()) {
      if (!this.parts.here.has(agentId) && files !== undefined && existsSync(files))
        workspaces.adopt({ agentId, revision, path: files });
      this.board.publish(agentId, { content, workspace }, revision);
    }
    for (const record of records) this.#emit(record);
  }

  #emit(record: TeamRecord): void {
    if (record.type === 'alive') return;
    const id = recordId(record);
    if (this.#emitted.has(id)) return;
    this.#emitted.add(id);
    if (record.type === 'decided')
      for (const [agentId, reason] of Object.entries(record.lost ?? {}))
        this.parts.emit({ type: 'left', agentId, reason });
    this.parts.emit(eventOf(record));
  }

  #decide(): Extract<TeamRecord, { type: 'decided' }> | undefined {
    const { agents } = this.parts;
    const expected = agents.filter((agentId) => this.isExpected(agentId));
    const isDone = expected.every((agentId) => this.hasVoted(agentId));
    if (!(isDone || this.isTimedOut)) return undefined;
    const reason: DecisionReason = !isDone ? 'timeout' : expected.length === 0 ? 'nobody_left' : 'votes';
    const lost = this.#lost();
    const best = standings(this.#state, agents)[0]?.answer;
    if (best === undefined) return { type: 'decided', reason, ...lost };
    const { agentId, revision } = best;
    return {
      type: 'decided',
      reason,
      ...lost,
      winner: { agentId, revision },
      ...(expected.includes(agentId) && { presenter: agentId }),
    };
  }

  #lost(): { readonly lost?: Record<string, string> } {
    const { left } = this.#state;
    const lost = this.parts.agents.flatMap((agentId) => {
      const reason = left.has(agentId) ? undefined : this.#lossOf(agentId);
      return reason === undefined ? [] : [[agentId, reason] as const];
    });
    return lost.length === 0 ? {} : { lost: Object.fromEntries(lost) };
  }
}

function eventOf(record: Exclude<TeamRecord, { type: 'alive' }>): TeamEvent {
  switch (record.type) {
    case 'joined':
      return { type: 'joined', agentId: record.agentId };
    case 'left':
      return { type: 'left', agentId: record.agentId, reason: record.reason };
    case 'answer': {
      const { agentId, revision, content, files } = record;
      return { type: 'answer', agentId, revision, content, files };
    }
    case 'vote':
      return { type: 'vote', agentId: record.agentId, for: record.for, reason: record.reason };
    case 'passed':
      return { type: 'passed', agentId: record.agentId, reason: record.reason };
    case 'decided':
      return { type: 'decided', winner: record.winner, reason: record.reason };
    case 'presented':
      return record;
  }
}
