/** One agent of a team: works round by round, until it has voted in the knowledge of all answers. */
import { randomUUID } from 'node:crypto';
import { AgentLoop, type Run } from '../agent/loop/agent-loop.js';
import type { ResultMessage } from '../agent/loop/messages.js';
import type { AgentLoopOptions } from '../agent/loop/options.js';
import type { Model } from '../agent/models/port.js';
import type { Tool } from '../agent/tools/tool.js';
import type { Mailbox } from '../injection/port.js';
import type { Runner } from '../runner/runner.js';
import type { Team } from './team.js';
import { presentationPrompt, REMIND_TO_END, REMIND_TO_VOTE, roundPrompt, type ShownAnswer } from './texts.js';
import { roundTools } from './tools.js';
import type { WiredAgent } from './wire.js';

export interface MemberParts {
  readonly team: Team;
  readonly agentId: string;
  readonly question: string;
  readonly model: Model;
  readonly runner: Runner;
  readonly wired: WiredAgent;
  readonly mailbox: Mailbox;
  readonly workspace: string;
  /** Its tools besides those that end a round. */
  readonly tools: readonly Tool[];
  readonly loop: Omit<AgentLoopOptions, 'model' | 'tools' | 'hooks' | 'mailbox' | 'agentId' | 'cwd'>;
  readonly maxAnswers: number;
  readonly maxAnswerLength: number;
  readonly signal: AbortSignal;
  /** Shows a run to those who watch. */
  follow(run: Run): Run;
}

/** How often an agent that ends its turn without an answer or a vote is asked for one. */
const MAX_REMINDERS = 3;

interface Round {
  readonly isVoteOnly: boolean;
  loop: AgentLoop | undefined;
  reminders: number;
  /** An answer or a vote was accepted. */
  isOver: boolean;
  /** A new answer needs a new round: the choices of this one are fixed. */
  isOutdated: boolean;
}

export class Member {
  /** New whenever the agent is started, so that a killed run and the next one can be distinguished. */
  readonly run = randomUUID();
  readonly #parts: MemberParts;
  #round: Round | undefined;
  #rounds = 0;

  constructor(parts: MemberParts) {
    this.#parts = parts;
    const { runner, team } = parts;
    runner.on('PostToolUse', { name: 'end-of-round', matcher: 'new_answer|vote', protected: true }, () =>
      this.#round?.isOver ? { continue: false, stopReason: 'The round is over.' } : undefined,
    );
    runner.on('Stop', { name: 'end-of-round', protected: true }, () => {
      const round = this.#round;
      if (round === undefined || round.isOver || round.isOutdated) return undefined;
      if (team.state.decision !== undefined || round.reminders >= MAX_REMINDERS) return undefined;
      round.reminders += 1;
      return { decision: 'block', reason: round.isVoteOnly ? REMIND_TO_VOTE : REMIND_TO_END };
    });
  }

  get agentId(): string {
    return this.#parts.agentId;
  }

  /** For `peers.isVoteOnly`: no answers are delivered into a round that can only vote, or that is over. */
  readonly takesNoUpdates = (): boolean => {
    const round = this.#round;
    return round === undefined || round.isVoteOnly || round.isOver;
  };

  /** Works until there is a decision, or the agent cannot go on. Rejects when the mailbox does. */
  async work(): Promise<void> {
    const { team, signal } = this.#parts;
    const { log } = team.parts;
    await log.append({ type: 'joined', agentId: this.agentId, run: this.run });
    await team.update();
    while (team.state.decision === undefined && !signal.aborted) {
      if (team.hasVoted(this.agentId)) {
        await team.change(signal);
        continue;
      }
      const problem = await this.#work();
      if (problem !== undefined && team.state.decision === undefined) {
        await log.append({ type: 'left', agentId: this.agentId, run: this.run, reason: problem });
        await team.update();
        return;
      }
    }
  }

  /** Called when the log has changed: a round whose choices are fixed restarts with the new answers. */
  noteChange(): void {
    const round = this.#round;
    if (round === undefined) return;
    const { team } = this.#parts;
    if (round.isVoteOnly && !round.isOver && team.board.unseenBy(this.agentId).length > 0)
      round.isOutdated = true;
    if (round.isOutdated || team.state.decision !== undefined) round.loop?.interrupt();
  }

  /** Presents the winning answer. Undefined if the model failed. */
  async present(): Promise<string | undefined> {
    const { team, question, signal } = this.#parts;
    const own = team.state.answers.get(this.agentId);
    if (own === undefined) return undefined;
    const votes = [...team.state.ballots.values()].flatMap((ballot) =>
      ballot.type === 'vote' && ballot.for.agentId === this.agentId ? [ballot] : [],
    );
    this.#round = undefined;
    const result = await this.#run(presentationPrompt(question, own.content, votes), [], signal);
    return result.is_error || result.result.trim() === '' ? undefined : result.result;
  }

