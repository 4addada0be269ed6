/** The package as users get it: packed, installed where nothing else is, and used. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { filesIn } from '../architecture/sources.js';
import { findNode, MAJORS } from './node-binaries.js';
import {
  compile,
  ENTRIES,
  install,
  makeFolder,
  OPTIONAL,
  type Project,
  packageOf,
  plainEnvironment,
  ROOT,
  specifierOf,
  withNode,
} from './support.js';

interface Tried {
  readonly node: string;
  readonly uses: Readonly<Record<string, string>>;
  readonly packages: Readonly<Record<string, string>>;
}

// Each test is a process or more, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let project: Project;
let fromEsm: Tried;

beforeAll(async () => {
  project = await install();
  fromEsm = await tryEntries('from-esm.mjs');
}, 120_000);
afterAll(() => project?.remove());

/** Runs a file of the consumer with some Node; it may say nothing on stderr, such as warnings. */
async function run(
  file: string,
  args: readonly string[] = [],
  node: string = process.execPath,
): Promise<string> {
  const env = plainEnvironment(withNode(node));
  const { stdout, stderr } = await execa(node, [join(project.folder, file), ...args], {
    cwd: project.folder,
    env,
    extendEnv: false,
  });
  expect(stderr).toBe('');
  return stdout;
}

/** One expectation per entry: who adds one to `exports` adds a use to consumer/try-entries.mjs, and what comes of it here. */
const WORKS: Readonly<Record<string, unknown>> = {
  '.': 'deny: Bash is switched off',
  './agent': '42 m',
  './injection': 'Metres, please.',
  './live': '200 page',
  './claude-agent-sdk': 'deny',
  './mcp': 'refused',
  './hookless': 'told',
  './files': 'Metres, please.',
  './redis': expect.stringMatching(/^HookError: /),
  './ai-sdk': expect.stringMatching(/^ToolRefusedError: .*switched off/),
  './openai-agents': expect.stringContaining('switched off'),
  './langchain': expect.stringContaining('switched off'),
  './anthropic': expect.stringMatching(/^ToolRefusedError: .*switched off/),
  './mastra': expect.stringMatching(/^ToolRefusedError: .*switched off/),
  './strands': expect.stringContaining('switched off'),
  './openai': expect.stringContaining('switched off'),
  './session': 'refused',
  './opentelemetry': 'deny, telemetry off',
  './workspaces': '42',
  './team': 'ada',
  './guard': 'rm',
  './testing': [],
  './package.json': manifest.name,
};

const tryEntries = async (file: string, node?: string): Promise<Tried> =>
  JSON.parse(await run(file, [], node)) as Tried;

describe('every entry, without any optional package', () => {
  it('PK-1: is imported and does what it is for', () => {
    expect(Object.keys(WORKS).sort()).toEqual(ENTRIES.toSorted());
    expect(fromEsm.uses).toEqual(WORKS);
  });

  it('PK-3: npm installs none of them on its own', () => {
    const there = (name: string): boolean => existsSync(join(project.folder, 'node_modules', name));
    expect(OPTIONAL.filter(there)).toEqual([]);
    expect(there('zod')).toBe(true);
  });

  it('PK-2: is required from CommonJS just so', async () => {
    expect((await tryEntries('from-cjs.cjs')).uses).toEqual(WORKS);
  });

  it('PK-2 PK-3: no module waits at its top level, needs an optional package to be loaded, or begins anything', async () => {
    const programs = ['cli/main.js', 'live/page/'];
    const said = JSON.parse(await run('load-everything.cjs', programs)) as { loaded: number };
    expect(said).toEqual({ loaded: expect.any(Number), failed: [], begun: [] });
    expect(said.loaded).toBeGreaterThan(ENTRIES.length);
  });

  it('PK-4: what needs an optional package says which one is to be installed', () => {
    const { packages } = fromEsm;
    for (const [name, said] of Object.entries(packages))
      expect(said).toMatch(new RegExp(`needs? the package ${name}, which .*: npm install ${name}$`));
    const loaded = filesIn('dist', '.js').flatMap(({ text }) =>
      [...text.matchAll(/\bimport\(["']([^.'"][^'"]*)["']\)/g)].map(([, specifier]) =>
        packageOf(specifier ?? ''),
      ),
    );
    const optional = loaded.filter((name) => OPTIONAL.includes(name));
    expect(Object.keys(packages).sort()).toEqual([...new Set(optional)].sort());
  });
});

