/** Adds and removes our entries in the text of a host's file; everything else stays as it is, byte by byte. */
import { getNodeValue, type Node, parseTree } from 'jsonc-parser';
import type { Host, Installed, Json } from '../../dialects/host/host.js';
import {
  eventsIn,
  type JsonProblem,
  jsonProblem,
  nodeAt,
  shapeProblem,
} from '../../dialects/host/json-rules.js';
import { appended, type Item, itemsOf, tomlProblem, withoutItems } from './edit-toml.js';
import { type Entry, isOurs } from './entry.js';

/** Why the host could not read the file, or would not run an entry in it. */
export function problemIn(host: Host, text: string): JsonProblem | undefined {
  return host.shape === 'list' ? tomlProblem(text) : jsonProblem(host, text);
}

/** Why entries cannot be added. */
export const editProblem = (host: Host, text: string): JsonProblem | undefined =>
  problemIn(host, text) ?? (host.shape === 'list' ? undefined : shapeProblem(host, text));

/** The file with our entries: present ones are replaced, so that installing twice changes nothing. */
export function withEntries(host: Host, text: string | undefined, entries: readonly Entry[]): string {
  if (host.shape === 'list') return withListed(host, text ?? '', entries);
  if (text === undefined || text.trim() === '') {
    const hooks = Object.fromEntries(entries.map(({ name, written }) => [name, [written]]));
    return `${JSON.stringify({ ...host.newFile, hooks }, null, 2)}\n`;
  }
  const missing = entries
    .filter((entry) => !holds(host, text, entry))
    .map((entry) => ({ ...entry, name: keyFor(host, text, entry.name) }));
  const cleaned =
    missing.length === 0 ? text : withoutEntries(host, text, new Set(missing.map(({ name }) => name)));
  return missing.reduce((current, { name, written }) => added(host, current, name, written), cleaned);
}

function withListed(host: Host, text: string, entries: readonly Entry[]): string {
  const missing = entries.filter((entry) => !holds(host, text, entry));
  if (missing.length === 0) return text;
  const cleaned = withoutEntries(host, text, new Set(missing.map(({ name }) => name)));
  return appended(
    cleaned,
    missing.map(({ written }) => written),
  );
}

/** Our items of a file with one list. */
const ourItems = (host: Host, text: string): readonly Item[] =>
  itemsOf(text).filter(({ written }) => linesOf(host, written).some((line) => isOurs(host, line)));

function added(host: Host, text: string, name: string, written: Json): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const hooks = hooksIn(host, text);
  const list = nodeAt(hooks, name);
  if (list?.type === 'array') return insertedIn(list, text, written);
  const groups = { [name]: [written] };
  if (hooks?.type === 'object') return insertedIn(hooks, text, groups);
  return root === undefined ? text : insertedIn(root, text, { hooks: groups });
}

/** As the last item of a list, or the last property of an object. What is there keeps its bytes. */
function insertedIn(container: Node, text: string, value: Json): string {
  const { unit, eol } = formatOf(text);
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  const indent = last === undefined ? outer + unit : indentAt(text, last.offset);
  const json = JSON.stringify(value, null, unit);
  // Of an object, only its property.
  const lines = container.type === 'array' ? json.split('\n') : unwrapped(json, unit);
  const piece = lines.map((line) => indent + line).join(eol);
  if (last === undefined) {
    const at = container.offset + 1;
    return `${text.slice(0, at)}${eol}${piece}${eol}${outer}${text.slice(at)}`;
  }
  const at = last.offset + last.length;
  // A comment behind the last one stays with it.
  const [rest = '', comma] =
    /^([ \t]*,)?[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(at)) ?? [];
  return `${text.slice(0, at)}${comma === undefined ? ',' : ''}${rest}${eol}${piece}${text.slice(at + rest.length)}`;
}

function unwrapped(json: string, unit: string): string[] {
  return json
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(unit.length));
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Only the named events, if any are named. An event that is left without hooks goes too. */
export function withoutEntries(host: Host, text: string, names?: ReadonlySet<string>): string {
  if (host.shape === 'list') {
    const ours = ourItems(host, text);
    return withoutItems(
      text,
      ours.filter(({ written }) => names === undefined || names.has(String(written['event']))),
    );
  }
  let current = text;
  for (const name of eventNames(host, text)) {
    if (names !== undefined && !names.has(name)) continue;
    for (let at = ourIndex(host, current, name); at !== -1; at = ourIndex(host, current, name)) {
      const hooks = hooksIn(host, current);
      const list = nodeAt(hooks, name);
      if (hooks === undefined || list === undefined) break;
      const properties = hooks.children ?? [];
      const own = properties.findIndex(({ children }) => children?.[1] === list);
      current = list.children?.length === 1 ? removed(hooks, own, current) : removed(list, at, current);
    }
  }
  return current;
}

