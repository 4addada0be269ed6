/** The fires of a runner, as the live view sees them: until it is told to stop, and not longer. */
import type { FireOptions, ObservableRunner } from '../runner/hook-runner.js';
import type { HookMessage } from '../runner/messages/hook-messages.js';
import type { BegunFire as Begun } from '../runner/observer.js';
import type { HookOutcome, HookResult } from '../runner/outcome.js';

/** A `Runner`, or anything whose fires can be observed like one's. */
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

/** Records until the returned function is called, then nothing more: not even of fires that go on. */
export function observeFires(runner: WatchedRunner, recorder: FireRecorder): () => void {
  let watches = true;
  const tell = (what: () => void): void => {
    if (watches) what();
  };
  const stop = runner.observe(({ id, event, input, agentId, toolUseID }) => {
    tell(() => recorder.begin({ id, event, input, options: { agentId, toolUseID } }));
    return {
      message: (message, result) => tell(() => recorder.message(message, id, result)),
      end: (outcome) => tell(() => recorder.end(id, outcome)),
      fail: (error) => tell(() => recorder.fail(id, error)),
    };
  });
  return () => {
    watches = false;
    stop();
  };
}