describe('types', () => {
  const names = ENTRIES.map((entry) => `from '${specifierOf(entry)}'`);

  it('PK-5: the file that is compiled uses every entry', () => {
    const text = readFileSync(join(project.folder, 'types.ts'), 'utf8');
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });

  it.each([
    ['nodenext', ['types.ts', 'types.cts'], { module: 'nodenext' }],
    ['bundler', ['types.ts'], { module: 'preserve', moduleResolution: 'bundler' }],
  ])('PK-5: are found under %s, and declarations are checked too', async (_, files, options) => {
    const said = await compile(project, files, options);
    const missing = /^node_modules\/hookline\/.*TS2307: Cannot find module '([^']+)'/;
    const wrong = said.filter((line) => !OPTIONAL.includes(packageOf(missing.exec(line)?.[1] ?? '')));
    expect(wrong).toEqual([]);
  });
});

/** The command in an empty folder, with a home of its own; started as a program, not as an argument of Node. */
async function callCommand(folder: string, argv: readonly string[], node: string = process.execPath) {
  const home = join(folder, 'home');
  const workspace = join(folder, 'workspace');
  for (const path of [home, workspace]) mkdirSync(path, { recursive: true });
  return execa(join(project.folder, 'node_modules/.bin/hookline'), argv, {
    cwd: workspace,
    env: plainEnvironment({ ...withNode(node), HOME: home, HOOKLINE_HOME: join(home, '.hookline') }),
    extendEnv: false,
    reject: false,
  });
}

/** From nothing to a refusal. */
async function refuse(node?: string): Promise<void> {
  const folder = makeFolder('command');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await callCommand(folder, ['init'], node)).toMatchObject({ exitCode: 0, stderr: '' });
  const fired = await callCommand(
    folder,
    ['fire', 'PreToolUse', '--set', 'tool_input.command=rm -rf /'],
    node,
  );
  expect(fired).toMatchObject({ exitCode: 2, stderr: '' });
  expect(fired.stdout).toContain("'rm -rf /' deletes without asking.");
  const config = readFileSync(join(folder, 'workspace/hookline.yaml'), 'utf8');
  const schema = /\$schema=\.\/(\S+)/.exec(config)?.[1] ?? '';
  expect(statSync(join(project.folder, schema)).isFile()).toBe(true);
}

describe('the command', () => {
  it('PK-6: npx finds it', async () => {
    const options = { cwd: project.folder, env: plainEnvironment(), extendEnv: false } as const;
    const { stdout } = await execa('npx', ['--no-install', 'hookline', '--help'], options);
    expect(stdout).toContain('hookline fire');
    const { stdout: version } = await execa('npx', ['--no-install', 'hookline', '--version'], options);
    const commit = existsSync(join(ROOT, '.git')) ? ' \\([0-9a-f]{7,}\\)' : '';
    expect(version).toMatch(new RegExp(`^${manifest.version.replaceAll('.', '\\.')}${commit}$`));
  });

  it('PK-6: is a program, and leads from an empty folder to a refusal', () => refuse());
});

describe.each(MAJORS)('Node %i', (major) => {
  it('PK-7: imports, requires and calls the command as the version does that runs the tests', async ({
    skip,
  }) => {
    const node = await findNode(major).catch((error: Error) => {
      console.warn(`${error.message} It is left out.`);
      return skip(error.message);
    });
    expect(node.version).toMatch(new RegExp(`^${major}\\.`));
    for (const file of ['from-esm.mjs', 'from-cjs.cjs'])
      expect(await tryEntries(file, node.path)).toMatchObject({ node: node.version, uses: WORKS });
    await refuse(node.path);
  }, 120_000);
});