  /** One round. Returns why the agent cannot go on. */
  async #work(): Promise<string | undefined> {
    const { team, wired, maxAnswers, signal, question } = this.#parts;
    const isVoteOnly = (team.state.answers.get(this.agentId)?.revision ?? 0) >= maxAnswers;
    const round: Round = { isVoteOnly, loop: undefined, reminders: 0, isOver: false, isOutdated: false };
    this.#round = round;
    this.#rounds += 1;
    const { agentId } = this;
    team.parts.emit({ type: 'round', agentId, round: this.#rounds, isVoteOnly });
    await wired.beginRound(agentId, { isFresh: true, signal });
    const answers = this.#shownAnswers();
    const tools = roundTools({
      choices: answers.map(({ label }) => label.split('.')[0] ?? label),
      answer: isVoteOnly ? undefined : (content) => this.#answer(content),
      vote: (name, reason) => this.#vote(name, reason),
    });
    const result = await this.#run(roundPrompt(question, answers, isVoteOnly), tools, signal, round);
    if (round.isOver || round.isOutdated || signal.aborted || team.state.decision !== undefined)
      return undefined;
    if (result.is_error) return result.errors?.[0] ?? result.terminal_reason;
    // A model that only talks has answered all the same.
    if (!isVoteOnly && !team.state.answers.has(agentId) && result.result.trim() !== '')
      if ((await this.#answer(result.result)) === undefined) return undefined;
    await this.#pass(result.hook_stop_reason ?? 'it ended its round without an answer or a vote');
    return undefined;
  }

  async #run(
    prompt: string,
    ends: readonly Tool[],
    signal: AbortSignal,
    round?: Round,
  ): Promise<ResultMessage> {
    const { model, tools, wired, loop: options, workspace, follow } = this.#parts;
    const loop = new AgentLoop({
      ...options,
      ...wired.loop,
      ...(options.systemPrompt !== undefined && { systemPrompt: options.systemPrompt }),
      cwd: workspace,
      model,
      tools: [...tools, ...ends],
    });
    if (round !== undefined) round.loop = loop;
    try {
      const run = follow(loop.run(prompt, { signal }));
      for (;;) {
        const step = await run.next();
        if (step.done) return step.value;
      }
    } finally {
      await loop.close();
    }
  }

  /** The answers that the agent knows at the start of a round, its own among them, oldest first. */
  #shownAnswers(): readonly ShownAnswer[] {
    const { board, labels, state } = this.#parts.team;
    const own = state.answers.get(this.agentId);
    const peers = board
      .seenBy(this.agentId)
      .toReversed()
      .map(({ label, content }) => ({ label, content, isOwn: false }));
    if (own === undefined) return peers;
    const label = labels.labelOf(this.agentId, this.agentId, own.revision);
    return [...peers, { label, content: own.content, isOwn: true }];
  }

  async #answer(content: string): Promise<string | undefined> {
    const { team, workspace, maxAnswers, maxAnswerLength } = this.#parts;
    const { agentId } = this;
    await team.update();
    const own = team.state.answers.get(agentId);
    const revision = (own?.revision ?? 0) + 1;
    if (team.state.decision !== undefined) return 'The team has decided: no further answers are taken.';
    if (this.#round?.isOver) return 'You have ended this round already.';
    if (revision > maxAnswers) return `You have handed in ${maxAnswers} answers, which is the limit. Vote.`;
    if (own?.content === content)
      return 'You have handed in exactly this answer before. Improve it, or vote.';
    if (content.length > maxAnswerLength)
      return `The answer has ${content.length} characters, and the limit is ${maxAnswerLength}. Put the details into files of your working directory and name them.`;
    const { path } = await team.parts.workspaces.snapshot(agentId, { revision });
    const record = { type: 'answer', agentId, revision, content, workspace, files: path } as const;
    if (!(await team.parts.log.append(record)))
      return 'Another process hands in answers in the name of this agent. Nothing was changed.';
    if (this.#round !== undefined) this.#round.isOver = true;
    await team.update();
    return undefined;
  }

  async #vote(name: string, reason: string): Promise<string | undefined> {
    const { team, mailbox } = this.#parts;
    const { agentId } = this;
    await team.update();
    if (team.state.decision !== undefined) return 'The team has decided: no further votes are taken.';
    if (this.#round?.isOver) return 'You have ended this round already.';
    const waiting = await team.parts.log.patiently(() => mailbox.pending(agentId));
    if (waiting.some(({ source }) => source.kind === 'peer'))
      return 'A new answer has arrived and comes with this result. Read it, then vote.';
    const known = team.knownTo(agentId);
    const chosen = team.labels.resolve(agentId, name.trim());
    // An agent may be called `constructor`.
    const isKnown = chosen !== undefined && Object.hasOwn(known, chosen.agentId);
    const revision = isKnown ? known[chosen.agentId] : undefined;
    if (chosen === undefined || revision === undefined) {
      const names = Object.keys(known).map((author) => team.labels.nameOf(agentId, author));
      return `There is no answer of ${name}. Answers you know: ${names.sort().join(', ') || 'none yet'}.`;
    }
    if (chosen.revision !== undefined && chosen.revision !== revision)
      return `${name} is not the newest answer of its author. Vote for ${team.labels.labelOf(agentId, chosen.agentId, revision)}, or for another one.`;
    const choice = { agentId: chosen.agentId, revision };
    await this.#cast({ type: 'vote', agentId, number: this.#nextBallot(), for: choice, reason, known });
    if (this.#round !== undefined) this.#round.isOver = true;
    return undefined;
  }

  async #pass(reason: string): Promise<void> {
    const { team } = this.#parts;
    // It has had its chance with everything that there was, whatever was delivered.
    const known = Object.fromEntries(
      [...team.state.answers.values()].map(({ agentId, revision }) => [agentId, revision]),
    );
    await this.#cast({ type: 'passed', agentId: this.agentId, number: this.#nextBallot(), reason, known });
  }

  #nextBallot(): number {
    return (this.#parts.team.state.ballots.get(this.agentId)?.number ?? 0) + 1;
  }

  async #cast(record: Parameters<Team['parts']['log']['append']>[0]): Promise<void> {
    const { team } = this.#parts;
    await team.parts.log.append(record);
    await team.update();
  }
}
