/** A runner with the loaded hooks, and for each result the hook that gave it. */
import { HookError, show } from '../../base/errors.js';
import { didYouMean } from '../../base/text/suggest.js';
import type { LoadedConfig, LoadedHook } from '../../config/loaded.js';
import type { AnyEvent, FireInput } from '../../events/types.js';
import { fireAny } from '../../runner/hook-runner.js';
import { Runner } from '../../runner/runner.js';
import type { HookSession } from '../../testing/session.js';
import type { Io } from '../io.js';
import { type LoadedHooks, mapHooks } from './load.js';
import { watchHooks } from './watch.js';

export function openSession(hooks: LoadedHooks, io: Io): HookSession {
  // Diagnostics of files are printed by the commands themselves.
  const runner = new Runner({ cwd: hooks.cwd, onWarning: () => {} });
  let asked: LoadedHook[] = [];
  let only: string | undefined;
  const isChosen = ({ description }: LoadedHook): boolean => only === undefined || description === only;
  for (const config of hooks.configs)
    runner.use(
      noting(config, isChosen, (hook) => asked.push(hook)),
      { onLostProtection: 'warn' },
    );
  const stopWatching = watchHooks(runner, io.printer);
  return {
    runner,
    async fire({ event, input, agentId, hook }, through = runner) {
      asked = [];
      only = hook;
      if (hook !== undefined) requireHook(hook, hooks);
      const options = { signal: io.signal, ...(agentId !== undefined && { agentId }) };
      // The input has been validated against the event's schema, or will be.
      const outcome = await fireAny(through, event, input as FireInput<AnyEvent>, options);
      const ended = new Map(
        await Promise.all(
          outcome.pending.map(async ({ hookId, completion }) => [hookId, await completion] as const),
        ),
      );
      const ran = outcome.results.map((result, i) => ({
        hook: asked[i],
        result: ended.get(result.hookId) ?? result,
      }));
      const lateFailures = [...ended.values()].filter(({ failure }) => failure !== undefined).length;
      return { event, input, outcome, ran, late: runner.takeLate(), lateFailures };
    },
    explain: (event, input) => runner.explain(event, input),
    async close() {
      stopWatching();
      await runner.dispose();
    },
  };
}

function requireHook(name: string, { entries }: LoadedHooks): void {
  const names = entries.map(({ hook }) => hook.description);
  if (names.includes(name)) return;
  throw new HookError(
    'invalid_option',
    `There is no hook ${show(name)}.${didYouMean(name, names)} hookline list shows the hooks as a test names them.`,
  );
}

/**
 * A result does not say where its hook is defined. Right before a hook runs, in plan order, the runner asks whether
 * it applies, and a hook that does has exactly one result: so each hook that applies is noted.
 */
function noting(
  config: LoadedConfig,
  isChosen: (hook: LoadedHook) => boolean,
  note: (hook: LoadedHook) => void,
): LoadedConfig {
  return mapHooks(config, (hook) => ({
    ...hook,
    applies: (input) => {
      const meant = isChosen(hook) && (hook.applies?.(input) ?? true);
      if (meant) note(hook);
      return meant;
    },
  }));
}
