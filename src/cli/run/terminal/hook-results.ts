/** What hooks came to, for a view that is told of them by messages: those say how a hook ended, not what it decided. */
import type { ObservableRunner } from '../../../runner/hook-runner.js';
import type { HookResult } from '../../../runner/outcome.js';

export interface HookResults {
  /** Once for each hook, from its response on. */
  take(hookId: string): HookResult | undefined;
  stop(): void;
}

/** Results that nobody takes, such as those of hooks that end a session, do not pile up. */
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
