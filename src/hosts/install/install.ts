/** Plans what an installation or its removal changes in a file; nothing is written here. */
import { type ParseError, parseTree } from 'jsonc-parser';
import { HookError } from '../../base/errors.js';
import type { Host } from '../../dialects/host/host.js';
import { withEntries, withoutEntries } from './edit.js';
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
  refuseBroken(file, before);
  return { host, scope, file, before, after: withEntries(host, before, entriesOf(host, start)) };
}

/** Restores what was there; if the file was changed since, only our entries go. */
export async function planUninstall(host: Host, scope: Scope, workspace: string): Promise<Change> {
  const file = installFile(host, scope, workspace);
  const before = await currentText(file);
  if (before === undefined) return { host, scope, file, before, after: null };
  const original = await originalOf(file, before);
  if (original !== undefined) return { host, scope, file, before, after: original.text };
  refuseBroken(file, before);
  return { host, scope, file, before, after: withoutEntries(host, before) };
}

function refuseBroken(file: string, text: string | undefined): void {
  if (text === undefined || text.trim() === '') return;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length === 0 && tree?.type === 'object') return;
  throw new HookError(
    'invalid_config',
    `${file} is not a JSON object. Repair it first; nothing was changed.`,
  );
}
