/** What the tests of workspaces share: real folders, written from a list, and read back as one. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LeftOut } from '../../../src/integrations/workspaces/index.js';

/** A fresh folder that is gone after the test. */
export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workspaces-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A text is a file, `{ link }` a link, `null` a folder. */
export type Tree = Readonly<Record<string, string | Buffer | null | { readonly link: string }>>;

export function writeTree(root: string, tree: Tree): string {
  for (const [path, what] of Object.entries(tree)) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    if (what === null) mkdirSync(full, { recursive: true });
    else if (typeof what === 'object' && 'link' in what) symlinkSync(what.link, full);
    else writeFileSync(full, what);
  }
  return root;
}

/** All that is below a folder, links not followed. */
export function readTree(root: string): Record<string, string | null | { link: string }> {
  const found: [string, string | null | { link: string }][] = [];
  for (const path of (readdirSync(root, { recursive: true, encoding: 'utf8' }) as string[]).sort()) {
    const full = join(root, path);
    // The reader of folders follows links to folders; what lies behind them is not theirs.
    if (isBehindLink(root, path)) continue;
    const info = lstatSync(full);
    if (info.isSymbolicLink()) found.push([path, { link: readlinkSync(full) }]);
    else found.push([path, info.isDirectory() ? null : readFileSync(full, 'utf8')]);
  }
  return Object.fromEntries(found);
}

function isBehindLink(root: string, path: string): boolean {
  const above = dirname(path);
  if (above === '.') return false;
  return lstatSync(join(root, above)).isSymbolicLink() || isBehindLink(root, above);
}

export function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}

export function makeProgram(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** As words: `.env secret`. */
export const asWords = (leftOut: readonly LeftOut[]): string[] =>
  leftOut.map(({ path, reason }) => `${path} ${reason}`).sort();

export const modeOf = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);
