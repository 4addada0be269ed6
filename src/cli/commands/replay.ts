/** `hookline replay`: fires a recording again at the current hooks. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HookError, messageOf } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import { rowOf } from '../../events/registry.js';
import { type Change, type Changes, compareOutcomes } from '../../testing/recording/compare.js';
import { recordedOutcome } from '../../testing/recording/entry.js';
import { type ReadFire, readRecording } from '../../testing/recording/read.js';
import { type Recorder, recordFires } from '../../testing/recording/recorder.js';
import { sampleInput } from '../../testing/samples.js';
import type { HookSession } from '../../testing/session.js';
import { verdictOf } from '../../testing/verdict.js';
import { isInconclusive, reportIncomplete } from '../check/broken.js';
import { defineCommand } from '../command.js';
import { missingHooks, missingJson, withRemoved } from '../hooks/completeness.js';
import { disposeHooks, HOOK_OPTIONS, loadHooks } from '../hooks/load.js';
import { oneLine } from '../hooks/place.js';
import { openSession } from '../hooks/session.js';
import type { Io } from '../io.js';
import type { Printer } from '../printer.js';

interface Replayed extends Partial<Changes> {
  readonly line: number;
  readonly name: string;
  /** The decision of the current hooks. */
  readonly verdict: string;
  readonly state: 'same' | 'decided differently' | 'worded differently' | 'new' | 'not fired';
}

export const command = defineCommand({
  usage: 'replay <file> [options]',
  about:
    "Fires every recorded fire again at today's hooks of this folder and shows which decisions would differ, and where only\nthe wording would. The hooks really run. Recordings come from record, fire --record, or recordFires in TypeScript.\nWhile hooks of this folder are not approved, or cannot be read, nothing is fired and the exit code is 1; --trust-workspace runs\nthem for this call.",
  args: [1, 1],
  options: {
    all: { type: 'boolean', help: 'Also show fires with the same result.' },
    json: { type: 'boolean', help: 'Print the comparison as JSON.' },
    out: { type: 'string', value: 'FILE', help: "Record today's outcomes in another file." },
    ...HOOK_OPTIONS,
  },
  exits: [
    [EXIT.ok, 'all decisions are the same'],
    [EXIT.failed, 'a decision differs, a fire failed, or hooks are not approved or cannot be read'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline replay session.jsonl', 'after changing a hook: what would now be different'],
    ['hookline replay session.jsonl --out baseline.jsonl', "today's outcomes, to compare with later"],
  ],
  async run({ args: [name = ''], options, io, cwd }) {
    const { fires, problems } = await readRecording(resolve(cwd, name));
    for (const { line, message } of problems) io.printer.note(`${name}:${line}: ${message} It is skipped.`);
    const hooks = await loadHooks(cwd, options);
    reportIncomplete(hooks, io);
    const missing = withRemoved(missingHooks(hooks), hooks);
    if (isInconclusive(missing, io, 'Nothing was fired')) {
      if (options.json) io.printer.json({ complete: false, results: [], ...missingJson(missing) });
      await disposeHooks(hooks);
      return EXIT.failed;
    }
    const session = openSession(hooks, io);
    const recorder =
      options.out === undefined ? undefined : recordFires(session.runner, resolve(cwd, options.out));
    const replayed: Replayed[] = [];
    try {
      for (const fire of fires) {
        if (io.signal.aborted) return EXIT.interrupted;
        const one = await replay(fire, session, recorder, cwd);
        replayed.push(one);
        if (!options.json && (options.all || one.state !== 'same')) showReplayed(one, io.printer);
      }
    } finally {
      await session.close();
      await recorder?.close();
    }
    if (options.json) io.printer.json({ complete: true, results: replayed });
    else showSummary(replayed, problems.length, io);
    const bad = replayed.some(({ state }) => state === 'decided differently' || state === 'not fired');
    return bad || problems.length > 0 ? EXIT.failed : EXIT.ok;
  },
});

async function replay(
  { event, input, agentId, line, outcome: was }: ReadFire,
  session: HookSession,
  recorder: Recorder | undefined,
  cwd: string,
): Promise<Replayed> {
  const { matcherField: subject } = rowOf(event);
  const name = subject === null ? event : `${event} ${oneLine(String(input[subject] ?? ''))}`;
  try {
    const fired = await session.fire(
      { event, input: sampleInput(event, cwd, withExistingCwd(input, cwd)), agentId },
      recorder,
    );
    const verdict = verdictOf(fired.outcome, fired.lateFailures).word;
    if (was === undefined) return { line, name, verdict, state: 'new' };
    const changes = compareOutcomes(was, recordedOutcome(fired.outcome));
    const words = changes.worded.length > 0 ? 'worded differently' : 'same';
    return {
      line,
      name,
      verdict,
      state: changes.decided.length > 0 ? 'decided differently' : words,
      ...changes,
    };
  } catch (error) {
    if (!(error instanceof HookError)) throw error;
    return { line, name, verdict: messageOf(error), state: 'not fired' };
  }
}

/** A recording may come from a folder that does not exist here; its hooks then run in this one. */
function withExistingCwd(input: Readonly<Record<string, unknown>>, cwd: string): object {
  return typeof input['cwd'] === 'string' && !existsSync(input['cwd']) ? { ...input, cwd } : input;
}

function showReplayed(
  { line, name, verdict, state, decided = [], worded = [] }: Replayed,
  printer: Printer,
): void {
  const { paint } = printer;
  const colour =
    state === 'same'
      ? paint.green
      : state === 'new'
        ? paint.magenta
        : state.startsWith('worded')
          ? paint.magenta
          : paint.red;
  printer.line(`${String(line).padStart(4)}  ${paint.bold(name)}  ${colour(state)}: ${verdict}`);
  for (const change of [...decided, ...worded]) showChange(change, printer);
}

function showChange({ field, was, now }: Change, { line, paint }: Printer): void {
  line(`        ${`${field}:`.padEnd(20)}was ${paint.dim(show(was))}`);
  line(`        ${' '.repeat(20)}now ${show(now)}`);
}

const SHOWN_CHARACTERS = 500;

function show(value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'nothing';
  const text = JSON.stringify(value);
  const more = text.length - SHOWN_CHARACTERS;
  return more > 0
    ? `${text.slice(0, SHOWN_CHARACTERS)}... (${more} more characters; --json shows them)`
    : text;
}

function showSummary(replayed: readonly Replayed[], skipped: number, { printer }: Io): void {
  const states = ['same', 'decided differently', 'worded differently', 'new', 'not fired'] as const;
  const counts = states.flatMap((state) => {
    const number = replayed.filter((one) => one.state === state).length;
    return number > 0 ? [`${number} ${state}`] : [];
  });
  const fires = `${replayed.length} ${replayed.length === 1 ? 'fire' : 'fires'}`;
  const lines = skipped === 0 ? '' : ` ${skipped} ${skipped === 1 ? 'line was' : 'lines were'} left out.`;
  printer.line(`${fires}: ${counts.join(', ') || 'nothing to fire'}.${lines}`);
}
