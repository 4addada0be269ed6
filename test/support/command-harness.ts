/** Wraps every test of command hooks: afterwards the messages tell one story per hook and nothing is left behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type CommandOptions,
  command,
  type HookEvent,
  type HookOutcome,
  Runner,
  type RunnerOptions,
} from '../../src/index.js';
import { checkMessages, type MessageRecord, recordMessages } from './messages.js';
import { fixturePath, isRunning, openFiles, readPids, until } from './process-harness.js';
import { SAMPLES } from './runner.js';

export interface CommandBench {
  readonly runner: Runner;
  readonly record: MessageRecord;
  /** A fresh directory: the runner's, and where commands start. */
  readonly dir: string;
  /** A command that knows where to report pids, as $PIDS. */
  line(line: string, options?: CommandOptions): ReturnType<typeof command>;
  /** A misbehaving program by name, without a shell. */
  fixture(name: string, args?: readonly string[], options?: CommandOptions): ReturnType<typeof command>;
  /** Registers one hook, fires its event with the sample input, and takes the hook out again. */
  fire(hook: ReturnType<typeof command>, event?: HookEvent): Promise<HookOutcome>;
  reported(count: number): Promise<number[]>;
  /** Processes that are meant to survive; they are ended after the test. */
  spare(...pids: number[]): void;
}

export function commandTest(
  name: string,
  body: (bench: CommandBench) => Promise<void>,
  { timeout = 60_000, options = {} }: { timeout?: number; options?: RunnerOptions } = {},
): void {
  test(name, { timeout }, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hookline-command-'));
    const pidFile = join(dir, '.pids');
    const spared = new Set<number>();
    const complaints: unknown[] = [];
    const complain = (complaint: unknown): void => void complaints.push(complaint);
    process.on('unhandledRejection', complain);
    process.on('warning', complain);
    const openBefore = openFiles();
    const runner = new Runner({ cwd: dir, sessionId: 'session', onWarning: () => {}, ...options });
    const record = recordMessages(runner);
    const line: CommandBench['line'] = (text, given = {}) =>
      command(text, { ...given, env: { PIDS: pidFile, ...given.env } });
    try {
      await body({
        runner,
        record,
        dir,
        line,
        fixture: (fixture, args = [], given = {}) => line(fixturePath(fixture), { args, ...given }),
        fire: async (hook, event = 'PreToolUse') => {
          const remove = runner.on(event, hook);
          try {
            return await runner.fire(event, SAMPLES[event]);
          } finally {
            remove();
          }
        },
        reported: async (count) => {
          await until(() => readPids(pidFile).length >= count, `${count} reported pids`);
          return readPids(pidFile);
        },
        spare: (...pids) => pids.forEach((pid) => void spared.add(pid)),
      });
      await runner.dispose();
      checkMessages(record.messages);
      const gone = readPids(pidFile).filter((pid) => !spared.has(pid));
      await until(() => !gone.some(isRunning), `the end of all processes (${gone.filter(isRunning)})`);
      for (const pid of spared) expect(isRunning(pid), `${pid} was to survive`).toBe(true);
      await until(() => openFiles() <= openBefore, `${openFiles()} open files back to ${openBefore}`);
      expect(complaints).toEqual([]);
    } finally {
      process.off('unhandledRejection', complain);
      process.off('warning', complain);
      await runner.dispose();
      for (const pid of readPids(pidFile)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    }
  });
}

/** The only result of a fire with one hook. */
export function only(outcome: HookOutcome): HookOutcome['results'][number] {
  expect(outcome.results).toHaveLength(1);
  return outcome.results[0] as HookOutcome['results'][number];
}
