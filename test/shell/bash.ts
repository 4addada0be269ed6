/** Runs programs in a real bash, in a folder of their own, with a PATH that writes down what is started. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MARKS = ['ma', 'mb', 'mc'] as const;
/** All else that programs may start; none of it changes anything outside of the folder. */
const TOOLS =
  'bash sh cat echo env nice nohup sleep stdbuf timeout true false xargs setsid printf tr head'.split(' ');

export interface TracingBash {
  /** Which of the marks the program has started. */
  ran(program: string): ReadonlySet<string>;
  /** Whether bash can read it at all. */
  parses(program: string): boolean;
  dispose(): void;
}

/** Undefined where there is no bash. */
export function tracingBash(): TracingBash | undefined {
  const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync);
  if (bash === undefined) return undefined;
  const base = mkdtempSync(join(tmpdir(), 'tracing-bash-'));
  const tools = join(base, 'tools');
  mkdirSync(tools);
  for (const tool of TOOLS) {
    const real = [`/usr/bin/${tool}`, `/bin/${tool}`].find(existsSync);
    if (real) symlinkSync(real, join(tools, tool));
  }
  let count = 0;
  return {
    ran(program) {
      // A folder for each, so that what is still in the background does not write to the next one's log.
      const folder = join(base, String(count++));
      mkdirSync(folder);
      const log = join(folder, 'log');
      for (const mark of MARKS)
        writeFileSync(join(folder, mark), `#!/bin/sh\necho ${mark} >> '${log}'\n`, { mode: 0o755 });
      spawnSync('timeout', ['-s', 'KILL', '5', bash, '--norc', '--noprofile', '-c', `${program}\n`], {
        cwd: folder,
        // A function that calls itself in subshells would fill the machine with processes.
        env: { PATH: `${folder}:${tools}`, HOME: folder, LANG: 'C', FUNCNEST: '20' },
        stdio: 'ignore',
        timeout: 10_000,
      });
      return new Set(existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []);
    },
    parses: (program) => spawnSync(bash, ['--norc', '-n', '-c', program], { stdio: 'ignore' }).status === 0,
    dispose: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}
