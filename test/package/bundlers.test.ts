/** A program with the runner, commands and settings, bundled and run where nothing is installed. */
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { matrix } from '../support/matrix.js';
import { ALL_BUNDLERS, AT_HAND } from './bundlers.js';
import { makeFolder, OPTIONAL, pack, packageOf, plainEnvironment, ROOT } from './support.js';

/**
 * Says what answered, and what started the command: with `helper`, the spawn helper. The process of Python hooks is
 * started with execa.
 */
const PROGRAM = `
import { command, loadClaudeSettings, loadHooklineConfig, loadMassgenConfig, Runner } from '${manifest.name}';

async function main() {
  for (const spawn of ['direct', 'helper']) {
    const runner = new Runner({ spawn, onWarning: ({ message }) => console.log('warning:', message) });
    runner.on('Stop', () => ({ systemMessage: 'called' }));
    runner.on('Stop', command('ps -o args= -p $PPID >&2; exit 2'));
    runner.use(await loadClaudeSettings({ configDir: '/nowhere', managedFile: '/nowhere/managed.json', trust: 'workspace' }));
    runner.use(await loadHooklineConfig({ configDir: '/nowhere', trust: 'workspace' }));
    const { systemMessages, reason, failures } = await runner.fire('Stop', { stop_hook_active: false });
    const by = reason.includes('spawn helper of hookline') ? 'helper' : 'direct';
    console.log(systemMessages.join(' and '), 'by', by, failures.length);
    await runner.dispose();
  }
  const runner = new Runner();
  runner.use(await loadMassgenConfig('massgen.yaml'));
  console.log((await runner.fire('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 'call' })).reason);
  await runner.dispose();
}
main();
`;
const SAID = ['direct', 'helper'].map((by) => `called and from settings and from hookline.yaml by ${by} 0`);

const isWhole = matrix === 'whole';
const bundlers = isWhole ? ALL_BUNDLERS : AT_HAND;

const folder = makeFolder('bundlers');
/** Where the bundlers are, and this package: in its repository it finds itself by its name. */
const project = isWhole ? join(folder, 'project') : ROOT;
const input = isWhole
  ? join(project, 'program.mjs')
  : join(ROOT, 'node_modules/.cache', `bundled-${process.pid}.mjs`);

beforeAll(async () => {
  mkdirSync(join(folder, 'run/.claude'), { recursive: true });
  const hook = { type: 'command', command: `echo '{"systemMessage":"from settings"}'` };
  const settings = { hooks: { Stop: [{ hooks: [hook] }] } };
  writeFileSync(join(folder, 'run/.claude/settings.json'), JSON.stringify(settings));
  const own = `echo '{"systemMessage":"from hookline.yaml"}'`;
  writeFileSync(
    join(folder, 'run/hookline.yaml'),
    `hooks:\n  Stop:\n    - hooks: [{ type: command, command: ${JSON.stringify(own)} }]\n`,
  );
  writeFileSync(join(folder, 'run/massgen.yaml'), 'hooks: { PreToolUse: [{ handler: guard.deny }] }\n');
  writeFileSync(
    join(folder, 'run/guard.py'),
    "def deny(event):\n    return {'decision': 'deny', 'reason': 'denied in Python'}\n",
  );
  if (isWhole) await installAll();
  mkdirSync(dirname(input), { recursive: true });
  writeFileSync(input, PROGRAM);
}, 600_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(input, { force: true });
});

async function installAll(): Promise<void> {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  const { tarball } = await pack(folder);
  const models = ['openai', '@anthropic-ai/sdk', '@modelcontextprotocol/sdk', 'redis'];
  const packages = [...bundlers.flatMap((bundler) => bundler.packages), ...models];
  await execa('npm', ['install', tarball, ...packages, '--no-audit', '--no-fund'], {
    cwd: project,
    env: plainEnvironment(),
    extendEnv: false,
  });
}

async function run(file: string): Promise<string> {
  const { stdout, stderr } = await execa(process.execPath, [file], { cwd: join(folder, 'run') });
  expect(stderr).toBe('');
  return stdout;
}

/** rollup also warns of comments and circles in packages that it bundles; everybody who uses them sees these. */
const ABOUT_OTHERS = /^(Circular dependency: )?\S*node_modules\/zod\//;

const FORMATS = [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
] as const;
const cases = bundlers.flatMap((bundler) =>
  FORMATS.map(([format, ending]) => ({ bundler, name: bundler.name, format, ending })),
);

