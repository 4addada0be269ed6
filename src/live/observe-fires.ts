/** Observes the fires of a runner for the live view. */
import type { FireOptions, ObservableRunner } from '../runner/hook-runner.js';
import type { HookMessage } from '../runner/messages/hook-messages.js';
import type { BegunFire as Begun, StartedHook } from '../runner/observer.js';
import type { HookOutcome, HookResult } from '../runner/outcome.js';
import type { Runner } from '../runner/runner.js';

/**
 * A `Runner`, or any object whose fires can be observed in the same way. Without `fire`, `explain` and `hasHooks`, pages
 * offer less.
 */
export type WatchedRunner = ObservableRunner & Partial<Pick<Runner, 'fire' | 'explain' | 'hasHooks'>>;

export interface BegunFire extends Pick<Begun, 'id' | 'event' | 'input'> {
  readonly options: Pick<FireOptions, 'agentId' | 'toolUseID'>;
  readonly runner: WatchedRunner;
}

export interface SeenMessage {
  readonly fire: string;
  /** Comes with the response. */
  readonly result?: HookResult | undefined;
  /** Comes with the start, for a hook from a file. */
  readonly origin?: StartedHook['origin'];
}

export interface FireRecorder {
  begin(fire: BegunFire): void;
  message(message: HookMessage, seen: SeenMessage): void;
  end(fire: string, outcome: HookOutcome): void;
  fail(fire: string, error: unknown): void;
}

/** Records until the returned function is called; after that it ignores even fires in progress. */
export function observeFires(runner: WatchedRunner, recorder: FireRecorder): () => void {
  let watches = true;
  const record = (what: () => void): void => {
    if (watches) what();
  };
  const stop = runner.observe(({ id, event, input, agentId, toolUseID }) => {
    record(() => recorder.begin({ id, event, input, options: { agentId, toolUseID }, runner }));
    // Where a hook comes from is known right after its start is announced.
    let announced: HookMessage | undefined;
    const start = (origin?: StartedHook['origin']): void => {
      const message = announced;
      announced = undefined;
      if (message !== undefined) record(() => recorder.message(message, { fire: id, origin }));
    };
    return {
      within: (hook, run) => {
        start(hook.origin);
        return run();
      },
      message: (message, result) => {
        start();
        if (message.subtype === 'hook_started') announced = message;
        else record(() => recorder.message(message, { fire: id, result }));
      },
      end: (outcome) => {
        start();
        record(() => recorder.end(id, outcome));
      },
      fail: (error) => record(() => recorder.fail(id, error)),
    };
  });
  return () => {
    watches = false;
    stop();
  };
}
