/**
 * Runs the tests under the other versions of Node that are supported: `npm run nodes`, or with what vitest is to be told,
 * `npm run nodes -- test/runner`. `--node=22` tries one version. Ends with 1 when a test failed, or a version cannot be had.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { findNode, MAJORS, type NodeBinary } from './node-binaries.js';
import { makeFolder, plainEnvironment, ROOT, withNode } from './support.js';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const chosen = process.argv.slice(2).filter((each) => each.startsWith('--node='));
const told = process.argv.slice(2).filter((each) => !each.startsWith('--node='));
const majors = chosen.length > 0 ? chosen.map((each) => Number(each.slice('--node='.length))) : MAJORS;

/** The lines that come last, one for each version. */
const results: string[] = [];
for (const major of majors) {
  try {
    results.push(await tryVersion(await findNode(major)));
  } catch (error) {
    process.exitCode = 1;
    results.push((error as Error).message);
  }
}
console.log(`\n${results.join('\n')}`);

/** One line that says what passed; what failed is listed before. */
async function tryVersion({ path, version }: NodeBinary): Promise<string> {
  console.log(`\nNode ${version}`);
  const folder = makeFolder('nodes');
  const file = join(folder, 'report.json');
  const startedAt = performance.now();
  try {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const { exitCode } = await execa(path, [vitest, 'run', ...reporters, ...told], {
      cwd: ROOT,
      env: plainEnvironment(withNode(path)),
      extendEnv: false,
      stdio: 'inherit',
      reject: false,
    });
    if (exitCode !== 0) process.exitCode = 1;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    if (!existsSync(file)) return `Node ${version}: no tests were run, exit code ${exitCode}`;
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const counts = `${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} left out`;
    const failures = failuresOf(report);
    if (failures.length > 0) console.log(`\nFailed under Node ${version}:\n${failures.join('\n')}`);
    return `Node ${version}: ${counts}, exit code ${exitCode}, ${seconds} s`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function failuresOf({ testResults }: Report): readonly string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    const place = name.replace(ROOT, '');
    if (failed.length === 0) return status === 'failed' ? [`  ${place}`] : [];
    return failed.map(({ fullName }) => `  ${place}: ${fullName}`);
  });
}
