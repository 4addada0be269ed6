/** Everything about one fire, for the page that shows it. */
import { HookError } from '../base/errors.js';
import type { FireInput } from '../events/types.js';
import type { Explanation } from '../runner/explain.js';
import { hookTestOf, SESSION_FIELDS } from '../testing/hook-tests/from-fire.js';
import { type CheckedFire, readLine } from '../testing/recording/read.js';
import { type Rewrite, readable, rewritesOf } from '../testing/rewrites.js';
import type { ArchivedFire } from './archive.js';
import type { WatchedRunner } from './observe-fires.js';
import { cut, MAX_LENGTHS, showPlace } from './show.js';

export interface FireDetails {
  readonly input: string;
  readonly rewrites: readonly Rewrite[];
  /** The hooks of the event that did not run, as of now; undefined if the runner cannot explain. */
  readonly left: readonly LeftHook[] | undefined;
  /** A hook test, as YAML. */
  readonly test: string;
  readonly canFire: boolean;
}

interface LeftHook {
  readonly name: string;
  readonly place?: string;
  readonly why: string;
}

const MAX_LINES = 2000;

export function detailsOf(fire: ArchivedFire, runner: WatchedRunner | undefined, cwd: string): FireDetails {
  const recorded = recordedFire(fire);
  const { event, input, outcome = {} } = recorded;
  return {
    input: cut(readable(ownFirst(input)), MAX_LENGTHS.text),
    rewrites: rewritesOf({ event, input, outcome }).map(shorten),
    left: leftHooks(explain(runner, recorded), cwd),
    test: hookTestOf(recorded),
    canFire: runner?.fire !== undefined,
  };
}

/** What the event is about comes before the session. */
function ownFirst(input: CheckedFire['input']): CheckedFire['input'] {
  const fields = Object.entries(input);
  const isOfSession = ([field]: [string, unknown]): boolean => SESSION_FIELDS.has(field);
  return Object.fromEntries([
    ...fields.filter((field) => !isOfSession(field)),
    ...fields.filter(isOfSession),
  ]);
}

export function recordedFire({ line }: ArchivedFire): CheckedFire {
  const read = readLine(line);
  if (typeof read === 'string') throw new HookError('invalid_input', `The fire cannot be shown. ${read}`);
  return read;
}

function shorten({ field, hunks }: Rewrite): Rewrite {
  let left = MAX_LINES;
  return {
    field,
    hunks: hunks.flatMap(({ lines, ...place }) => {
      const shown = lines.slice(0, left).map((line) => cut(line, MAX_LENGTHS.input));
      left -= shown.length;
      return shown.length === 0 ? [] : [{ ...place, lines: shown }];
    }),
  };
}

function explain(
  runner: WatchedRunner | undefined,
  { event, input, agentId }: CheckedFire,
): Explanation | undefined {
  try {
    return runner?.explain?.(event, input as Partial<FireInput<typeof event>>, { agentId });
  } catch {
    // The runner was disposed meanwhile.
    return undefined;
  }
}

/** Reasons whose message needs no title. */
const SAYS_ALL: ReadonlySet<string> = new Set(['matcher', 'condition', 'duplicate']);

function leftHooks(explanation: Explanation | undefined, cwd: string): FireDetails['left'] {
  return explanation?.hooks
    .filter(({ runs }) => !runs)
    .map(({ description, source, why, message }) => ({
      name: cut(description, MAX_LENGTHS.name),
      ...(source !== undefined && { place: showPlace(source, cwd) }),
      why: cut(SAYS_ALL.has(why ?? '') ? (message ?? '') : `${why}: ${message}`, MAX_LENGTHS.input),
    }));
}
