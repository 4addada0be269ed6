/** Stores that must not be believed: whoever could have written them is not the user. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TrustError } from '../../../src/config/trust/problem.js';
import { defaultTrustFile, ownershipProblem } from '../../../src/config/trust/store-place.js';
import { createTrustStore } from '../../../src/config/trust/trust-store.js';
import { type TrustFixture, trustTest } from './support.js';

const isRoot = process.getuid?.() === 0;
const OTHER_USER = 65_534;

const rewrite = (file: string, edit: (text: string) => string): void =>
  writeFileSync(file, edit(readFileSync(file, 'utf8')));

/** Each takes a store in which the hook is approved and makes it unfit. */
const UNFIT: Readonly<Record<string, readonly [code: string, spoil: (trust: TrustFixture) => void]>> = {
  'has a damaged field': [
    'store_malformed',
    ({ file }) => rewrite(file, (text) => text.replace('"\\"Bash\\""', '"[\\"Bash"')),
  ],
  'is a link': [
    'store_is_link',
    ({ file }) => {
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
  ],
  'can be written by everybody': ['store_writable_by_others', ({ file }) => chmodSync(file, 0o602)],
  'can be written by its group': ['store_writable_by_others', ({ file }) => chmodSync(file, 0o620)],
  'lies in a directory that everybody can write': [
    'store_writable_by_others',
    ({ file }) => chmodSync(dirname(file), 0o777),
  ],
  'lies in a directory that its group can write': [
    'store_writable_by_others',
    ({ file }) => chmodSync(dirname(file), 0o770),
  ],
  'is a directory': [
    'store_not_a_file',
    ({ file }) => {
      renameSync(file, `${file}.real`);
      mkdirSync(file);
    },
  ],
  'is a pipe': [
    'store_not_a_file',
    ({ file }) => {
      renameSync(file, `${file}.real`);
      execFileSync('mkfifo', ['-m', '600', file]);
    },
  ],
  'is empty': ['store_malformed', ({ file }) => truncateSync(file, 0)],
  'is cut off': ['store_malformed', ({ file }) => rewrite(file, (text) => text.slice(0, -20))],
  'is no JSON': ['store_malformed', ({ file }) => writeFileSync(file, 'trust me')],
  'is something else': ['store_malformed', ({ file }) => writeFileSync(file, '[]')],
  'is of a later version': [
    'store_malformed',
    ({ file }) => rewrite(file, (text) => text.replace('"version": 2', '"version": 3')),
  ],
  'is of an earlier version': [
    'store_outdated',
    ({ file }) => rewrite(file, (text) => text.replace('"version": 2', '"version": 1')),
  ],
  'has a key that we do not write': [
    'store_malformed',
    ({ file }) => rewrite(file, (text) => text.replace('{', '{"trustAll": true,')),
  ],
  'has a fingerprint that is none': [
    'store_malformed',
    ({ file }) => rewrite(file, (text) => text.replace(/"fingerprint": "\w{8}/, '"fingerprint": "********')),
  ],
  'is enormous': ['store_malformed', ({ file }) => appendFileSync(file, ' '.repeat(17 * 1024 * 1024))],
  ...(isRoot && {
    'belongs to somebody else': [
      'store_owned_by_others',
      ({ file }) => chownSync(file, OTHER_USER, OTHER_USER),
    ],
    'lies in a directory of somebody else': [
      'store_owned_by_others',
      ({ file }) => chownSync(dirname(file), OTHER_USER, OTHER_USER),
    ],
  }),
};

describe('a store that', () => {
  for (const [what, [code, spoil]] of Object.entries(UNFIT)) {
    trustTest(`TR-10 TR-11 ${what} is refused, and left as it is`, async ({ trust }) => {
      const { store, workspace } = trust;
      const hook = trust.hook('./guard.sh');
      await store.approve(workspace, [hook]);
      expect(await store.status(workspace, [hook])).toEqual(['trusted']);
      spoil(trust);
      const before = execFileSync('ls', ['-la', dirname(trust.file)], { encoding: 'utf8' });

      expect(await store.status(workspace, [hook])).toEqual(['untrusted']);
      const { problems } = await store.review(workspace, [hook]);
      expect(problems).toEqual([
        { severity: 'error', code, message: expect.stringMatching(/.{40}\. [A-Z].*\.$/) },
      ]);
      for (const attempt of [
        () => store.approve(workspace, [hook]),
        () => store.revoke(workspace),
        () => store.revoke(workspace, [hook]),
        () => store.list(),
      ]) {
        const thrown = await attempt().catch((error: unknown) => error);
        expect(thrown).toBeInstanceOf(TrustError);
        expect(thrown).toMatchObject({ code, message: problems[0]?.message });
      }
      const after = execFileSync('ls', ['-la', dirname(trust.file)], { encoding: 'utf8' });
      expect(after.replace(/^.* \.\.?$/gm, '')).toBe(before.replace(/^.* \.\.?$/gm, ''));
    });
  }

  it('TR-10 belongs to another user is distinguished by its number', () => {
    const mine = { uid: 1000, mode: 0o100600 };
    expect(ownershipProblem(mine, 'It', 'chmod 600', 1000)).toBeUndefined();
    expect(ownershipProblem(mine, 'It', 'chmod 600', 1001)).toMatchObject({ code: 'store_owned_by_others' });
    expect(ownershipProblem({ uid: 0, mode: 0o100600 }, 'It', 'chmod 600', 1000)).toMatchObject({
      code: 'store_owned_by_others',
    });
    expect(ownershipProblem({ uid: 1000, mode: 0o100644 }, 'It', 'chmod 600', 1000)).toBeUndefined();
  });
});

describe('a place that is not fit', () => {
  const refused = async ({ workspace, hook }: TrustFixture, file: string): Promise<string | undefined> => {
    const store = createTrustStore({ file });
    const hooks = [hook('./guard.sh')];
    const { statuses, problems } = await store.review(workspace, hooks);
    expect(statuses).toEqual(['untrusted']);
    await expect(store.approve(workspace, hooks)).rejects.toMatchObject({ code: problems[0]?.code });
    return problems[0]?.code;
  };

  trustTest('TR-10 inside the workspace: a repository brings a store that approves it', async ({ trust }) => {
    const hook = trust.hook('./guard.sh');
    await trust.store.approve(trust.workspace, [hook]);
    const brought = trust.write('.config/hookline/trust.json', '');
    copyFileSync(trust.file, brought);
    chmodSync(brought, 0o600);
    chmodSync(dirname(brought), 0o700);
    expect(await refused(trust, brought)).toBe('store_in_workspace');
  });

  trustTest('TR-10 inside the workspace, before anything is there: nothing is made', async ({ trust }) => {
    expect(await refused(trust, join(trust.workspace, '.hookline/trust.json'))).toBe('store_in_workspace');
    expect(existsSync(join(trust.workspace, '.hookline'))).toBe(false);
  });

  trustTest('TR-10 inside the workspace through a linked directory', async ({ trust }) => {
    mkdirSync(join(trust.workspace, 'trap'), { mode: 0o700 });
    symlinkSync(join(trust.workspace, 'trap'), join(trust.root, 'config'));
    expect(await refused(trust, join(trust.root, 'config', 'trust.json'))).toBe('store_in_workspace');
    expect(await refused(trust, join(trust.root, 'config', 'deeper/trust.json'))).toBe('store_in_workspace');
  });

  trustTest('TR-10 outside through a link that the workspace brings', async ({ trust }) => {
    mkdirSync(join(trust.root, 'outside'), { mode: 0o700 });
    symlinkSync(join(trust.root, 'outside'), join(trust.workspace, 'home'));
    expect(await refused(trust, join(trust.workspace, 'home', 'trust.json'))).toBe('store_in_workspace');
  });

  trustTest('TR-10 inside the workspace that is itself reached by a link', async ({ trust }) => {
    const link = join(trust.root, 'link');
    symlinkSync(trust.workspace, link);
    const file = join(trust.workspace, 'trust.json');
    const { problems } = await createTrustStore({ file }).review(link, []);
    expect(problems).toMatchObject([{ code: 'store_in_workspace' }]);
  });

  trustTest('TR-10 a relative one, which would depend on the working directory', async ({ trust }) => {
    expect(await refused(trust, 'trust.json')).toBe('store_path_relative');
    expect(await refused(trust, defaultTrustFile({ HOOKLINE_HOME: '.hookline' }, '/home/me'))).toBe(
      'store_path_relative',
    );
  });

  trustTest('TR-10 a sibling whose name only begins like the workspace is fit', async ({ trust }) => {
    const store = createTrustStore({ file: join(`${trust.workspace}-home`, 'trust.json') });
    await store.approve(trust.workspace, [trust.hook('./a.sh')]);
    expect(await store.status(trust.workspace, [trust.hook('./a.sh')])).toEqual(['trusted']);
  });
});

describe('the usual place', () => {
  it.each([
    [{ HOOKLINE_HOME: '/a', XDG_CONFIG_HOME: '/b' }, '/a/trust.json'],
    [{ XDG_CONFIG_HOME: '/b' }, '/b/hookline/trust.json'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/hookline/trust.json'],
    [{ HOOKLINE_HOME: '', XDG_CONFIG_HOME: '' }, '/home/me/.config/hookline/trust.json'],
    [{}, '/home/me/.config/hookline/trust.json'],
  ])('TR-9 with %j is %s', (env, file) => {
    expect(defaultTrustFile(env, '/home/me')).toBe(file);
  });

  it('TR-9 is used when no file is given', () => {
    expect(createTrustStore().file).toBe(defaultTrustFile());
  });
});
