/** Keeps the results of hooks for the view: messages say how a hook ended, not what it decided. */
import type { ObservableRunner } from '../../../runner/hook-runner.js';
import type { HookResult } from '../../../runner/outcome.js';

export interface HookResults {
  /** Returns a hook's result once, after its response. */
  take(hookId: string): HookResult | undefined;
  stop(): void;
}

/** Drops old results that are never taken, such as those of hooks that run at the end of a session. */
const MAX_KEPT = 1000;

export function keepHookResults(runner: ObservableRunner): HookResults {
  const kept = new Map<string, HookResult>();
  const stop = runner.observe(() => ({
    message(message, result) {
      if (result === undefined) return;
      kept.set(message.hook_id, result);
      const [oldest = ''] = kept.keys();
      if (kept.size > MAX_KEPT) kept.delete(oldest);
    },
  }));
  return {
    take(hookId) {
      const result = kept.get(hookId);
      kept.delete(hookId);
      return result;
    },
    stop,
  };
}
