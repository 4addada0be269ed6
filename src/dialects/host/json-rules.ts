/** Which JSON a host reads. What it cannot read, it ignores or ends at, so nothing in such a file counts. */
import { type Node, type ParseError, type ParseOptions, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Host } from './host.js';

export interface JsonRules {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
  /** The only keys that a file may have, if another one voids it. */
  readonly keys?: readonly string[];
  /** Whether the events may stand in the file itself, without `hooks` around them. */
  readonly eventsAtTop?: boolean;
  /** Whether a name that is no event, or a second name of an event, voids the file. */
  readonly onlyEvents?: boolean;
}

export interface JsonProblem {
  /** After "The file cannot be read: ". */
  readonly message: string;
  readonly offset: number;
}

/** Undefined: the host reads the file. */
export function jsonProblem(host: Host, text: string): JsonProblem | undefined {
  const { json, title } = host;
  if (text.charCodeAt(0) === 0xfeff) return { message: 'it begins with a byte order mark', offset: 0 };
  const allowed = { disallowComments: !json.comments, allowTrailingComma: json.trailingCommas };
  const { root, error } = parsed(text, allowed);
  if (error !== undefined) return { message: messageOf(text, error, title), offset: error.offset };
  if (root?.type !== 'object') return { message: 'it is not a JSON object', offset: 0 };
  const keys = (root.children ?? []).flatMap(({ children }) => children?.[0] ?? []);
  const twice = keys.filter(({ value }) => value === 'hooks')[1];
  if (twice !== undefined) return { message: 'it has `hooks` twice', offset: twice.offset };
  const stray = keys.find(({ value }) => json.keys !== undefined && !json.keys.includes(String(value)));
  if (stray !== undefined) return unknown(title, stray);
  return json.onlyEvents ? eventProblem(host, root) : undefined;
}

const unknown = (title: string, { value, offset }: Node): JsonProblem => ({
  message: `${title} does not know \`${String(value)}\` in it and ignores the whole file`,
  offset,
});

/** The object with the events of a file. */
export function eventsIn({ json }: Host, root: Node | undefined): Node | undefined {
  const isFilled = (root?.children ?? []).length > 0;
  return nodeAt(root, 'hooks') ?? (json.eventsAtTop && isFilled ? root : undefined);
}

function eventProblem(host: Host, root: Node): JsonProblem | undefined {
  const { spellings, title } = host;
  const seen = new Set<string>();
  for (const { children: [key] = [] } of eventsIn(host, root)?.children ?? []) {
    if (key === undefined) continue;
    const names = spellings.map(({ events }) => Object.entries(events));
    const event = names.flat().find(([, { name }]) => name === key.value)?.[0];
    if (event === undefined) return unknown(title, key);
    if (seen.has(event))
      return {
        message: `it has ${event} under two names, and ${title} ignores the whole file`,
        offset: key.offset,
      };
    seen.add(event);
  }
  return undefined;
}

function parsed(text: string, options: ParseOptions) {
  const errors: ParseError[] = [];
  return { root: parseTree(text, errors, options), error: errors[0] };
}

function messageOf(text: string, { error }: ParseError, title: string): string {
  const what = printParseErrorCode(error);
  if (what === 'InvalidCommentToken') return `it has a comment, and ${title} reads none`;
  if (parsed(text, { allowTrailingComma: true }).error === undefined)
    return `it has a comma before a closing bracket, and ${title} reads none`;
  return what.replaceAll(/(?<!^)[A-Z]/g, ' $&').toLowerCase();
}

/** Why entries cannot be added: `hooks` or one of its events has another type than the host expects. */
export function shapeProblem(host: Host, text: string): JsonProblem | undefined {
  const { title, spellings } = host;
  const hooks = eventsIn(host, parseTree(text, [], { allowTrailingComma: true }));
  if (hooks === undefined) return undefined;
  if (hooks.type !== 'object') return { message: '`hooks` is not an object', offset: hooks.offset };
  const isEvent = (name: string): boolean =>
    spellings.some(({ events }) => Object.values(events).some((event) => event.name === name));
  const names = new Set<string>();
  for (const { children = [] } of hooks.children ?? []) {
    const [key, value] = children;
    const name = String(key?.value);
    if (names.has(name)) return { message: `it has ${name} twice`, offset: key?.offset ?? 0 };
    names.add(name);
    // Settings of the host may stand beside the events, such as whether hooks are on at all.
    if (value !== undefined && value.type !== 'array' && isEvent(name))
      return { message: `${name} is not a list, as ${title} expects`, offset: value.offset };
  }
  return undefined;
}

export function nodeAt(node: Node | undefined, key: string): Node | undefined {
  return node?.children?.find(({ children }) => children?.[0]?.value === key)?.children?.[1];
}
