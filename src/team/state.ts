/** What the records of a team come to: pure, and the same in every process, whatever the order of the records. */
import type { RecordOf, TeamRecord } from './records.js';

export type AnswerRecord = RecordOf<'answer'>;
export type Ballot = RecordOf<'vote'> | RecordOf<'passed'>;

export interface TeamState {
  /** The newest answer of each agent. */
  readonly answers: ReadonlyMap<string, AnswerRecord>;
  /** The newest ballot of each agent. */
  readonly ballots: ReadonlyMap<string, Ballot>;
  readonly decision: RecordOf<'decided'> | undefined;
  readonly presentation: RecordOf<'presented'> | undefined;
  /** Why an agent left; absent while one of its runs has not left. */
  readonly left: ReadonlyMap<string, string>;
  /** Agents with a run that has not left, by agent: whether one of these runs is known to be alive. */
  readonly present: ReadonlyMap<string, boolean>;
}

/** Records that contradict each other: the newer one counts, and of the same age the one that was read first. */
export function foldRecords(records: readonly TeamRecord[]): TeamState {
  const answers = new Map<string, AnswerRecord>();
  const ballots = new Map<string, Ballot>();
  const left = new Map<string, string>();
  const gone = new Set<string>();
  const alive = new Set<string>();
  const joined = new Map<string, string[]>();
  let decision: RecordOf<'decided'> | undefined;
  let presentation: RecordOf<'presented'> | undefined;
  for (const record of records) {
    if (record.type === 'answer') keepNewer(answers, record, record.revision, (old) => old.revision);
    if (record.type === 'vote' || record.type === 'passed')
      keepNewer(ballots, record, record.number, (old) => old.number);
    if (record.type === 'joined')
      joined.set(record.agentId, [...(joined.get(record.agentId) ?? []), record.run]);
    if (record.type === 'alive') alive.add(record.run);
    if (record.type === 'left') {
      gone.add(record.run);
      left.set(record.agentId, record.reason);
    }
    if (record.type === 'decided') decision ??= record;
    if (record.type === 'presented') presentation ??= record;
  }
  const present = new Map<string, boolean>();
  for (const [agentId, runs] of joined) {
    const staying = runs.filter((run) => !gone.has(run));
    if (staying.length === 0) continue;
    left.delete(agentId);
    present.set(
      agentId,
      staying.some((run) => alive.has(run)),
    );
  }
  return { answers, ballots, decision, presentation, left, present };
}

function keepNewer<T extends { readonly agentId: string }>(
  map: Map<string, T>,
  record: T,
  age: number,
  ageOf: (old: T) => number,
): void {
  const old = map.get(record.agentId);
  if (old === undefined || age > ageOf(old)) map.set(record.agentId, record);
}

/** Whether a ballot was cast in the knowledge of all answers. A newer answer makes every older ballot void. */
export function isCurrent({ known }: Ballot, answers: ReadonlyMap<string, AnswerRecord>): boolean {
  return [...answers.values()].every(
    ({ agentId, revision }) => (Object.hasOwn(known, agentId) ? (known[agentId] ?? 0) : 0) >= revision,
  );
}

/** Votes for the newest answer of an agent. */
export interface Standing {
  readonly answer: AnswerRecord;
  /** Votes that count. */
  readonly votes: number;
  /** Votes for this answer that a newer answer of another agent has made void. */
  readonly voidVotes: number;
}

/** Best first. Votes decide, then void votes, then the order of the agents in the file. */
export function standings(
  { answers, ballots }: Pick<TeamState, 'answers' | 'ballots'>,
  order: readonly string[],
): readonly Standing[] {
  const place = (agentId: string): number => {
    const at = order.indexOf(agentId);
    return at < 0 ? order.length : at;
  };
  const votes = [...ballots.values()].filter((ballot) => ballot.type === 'vote');
  return [...answers.values()]
    .map((answer): Standing => {
      const own = votes.filter(
        ({ for: { agentId, revision } }) => agentId === answer.agentId && revision === answer.revision,
      );
      const counted = own.filter((vote) => isCurrent(vote, answers)).length;
      return { answer, votes: counted, voidVotes: own.length - counted };
    })
    .sort(
      (a, b) =>
        b.votes - a.votes || b.voidVotes - a.voidVotes || place(a.answer.agentId) - place(b.answer.agentId),
    );
}
