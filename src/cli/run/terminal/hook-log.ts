/** Remembers what the hooks of a session did, for `/hooks` and for the lines of the view. */
import type { Source } from '../../../config/loaded.js';
import type { ObservableRunner } from '../../../runner/hook-runner.js';
import type { HookResult } from '../../../runner/outcome.js';
import { wordOf } from '../../../testing/verdict.js';

export interface HookRuns {
  readonly runs: number;
  readonly failures: number;
  readonly denials: number;
  /** How the last run ended: `denied`, `failed` … */
  readonly last: ReturnType<typeof wordOf>;
  readonly lastMs: number;
}

export interface HookLog {
  /** Returns a hook's result once, after its response. */
  take(hookId: string): HookResult | undefined;
  runsOf(source: Source): HookRuns | undefined;
  stop(): void;
}

/** Drops old results that are never taken, such as those of hooks that run at the end of a session. */
const MAX_KEPT = 1000;

export function logHooks(runner: ObservableRunner): HookLog {
  const results = new Map<string, HookResult>();
  const runs = new Map<string, HookRuns>();
  const stop = runner.observe(() => {
    const sources = new Map<string, Source>();
    return {
      within: (hook, run) => {
        if (hook.origin !== undefined) sources.set(hook.id, hook.origin.source);
        return run();
      },
      message: (message, result) => {
        if (result === undefined) return;
        results.set(message.hook_id, result);
        const [oldest = ''] = results.keys();
        if (results.size > MAX_KEPT) results.delete(oldest);
        const source = sources.get(message.hook_id);
        if (source !== undefined) runs.set(keyOf(source), after(runs.get(keyOf(source)), result));
      },
    };
  });
  return {
    take: (hookId) => {
      const result = results.get(hookId);
      results.delete(hookId);
      return result;
    },
    runsOf: (source) => runs.get(keyOf(source)),
    stop,
  };
}

const keyOf = ({ file, line, column }: Source): string => `${file}:${line}:${column}`;

function after(before: HookRuns | undefined, result: HookResult): HookRuns {
  return {
    runs: (before?.runs ?? 0) + 1,
    failures: (before?.failures ?? 0) + (result.failure === undefined ? 0 : 1),
    denials: (before?.denials ?? 0) + (wordOf(result) === 'denied' ? 1 : 0),
    last: wordOf(result),
    lastMs: result.durationMs,
  };
}
