/** `hookline test`: runs hook test files against the real hooks of a folder. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HookError, messageOf, show } from '../../base/errors.js';
import { EXIT, EXIT_CODES } from '../../base/exit-codes.js';
import type { Host } from '../../dialects/host/host.js';
import { sends, spellingFor } from '../../dialects/host/translate.js';
import { hostsNamed } from '../../dialects/hosts.js';
import { findTestFiles } from '../../testing/hook-tests/find.js';
import { loadTests } from '../../testing/hook-tests/load.js';
import { runTest, type TestResult } from '../../testing/hook-tests/run.js';
import type { HookSession } from '../../testing/session.js';
import { isInconclusive, reportIncomplete } from '../check/broken.js';
import { defineCommand } from '../command.js';
import { annotate, FORMAT_OPTIONS, formatOf } from '../format.js';
import { missingHooks, missingJson, withRemoved } from '../hooks/completeness.js';
import { disposeHooks, HOOK_OPTIONS, type LoadedHooks, loadHooks } from '../hooks/load.js';
import { openSession } from '../hooks/session.js';
import { failuresOf, junit, resultJson, showMatrix, showResult, showSummary } from '../hooks/test-report.js';
import { CANNOT, throughHost } from '../hosts/test-session.js';
import type { Io } from '../io.js';

export const command = defineCommand({
  usage: 'test [file...] [options]',
  about:
    'Runs hook tests: each fires one event at the hooks of this folder and compares the outcome with what it expects. Files are YAML or JSON\nwith a list `tests`, or modules with export default defineHookTests([...]). Without a file: hookline.test.yaml\nand *.hooktest.ts in this folder and in hooks/ (also .yml, .json, .js).\nA test also fails when a hook fails unexpectedly. While hooks of this folder are not approved, or cannot be read,\nno test is run and the exit code is 1; --trust-workspace runs them for this call.',
  args: [0, Number.POSITIVE_INFINITY],
  options: {
    only: { type: 'string', value: 'TEXT', help: 'Only tests whose name contains this text.' },
    host: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: "Run the tests through this host: its words in, its words out. 'all': every host that was tried.",
    },
    ...FORMAT_OPTIONS,
    junit: { type: 'string', value: 'FILE', help: 'Also write the results as JUnit XML.' },
    ...HOOK_OPTIONS,
  },
  exits: [
    [EXIT.ok, 'all tests passed'],
    [EXIT.failed, 'a test failed, or cannot be read; or hooks are not approved or cannot be read'],
    ...EXIT_CODES.filter(([code]) => code >= EXIT.usage),
  ],
  examples: [
    ['hookline test', 'the tests of this folder'],
    ['hookline test --trust-workspace --no-user --junit report.xml', 'in CI'],
    ['hookline test --host all', 'the same tests, in the words of every other host'],
    ['hookline schema tests', 'the format of a test file'],
  ],
  async run({ args, options, io, cwd }) {
    const { printer } = io;
    const format = formatOf(options);
    const files = await findTestFiles(args, cwd);
    const hooks = await loadHooks(cwd, options);
    reportIncomplete(hooks, io);
    const missing = withRemoved(missingHooks(hooks), hooks);
    if (isInconclusive(missing, io, 'No test was run')) {
      if (format === 'json') printer.json({ complete: false, results: [], ...missingJson(missing) });
      await disposeHooks(hooks);
      return EXIT.failed;
    }
    const hosts = hostsNamed(options.host);
    const results = await runAll(files, hooks, { only: options.only, hosts }, io, (result) => {
      // Through several hosts, the matrix shows what passed.
      if (format !== 'json' && (hosts.length < 2 || !result.passed)) showResult(result, printer, cwd);
    });
    if (format === 'json') printer.json({ complete: true, results: results.map(resultJson) });
    else {
      showMatrix(results, printer);
      showSummary(results, printer);
    }
    if (format === 'github') annotate(failuresOf(results), cwd, printer);
    if (options.junit !== undefined) await writeReport(resolve(cwd, options.junit), junit(results, cwd));
    if (io.signal.aborted) return EXIT.interrupted;
    return results.every(({ passed }) => passed) ? EXIT.ok : EXIT.failed;
  },
});

async function runAll(
  files: readonly string[],
  hooks: LoadedHooks,
  { only, hosts }: { readonly only: string | undefined; readonly hosts: readonly Host[] },
  io: Io,
  onResult: (result: TestResult) => void,
): Promise<TestResult[]> {
  const tests = (await Promise.all(files.map(loadTests))).flat();
  const chosen = tests.filter((test) => only === undefined || test.name.includes(only) || 'problem' in test);
  if (chosen.length === 0) {
    await disposeHooks(hooks);
    throw new HookError(
      'invalid_option',
      only === undefined ? 'The test files contain no tests.' : `No test has ${show(only)} in its name.`,
    );
  }
  const session = openSession(hooks, io);
  const results: TestResult[] = [];
  try {
    for (const test of chosen) {
      if (io.signal.aborted) break;
      io.printer.status(`${chosen.indexOf(test) + 1} of ${chosen.length}  ${test.name}`);
      for (const result of await runEverywhere(test, session, hooks, hosts, io)) {
        results.push(result);
        onResult(result);
      }
    }
  } finally {
    await session.close();
  }
  return results;
}

type AnyTest = Parameters<typeof runTest>[0];

/** Through every host that is named; without one, as it is. */
async function runEverywhere(
  test: AnyTest,
  session: HookSession,
  hooks: LoadedHooks,
  hosts: readonly Host[],
  io: Io,
): Promise<TestResult[]> {
  const { cwd } = hooks;
  if (hosts.length === 0) return [await runTest(test, session, cwd)];
  const results: TestResult[] = [];
  for (const host of hosts) {
    if (io.signal.aborted) break;
    const through = throughHost(host, session, (narrowed) =>
      openSession({ ...hooks, configs: hooks.configs.map(narrowed) }, io),
    );
    const result = await runTest(test, through, cwd);
    const { problem, ...rest } = { ...result, name: `${host.name}: ${result.name}`, host: host.name };
    const skipped = problem?.startsWith(CANNOT) ? problem : result.passed ? undefined : notSent(host, test);
    if (skipped !== undefined) results.push({ ...rest, passed: true, skipped });
    else results.push(problem === undefined ? rest : { ...rest, problem });
  }
  return results;
}

/** What a test is about and the host does not send cannot be judged there. */
function notSent(host: Host, test: AnyTest): string | undefined {
  if ('problem' in test) return undefined;
  const { title, spellings } = host;
  const { event, input = {}, set = {} } = test.test;
  const spelling = spellingFor(host, event, { ...input, ...set }['tool_name']) ?? spellings[0];
  const fields = [...Object.keys(input), ...Object.keys(set).map((path) => path.split('.', 1)[0] ?? '')];
  const missing = fields.find((field) => !sends(spelling, event, field));
  return missing === undefined ? undefined : `${CANNOT}${title} does not send ${missing} with this event`;
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new HookError('invalid_option', `The report ${show(file)} cannot be written: ${messageOf(error)}.`);
  }
}
