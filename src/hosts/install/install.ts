/** Plans what an installation or its removal changes in files; nothing is written here. */
import { dirname } from 'node:path';
import { HookError } from '../../base/errors.js';
import type { Host } from '../../dialects/host/host.js';
import { editProblem, withEntries, withoutEntries } from './edit.js';
import { type Entry, entriesOf, type Start } from './entry.js';
import { ownPlaces } from './installation.js';
import { currentText, installFile, originalOf, type Scope } from './place.js';

export interface Change {
  readonly host: Host;
  readonly scope: Scope;
  readonly file: string;
  /** Undefined: there is no file. */
  readonly before: string | undefined;
  /** Null: the file goes. */
  readonly after: string | null;
  /** Whether the host starts the file as a program. */
  readonly isProgram?: boolean;
}

export const changes = ({ before, after }: Change): boolean => (before ?? null) !== after;

/** The file, or the folder of several. */
export function placeOf(all: readonly Change[]): string {
  const [first] = all;
  return all.length > 1 ? dirname(first?.file ?? '') : (first?.file ?? '');
}

/** Rejects with a HookError if a file cannot be read as what the host expects. */
export async function planInstall(
  host: Host,
  scope: Scope,
  workspace: string,
  start: Start,
): Promise<readonly Change[]> {
  const entries = entriesOf(host, start);
  if (host.shape === 'own') return planOwn(host, scope, workspace, entries);
  const file = installFile(host, scope, workspace);
  const before = await currentText(file);
  refuseBroken(host, file, before);
  return [{ host, scope, file, before, after: withEntries(host, before, entries) }];
}

async function planOwn(
  host: Host,
  scope: Scope,
  workspace: string,
  entries: readonly Entry[],
): Promise<readonly Change[]> {
  const { own } = host;
  return Promise.all(
    ownPlaces(host, scope, workspace).map(async ({ file, names }) => {
      const here = entries.filter(({ name }) => names.includes(name));
      const before = await currentText(file);
      if (before !== undefined && before.trim() !== '' && own?.linesIn(before) === undefined)
        throw new HookError(
          'invalid_config',
          `${file} is not ours, and ${host.title} has one such file for each event. Nothing was changed. Call hookline in yours, or move it away: ${here[0]?.line ?? ''}`,
        );
      const after = own?.write(here) ?? '';
      return { host, scope, file, before, after, ...(own?.perEvent && { isProgram: true }) };
    }),
  );
}

/** Restores what was there; if a file was changed since, only our entries go. */
export async function planUninstall(host: Host, scope: Scope, workspace: string): Promise<readonly Change[]> {
  const files =
    host.shape === 'own'
      ? ownPlaces(host, scope, workspace).map(({ file }) => file)
      : [installFile(host, scope, workspace)];
  return Promise.all(files.map((file) => planRemoval(host, scope, file)));
}

async function planRemoval(host: Host, scope: Scope, file: string): Promise<Change> {
  const before = await currentText(file);
  if (before === undefined) return { host, scope, file, before, after: null };
  const original = await originalOf(file, before);
  if (original !== undefined) return { host, scope, file, before, after: original.text };
  if (host.shape === 'own') {
    const isOurs = host.own?.linesIn(before) !== undefined;
    return { host, scope, file, before, after: isOurs ? null : before };
  }
  refuseBroken(host, file, before);
  return { host, scope, file, before, after: withoutEntries(host, before) };
}

/** What the host cannot read, or would not run, is not edited: an entry in it would guard nothing. */
function refuseBroken(host: Host, file: string, text: string | undefined): void {
  if (text === undefined || text.trim() === '') return;
  const problem = editProblem(host, text);
  if (problem === undefined) return;
  const line = text.slice(0, problem.offset).split('\n').length;
  throw new HookError(
    'invalid_config',
    `${file}:${line} cannot be edited: ${problem.message}. Repair it first; nothing was changed.`,
  );
}
