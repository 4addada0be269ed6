/** Asking again whether a hook is what was approved: at once while nothing has changed, and never wrong. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { fingerprint } from '../../../src/config/trust/fingerprint.js';
import type { TrustSubject } from '../../../src/config/trust/subject.js';
import { createVerifier } from '../../../src/config/trust/verify.js';
import { type TrustFixture, trustTest } from './support.js';

const GUARD = '#!/bin/sh\nexit 2\n';
const OPEN = '#!/bin/sh\nexit 0\n';
const LARGE = GUARD.padEnd(200_000, '#');

/** Nobody can set the time of a file's change; the clock it is compared with can be put forward. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

async function verifierOf(
  trust: TrustFixture,
  hook: TrustSubject,
): Promise<() => boolean | Promise<boolean>> {
  const verify = createVerifier(hook, await fingerprint(hook), trust.store);
  expect(await verify()).toBe(true);
  // No promise: nothing was computed again.
  expect(verify()).toBe(true);
  return verify;
}

/** As an editor would that leaves no trace: same size, same modification time. */
function editInPlace(path: string, content: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, content);
  utimesSync(path, atime, mtime);
}

type Change = (trust: TrustFixture) => void;

const changes: readonly (readonly [what: string, prepare: Change, line: string, change: Change])[] = [
  [
    'a module in a folder where Python looks before it takes its own',
    ({ write }) => write('sub/data.txt', ''),
    'cd sub && python3 -m json.tool',
    ({ write }) => write('sub/json.py', 'pass'),
  ],
  [
    'a module in a package that is there already',
    ({ write }) => write('tools/data.txt', ''),
    'python3 -m tools.check',
    ({ write }) => write('tools/check.py', 'pass'),
  ],
  [
    'a setting of git, written in place',
    ({ write }) => write('.git/config', '[core]\n\tbare = false\n'),
    'git status',
    ({ write }) => write('.git/config', '[core]\n\tfsmonitor = ./x.sh\n'),
  ],
  [
    'a justfile that is nearer',
    ({ write }) => [write('justfile', ''), write('a/b/data.txt', '')],
    'cd a/b && just check',
    ({ write }) => write('a/justfile', 'check:'),
  ],
  [
    'a script edited in place, with its size and time restored',
    ({ write }) => utimesSync(write('guard.sh', GUARD), 1000, 1000),
    './guard.sh',
    ({ workspace }) => editInPlace(join(workspace, 'guard.sh'), OPEN),
  ],
  [
    'a large script edited in place, with its size and time restored',
    ({ write }) => utimesSync(write('guard.sh', LARGE), 1000, 1000),
    './guard.sh',
    ({ workspace }) => editInPlace(join(workspace, 'guard.sh'), LARGE.replace('exit 2', 'exit 0')),
  ],
  [
    'a script replaced by a rename',
    ({ write }) => [write('guard.sh', GUARD), write('other/guard.sh', OPEN)],
    './guard.sh',
    ({ workspace }) => renameSync(join(workspace, 'other/guard.sh'), join(workspace, 'guard.sh')),
  ],
  [
    'a large script replaced by a link to another one',
    ({ write }) => [write('guard.sh', LARGE), write('other.sh', LARGE.replace('exit 2', 'exit 0'))],
    './guard.sh',
    ({ workspace }) => {
      unlinkSync(join(workspace, 'guard.sh'));
      linkSync(join(workspace, 'other.sh'), join(workspace, 'guard.sh'));
    },
  ],
  [
    'a symbolic link that leads elsewhere, to the same content',
    ({ write, workspace }) => {
      write('one.sh', GUARD);
      write('two.sh', GUARD);
      rmSync(join(workspace, 'guard.sh'), { force: true });
      symlinkSync('one.sh', join(workspace, 'guard.sh'));
    },
    './guard.sh',
    ({ workspace }) => {
      symlinkSync('two.sh', join(workspace, 'next'));
      renameSync(join(workspace, 'next'), join(workspace, 'guard.sh'));
    },
  ],
  [
    'a folder on the way that was swapped for another one',
    ({ write }) => [write('hooks/deep/guard.sh', GUARD), write('open/deep/guard.sh', OPEN)],
    'hooks/deep/guard.sh',
    ({ workspace }) => {
      renameSync(join(workspace, 'hooks'), join(workspace, 'old'));
      renameSync(join(workspace, 'open'), join(workspace, 'hooks'));
    },
  ],
  [
    'a folder on the way that became a link to where it went',
    ({ write }) => write('hooks/guard.sh', GUARD),
    'hooks/guard.sh',
    ({ workspace }) => {
      renameSync(join(workspace, 'hooks'), join(workspace, 'moved'));
      symlinkSync('moved', join(workspace, 'hooks'));
    },
  ],
  [
    'a script that was not there',
    () => {},
    'test ! -e ./more.sh || ./more.sh',
    ({ write }) => write('more.sh', OPEN),
  ],
  [
    'a script in a folder that was not there',
    () => {},
    'test ! -e late/more.sh || late/more.sh',
    ({ write }) => write('late/more.sh', OPEN),
  ],
  [
    'a script without an ending that was not there',
    ({ write }) => write('other.js', ''),
    'node guard',
    ({ write }) => write('guard', OPEN),
  ],
  [
    'a script of a manifest edited in place',
    ({ write }) => write('package.json', '{"scripts":{"x":"exit 2"}}'),
    'npm run x',
    ({ workspace }) => editInPlace(join(workspace, 'package.json'), '{"scripts":{"x":"exit 0"}}'),
  ],
  [
    'a repository that has its top elsewhere',
    ({ write }) => [write('guard.sh', GUARD), write('.git/config', '[core]\n\tbare = false\n')],
    '"$(git rev-parse --show-toplevel)"/guard.sh',
    ({ workspace }) => editInPlace(join(workspace, '.git/config'), '[core]\n\tworktree = ../a\n'),
  ],
  [
    'a repository that is said to be elsewhere',
    ({ write }) => [
      write('guard.sh', GUARD),
      write('one/config', ''),
      write('two/config', '[core]\n\tworktree = ../a\n'),
      write('.git', 'gitdir: one\n'),
    ],
    '"$(git rev-parse --show-toplevel)"/guard.sh',
    ({ workspace }) => editInPlace(join(workspace, '.git'), 'gitdir: two\n'),
  ],
  [
    'a script that lost the right to be executed',
    ({ write }) => write('guard.sh', GUARD),
    './guard.sh',
    ({ workspace }) => chmodSync(join(workspace, 'guard.sh'), 0o644),
  ],
  [
    'a script written anew, with the same content and without the right to be executed',
    ({ write }) => write('guard.sh', GUARD),
    './guard.sh',
    ({ workspace }) => {
      rmSync(join(workspace, 'guard.sh'));
      writeFileSync(join(workspace, 'guard.sh'), GUARD, { mode: 0o644 });
    },
  ],
  [
    'a script that is gone',
    ({ write }) => write('guard.sh', GUARD),
    './guard.sh',
    ({ workspace }) => rmSync(join(workspace, 'guard.sh')),
  ],
  [
    'a script that is a folder now',
    ({ write }) => write('guard.sh', GUARD),
    './guard.sh',
    ({ workspace }) => {
      rmSync(join(workspace, 'guard.sh'));
      mkdirSync(join(workspace, 'guard.sh'));
    },
  ],
];

