/** What is installed for a host in a scope: entries among others in one of its files, or in files of their own. */
import { dirname } from 'node:path';
import type { Host, Installed } from '../../dialects/host/host.js';
import { holds, ourEntries, ourLine, problemIn } from './edit.js';
import type { Entry } from './entry.js';
import { entriesOf } from './entry.js';
import { currentText, installFile, type Scope } from './place.js';

export interface Installation {
  /** The file, or the folder of several. */
  readonly place: string;
  readonly entries: Installed['entries'];
  /** The command line for an event, as it stands there. */
  lineOf(name: string): string | undefined;
  /** Whether an entry is there exactly as we write it. */
  holds(entry: Entry): boolean;
  /** How the host starts the entry of an event: a program and its arguments. */
  startOf(name: string): readonly [program: string, ...args: string[]] | undefined;
}

/** Rejects with a HookError if a file cannot be read, or is not what the host expects. */
export async function readInstallation(
  host: Host,
  scope: Scope,
  workspace: string,
): Promise<Installation | 'unreadable'> {
  if (host.shape === 'own') return readOwn(host, scope, workspace);
  const place = installFile(host, scope, workspace);
  const text = await currentText(place);
  if (text !== undefined && text.trim() !== '' && problemIn(host, text) !== undefined) return 'unreadable';
  const lineOf = (name: string) => (text === undefined ? undefined : ourLine(host, text, name));
  return {
    place,
    entries: text === undefined ? [] : ourEntries(host, text),
    lineOf,
    holds: (entry) => text !== undefined && holds(host, text, entry),
    startOf(name) {
      const line = lineOf(name);
      return line === undefined ? undefined : ['/bin/sh', '-c', line];
    },
  };
}

/** The files of an installation that has files of its own, each with the names of its events. */
export function ownPlaces(
  host: Host,
  scope: Scope,
  workspace: string,
): readonly { readonly file: string; readonly names: readonly string[] }[] {
  const names = entriesOf(host, { line: '' }).map(({ name }) => name);
  return host.own?.perEvent
    ? names.map((name) => ({ file: installFile(host, scope, workspace, name), names: [name] }))
    : [{ file: installFile(host, scope, workspace), names }];
}

async function readOwn(host: Host, scope: Scope, workspace: string): Promise<Installation> {
  const places = ownPlaces(host, scope, workspace);
  const found = new Map<string, { readonly line: string; readonly file: string; readonly text: string }>();
  for (const { file } of places) {
    const text = await currentText(file);
    const lines = text === undefined ? undefined : host.own?.linesIn(text);
    for (const [name, line] of Object.entries(lines ?? {})) found.set(name, { line, file, text: text ?? '' });
  }
  const [first] = places;
  return {
    place: host.own?.perEvent ? dirname(first?.file ?? '') : (first?.file ?? ''),
    entries: [...found].map(([name, { line }], index) => ({ name, index, written: { event: name, line } })),
    lineOf: (name) => found.get(name)?.line,
    holds({ name, line }) {
      const at = found.get(name);
      if (at === undefined || at.line !== line) return false;
      // Around the lines nothing may be different either.
      const all = [...found].flatMap(([each, own]) => (own.file === at.file ? [{ ...own, name: each }] : []));
      return host.own?.write(all) === at.text;
    },
    startOf(name) {
      const at = found.get(name);
      return at === undefined ? undefined : host.own?.start(at.file, name);
    },
  };
}
