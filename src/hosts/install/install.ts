/** Plans what an installation or its removal changes in a file; nothing is written here. */
import { HookError } from '../../base/errors.js';
import type { Host } from '../../dialects/host/host.js';
import { editProblem, withEntries, withoutEntries } from './edit.js';
import { entriesOf, type Start } from './entry.js';
import { currentText, installFile, originalOf, type Scope } from './place.js';

export interface Change {
  readonly host: Host;
  readonly scope: Scope;
  readonly file: string;
  /** Undefined: there is no file. */
  readonly before: string | undefined;
  /** Null: the file goes. */
  readonly after: string | null;
}

export const changes = ({ before, after }: Change): boolean => (before ?? null) !== after;

/** Rejects with a HookError if the file cannot be read as what the host expects. */
export async function planInstall(
  host: Host,
  scope: Scope,
  workspace: string,
  start: Start,
): Promise<Change> {
  const file = installFile(host, scope, workspace);
  const before = await currentText(file);
  refuseBroken(host, file, before);
  return { host, scope, file, before, after: withEntries(host, before, entriesOf(host, start)) };
}

/** Restores what was there; if the file was changed since, only our entries go. */
export async function planUninstall(host: Host, scope: Scope, workspace: string): Promise<Change> {
  const file = installFile(host, scope, workspace);
  const before = await currentText(file);
  if (before === undefined) return { host, scope, file, before, after: null };
  const original = await originalOf(file, before);
  if (original !== undefined) return { host, scope, file, before, after: original.text };
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
