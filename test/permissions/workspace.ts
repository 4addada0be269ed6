/** A real project in a directory of its own, with links that lead out of it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import {
  type PermissionCall,
  type PermissionOptions,
  Permissions,
  type PermissionVerdict,
} from '../../src/permissions/permissions.js';

export interface Workspace {
  /** `project/`: the root. `elsewhere/`: outside of it. `link`: leads to the root. */
  readonly base: string;
  readonly root: string;
  readonly elsewhere: string;
  readonly home: string;
  permissions(options?: PermissionOptions): Permissions;
}

export function makeWorkspace(): Workspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'permission-')));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, 'project');
  const elsewhere = join(base, 'elsewhere');
  const home = join(base, 'home');
  for (const folder of [
    'project/src/deep',
    'project/.git/objects',
    'project/.git/refs',
    'project/docs',
    'elsewhere',
    'home',
  ])
    mkdirSync(join(base, folder), { recursive: true });
  for (const file of ['project/a.txt', 'project/b.txt', 'project/src/main.ts'])
    writeFileSync(join(base, file), `${file}\n`);
  // git passes over a folder `.git` without it.
  writeFileSync(join(base, 'project/.git/HEAD'), 'ref: refs/heads/main\n');
  for (const file of ['project/.env', 'elsewhere/secret']) writeFileSync(join(base, file), 'hush\n');
  symlinkSync(elsewhere, join(root, 'out'));
  symlinkSync(join(elsewhere, 'not-yet'), join(root, 'dangling'));
  symlinkSync(join(root, 'round'), join(root, 'round'));
  symlinkSync('.git', join(root, 'repository'));
  symlinkSync(root, join(base, 'link'));
  return {
    base,
    root,
    elsewhere,
    home,
    permissions: (options = {}) => new Permissions({ root, home, ...options }),
  };
}

export type CallOptions = Partial<PermissionCall>;

export const bash = (cwd: string, command: unknown, options: CallOptions = {}): PermissionCall => ({
  toolName: 'Bash',
  input: { command },
  readOnly: false,
  cwd,
  ...options,
});

export const read = (cwd: string, file_path: unknown, options: CallOptions = {}): PermissionCall => ({
  toolName: 'Read',
  input: { file_path },
  readOnly: true,
  cwd,
  ...options,
});

export const write = (cwd: string, file_path: unknown, options: CallOptions = {}): PermissionCall => ({
  toolName: 'Write',
  input: { file_path, content: '' },
  readOnly: false,
  cwd,
  ...options,
});

/** `allow tool`, `ask default`, … */
export const short = ({ behavior, by }: PermissionVerdict): string => `${behavior} ${by}`;
