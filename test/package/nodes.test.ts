/** `npm run nodes`, with the Node that runs the tests in the place of others, so that nothing is downloaded. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, plainEnvironment, ROOT } from './support.js';

const PROGRAM = fileURLToPath(new URL('./nodes.ts', import.meta.url));

/** Runs it with a cache that holds what is given as Node 22. */
async function runNodes(args: readonly string[], node?: string, env: Readonly<Record<string, string>> = {}) {
  const cache = makeFolder('cache');
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const place = join(cache, `${process.platform}-${process.arch}`, '22');
  mkdirSync(place, { recursive: true });
  if (node !== undefined) symlinkSync(node, join(place, 'node'));
  return execa(process.execPath, ['--import', 'tsx', PROGRAM, '--node=22', ...args], {
    cwd: ROOT,
    env: plainEnvironment({ HOOKLINE_NODES: cache, NO_COLOR: '1', ...env, npm_config_cache: cache }),
    extendEnv: false,
    reject: false,
  });
}

it('PK-7: npm run nodes runs the tests that are asked for under a version, and says what passed', async () => {
  const { stdout, exitCode } = await runNodes(
    ['test/base/json/private-view', '--typecheck.enabled=false'],
    process.execPath,
  );
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
    new RegExp(
      `^Node ${process.versions.node}: [1-9]\\d* passed, 0 failed, 0 left out, exit code 0, \\d+ s$`,
    ),
  );
  expect(exitCode).toBe(0);
}, 60_000);

it('PK-7: npm run nodes ends with 1 when tests fail, or there are none', async () => {
  const { stdout, exitCode } = await runNodes(
    ['test/no-such-folder', '--typecheck.enabled=false'],
    process.execPath,
  );
  expect(stdout).toMatch(/^Node [\d.]+: 0 passed, .*exit code 1|^Node [\d.]+: no tests were run/m);
  expect(exitCode).toBe(1);
}, 60_000);

it('PK-7: npm run nodes says so when npm cannot be reached', async () => {
  const { stdout, exitCode } = await runNodes([], undefined, { npm_config_registry: 'http://127.0.0.1:1/' });
  expect(stdout).toMatch(/Node 22 cannot be had: npm could not install node-[\w-]+@22 \(.*\)\.$/m);
  expect(exitCode).toBe(1);
}, 60_000);
