/** Every page of the documentation works as it is written: its files compile, its commands print what it says. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.js';
import { EXPECTED } from '../examples/expected.js';
import { READER_SEES } from '../integrations/hosts/reader.js';
import { isWholeForm } from '../support/matrix.js';
import { isPromised, readSteps } from './page.js';
import { followPage, makeProject, writeStep } from './run-page.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const docs = join(root, 'docs');

/** Pages on frameworks, which are not installed here. Their code is that of examples, which run elsewhere. */
const isOfFramework = (path: string): boolean => /^frameworks\/(?!index\.md$)/.test(path);

const hasPython = spawnSync('python3', ['--version']).status === 0;

const allPages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.includes('node_modules') && !path.startsWith('.'))
  .sort()
  .map((path) => ({ path, steps: readSteps(readFileSync(join(docs, path), 'utf8')) }));

/** The page on which tsx itself starts the programs. On the others Node starts them compiled, which takes a quarter of the time. */
const WITH_TSX = 'start/typescript.md';

const pages = allPages.filter(({ path }) => !isOfFramework(path));

/** Pages with commands: all of them, or those where readers begin and the first one of each other folder. */
const followed = pages
  .filter(({ steps }) => steps.some((step) => step.kind === 'run'))
  .filter(
    ({ path }, at, all) =>
      isWholeForm ||
      dirname(path) === dirname(WITH_TSX) ||
      dirname(path) !== dirname(all[at - 1]?.path ?? ''),
  );

describe.each(allPages.filter(({ path }) => isOfFramework(path)))('docs/$path', ({ path, steps }) => {
  const examples = ['examples', 'examples/frameworks', 'examples/frameworks/shared'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  );

  it('shows whole examples, and one command to install', () => {
    const written = steps.filter((step) => step.kind === 'write');
    expect(written.length).toBeGreaterThan(0);
    for (const { text, line } of written)
      expect(
        examples.some((example) => example.replace(/^\/\*\*.*\n/, '') === text),
        `docs/${path}:${line} is no example`,
      ).toBe(true);
    const scripts = steps.flatMap((step) => (step.kind === 'run' ? [step.script.trim()] : []));
    expect(scripts).toEqual([expect.stringMatching(/^npm install hookline( [\w@/-]+)*$/)]);
  });

  it('says what the example prints', () => {
    const printed = steps.flatMap((step) =>
      step.kind === 'show' && step.language === 'text' ? [step.text] : [],
    );
    const [{ file = '' } = {}] = steps.filter((step) => step.kind === 'write').slice(-1);
    expect(printed).toEqual([file in EXPECTED ? `${EXPECTED[file]}\n` : READER_SEES]);
  });

  it('has the same parts as the others', () => {
    const page = readFileSync(join(docs, path), 'utf8');
    expect([...page.matchAll(/^## (.+)$/gm)].map(({ 1: title }) => title)).toEqual([
      'Install',
      'The code',
      'What is enforced',
      'What the host cannot do',
      'Troubleshooting',
    ]);
  });
});

describe.each(followed)('docs/$path', ({ path, steps }) => {
  it('runs as written', { timeout: 180_000 }, async ({ skip }) => {
    const needsPython = steps.some((step) => 'file' in step && step.file.endsWith('.py'));
    if (needsPython && !hasPython) skip('python3 is not installed');
    for await (const { line, output, printed, exitCode } of followPage(steps, {
      compiled: path !== WITH_TSX,
    })) {
      const place = `docs/${path}:${line}`;
      if (output === undefined) expect({ place, printed, exitCode }).toMatchObject({ exitCode: 0 });
      else if (!isPromised(output, printed)) expect(printed, place).toBe(output);
    }
  });
});

describe.each(pages)('docs/$path', ({ path, steps }) => {
  it('shows nothing that is not tried or at least read', () => {
    const written = steps.flatMap((step) => (step.kind === 'write' ? [step.text] : []));
    for (const step of steps) {
      if (step.kind !== 'show') continue;
      const place = `docs/${path}:${step.line}`;
      if (step.language === 'json') expect(() => JSON.parse(step.text), place).not.toThrow();
      else if (step.language === 'yaml') expect(() => parse(step.text), place).not.toThrow();
      else
        expect(
          written.some((text) => text.includes(step.text)),
          `${place}: ${step.language} without a file`,
        ).toBe(true);
    }
  });
});

it.each(pages)('docs/$path says how to set up a project if it runs TypeScript', ({ path, steps }) => {
  const runs = steps.some((step) => step.kind === 'run' && step.script.includes('npx tsx'));
  const page = readFileSync(join(docs, path), 'utf8');
  if (runs) expect(page).toMatch(/typescript\.md#install|^## Install$/m);
});

/** They answer a question, and are not where anyone begins. */
const ANSWERS = /^(?:reference|more)\//;

it.each(pages.filter(({ path }) => !ANSWERS.test(path)))(
  'docs/$path says how to install hookline before it runs it',
  ({ path, steps }) => {
    const first = steps.find((step) => step.kind === 'run' && step.script.includes('npx hookline'));
    const page = readFileSync(join(docs, path), 'utf8');
    const before = page.slice(0, page.indexOf('npx hookline'));
    if (first !== undefined) expect(before).toMatch(/^npm install .*hookline|typescript\.md#install/m);
  },
);

it('a program runs with tsx itself on one page', () => {
  const steps = pages.find(({ path }) => path === WITH_TSX)?.steps ?? [];
  expect(steps.some((step) => step.kind === 'run' && step.script.includes('npx tsx '))).toBe(true);
});

it('the reference of the command line has every command', () => {
  const page = readFileSync(join(docs, 'reference/cli.md'), 'utf8');
  const missing = COMMANDS.map(({ name }) => name).filter((name) => !new RegExp(`\`${name}\\b`).test(page));
  expect(missing).toEqual([]);
});

it('all TypeScript of the documentation compiles, strictly', { timeout: 120_000 }, async () => {
  const { home, project } = makeProject();
  for (const { path, steps } of pages) {
    for (const step of steps) {
      if (step.kind === 'write' && step.file.endsWith('.ts'))
        writeStep(project, { ...step, file: join('pages', path.replace(/\.md$/, ''), step.file) });
    }
  }
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'esnext.disposable'],
        module: 'nodenext',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: ['node'],
        // `tsc --init` writes it: what a page exports has to have a name.
        declaration: true,
      },
      include: ['pages'],
    }),
  );
  const { all } = await execa(join(root, 'node_modules/.bin/tsc'), ['--checkers', '1', '-p', project], {
    all: true,
    reject: false,
  });
  rmSync(home, { recursive: true, force: true });
  expect(all).toBe('');
});