it.each(cases)(
  'PK-21: bundled for Node by $name as $format, it runs where nothing is installed',
  { timeout: 120_000 },
  async ({ bundler, name, format, ending }) => {
    const outfile = join(folder, name, format, `program.${ending}`);
    const { warnings, modules } = await bundler.from(project)(input, outfile, format);
    expect(warnings.filter((warning) => !ABOUT_OTHERS.test(warning))).toEqual([]);
    const packages = modules.map((path) => packageOf(path.split('node_modules/').at(-1) ?? ''));
    expect(packages).toContain('zod');
    expect(packages.filter((each) => OPTIONAL.includes(each))).toEqual([]);
    expect(await run(outfile)).toBe([...SAID, 'denied in Python'].join('\n'));
  },
);

/** What each optional package comes to: without a server in its place, or without the package. */
const OPTIONAL_PROGRAM = `
import { anthropicModel, connectMcpServers, openaiModel } from '${manifest.name}/agent';
import { openRedisMailbox } from '${manifest.name}/redis';

async function main() {
  const options = { model: 'any', apiKey: 'key', baseURL: 'http://127.0.0.1:1', maxRetries: 0 };
  const request = { system: '', messages: [], tools: [], purpose: 'turn', signal: new AbortController().signal };
  for (const make of [openaiModel, anthropicModel])
    try {
      for await (const _ of make(options).stream(request));
    } catch ({ name, code }) {
      console.log(name, code);
    }
  const endsWhenAsked = "process.stdin.once('data', () => process.exit())";
  const notes = { type: 'stdio', command: process.execPath, args: ['--eval', endsWhenAsked] };
  const { failures, close } = await connectMcpServers({ notes });
  await close();
  console.log(failures[0].message);
  await openRedisMailbox({ url: 'redis://127.0.0.1:1' }).catch(({ name }) => console.log(name));
}
main();
`;
const WITH_THEM = [
  'ModelError unavailable',
  'ModelError unavailable',
  'The MCP server notes cannot be used: MCP error -32000: Connection closed',
  'MailboxUnavailableError',
];
const WITHOUT_THEM = [
  'ModelError missing_package',
  'ModelError missing_package',
  'The MCP server notes cannot be used: MCP servers need the package @modelcontextprotocol/sdk, which is not installed: npm install @modelcontextprotocol/sdk',
  'HookError',
];

/** `redis` is CommonJS and requires modules of Node, which esbuild cannot make an ECMAScript module. */
const GIVES_REQUIRE = `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url);
`;

it.each(cases)(
  'PK-25: bundled by $name as $format, optional packages that are installed are in it and work',
  { timeout: 120_000 },
  async ({ bundler, name, format, ending }) => {
    const program = join(dirname(input), `optional-${process.pid}.mjs`);
    onTestFinished(() => rmSync(program, { force: true }));
    writeFileSync(program, OPTIONAL_PROGRAM);
    const outfile = join(folder, `${name}-with-them`, format, `program.${ending}`);
    await bundler.from(project)(program, outfile, format);
    if (name === 'esbuild' && format === 'esm')
      writeFileSync(outfile, `${GIVES_REQUIRE}${readFileSync(outfile, 'utf8')}`);
    expect((await run(outfile)).split('\n')).toEqual(WITH_THEM);
  },
);

/** These two warn of each package that they do not find. */
const WARN = ['rollup', 'webpack'];

it.each(cases)(
  'PK-25: bundled by $name as $format where no optional package is installed, it says what to install',
  { timeout: 120_000 },
  async ({ bundler, name, format, ending }) => {
    const outfile = join(folder, `${name}-without-them`, format, `program.${ending}`);
    const { warnings } = await bundler.from(project)(withoutOptional(), outfile, format);
    expect(WARN.includes(name) ? [] : warnings).toEqual([]);
    expect((await run(outfile)).split('\n')).toEqual(WITHOUT_THEM);
  },
);

/** The program in a folder of its own, with this package and its dependencies. */
function withoutOptional(): string {
  const place = makeFolder('without-optional');
  onTestFinished(() => rmSync(place, { recursive: true }));
  const own = join(place, 'node_modules', manifest.name);
  cpSync(join(ROOT, 'dist'), join(own, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(own, 'package.json'));
  for (const name of Object.keys(manifest.dependencies))
    symlinkSync(join(ROOT, 'node_modules', name), join(place, 'node_modules', name));
  const program = join(place, 'program.mjs');
  writeFileSync(program, OPTIONAL_PROGRAM);
  return program;
}
