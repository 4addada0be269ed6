/** Records the fires of a session as JSON lines, so that they can be replayed with other hooks. */

import { type FileHandle, open } from 'node:fs/promises';
import { HookError, messageOf, show } from '../../base/errors.js';
import { PRIVATE_FILE } from '../../base/files/private.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import type { AnyEvent, FireInput } from '../../events/types.js';
import { type FireOptions, fireAny, type HookRunner } from '../../runner/hook-runner.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { type RecordedFire, recordedOutcome } from './entry.js';

/** Options of `recordFires`. */
export interface RecorderOptions {
  /** Called when a fire could not be recorded. Default: `close` rejects with the first error. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const OPTIONS: OptionNames<RecorderOptions> = { onError: true };

/** A runner that passes on every fire and records its outcome. */
export interface Recorder extends HookRunner {
  /**
   * Resolves when everything is written. Without `onError`, rejects with a `HookError` if a fire could not be
   * recorded.
   */
  close(): Promise<void>;
}

/**
 * Appends to a file that only this user can read, because inputs contain what tools read and write. Contract:
 * recording never changes the outcome of a fire. Throws only for an unknown option.
 */
export function recordFires(runner: HookRunner, file: string, options: RecorderOptions = {}): Recorder {
  refuseUnknownOptions('recordFires', options, OPTIONS);
  const { onError } = options;
  let opened: Promise<FileHandle> | undefined;
  let written: Promise<void> = Promise.resolve();
  let first: unknown;
  const reportError = (error: unknown): void => {
    first ??= error;
    try {
      onError?.(error);
    } catch {
      // A failing `onError` must not make a fire fail.
    }
  };
  const write = (line: string): void => {
    opened ??= openRecording(file);
    const handle = opened;
    // Written one after another, so that lines are whole and in the order in which fires ended.
    written = written.then(async () => (await handle).appendFile(line)).catch(reportError);
  };
  return {
    async fire<E extends AnyEvent>(
      event: E,
      input: FireInput<E>,
      options?: FireOptions,
    ): Promise<HookOutcome<E>> {
      const at = new Date().toISOString();
      const started = performance.now();
      const outcome = await fireAny(runner, event, input, options);
      const durationMs = Math.round(performance.now() - started);
      try {
        const agentId = options?.agentId;
        const fire: RecordedFire = {
          version: 1,
          at,
          event,
          input: input as Record<string, unknown>,
          ...(agentId !== undefined && { agentId }),
          durationMs,
          outcome: recordedOutcome(outcome),
        };
        write(recordLine(fire));
      } catch (error) {
        reportError(error);
      }
      return outcome;
    },
    async close() {
      await written;
      await opened?.then(
        (handle) => handle.close(),
        () => {},
      );
      opened = undefined;
      const error = first;
      first = undefined;
      if (error === undefined || onError !== undefined) return;
      throw new HookError(
        'invalid_option',
        `The recording ${show(file)} cannot be written: ${messageOf(error)}.`,
      );
    },
  };
}

export function recordLine(fire: RecordedFire): string {
  return `${JSON.stringify(fire)}\n`;
}

export function openRecording(file: string): Promise<FileHandle> {
  return open(file, 'a', PRIVATE_FILE);
}
