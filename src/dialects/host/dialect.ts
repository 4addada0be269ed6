/** The dialect of a host, from its description. */
import type { Dialect, Matches } from '../../config/dialect.js';
import type { AnyEvent } from '../../events/types.js';
import type { Completion } from '../../handlers/completion.js';
import { failed, type Verdict } from '../../handlers/verdict.js';
import { readBackground } from '../background.js';
import { interpretBadExit, interpretFault } from '../fault.js';
import { interpretReturned } from '../returned.js';
import { ABILITIES, type Answer, type Host, type HostEvent, type Spelling } from './host.js';
import { hostName, toHost } from './translate.js';
import { verdictOf } from './verdict.js';

/** Matchers of some events are compared as a whole; those are a variant of the dialect. */
export type Matching = Exclude<HostEvent['matches'], 'nothing' | 'other'>;

const made = new WeakMap<Spelling, Map<Matching, Dialect>>();

export function dialectOf(host: Host, spelling: Spelling, matching: Matching = 'pattern'): Dialect {
  const variants = made.get(spelling) ?? new Map<Matching, Dialect>();
  made.set(spelling, variants);
  const known = variants.get(matching) ?? createDialect(host, spelling, matching);
  variants.set(matching, known);
  return known;
}

function createDialect(host: Host, spelling: Spelling, matching: Matching): Dialect {
  const names = Object.entries(spelling.events).map(([event, { name }]) => [event, name]);
  return Object.freeze<Dialect>({
    name: spelling.id,
    eventNames: Object.fromEntries(names),
    order: host.order,
    namesCommands: false,
    async: { waits: host.runsInBackground !== true, unitMs: 1000, defaultMs: 30_000 },
    compileMatcher: matching === 'text' ? literal : underItsName(spelling),
    lintMatcher: () => undefined,
    encode: (event, input) => toHost(spelling, event, input),
    environment({ input }) {
      const [folder, session, transcript] = ['cwd', 'session_id', 'transcript_path'].map((key) =>
        String(input[key] ?? ''),
      );
      return host.environment(folder ?? '', session ?? '', transcript);
    },
    timeout: (event) => spelling.events[event]?.timeout?.default ?? host.timeout.seconds,
    mergesForNext: (event) => spelling.events[event]?.mergesForNext === true,
    endsFire: (event, decision) => {
      if (host.firstRefusalEnds && decision === 'deny') return true;
      return spelling.events[event]?.endsAt?.some((each) => each === decision) === true;
    },
    interpret(event, completion, input) {
      return interpret(this, spelling, event, completion, input);
    },
  });
}

const literal = (pattern: string): Matches => {
  const wanted = pattern.trim();
  return (subject) => subject === wanted;
};

/** The matcher of hooks for all calls that the events of a spelling are about. */
export const ALL_COVERED = '.*';

/** A tool of ours has the name that the host has for it: a matcher that is wrong there stays wrong here. */
function underItsName(spelling: Spelling): Dialect['compileMatcher'] {
  return (pattern) => {
    const matches = pattern === ALL_COVERED ? () => true : spelling.compileMatcher(pattern);
    return (subject) => spelling.covers?.(subject) !== false && matches(hostName(spelling, subject));
  };
}

function interpret(
  dialect: Dialect,
  spelling: Spelling,
  event: AnyEvent,
  completion: Completion,
  input: Readonly<Record<string, unknown>>,
): Verdict {
  if (completion.kind === 'returned') return interpretReturned(event, completion, dialect);
  if (completion.kind === 'detached') return readBackground(completion, completion.follow, dialect.async);
  if (completion.kind !== 'exited') return interpretFault(completion);
  const own = spelling.events[event];
  if (own === undefined) return failed('invalid-output', `there is no ${event} in this dialect`);
  const answer = limited(spelling.read(completion, { event, own, input }), own);
  const verdict = verdictOf(event, answer);
  const decides = verdict.decision !== undefined || completion.exitCode === 0;
  if (decides || verdict.failure !== undefined) return verdict;
  const { failure } = interpretBadExit(completion);
  return { ...verdict, outcome: 'error', ...(failure !== undefined && { failure }) };
}

/** The host ignores what an answer cannot do on its event. */
export function limited(answer: Answer, { can, name }: HostEvent): Answer {
  const ignored = ABILITIES.filter((ability) => answer[ability] !== undefined && !can.includes(ability));
  if (ignored.length === 0) return answer;
  const kept = Object.entries(answer).filter(([key]) => !(ignored as readonly string[]).includes(key));
  const notes = ignored.map((ability) => `\`${ability}\` has no effect on ${name}`);
  return { ...Object.fromEntries(kept), notes: [...(answer.notes ?? []), ...notes] };
}