describe('what was approved and has changed since', () => {
  for (const [what, prepare, line, change] of changes) {
    trustTest(`TR-20 TR-27 is not what was approved: ${what}`, async ({ trust }) => {
      prepare(trust);
      const verify = await verifierOf(trust, trust.hook(line));
      change(trust);
      expect(await verify()).toBe(false);
      expect(await verify()).toBe(false);
    });
  }

  trustTest('TR-20 a workspace that leads elsewhere is not what was approved', async ({ trust }) => {
    trust.write('one/guard.sh', GUARD);
    trust.write('two/guard.sh', OPEN);
    const link = join(trust.root, 'link');
    symlinkSync(join(trust.workspace, 'one'), link);
    const verify = await verifierOf(trust, { ...trust.hook('./guard.sh'), workspace: link });
    unlinkSync(link);
    symlinkSync(join(trust.workspace, 'two'), link);
    expect(await verify()).toBe(false);
  });

  trustTest('TR-20 holds again when it is as it was, or was approved as it is now', async ({ trust }) => {
    const script = trust.write('guard.sh', GUARD);
    const hook = trust.hook('./guard.sh');
    const verify = await verifierOf(trust, hook);
    writeFileSync(script, OPEN);
    expect(await verify()).toBe(false);
    writeFileSync(script, GUARD);
    expect(await verify()).toBe(true);
    writeFileSync(script, OPEN);
    await trust.store.approve(trust.workspace, [hook]);
    expect(await verify()).toBe(true);
    expect(verify()).toBe(true);
    writeFileSync(script, `${OPEN}#`);
    expect(await verify()).toBe(false);
  });
});

describe('what was approved and is still the same', () => {
  trustTest('TR-20 holds when something else has changed around it', async ({ trust }) => {
    const script = trust.write('guard.sh', GUARD);
    const verify = await verifierOf(trust, trust.hook('./guard.sh'));
    trust.write('notes.txt', 'made by the agent');
    utimesSync(script, 2000, 2000);
    expect(await verify()).toBe(true);
    expect(verify()).toBe(true);
  });

  trustTest('TR-20 holds when values of a manifest have changed that do not count', async ({ trust }) => {
    const manifest = trust.write('package.json', '{"scripts":{"x":"exit 2"}}');
    const verify = await verifierOf(trust, trust.hook('npm run x'));
    writeFileSync(manifest, '{"scripts":{"x":"exit 2"},"version":"1.0.0"}');
    expect(await verify()).toBe(true);
    expect(verify()).toBe(true);
  });

  trustTest('TR-20 is looked at anew while the clock cannot tell changes apart', async ({ trust }) => {
    vi.useRealTimers();
    const script = trust.write('guard.sh', LARGE);
    utimesSync(script, 1000, 1000);
    const hook = trust.hook('./guard.sh');
    const verify = createVerifier(hook, await fingerprint(hook), trust.store);
    for (let i = 0; i < 3; i++) {
      const holds = verify();
      expect(holds).toBeInstanceOf(Promise);
      expect(await holds).toBe(true);
    }
    editInPlace(script, LARGE.replace('exit 2', 'exit 0'));
    expect(await verify()).toBe(false);
  });

  trustTest('TR-20 holds for a pipe, which cannot be compared at once', async ({ trust }) => {
    const hook = trust.hook('sh guard.sh /dev/null');
    trust.write('guard.sh', GUARD);
    symlinkSync('/dev/null', join(trust.workspace, 'null.sh'));
    const special = { ...hook, files: ['null.sh'] };
    const verify = createVerifier(special, await fingerprint(special), trust.store);
    expect(await verify()).toBe(true);
    expect(await verify()).toBe(true);
  });
});
