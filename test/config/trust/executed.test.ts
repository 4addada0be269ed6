/** Which files a fingerprint covers: those that the hook executes, however they are spelled. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { trustForm } from '../../../src/config/trust/trust-store.js';
import {
  CARRIED,
  DIRECT,
  edited,
  furnish,
  GIVEN,
  IDIOMS,
  NAMED,
  RUNNERS,
  type Spelling,
} from './spellings.js';
import { trustFixture, trustTest } from './support.js';

const GROUPS: Readonly<Record<string, readonly Spelling[]>> = {
  'an idiom': IDIOMS,
  'through another command': CARRIED,
  'by a program that runs it': RUNNERS,
  'by a name or a text': NAMED,
  'without a shell': DIRECT,
  'by a program that is given it': GIVEN,
};

describe.each(Object.entries(GROUPS))('a script that is edited after the approval, %s', (_, spellings) => {
  const trust = trustFixture();
  furnish(trust.workspace);
  afterAll(() => trust.dispose());

  for (const [command, path, handler] of spellings) {
    const title = `${JSON.stringify(command)}${handler ? ` ${JSON.stringify(handler)}` : ''} runs ${path}`;
    it(`TR-3 ends the trust: ${title}`, async () => {
      const hook = trust.hook(command, handler ? { handler } : {});
      await trust.store.approve(trust.workspace, [hook]);
      expect(await trust.store.status(trust.workspace, [hook])).toEqual(['trusted']);
      const file = join(trust.workspace, path);
      const [before, { mode }] = [readFileSync(file), statSync(file)];
      const content = edited(path);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      chmodSync(file, 0o755);
      expect(await trust.store.status(trust.workspace, [hook])).toEqual(['modified']);
      // The next test finds what this one has found.
      writeFileSync(file, before);
      chmodSync(file, mode);
      expect(await trust.store.status(trust.workspace, [hook])).toEqual(['trusted']);
    });
  }
});

describe('a script that is edited after the approval', () => {
  trustTest(
    'TR-3 what is found depends on what is there: a file that takes precedence counts',
    async ({ trust }) => {
      furnish(trust.workspace);
      for (const [command, shadow] of [
        ['node guard', 'guard'],
        ['python3 -m mod', 'mod/__main__.py'],
        ['PATH=first:bin:$PATH tool', 'first/tool'],
        ['make check', 'GNUmakefile'],
        ['npm run lint', '.npmrc'],
        ['npx prettier', 'node_modules/.bin/prettier'],
        ['npx eslint .', '.yarnrc'],
        ['pnpm lint', 'pnpm-workspace.yaml'],
        ['bun guard.ts', 'bunfig.toml'],
        ['PYTHONPATH=pylib python3 guard.py', 'pylib/sitecustomize.py'],
        ['PYTHONPATH=pylib python3 < guard.py', 'pylib/usercustomize.py'],
        ['docker compose run x', 'compose.override.yaml'],
        ['run-parts hooks', 'hooks/later'],
        ['python3 -c "import json, sys"', 'json.py'],
        ['python3 -c "import subprocess"', 'subprocess/__init__.py'],
        ['python3 -c "import os"', '_json.py'],
        ['python3 -m json.tool', 're.py'],
        ['python3 hooks/guard', 'hooks/enum.py'],
        ['python3 -c "import yaml"', 'yaml/__init__.py'],
        ['git status', '.git/config'],
        ['git commit -qm wip', '.git/hooks/pre-commit'],
        ['for f in hooks/*.sh; do sh "$f"; done', 'hooks/more.sh'],
      ] as const) {
        const hook = trust.hook(command);
        await trust.store.approve(trust.workspace, [hook]);
        expect(await trust.store.status(trust.workspace, [hook]), command).toEqual(['trusted']);
        trust.write(shadow, shadow === '.git/config' ? '[core]\n\tfsmonitor = ./x\n' : 'touch OWNED\n');
        expect(await trust.store.status(trust.workspace, [hook]), command).toEqual(['modified']);
      }
    },
  );

  trustTest('TR-3 what a setting of git runs, and what a first line finds in PATH', async ({ trust }) => {
    trust.write('.git/HEAD', 'ref: refs/heads/main\n');
    trust.write('.git/config', '[diff "x"]\n\ttextconv = sh convert.sh\n');
    trust.write('convert.sh', 'cat "$1"\n');
    trust.write('guard', '#!/usr/bin/env tool\n');
    trust.write('bin/tool', '#!/bin/sh\n');
    trust.write('package.json', '{"scripts":{"x":"sh script.sh"}}');
    trust.write('script.sh', 'true\n');
    for (const path of ['guard', 'bin/tool']) chmodSync(join(trust.workspace, path), 0o755);
    for (const [command, path] of [
      ['git diff', 'convert.sh'],
      ['PATH=./bin:$PATH ./guard', 'bin/tool'],
      ['yarn x', 'script.sh'],
      ['pnpm -s x', 'script.sh'],
    ] as const) {
      const hook = trust.hook(command);
      await trust.store.approve(trust.workspace, [hook]);
      expect(await trust.store.status(trust.workspace, [hook]), command).toEqual(['trusted']);
      writeFileSync(join(trust.workspace, path), `#!/bin/sh\ntouch ${command.length}\n`);
      expect(await trust.store.status(trust.workspace, [hook]), command).toEqual(['modified']);
    }
  });

  trustTest('TR-3 a folder on the way that becomes a link leads elsewhere', async ({ trust }) => {
    furnish(trust.workspace);
    const { symlinkSync, rmSync, mkdirSync } = await import('node:fs');
    mkdirSync(join(trust.root, 'evil', 'inner'), { recursive: true });
    writeFileSync(join(trust.root, 'evil', 'guard.sh'), '');
    const hook = trust.hook('./a/../guard.sh');
    await trust.store.approve(trust.workspace, [hook]);
    rmSync(join(trust.workspace, 'a'), { recursive: true });
    symlinkSync(join(trust.root, 'evil', 'inner'), join(trust.workspace, 'a'));
    expect(await trust.store.status(trust.workspace, [hook])).toEqual(['modified']);
  });

  trustTest('TR-3 git may be configured so that its top is elsewhere', async ({ trust }) => {
    furnish(trust.workspace);
    const hook = trust.hook('"$(git rev-parse --show-toplevel)"/guard.sh');
    await trust.store.approve(trust.workspace, [hook]);
    trust.write('.git/config', '[user]\n\tname = somebody\n');
    expect(await trust.store.status(trust.workspace, [hook])).toEqual(['trusted']);
    trust.write('.git/config', '[core]\n\tworktree = ../a/b\n');
    expect(await trust.store.status(trust.workspace, [hook])).toEqual(['modified']);
  });

  trustTest(
    'TR-4 of what git reads and runs, only that counts which the hook makes it run',
    async ({ trust }) => {
      furnish(trust.workspace);
      trust.write('.git/config', '[core]\n\tbare = false\n[alias]\n\tci = commit\n');
      const hooks = [trust.hook('git status --short'), trust.hook('git add -A && git commit -qm wip')];
      await trust.store.approve(trust.workspace, hooks);
      trust.write(
        '.git/config',
        '[core]\n\tbare = false\n[alias]\n\tci = commit\n[branch "x"]\n\tmerge = refs/heads/x\n[remote "o"]\n\turl = x\n',
      );
      trust.write('.git/hooks/pre-push.sample', 'exit 0\n');
      expect(await trust.store.status(trust.workspace, hooks)).toEqual(['trusted', 'trusted']);
      trust.write('.git/hooks/pre-commit', 'exit 0\n');
      expect(await trust.store.status(trust.workspace, hooks)).toEqual(['trusted', 'modified']);
    },
  );

  trustTest('TR-3 of a manifest only the values count that decide what runs', async ({ trust }) => {
    furnish(trust.workspace);
    const scripts = { lint: './guard.sh' };
    trust.write('package.json', JSON.stringify({ scripts }));
    const hooks = [trust.hook('npm run lint'), trust.hook('node .')];
    await trust.store.approve(trust.workspace, hooks);
    trust.write(
      'package.json',
      JSON.stringify({ scripts: { ...scripts, build: 'x' }, dependencies: { a: '1' } }),
    );
    expect(await trust.store.status(trust.workspace, hooks)).toEqual(['trusted', 'trusted']);
    trust.write('package.json', JSON.stringify({ scripts: { ...scripts, postlint: 'touch OWNED' } }));
    expect(await trust.store.status(trust.workspace, hooks)).toEqual(['modified', 'trusted']);
    trust.write('package.json', JSON.stringify({ scripts, main: 'guard.js' }));
    expect(await trust.store.status(trust.workspace, hooks)).toEqual(['trusted', 'modified']);
    const { files } = await trustForm(trust.hook('npm run lint'));
    expect(files.map(({ path, content }) => [path, content.split(':')[0]])).toEqual([
      ['guard.sh', 'sha256'],
      ['package.json', 'part'],
    ]);
  });
});
