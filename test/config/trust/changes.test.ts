/** What an approval remembers: variables that it passes on, and what was approved, to show what has changed since. */
import { existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { trustTest } from './support.js';

const SCRIPT = '#!/bin/sh\necho one\necho two\n';

describe('the variables of an approval', () => {
  trustTest('TR-17 are kept by name, for commands only, and shown', async ({ trust }) => {
    const { store, workspace } = trust;
    const hook = trust.hook('./a.sh');
    const page = { ...trust.hook(''), handler: { type: 'http', url: 'http://localhost/' } };
    await store.approve(workspace, [hook, page], { env: ['B_TOKEN', 'A_KEY', 'B_TOKEN'] });
    expect((await store.review(workspace, [hook, page])).env).toEqual([['A_KEY', 'B_TOKEN'], []]);
    expect((await store.list()).map(({ env }) => env)).toEqual([['A_KEY', 'B_TOKEN'], []]);
  });

  trustTest('TR-17 are those of the last approval', async ({ trust }) => {
    const { store, workspace } = trust;
    const hook = trust.hook('./a.sh');
    await store.approve(workspace, [hook], { env: ['A_KEY'] });
    await store.approve(workspace, [hook]);
    expect((await store.review(workspace, [hook])).env).toEqual([[]]);
    const edited = trust.hook('./a.sh', { handler: { timeout: 5 } });
    await store.approve(workspace, [hook], { env: ['A_KEY'] });
    expect((await store.review(workspace, [edited])).env).toEqual([[]]);
  });

  for (const name of ['NODE_OPTIONS', 'LD_PRELOAD', 'BASH_ENV', 'ENV', 'PYTHONPATH', 'A=b', 'a b', '', 5]) {
    trustTest(`TR-17 ${JSON.stringify(name)} is refused, and nothing is approved`, async ({ trust }) => {
      const approving = trust.store.approve(trust.workspace, [trust.hook('./a.sh')], {
        env: [name as string],
      });
      await expect(approving).rejects.toMatchObject({ name: 'HookError', code: 'invalid_option' });
      expect(existsSync(trust.file)).toBe(false);
    });
  }
});

describe('what has changed since an approval', () => {
  trustTest('TR-18 is reported field by field and file by file', async ({ trust }) => {
    const { store, workspace } = trust;
    trust.write('guard.sh', SCRIPT);
    const hook = trust.hook('./guard.sh', { handler: { timeout: 5, env: { LEVEL: 'high' } } });
    await store.approve(workspace, [hook], { env: ['A_KEY'] });
    trust.write('guard.sh', SCRIPT.replace('two', 'three'));
    const edited = trust.hook('./guard.sh', {
      matcher: 'Write',
      handler: { timeout: 9, env: { LEVEL: 'low' }, onFailure: 'block' },
    });
    expect(await store.changes(workspace, [edited])).toEqual([
      {
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        approvedAt: expect.stringMatching(/^\d{4}-/),
        env: ['A_KEY'],
        fields: [
          { field: 'env.LEVEL', before: '"high"', after: '"low"' },
          { field: 'matcher', before: '"Bash"', after: '"Write"' },
          { field: 'onFailure', after: '"block"' },
          { field: 'timeout', before: '5', after: '9' },
        ],
        files: [{ path: 'guard.sh', before: SCRIPT, after: SCRIPT.replace('two', 'three') }],
      },
    ]);
  });

  trustTest('TR-18 is nothing for a hook that is trusted, or that is not approved', async ({ trust }) => {
    const { store, workspace } = trust;
    const hooks = [trust.hook('./a.sh'), trust.hook('./b.sh', { event: 'Stop' })];
    await store.approve(workspace, hooks.slice(0, 1));
    expect(await store.changes(workspace, hooks)).toEqual([undefined, undefined]);
    expect(await store.changes(join(workspace, 'gone'), hooks)).toEqual([undefined, undefined]);
  });

  trustTest('TR-18 of several hooks each is compared with its own last approval', async ({ trust }) => {
    const { store, workspace } = trust;
    const [a, b] = [trust.hook('./a.sh'), trust.hook('./b.sh')];
    await store.approve(workspace, [a, b]);
    const slower = trust.hook('./b.sh', { handler: { timeout: 5 } });
    const [first, second] = await store.changes(workspace, [a, slower]);
    expect(first).toBeUndefined();
    expect(second?.fields).toEqual([{ field: 'timeout', after: '5' }]);
  });

  trustTest(
    'TR-18 scripts are kept in private, once, and as long as an approval speaks of them',
    async ({ trust }) => {
      const { store, workspace } = trust;
      trust.write('a.sh', SCRIPT);
      trust.write('b.sh', SCRIPT);
      const hooks = [trust.hook('./a.sh'), trust.hook('./b.sh')];
      await store.approve(workspace, hooks);
      const folder = `${trust.file}.scripts`;
      const [name = ''] = readdirSync(folder);
      expect(readdirSync(folder)).toHaveLength(1);
      expect([folder, join(folder, name)].map((path) => lstatSync(path).mode & 0o777)).toEqual([
        0o700, 0o600,
      ]);
      await store.revoke(workspace, hooks.slice(0, 1));
      expect(readdirSync(folder)).toHaveLength(1);
      await store.revoke(workspace);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  trustTest(
    'TR-18 of a script that is large, binary or not as it was kept there is no text',
    async ({ trust }) => {
      const { store, workspace } = trust;
      trust.write('large.sh', 'x'.repeat(64 * 1024 + 1));
      trust.write('binary.sh', 'a\0b');
      trust.write('kept.sh', SCRIPT);
      const hook = trust.hook('./large.sh ./binary.sh ./kept.sh');
      await store.approve(workspace, [hook]);
      const folder = `${trust.file}.scripts`;
      const names = readdirSync(folder);
      expect(names).toHaveLength(1);
      writeFileSync(join(folder, names[0] ?? ''), 'something else');
      for (const name of ['large.sh', 'binary.sh', 'kept.sh']) trust.write(name, 'new\n');
      const [changes] = await store.changes(workspace, [hook]);
      expect(changes?.files.map(({ before, after }) => [before, after])).toEqual(
        (changes?.files ?? []).map(() => [undefined, 'new\n']),
      );
      expect(changes?.files.map(({ path }) => path)).toContain('large.sh');
    },
  );
});

describe('a review', () => {
  trustTest('TR-19 names the files of which something was approved', async ({ trust }) => {
    const { store, workspace } = trust;
    const source = join(workspace, '.claude', 'settings.json');
    await store.approve(workspace, [trust.hook('./a.sh', { source }), trust.hook('./b.sh', { source })]);
    expect((await store.review(workspace, [])).approvedFiles).toEqual(['.claude/settings.json']);
    const moved = trust.hook('./a.sh', { source: join(workspace, 'other.json') });
    expect(await store.status(workspace, [moved])).toEqual(['trusted']);
  });
});

describe('odd names', () => {
  trustTest('TR-18 TR-10 of files and fields do no harm to the store', async ({ trust }) => {
    const { store, workspace } = trust;
    trust.write('__proto__', '#!/bin/sh\n');
    trust.write('constructor', '#!/bin/sh\n');
    const handler = JSON.parse(
      '{ "__proto__": { "a": 1 }, "constructor": 5, "env": { "__proto__": "x" } }',
    ) as object;
    const hook = {
      ...trust.hook(''),
      handler: { type: 'command', command: './__proto__ ./constructor', ...handler },
    };
    await store.approve(workspace, [hook]);
    expect(await store.status(workspace, [hook])).toEqual(['trusted']);
    trust.write('__proto__', '#!/bin/sh\nexit 2\n');
    expect(await store.status(workspace, [hook])).toEqual(['modified']);
    expect((await store.changes(workspace, [hook]))[0]).toBeDefined();
  });
});
