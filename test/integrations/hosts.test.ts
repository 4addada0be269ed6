/** Every adapter, in the real framework, over a loopback model. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { diffLines } from 'diff';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { NoopRunner } from '../../src/index.js';
import * as aiSdk from '../../src/integrations/ai-sdk/index.js';
import * as anthropic from '../../src/integrations/anthropic/index.js';
import * as langchain from '../../src/integrations/langchain/index.js';
import * as mastra from '../../src/integrations/mastra/index.js';
import * as openai from '../../src/integrations/openai/index.js';
import * as openaiAgents from '../../src/integrations/openai-agents/index.js';
import * as strands from '../../src/integrations/strands/index.js';
import { readBlocks } from '../docs/page.js';
import { makeFolder, plainEnvironment, ROOT, withNode } from '../package/support.js';
import { compile, compileProgram, writeCompiled } from '../support/compile-program.js';
import { isTried, isWholeForm } from '../support/matrix.js';
import { behaviours } from './hosts/behaviours.js';
import { FRAMEWORKS, installHosts } from './hosts/install.js';
import { type Plan, startModelServer } from './hosts/model-server.js';
import { READER_SEES, readerPlan } from './hosts/reader.js';
import { DRIVERS, type DriverResults, runDriver } from './hosts/run-hosts.js';
import { PAGES, withHostTable } from './hosts/table.js';

/** The first run installs the frameworks. */
const INSTALL_MS = 600_000;
let node = '';
beforeAll(async () => {
  node = await installHosts();
}, INSTALL_MS);

type DriverName = (typeof DRIVERS)[number];

const behavioursOf = (driver: DriverName) =>
  behaviours.filter((_, row) => isTried(row, behaviours.length, DRIVERS.indexOf(driver), DRIVERS.length));

const runs = new Map<DriverName, Promise<DriverResults>>();
function resultsOf(driver: DriverName): Promise<DriverResults> {
  const only = behavioursOf(driver).map(({ id }) => id);
  const running = runs.get(driver) ?? runDriver(driver, [...only, 'extras']);
  runs.set(driver, running);
  return running;
}

describe.each(DRIVERS)('%s', (driver) => {
  it.each(behavioursOf(driver))('FW-2 $id: $title', { timeout: 180_000 }, async ({ id }) => {
    const results = (await resultsOf(driver)).hosts.filter(({ behaviour }) => behaviour === id);
    expect(results.length).toBeGreaterThan(0);
    const failed = results.filter(({ error, cannot }) => error !== undefined && cannot === undefined);
    expect(failed.map(({ host, error }) => `${host}: ${error}`)).toEqual([]);
    const better = results.filter(({ error, cannot }) => error === undefined && cannot !== undefined);
    expect(better.map(({ host }) => `${host} can do it after all`)).toEqual([]);
  });
});

describe.each([
  ['ai-sdk', aiSdk],
  ['openai-agents', openaiAgents],
  ['langchain', langchain],
  ['mastra', mastra],
  ['strands', strands],
  ['anthropic', anthropic],
  ['openai', openai],
] as const)('the options of %s', (_, { createHooks }) => {
  it('FW-1 unknown ones and a missing runner are refused', () => {
    const runner = new NoopRunner();
    expect(() => createHooks({ runner, mailbx: undefined, mailBox: 1 } as never)).toThrow(
      /no option "mailBox"/,
    );
    expect(() => createHooks({} as never)).toThrow(/`runner` is/);
  });
});

/** The rules of one adapter, and how many of its own checks there are. */
const EXTRAS = {
  'ai-sdk': { rules: 'FW-6, FW-7, FW-8, FW-9, FW-10', checks: 5 },
  'openai-agents': { rules: 'FW-11, FW-12', checks: 5 },
  langchain: { rules: 'FW-13, FW-14', checks: 4 },
  mastra: { rules: 'FW-17, FW-18', checks: 2 },
  strands: { rules: 'FW-19, FW-20', checks: 3 },
  anthropic: { rules: 'FW-15, FW-16', checks: 3 },
  openai: { rules: 'FW-15, FW-16, FW-21', checks: 2 },
} as const satisfies Record<DriverName, object>;

describe.each(DRIVERS)('%s alone', (driver) => {
  const { rules, checks } = EXTRAS[driver];
  it(`${rules}: what only this adapter has to do`, { timeout: 180_000 }, async () => {
    const { extras } = await resultsOf(driver);
    expect(extras.flatMap(({ extra, error }) => (error === undefined ? [] : [`${extra}: ${error}`]))).toEqual(
      [],
    );
    expect(extras).toHaveLength(checks);
  });
});

// Its cells are the results of all behaviours.
describe.runIf(isWholeForm)('the table', () => {
  it.each(PAGES)(
    'FW-3 of $page is what was seen; `npm run hosts` writes it',
    { timeout: 180_000 },
    async ({ page, table }) => {
      const results = (await Promise.all(DRIVERS.map(resultsOf))).flatMap(({ hosts }) => hosts);
      const text = readFileSync(join(ROOT, page), 'utf8');
      expect(text).toBe(withHostTable(text, table(results)));
    },
  );
});