/** The reverse of an insertion: the comma and the line break that came with it go too, comments stay. */
function removed({ children = [], offset }: Node, at: number, text: string): string {
  const [before, node, next] = [children[at - 1], children[at], children[at + 1]];
  if (node === undefined) return text;
  const start = before === undefined ? offset + 1 : before.offset + before.length;
  const end = node.offset + node.length;
  const space = text.slice(start, node.offset);
  const rest = text.slice(end);
  if (next !== undefined) {
    const between = text.slice(end, next.offset);
    const kept = withoutComma(between).replace(/^[ \t]*\r?\n[ \t]*/, '');
    return text.slice(0, node.offset) + kept.trimStart() + text.slice(next.offset);
  }
  const kept = (before === undefined ? space : withoutComma(space)).replace(/\r?\n?[ \t]*$/, '');
  return text.slice(0, start) + kept + (before === undefined ? rest.replace(/^\r?\n[ \t]*/, '') : rest);
}

/** The first one that does not stand in a comment. */
function withoutComma(space: string): string {
  const [comments = ''] = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(space) ?? [];
  return space[comments.length] === ',' ? comments + space.slice(comments.length + 1) : space;
}

/** Whether an entry stands in the file exactly as we write it. */
export function holds(host: Host, text: string, { name, written }: Entry): boolean {
  return JSON.stringify(ourEntry(host, text, name)?.written) === JSON.stringify(written);
}

/** Our entries as they stand in the file, changed or not. */
export function ourEntries(host: Host, text: string): Installed['entries'] {
  const names =
    host.shape === 'list'
      ? ourItems(host, text).map(({ written }) => String(written['event']))
      : eventNames(host, text);
  return names.flatMap((name) => ourEntry(host, text, name) ?? []);
}

function ourEntry(host: Host, text: string, name: string): Installed['entries'][number] | undefined {
  if (host.shape === 'list') {
    const item = ourItems(host, text).find(({ written }) => written['event'] === name);
    return item && { name, index: itemsOf(text).indexOf(item), written: item.written };
  }
  const index = ourIndex(host, text, name);
  const item = itemsAt(host, text, name)?.[index];
  return item && { name, index, written: getNodeValue(item) as Json };
}

/** Our command line for an event, as it stands in the file. */
export function ourLine(host: Host, text: string, name: string): string | undefined {
  const { written } = ourEntry(host, text, name) ?? {};
  return linesOf(host, written).find((line) => isOurs(host, line));
}

function ourIndex(host: Host, text: string, name: string): number {
  return (itemsAt(host, text, name) ?? []).findIndex((item) =>
    linesOf(host, getNodeValue(item)).some((line) => isOurs(host, line)),
  );
}

function linesOf(host: Host, value: unknown): string[] {
  const { hooks } = (value ?? {}) as { readonly hooks?: unknown };
  const entries: unknown[] = Array.isArray(hooks) ? hooks : [value];
  return entries.flatMap((entry) =>
    host.commandKeys.map((key) => (entry as Json | null)?.[key]).filter((line) => typeof line === 'string'),
  );
}

function eventNames(host: Host, text: string): readonly string[] {
  return (hooksIn(host, text)?.children ?? []).flatMap(({ children }) => String(children?.[0]?.value ?? ''));
}

function hooksIn(host: Host, text: string): Node | undefined {
  return eventsIn(host, parseTree(text, [], { allowTrailingComma: true }));
}

/** Where a second name of an event voids the file, the name that the file has for it. */
function keyFor(host: Host, text: string, name: string): string {
  if (!host.json.onlyEvents) return name;
  const spelled = host.spellings.map(({ events }) => events);
  const event = spelled.flatMap(Object.entries).find(([, own]) => own.name === name)?.[0] ?? '';
  const names = spelled.flatMap((events) => events[event]?.name ?? []);
  return eventNames(host, text).find((each) => names.includes(each)) ?? name;
}

function itemsAt(host: Host, text: string, name: string): readonly Node[] | undefined {
  const node = nodeAt(hooksIn(host, text), keyFor(host, text, name));
  return node?.type === 'array' ? (node.children ?? []) : undefined;
}

/** New lines look like those that are there. */
function formatOf(text: string): { readonly unit: string; readonly eol: string } {
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return { unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}
