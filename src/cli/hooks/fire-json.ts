/** A fire for programs: everything of the outcome that is data, and where each hook is written. */
import type { Diagnostic } from '../../config/loaded.js';
import type { HookEntry } from './load.js';
import type { Fired } from './session.js';
import { verdictOf } from './verdict.js';

export function fireJson(
  fired: Fired,
  inactive: readonly HookEntry[],
  broken: readonly Diagnostic[],
): Readonly<Record<string, unknown>> {
  const { event, input, outcome, ran, late } = fired;
  const { word, exit } = verdictOf(outcome, fired.lateFailures, broken.length > 0);
  const { pending, results: _, ...said } = outcome;
  return {
    verdict: word,
    exit,
    ...said,
    event,
    input,
    results: ran.map(({ hook, result }) => ({
      ...result,
      ...(hook !== undefined && { description: hook.description, source: hook.source }),
    })),
    background: pending.map(({ hookId }) => hookId),
    late,
    inactive: inactive.map(({ hook }) => ({
      ...hook.inactive,
      description: hook.description,
      source: hook.source,
    })),
    broken: broken.map(({ code, message, source }) => ({ code, message, source })),
  };
}
