/** Reports the hooks of a run that could have refused and failed instead, so that no guard is off without a word. */
import type { Source } from '../../config/loaded.js';
import { canPrevent } from '../../events/registry.js';
import type { ObservableRunner } from '../../runner/hook-runner.js';
import { oneLine, shortPlace } from '../hooks/place.js';

interface Failed {
  readonly event: string;
  readonly description: string;
  readonly source: Source;
  readonly message: string;
  readonly times: number;
}

/** Returns the report for the end of the run; undefined if no such hook has failed. */
export function followFailures(runner: ObservableRunner, cwd: string): () => string | undefined {
  const failed = new Map<string, Failed>();
  runner.observe(({ event }) => {
    if (!canPrevent(event)) return undefined;
    const origins = new Map<string, Pick<Failed, 'description' | 'source'>>();
    return {
      within: (hook, run) => {
        if (hook.origin !== undefined) origins.set(hook.id, hook.origin);
        return run();
      },
      message: ({ hook_id }, result) => {
        const origin = origins.get(hook_id);
        if (origin === undefined || result?.failure === undefined || result.failure.blocked) return;
        const key = `${event} ${shortPlace(origin.source, cwd)} ${origin.description}`;
        const times = (failed.get(key)?.times ?? 0) + 1;
        failed.set(key, { ...origin, event, message: result.failure.message, times });
      },
    };
  });
  return () => (failed.size === 0 ? undefined : report([...failed.values()], cwd));
}

function report(failed: readonly Failed[], cwd: string): string {
  const lines = failed.map(({ event, description, source, message, times }) => {
    const often = times === 1 ? '' : ` (${times} times)`;
    return `  ${shortPlace(source, cwd)}  ${event}  ${oneLine(description)}: ${oneLine(message)}${often}`;
  });
  return `Failed, so they decided nothing:\n${lines.join('\n')}\nFor a guard, write "onFailure": "block" beside its command: it then refuses when it fails.`;
}
