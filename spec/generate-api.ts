/** Writes the reference of everything that can be imported, a page for each entry. Run it with `npm run api`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Declaration, findDeclarations, readModule, referencesOf } from './read-declarations.js';

const ROOT = new URL('../', import.meta.url);
export const API_DIRECTORY: string = fileURLToPath(new URL('spec/api/', ROOT));

/** One of the paths under which the package is imported. */
export interface Entry {
  /** As in an import: `hookline`, `hookline/mcp`. */
  readonly specifier: string;
  /** The name of its page. */
  readonly page: string;
  /** What its file says at the top. */
  readonly doc: string;
  /** Every name that can be imported, in alphabetical order, and what declares it. */
  readonly names: ReadonlyMap<string, readonly Declaration[]>;
}

/** The same on every machine, whatever its language. */
const byName = (a: string, b: string): number => {
  const [one, other] = a.toLowerCase() === b.toLowerCase() ? [a, b] : [a.toLowerCase(), b.toLowerCase()];
  return one < other ? -1 : 1;
};

/** The entries of package.json that have types. Throws for a file that is missing and for a name that nothing declares. */
export function readEntries(): readonly Entry[] {
  const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    const types = typesOf(target);
    if (types === undefined) return [];
    const file = fileURLToPath(new URL(types, ROOT));
    const { doc, exported } = readModule(file);
    const names = new Map(
      exported.toSorted(byName).map((name) => [name, findDeclarations(file, name).flatMap(withNamesake)]),
    );
    for (const [name, declarations] of names)
      if (declarations.length === 0) throw new Error(`${file} exports ${name}, which nothing declares.`);
    const page = `${path === '.' ? manifest.name : path.slice(2).replaceAll('/', '-')}.md`;
    return [{ specifier: manifest.name + path.slice(1), page, doc, names }];
  });
}

/** `interface A<…> extends B<…>` without members: another name for `B`. */
const NAMESAKE = /^interface \w+(?:<[^{]*>)? extends (\w+)(?:<\w+>)? \{\s*\}$/;

/** Where an interface only gives another name to a class, that class is what people look for. */
function withNamesake(declaration: Declaration): readonly Declaration[] {
  const name = NAMESAKE.exec(declaration.code)?.[1];
  const same = name === undefined ? [] : findDeclarations(declaration.file, name);
  return [declaration, ...same.filter(({ kind }) => kind === 'class')];
}

/** The declarations of an entry, under whatever conditions they are given. */
function typesOf(target: unknown): string | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const { types, ...conditions } = target as Readonly<Record<string, unknown>>;
  if (typeof types === 'string') return types;
  return Object.values(conditions).map(typesOf).find(Boolean);
}

/** Every page, by the name of its file. */
export function apiPages(): ReadonlyMap<string, string> {
  const entries = readEntries();
  return new Map(entries.map((entry) => [entry.page, printPage(entry, entries)]));
}

/** What the names of an entry lead to: names of other entries, and what can be read but not imported. */
export function mentionsOf(
  entry: Entry,
  entries: readonly Entry[],
): { others: ReadonlyMap<string, Entry>; hidden: ReadonlyMap<string, readonly Declaration[]> } {
  const homes = new Map(
    [...entries, entry].flatMap((each) =>
      [...each.names.values()].flat().map((name) => [name, each] as const),
    ),
  );
  const others = new Map<string, Entry>();
  const hidden = new Map<string, Declaration[]>();
  const open = [...entry.names.values()].flat();
  const seen = new Set(open);
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    for (const { target, picked } of referencesOf(next)) {
      if (seen.has(target)) continue;
      seen.add(target);
      const home = homes.get(target);
      if (home) others.set(target.name, home);
      else hidden.set(target.name, [...(hidden.get(target.name) ?? []), target]);
      if (!home && !picked) open.push(target);
    }
  }
  return { others, hidden };
}

function printPage(entry: Entry, entries: readonly Entry[]): string {
  const { others, hidden } = mentionsOf(entry, entries);
  const links = [...others].map(
    ([name, { specifier, page }]) => `- \`${name}\`: [${specifier}](${page}#${name.toLowerCase()})`,
  );
  const parts = [
    `# ${entry.specifier}`,
    entry.doc,
    'Written by `npm run api` from the doc comments and the types in the code.',
    ...[...entry.names].map(([name, declarations]) => printName(name, declarations, '##')),
    links.length === 0
      ? ''
      : `## Named here, imported from elsewhere\n\n${links.toSorted(byName).join('\n')}`,
    hidden.size === 0 ? '' : '## Named here, not exported',
    ...[...hidden]
      .toSorted(([a], [b]) => byName(a, b))
      .map(([name, declarations]) => printName(name, declarations, '###')),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function printName(name: string, declarations: readonly Declaration[], level: string): string {
  const parts = declarations.flatMap(({ doc, code }) => [doc, `\`\`\`ts\n${code}\n\`\`\``]);
  return [`${level} ${name}`, ...parts].filter((part) => part !== '').join('\n\n');
}

function writeAll(): void {
  const pages = apiPages();
  mkdirSync(API_DIRECTORY, { recursive: true });
  for (const name of readdirSync(API_DIRECTORY)) if (!pages.has(name)) rmSync(API_DIRECTORY + name);
  for (const [name, text] of pages) writeFileSync(API_DIRECTORY + name, text);
}

const startedBy = process.argv[1];
if (startedBy !== undefined && import.meta.url === pathToFileURL(startedBy).href) writeAll();