describe('the losses', () => {
  it('FW-4 glue that seems right loses a message that it has acknowledged; the adapters keep it', {
    timeout: 180_000,
  }, async () => {
    const { hosts: glue } = await runDriver('obvious-glue', ['inject-tool']);
    expect(glue.map(({ host, error = 'nothing is lost' }) => `${host}: ${error.split('\n')[0]}`)).toEqual(
      glue.map(({ host }) => expect.stringMatching(`^${host}: .*request 2`)),
    );
    expect(glue.length).toBeGreaterThan(0);
  });
});

/** The guard of the workspace denies the first call; a person speaks during the second one. */
const examplePlan: Plan = ({ said, index }) => {
  if (index === 0) return [{ name: 'Bash', input: { command: 'git push --force' } }];
  if (index === 1) return [{ name: 'Bash', input: { command: 'npm publish' } }];
  const read = ['for people', 'ran npm publish', 'Version 2, please.', 'Sum it up.'].filter((text) =>
    said.includes(text),
  );
  return `read: ${read.join(', ')}`;
};

/** The variables with which the SDKs find a model elsewhere. */
const modelAt = ({ url }: { readonly url: string }) => ({
  OPENAI_API_KEY: 'none',
  OPENAI_BASE_URL: `${url}/v1`,
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_BASE_URL: url,
});

/** The example that tsx starts, as its page says. The others are compiled: tsx reads each framework anew. */
const WITH_TSX = 'ai-sdk.ts';

describe('examples', () => {
  const names = readdirSync(FRAMEWORKS).filter((name) => name.endsWith('.ts'));
  const workspace = join(ROOT, 'examples/projects/claude');
  const home = makeFolder('home');
  const env = plainEnvironment({ HOME: home, USERPROFILE: home });
  beforeAll(async () => {
    const approve = ['dist/cli/main.js', 'trust', 'approve', '--yes', '--cwd', workspace];
    await execa(process.execPath, approve, { cwd: ROOT, env, extendEnv: false });
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('FW-5 each has a quick start without hooks', () => {
    expect(names.length).toBe(DRIVERS.length);
    expect(names).toContain(WITH_TSX);
    expect(readdirSync(join(FRAMEWORKS, 'quick-starts'))).toEqual(names);
  });

  it.each(names)('FW-5 %s runs: guard, callback, person, decisions', { timeout: 90_000 }, async (name) => {
    const server = await startModelServer(examplePlan);
    const tsx = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href;
    const args =
      name === WITH_TSX
        ? ['--import', tsx, join(FRAMEWORKS, name)]
        : [await compileProgram(join(FRAMEWORKS, name), FRAMEWORKS)];
    const run = execa(node, args, {
      cwd: workspace,
      env: { ...env, ...modelAt(server) },
      extendEnv: false,
    });
    onTestFinished(() => server.close());
    run.stdin.write('Version 2, please.');
    const { stdout } = await run;
    expect(stdout.split('\n')).toEqual([
      'PreToolUse deny pushing by force is for people',
      'Stop deny Sum it up.',
      'read: for people, ran npm publish, Version 2, please., Sum it up.',
    ]);
  });

  const shown = isWholeForm ? names : names.slice(0, 1);
  it.each(shown)(
    'FW-5 %s with the guard of its page prints what the page says',
    { timeout: 90_000 },
    async (name) => {
      const page = readFileSync(join(ROOT, 'docs/frameworks', name.replace(/ts$/, 'md')), 'utf8');
      const folder = makeFolder('reader');
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const blocks = readBlocks(page);
      const guard = blocks.find(({ language, file }) => language === 'ts' && file === undefined)?.text;
      for (const { file, text } of blocks) {
        if (file === undefined) continue;
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), file.startsWith('shared/') ? `${text}${guard}` : text);
      }
      const server = await startModelServer(readerPlan);
      onTestFinished(() => server.close());
      const program = writeCompiled(await compile(join(folder, name)), `reader-${name}`, FRAMEWORKS);
      const { stdout } = await execa(node, [program], {
        cwd: folder,
        env: { ...env, ...modelAt(server) },
        extendEnv: false,
        stdin: 'ignore',
      });
      expect(`${stdout}\n`).toBe(READER_SEES);
    },
  );

  it.each(names)('FW-5 %s has at most 15 lines more than its quick start', (name) => {
    const codeOf = (file: string): string =>
      readFileSync(join(FRAMEWORKS, file), 'utf8')
        .replace(/^\/\*\*.*\n/, '')
        .replaceAll(/^\s*\n/gm, '');
    const shared = codeOf('shared/runner.ts').trimEnd().split('\n').length;
    const added = diffLines(codeOf(`quick-starts/${name}`), codeOf(name)).reduce(
      (sum, { added, count }) => sum + (added ? count : 0),
      0,
    );
    expect(shared + added).toBeLessThanOrEqual(15);
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    expect(readme).toContain(`| [${added}](examples/frameworks/${name}) |`);
    expect(readme).toContain(`the [${shared} lines](examples/frameworks/shared/runner.ts)`);
  });

  it('FW-5 they and the drivers compile against the types of the frameworks', {
    timeout: 120_000,
  }, async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = await execa(
      process.execPath,
      [tsc, '--pretty', 'false', '--checkers', '1', '-p', FRAMEWORKS],
      {
        reject: false,
        env: plainEnvironment(withNode(process.execPath)),
        extendEnv: false,
      },
    );
    expect(stdout).toBe('');
  });
});
