/** A workspace and a home in temporary directories, for tests of trust. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'vitest';
import type { TrustSubject } from '../../../src/config/trust/subject.js';
import { createTrustStore, type TrustStore } from '../../../src/config/trust/trust-store.js';

export interface TrustFixture {
  /** Holds the workspace and the home, side by side. */
  readonly root: string;
  /** Has a few scripts in it, which do nothing. */
  readonly workspace: string;
  /** The store's file; nothing is there yet. */
  readonly file: string;
  readonly store: TrustStore;
  /** Writes a file of the workspace and returns its full path. */
  write(path: string, content: string): string;
  /** A command hook of the workspace. */
  hook(command: string, more?: Partial<Omit<TrustSubject, 'handler'>> & { handler?: object }): TrustSubject;
}

export function trustFixture(): TrustFixture & { dispose(): void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-trust-')));
  const workspace = join(root, 'workspace');
  mkdirSync(workspace);
  const file = join(root, 'home', 'hookline', 'trust.json');
  const write: TrustFixture['write'] = (path, content) => {
    const full = join(workspace, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content, { mode: 0o755 });
    return full;
  };
  // What a hook runs has to be there before it can be approved.
  for (const script of ['a.sh', 'b.sh', 'guard.sh', 'old.sh', 'new.sh', 'guard.py'])
    write(script, 'exit 0\n');
  return {
    root,
    workspace,
    file,
    store: createTrustStore({ file }),
    write,
    hook: (command, { handler, ...more } = {}) => ({
      event: 'PreToolUse',
      matcher: 'Bash',
      handler: { type: 'command', command, ...handler },
      workspace,
      ...more,
    }),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export const trustTest = test.extend<{ trust: TrustFixture }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter's pattern.
  trust: async ({}, use) => {
    const fixture = trustFixture();
    await use(fixture);
    fixture.dispose();
  },
});
