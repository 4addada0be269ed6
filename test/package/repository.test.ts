/** What surrounds the package in its repository: workflows, templates, and the command that says where it is. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { makeFolder, ROOT } from './support.js';

const folder = makeFolder('repository');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the repository', () => {
  it('PK-18: one command says where it is', async () => {
    mkdirSync(join(folder, '.github'));
    cpSync(join(ROOT, '.github/set-repository.mjs'), join(folder, '.github/set-repository.mjs'));
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    const guide = 'docs/how-to/test-hooks.md';
    cpSync(join(ROOT, guide), join(folder, guide), { recursive: true });
    await execa('npm', ['run', '--silent', 'repository', '--', 'acme/hookline'], { cwd: folder });
    const { repository, homepage, bugs, ...rest } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    expect([repository.url, homepage, bugs.url]).toEqual([
      'git+https://github.com/acme/hookline.git',
      'https://github.com/acme/hookline#readme',
      'https://github.com/acme/hookline/issues',
    ]);
    expect(rest).toEqual(manifest);
    expect(readFileSync(join(folder, guide), 'utf8')).toContain('uses: acme/hookline/.github/actions/hooks@');
  });

  it('PK-18: what is no repository is refused, and nothing is written', async () => {
    const program = join(ROOT, '.github/set-repository.mjs');
    const { exitCode, stderr } = await execa('node', [program, 'acme'], { reject: false });
    expect([exitCode, stderr]).toEqual([64, expect.stringContaining('owner/name')]);
  });

  it('PK-18: workflows and templates can be read, and call only what exists', () => {
    const files = readdirSync(join(ROOT, '.github'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.yml'),
    );
    expect(files).toEqual(expect.arrayContaining(['workflows/ci.yml', 'workflows/release.yml']));
    const scripts = files.flatMap((path) => {
      const text = readFileSync(join(ROOT, '.github', path), 'utf8');
      expect(parse(text), path).toBeTypeOf('object');
      return [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script);
    });
    expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
  });
});
