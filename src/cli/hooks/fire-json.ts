/** A fire for programs: all data of the outcome, and where each hook is defined. */

import type { Fired } from '../../testing/session.js';
import { verdictOf, wordOf } from '../../testing/verdict.js';
import { type Missing, missingJson } from './completeness.js';
import type { HookEntry } from './load.js';

export function fireJson(
  fired: Fired,
  inactive: readonly HookEntry[],
  missing: Missing,
): Readonly<Record<string, unknown>> {
  const { event, input, outcome, ran, late } = fired;
  const { word, exit } = verdictOf(outcome, fired.lateFailures, missing.reason);
  const { pending, results: _, ...said } = outcome;
  return {
    verdict: word,
    exit,
    complete: missing.reason === undefined,
    ...said,
    event,
    input,
    results: ran.map(({ hook, result }) => ({
      verdict: wordOf(result),
      ...result,
      ...(hook !== undefined && { description: hook.description, source: hook.source }),
    })),
    background: pending.map(({ hookId }) => hookId),
    late,
    ...missingJson({ ...missing, hooks: [...new Set([...inactive, ...missing.hooks])] }),
  };
}
