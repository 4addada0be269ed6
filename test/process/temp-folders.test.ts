import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { currentOwner, writeOwner } from '../../src/process/owner.js';
import { makeTempFolder, removeTempFolder } from '../../src/process/temp-folders.js';
import { compileProgram } from '../support/compile-program.js';
import { type Bench, fixturePath, processTest, until } from '../support/process-harness.js';

const APPLICATION = await compileProgram(fixturePath('leave-temp-folders.ts'));

/** An application with temporary folders; `told` is a file in one of them. */
function start({ run, dir }: Bench, ending: string) {
  const heard = { text: '' };
  const running = run({
    command: process.execPath,
    args: [APPLICATION, ending],
    cwd: process.cwd(),
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: dir },
    onText: (name, text) => {
      if (name === 'stdout') heard.text += text;
    },
  });
  const told = async (): Promise<string> => {
    await until(() => heard.text.endsWith('\n'), 'the report of the application', 20_000);
    return heard.text.trim();
  };
  return { running, told };
}

const foldersIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.startsWith('hookline-'));

describe('temporary folders', () => {
  for (const ending of ['at its end', 'exit', 'throw'])
    processTest(`CO-28 are gone with a process that ends (${ending})`, async (bench) => {
      const { running, told } = start(bench, ending);
      const file = await told();
      await running.done;
      expect(dirname(dirname(file))).toBe(bench.dir);
      expect(foldersIn(bench.dir)).toEqual([]);
    });

  processTest(
    'CO-28 that a killed process has left are removed by the next one, and no others',
    async (bench) => {
      const { dir } = bench;
      const killed = start(bench, 'wait');
      const alive = start(bench, 'wait');
      await Promise.all([killed.told(), alive.told()]);
      process.kill(Number(killed.running.pid), 'SIGKILL');
      await killed.running.done;
      const [own, target] = [currentOwner(), join(dir, 'target')];
      const gone = { ...own, start: '1' };
      mkdirSync(target);
      writeFileSync(join(target, 'kept'), '');
      symlinkSync(target, join(dir, `hookline-env-${writeOwner(gone)}-link00`));
      const kept = [
        `hookline-env-${writeOwner({ ...gone, place: '00000000' })}-elsewh`,
        `hookline-env-${writeOwner(own)}-mine00`,
        `hookline-other-${writeOwner(gone)}-other0`,
        'hookline-env-abcdef',
      ];
      for (const name of kept) mkdirSync(join(dir, name));
      vi.stubEnv('TMPDIR', dir);
      onTestFinished(() => void vi.unstubAllEnvs());
      const made = makeTempFolder('env');
      const pid = `-${alive.running.pid}-`;
      await until(() => foldersIn(dir).length === kept.length + 3, 'the sweep');
      const left = foldersIn(dir);
      expect(left.filter((name) => name.includes(pid))).toHaveLength(2);
      expect(left).toEqual(expect.arrayContaining(kept));
      expect(existsSync(join(target, 'kept'))).toBe(true);
      removeTempFolder(made);
      expect(existsSync(made)).toBe(false);
      alive.running.abort();
      await alive.running.done;
    },
  );
});
