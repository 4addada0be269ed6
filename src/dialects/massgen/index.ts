/** The dialect of MassGen's YAML: HookEvent in, HookResult out, one hook after another until one denies. */

import { escapeControls } from '../../base/json/escape-controls.js';
import { plainCopy } from '../../base/json/plain-copy.js';
import { readJsonObject } from '../../base/json/read-json.js';
import type { Dialect } from '../../config/dialect.js';
import { canPrevent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { DEFAULT_TIMEOUTS } from '../../handlers/default-timeouts.js';
import { failed, NO_OPINION, type Verdict } from '../../handlers/verdict.js';
import { noteDropped } from '../answer.js';
import { readBackground } from '../background.js';
import { type Exit, interpretBadExit, interpretFault } from '../fault.js';
import { lintMatcher } from '../hookline/matcher.js';
import { encodeHookEvent, massgenEnvironment } from './event.js';
import { compileMatcher } from './matcher.js';
import { readResult, TOO_LATE } from './result.js';

export const massgen: Dialect = Object.freeze<Dialect>({
  name: 'massgen',
  order: 'sequential',
  namesCommands: true,
  async: { waits: true, unitMs: 1000, defaultMs: 30_000 },
  compileMatcher,
  lintMatcher,
  timeout: () => DEFAULT_TIMEOUTS.massgen,
  encode: encodeHookEvent,
  environment: massgenEnvironment,
  endsFire: (event, decision) => decision === 'deny' && canPrevent(event),
  interpret(event, completion) {
    if (completion.kind === 'returned') return interpretReturned(event, completion.output);
    if (completion.kind === 'exited') return deniesIfMissing(event, interpretExit(event, completion));
    if (completion.kind === 'detached') {
      return readBackground(completion, completion.follow, this.async);
    }
    return deniesIfMissing(event, interpretFault(completion));
  },
});

function interpretReturned(event: AnyEvent, output: unknown): Verdict {
  if (output === undefined || output === null) return NO_OPINION;
  if (typeof output !== 'object' || Array.isArray(output)) {
    const kind = Array.isArray(output) ? 'a list' : `the ${typeof output} ${JSON.stringify(output)}`;
    return failed('invalid-output', `it returned ${kind}; return a HookResult, a dictionary or nothing`);
  }
  const copied = plainCopy(output);
  if (!copied.ok) return failed('invalid-output', `its answer cannot be used: ${copied.problem}`);
  return noteDropped(readResult(event, copied.value as Readonly<Record<string, unknown>>), copied.dropped);
}

/** Exit 0: stdout is read. Exit 2: a refusal, regardless of stdout. Anything else: a failure. */
function interpretExit(event: AnyEvent, exit: Exit): Verdict {
  if (exit.exitCode === 2) return refusal(event, exit.stderr);
  if (exit.exitCode !== 0) return interpretBadExit(exit);
  if (exit.stdout.trim() === '') return NO_OPINION;
  const read = readJsonObject(exit.stdout);
  if (!read.ok) return failed('invalid-output', read.problem);
  return noteDropped(readResult(event, read.value), read.dropped);
}

function refusal(event: AnyEvent, stderr: string): Verdict {
  const said = escapeControls(stderr.trim());
  const reason = said === '' ? 'The hook refused without giving a reason' : said;
  const verdict: Verdict = { outcome: 'error', decision: 'deny', reason };
  return canPrevent(event) ? verdict : { ...verdict, notes: [TOO_LATE] };
}

/** A handler that does not exist is a mistake in the configuration, and always refuses, even without `fail_closed`. */
function deniesIfMissing(event: AnyEvent, verdict: Verdict): Verdict {
  if (verdict.failure?.kind !== 'failed-to-start' || !canPrevent(event)) return verdict;
  return { ...verdict, decision: 'deny', reason: `The hook cannot run: ${verdict.failure.message}` };
}
