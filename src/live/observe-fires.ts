/** Observes the fires of a runner for the live view. */
import type { FireOptions, ObservableRunner } from '../runner/hook-runner.js';
import type { HookMessage } from '../runner/messages/hook-messages.js';
import type { BegunFire as Begun } from '../runner/observer.js';
import type { HookOutcome, HookResult } from '../runner/outcome.js';

/** A `Runner`, or any object whose fires can be observed in the same way. */
export type WatchedRunner = ObservableRunner;

export interface BegunFire extends Pick<Begun, 'id' | 'event' | 'input'> {
  readonly options: Pick<FireOptions, 'agentId' | 'toolUseID'>;
}

export interface FireRecorder {
  begin(fire: BegunFire): void;
  message(message: HookMessage, fire: string, result: HookResult | undefined): void;
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
    record(() => recorder.begin({ id, event, input, options: { agentId, toolUseID } }));
    return {
      message: (message, result) => record(() => recorder.message(message, id, result)),
      end: (outcome) => record(() => recorder.end(id, outcome)),
      fail: (error) => record(() => recorder.fail(id, error)),
    };
  });
  return () => {
    watches = false;
    stop();
  };
}
