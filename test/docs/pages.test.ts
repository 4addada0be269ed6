/** Every page of the documentation works as it is written: its files compile, its commands print what it says. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isPromised, readSteps } from './page.js';
import { followPage, makeProject, writeStep } from './run-page.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const docs = join(root, 'docs');

const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.includes('node_modules') && !path.startsWith('.'))
  .sort()
  .map((path) => ({ path, steps: readSteps(readFileSync(join(docs, path), 'utf8')) }));

describe.each(pages)('docs/$path', ({ path, steps }) => {
  it('runs as written', { timeout: 180_000 }, async () => {
    for await (const { line, output, printed, exitCode } of followPage(steps)) {
      const place = `docs/${path}:${line}`;
      if (output === undefined) expect({ place, printed, exitCode }).toMatchObject({ exitCode: 0 });
      else if (!isPromised(output, printed)) expect(printed, place).toBe(output);
    }
  });

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
      },
      include: ['pages'],
    }),
  );
  const { all } = await execa(join(root, 'node_modules/.bin/tsc'), ['-p', project], {
    all: true,
    reject: false,
  });
  rmSync(home, { recursive: true, force: true });
  expect(all).toBe('');
});
