/** Agents work side by side; answers travel to the others in the middle of their work; who lives votes. */
import { readdirSync } from 'node:fs';
import type { Mailbox } from 'hookline/injection';
import type { Workspaces } from './library.js';
import { until } from './mailboxes.js';
import { ORCHESTRATOR, type Report, readReport } from './reports.js';
import type { RunningAgent } from './team.js';
import type { Timeline } from './timeline.js';

interface Answer {
  readonly author: string;
  readonly revision: number;
  readonly content: string;
  /** When it was given, in the timeline. */
  readonly at: number;
}

interface Member {
  readonly agentId: string;
  readonly running: RunningAgent;
  isAlive: boolean;
  hasEnded: boolean;
  /** In the middle of a tool, since then: now it can be told something. */
  workingSince: number | undefined;
  vote: Answer | undefined;
}

const isExpectedToVote = ({ isAlive, vote }: Member): boolean => isAlive && vote === undefined;

export interface Council {
  readonly mailbox: Mailbox;
  readonly workspaces: Workspaces;
  readonly timeline: Timeline;
  /** The one that is killed as soon as something waits for it. */
  readonly victim: string;
}

export class Orchestrator {
  readonly #council: Council;
  readonly #members: readonly Member[];
  readonly #answers: Answer[] = [];
  /** Those that nobody has been told of yet. */
  readonly #waiting: Answer[] = [];
  /** The items with answers, by id: for whom they are. */
  readonly #sent = new Map<string, string>();

  constructor(council: Council, agents: Readonly<Record<string, RunningAgent>>) {
    this.#council = council;
    this.#members = Object.entries(agents).map(([agentId, running]) => ({
      agentId,
      running,
      isAlive: true,
      hasEnded: false,
      workingSince: undefined,
      vote: undefined,
    }));
    for (const { agentId } of this.#members) council.timeline.note(agentId, 'starts');
  }

  /** Until everybody who lives has voted. Returns the winner. */
  async run(): Promise<Answer> {
    const failed = new AbortController();
    for (const member of this.#members) {
      const note = (): void => {
        member.hasEnded = true;
      };
      member.running.ended.then(note, (error: unknown) => failed.abort(error));
    }
    while (this.#members.some(isExpectedToVote)) {
      const lease = await this.#nextReport(failed.signal);
      for (const item of lease.items) await this.#handle(readReport(item));
      await lease.acknowledge();
      // Whoever ends has been heard to the end: every report waits until it has been dealt with.
      for (const member of this.#members.filter((each) => each.hasEnded && isExpectedToVote(each))) {
        member.isAlive = false;
        this.#council.timeline.note(member.agentId, 'ends without a vote');
      }
    }
    await Promise.all(this.#members.map(({ running }) => running.ended));
    return this.#count();
  }

  /** How every answer that was sent has ended. */
  async fates(): Promise<readonly string[]> {
    const fates = [...this.#sent].map(async ([id, agentId]) => {
      const state = (await this.#council.mailbox.status(id))?.[agentId];
      return `${id}: ${state}`;
    });
    return (await Promise.all(fates)).sort();
  }

  async #nextReport(signal: AbortSignal) {
    const { mailbox } = this.#council;
    const isOver = (member: Member): boolean => member.hasEnded && isExpectedToVote(member);
    await until(
      async () => this.#members.some(isOver) || (await mailbox.pending(ORCHESTRATOR)).length > 0,
      signal,
    );
    return mailbox.take({ agentId: ORCHESTRATOR, limit: 1 });
  }

  async #handle(told: Report): Promise<void> {
    const member = this.#members.find(({ agentId }) => agentId === told.agentId);
    if (member === undefined || !member.isAlive) return;
    if (told.type === 'answer') return this.#takeAnswer(member, told.content);
    if (told.type === 'vote') return this.#takeVote(member, told.label);
    member.workingSince = this.#council.timeline.note(member.agentId, told.what);
    await this.#tellAll();
  }

  async #takeAnswer({ agentId: author }: Member, content: string): Promise<void> {
    const { workspaces, timeline } = this.#council;
    const { revision, leftOut } = await workspaces.snapshot(author);
    const secrets = leftOut.map(({ path, reason }) => `${path} stays behind, ${reason}`).join(', ');
    const at = timeline.note(author, `hands in an answer${secrets && ` (${secrets})`}`);
    const answer = { author, revision, content, at };
    this.#answers.push(answer);
    this.#waiting.push(answer);
    await this.#tellAll();
  }

  #takeVote(member: Member, label: string): void {
    const { workspaces, timeline } = this.#council;
    const meant = workspaces.labels.resolve(member.agentId, label);
    member.vote = this.#answers.find(
      ({ author, revision }) => author === meant?.agentId && revision === meant.revision,
    );
    timeline.note(member.agentId, `votes for ${label}, which is ${member.vote?.author}'s`);
  }

  /** When everybody is in the middle of a tool: so all hear the same in the same order, however slow somebody is. */
  async #tellAll(): Promise<void> {
    for (let answer = this.#waiting[0]; answer !== undefined; answer = this.#waiting[0]) {
      const { author } = answer;
      const audience = this.#members.filter((each) => isExpectedToVote(each) && each.agentId !== author);
      if (audience.some(({ workingSince }) => workingSince === undefined)) return;
      this.#waiting.shift();
      for (const member of audience) await this.#tell(member, answer);
    }
  }

  /** It comes with the result of the tool. */
  async #tell(member: Member, { author, revision, content, at }: Answer): Promise<void> {
    const { mailbox, workspaces, timeline, victim } = this.#council;
    const { agentId, workingSince = 0 } = member;
    const { label, path } = await workspaces.share(author, agentId);
    const files = readdirSync(path).join(', ');
    timeline.note(agentId, `is sent ${author}'s answer as ${label}, with ${files}`, at, workingSince);
    member.workingSince = undefined;
    const id = `${author}.${revision} for ${agentId}`;
    this.#sent.set(id, agentId);
    await mailbox.put({
      id,
      content: `${label}: ${workspaces.readableFor(content, author, agentId)}`,
      to: agentId,
      source: { kind: 'peer', label: workspaces.labels.nameOf(agentId, author) },
    });
    if (agentId === victim) await this.#kill(member);
  }

  async #kill(member: Member): Promise<void> {
    const { mailbox, timeline } = this.#council;
    const { agentId, running } = member;
    running.kill();
    const how = await running.ended;
    member.isAlive = false;
    timeline.note(agentId, `is ${how} in the middle of its work`);
    const carried = await mailbox.carryOver(agentId);
    for (const { id } of carried) timeline.note(agentId, `was never told of ${id}: it is carried over`);
  }

  #count(): Answer {
    const votes = this.#members.flatMap(({ vote }) => vote ?? []);
    const countOf = (answer: Answer): number => votes.filter((vote) => vote === answer).length;
    const [winner] = this.#answers.toSorted((a, b) => countOf(b) - countOf(a) || a.at - b.at);
    if (winner === undefined) throw new Error('Nobody has handed in an answer.');
    return winner;
  }
}
