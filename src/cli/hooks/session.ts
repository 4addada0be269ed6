/** Hooks that are ready to be fired at, and for each result the hook that gave it. */
import type { LoadedConfig, LoadedHook } from '../../config/loaded.js';
import type { FireInput, HookEvent } from '../../events/types.js';
import type { HookRunner } from '../../hook-runner.js';
import type { Explanation } from '../../pipeline/explain.js';
import type { LateAnswer } from '../../pipeline/late.js';
import type { HookOutcome, HookResult } from '../../pipeline/outcome.js';
import { Runner } from '../../runner.js';
import type { Io } from '../io.js';
import { type LoadedHooks, mapHooks } from './load.js';
import { watchHooks } from './watch.js';

/** A hook that ran, and what it came to. */
export interface RanHook {
  readonly hook: LoadedHook | undefined;
  readonly result: HookResult;
}

export interface Fired {
  readonly event: HookEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: HookOutcome;
  /** In plan order; hooks that went to the background as they ended. */
  readonly ran: readonly RanHook[];
  /** What hooks in the background had to tell in the end. */
  readonly late: readonly LateAnswer[];
  /** Failures of hooks in the background. */
  readonly lateFailures: number;
}

export interface FireRequest {
  readonly event: HookEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agentId?: string | undefined;
}

export interface HookSession {
  readonly runner: Runner;
  /** One fire at a time; resolves when hooks in the background have ended too. */
  fire(request: FireRequest, through?: HookRunner): Promise<Fired>;
  explain(event: HookEvent, input: object): Explanation;
  close(): Promise<void>;
}

export function openSession(hooks: LoadedHooks, io: Io): HookSession {
  // What there is to say of files is said by the commands, in their own words.
  const runner = new Runner({ cwd: hooks.cwd, onWarning: () => {} });
  let asked: LoadedHook[] = [];
  for (const config of hooks.configs) runner.use(noting(config, (hook) => asked.push(hook)));
  const stopWatching = watchHooks(runner.messages, io.printer);
  return {
    runner,
    async fire({ event, input, agentId }, through = runner) {
      asked = [];
      const options = { signal: io.signal, ...(agentId !== undefined && { agentId }) };
      // The input has been checked against the event's schema, or will be.
      const outcome = await through.fire(event, input as FireInput, options);
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

/**
 * A result does not say where its hook is written. Every hook is asked right before it runs whether it is meant, in
 * plan order, and has exactly one result if it is: whoever says yes is noted.
 */
function noting(config: LoadedConfig, note: (hook: LoadedHook) => void): LoadedConfig {
  return mapHooks(config, (hook) => ({
    ...hook,
    applies: (input) => {
      const meant = hook.applies?.(input) ?? true;
      if (meant) note(hook);
      return meant;
    },
  }));
}
