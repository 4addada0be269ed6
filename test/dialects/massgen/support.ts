/** Wraps every test of MassGen hooks: afterwards nothing may run, leak or have been thrown unseen. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  loadMassgenConfig,
  type MassgenConfig,
  type MassgenOptions,
} from '../../../src/dialects/massgen/load.js';
import {
  type FireOptions,
  type HookEvent,
  type HookOutcome,
  Runner,
  type RunnerOptions,
} from '../../../src/index.js';
import { checkMessages, type MessageRecord, recordMessages } from '../../support/messages.js';
import { isRunning, openFiles, readPids, until } from '../../support/process-harness.js';

/** Without Python its handlers cannot be shown to work: those tests are left out, and it is said. */
export const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('There is no python3 here: tests of MassGen handlers are skipped.');

// Python would leave its compiled files among the fixtures.
process.env['PYTHONDONTWRITEBYTECODE'] = '1';

export const FIXTURES = fileURLToPath(new URL('../../fixtures/massgen/', import.meta.url));

export interface MassgenBench {
  readonly runner: Runner;
  readonly record: MessageRecord;
  readonly dir: string;
  /** Where handlers report their pids, told to them in their input. */
  readonly pidFile: string;
  /** Loads text as if it stood in a file beside the fixtures; it is disposed of after the test. */
  load(text: string, options?: MassgenOptions): Promise<MassgenConfig>;
  /** Loads one of the fixture files. */
  loadFile(name: string, options?: MassgenOptions): Promise<MassgenConfig>;
  /** Loads text that must be without fault, and registers it. */
  use(text: string, options?: MassgenOptions): Promise<MassgenConfig>;
  /** Fires a tool event; the input also says where to report pids. */
  fire(event: HookEvent, input?: object, options?: FireOptions & { tool?: string }): Promise<HookOutcome>;
  reported(count: number): Promise<number[]>;
}

export function massgenTest(
  name: string,
  body: (bench: MassgenBench) => Promise<void>,
  { timeout = 60_000, options = {} }: { timeout?: number; options?: RunnerOptions } = {},
): void {
  test.skipIf(!hasPython)(name, { timeout }, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hookline-massgen-'));
    const pidFile = join(dir, '.pids');
    writeFileSync(pidFile, '');
    const complaints: unknown[] = [];
    const complain = (complaint: unknown): void => void complaints.push(complaint);
    process.on('unhandledRejection', complain);
    process.on('warning', complain);
    const openBefore = openFiles();
    const runner = new Runner({ cwd: dir, sessionId: 'session', onWarning: () => {}, ...options });
    const record = recordMessages(runner);
    const configs: MassgenConfig[] = [];
    const keep = (config: MassgenConfig): MassgenConfig => {
      configs.push(config);
      return config;
    };
    const load: MassgenBench['load'] = async (text, given) =>
      keep(await loadMassgenConfig({ text, file: join(FIXTURES, 'massgen.yaml') }, given));
    try {
      await body({
        runner,
        record,
        dir,
        pidFile,
        load,
        loadFile: async (file, given) => keep(await loadMassgenConfig(join(FIXTURES, file), given)),
        use: async (text, given) => {
          const config = await load(text, given);
          expect(config.diagnostics).toEqual([]);
          runner.use(config);
          return config;
        },
        fire: (event, input = {}, { tool = 'Write', ...given } = {}) =>
          runner.fire(
            event,
            {
              tool_name: tool,
              tool_input: { pids: pidFile, ...input },
              tool_response: 'the output',
              tool_use_id: 'use-1',
            } as never,
            given,
          ),
        reported: async (count) => {
          await until(() => readPids(pidFile).length >= count, `${count} reported pids`);
          return readPids(pidFile);
        },
      });
      await runner.dispose();
      await Promise.all(configs.map((config) => config.dispose()));
      checkMessages(record.messages);
      const pids = readPids(pidFile);
      await until(() => !pids.some(isRunning), `the end of all processes (${pids.filter(isRunning)})`);
      await until(() => openFiles() <= openBefore, `${openFiles()} open files back to ${openBefore}`);
      expect(complaints).toEqual([]);
    } finally {
      process.off('unhandledRejection', complain);
      process.off('warning', complain);
      await Promise.all(configs.map((config) => config.dispose()));
      for (const pid of readPids(pidFile)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    }
  });
}

/** One hook for one event, as YAML. More can follow it. */
export function one(event: string, handler: string, more = ''): string {
  return `hooks:\n${another(event, handler, more)}`;
}

/** A further event with one hook. */
export function another(event: string, handler: string, more = ''): string {
  return `  ${event}:\n    - handler: "${handler}"\n${more
    .split('\n')
    .filter(Boolean)
    .map((line) => `      ${line}\n`)
    .join('')}`;
}

export const place = ({ source }: { source: { line: number; column: number } }): string =>
  `${source.line}:${source.column}`;
