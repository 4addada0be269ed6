// What `npm test` does before the tests: it builds, and checks types and lint at the same time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

async function run(...args) {
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return code === 0;
}

/** Each of them parses all files; more than there are cores only take time. Four is what tsc has by default. */
const checkers = String(Math.min(4, availableParallelism()));

/** The examples import what is built. The check of all types follows, so the build does not check them. */
async function buildAndCheckTypes() {
  const built = await run('build.mjs', '--no-check');
  return built && run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--checkers', checkers);
}

process.chdir(import.meta.dirname);
const lint = run('node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.');
const passed = await Promise.all([buildAndCheckTypes(), lint]);
process.exitCode = passed.every(Boolean) ? 0 : 1;
