/** Adds groups to the text of a hookline.yaml; everything that is in it stays as it is written. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isSeq, type Node, parseDocument, stringify } from 'yaml';
import { HookError } from '../../base/errors.js';
import { type GuardGroup, guardCommand, type ReadyGuard } from './catalogue.js';

type Group = Readonly<Record<string, unknown>>;
type Hooks = Readonly<Record<string, readonly Group[]>>;

const HEADER = `# yaml-language-server: $schema=./node_modules/hookline/spec/schemas/hookline.config.json
#
# The hooks of this folder. Test them: npx hookline test. After a change, approve it: npx hookline trust approve
hooks:
`;

/**
 * The text with the groups of a guard that it does not have yet; the same text if it has them all. Throws a HookError if
 * the text is not a hookline file.
 */
export function register(text: string | undefined, guard: ReadyGuard): string {
  return (
    guard.groups.reduce((now: string | undefined, group) => addGroup(now, guard.name, group), text) ?? ''
  );
}

function addGroup(text: string | undefined, name: string, { event, ...options }: GuardGroup): string {
  const group = groupOf(guardCommand(name), options);
  if (text === undefined || text.trim() === '') return `${HEADER}${block({ [event]: [group] }, 2)}`;
  const document = parseDocument(text);
  const before = hooksOf(document);
  if (before[event]?.some((each) => runs(each, guardCommand(name)))) return text;
  const after: Hooks = { ...before, [event]: [...(before[event] ?? []), group] };
  const inserted = insert(text, document, event, group);
  // A file that is written in an unusual way is changed as a tree, which keeps comments and order too.
  return inserted !== undefined && isDeepStrictEqual(hooksIn(inserted), after)
    ? inserted
    : insertNode(document, event, group);
}

function groupOf(
  command: string,
  { matcher, timeout, blocks, allowedEnvVars }: Omit<GuardGroup, 'event'>,
): Group {
  return {
    ...(matcher !== undefined && { matcher }),
    ...(blocks && { last: true }),
    hooks: [
      {
        type: 'command',
        command,
        timeout,
        ...(blocks && { onFailure: 'block' }),
        ...(allowedEnvVars && { allowedEnvVars }),
      },
    ],
  };
}

function runs({ hooks }: Group, command: string): boolean {
  return (
    Array.isArray(hooks) && hooks.some((hook: { command?: unknown } | null) => hook?.command === command)
  );
}

/** Throws a HookError that says where the file is wrong. */
function hooksOf(document: Document): Hooks {
  const [error] = document.errors;
  if (error !== undefined)
    throw new HookError(
      'invalid_config',
      `hookline.yaml is not valid YAML, so nothing was added: ${error.message}`,
    );
  const value = document.toJS() as { hooks?: unknown } | null;
  const hooks = value?.hooks ?? {};
  const lists = typeof hooks === 'object' ? Object.values(hooks) : [undefined];
  if (
    !isMap(document.contents) ||
    Array.isArray(hooks) ||
    lists.some((list) => list !== null && !Array.isArray(list))
  )
    throw new HookError(
      'invalid_config',
      'hookline.yaml has no `hooks` with lists of groups, so nothing was added. hookline check says what is wrong.',
    );
  return Object.fromEntries(Object.entries(hooks).map(([event, list]) => [event, list ?? []]));
}

function hooksIn(text: string): Hooks | undefined {
  try {
    return hooksOf(parseDocument(text));
  } catch {
    return undefined;
  }
}

/** After the last group of the event, or after the last event. Undefined if these are not written as blocks. */
function insert(text: string, document: Document, event: string, group: Group): string | undefined {
  const hooks = document.get('hooks', true);
  if (hooks === undefined) return `${text.trimEnd()}\nhooks:\n${block({ [event]: [group] }, 2)}`;
  if (!isMap(hooks)) return undefined;
  const list = hooks.get(event, true);
  const target = isSeq(list) ? list : list === undefined ? hooks : undefined;
  const [first] = target?.items ?? [];
  const start = isNode(first)
    ? first.range?.[0]
    : isNode((first as { key?: unknown })?.key)
      ? keyStart(first)
      : undefined;
  const end = target?.range?.[1];
  if (target === undefined || target.flow === true || start === undefined || end === undefined)
    return undefined;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const indent = /^ */.exec(text.slice(lineStart))?.[0].length ?? 0;
  const added = block(isSeq(target) ? [group] : { [event]: [group] }, indent);
  const lastUsed = text.slice(0, end).trimEnd().length;
  const lineEnd = text.indexOf('\n', lastUsed);
  const at = lineEnd < 0 ? text.length : lineEnd;
  return `${text.slice(0, at)}\n${added.trimEnd()}${text.slice(at) || '\n'}`;
}

function keyStart(pair: unknown): number | undefined {
  const { key } = pair as { key: unknown };
  return isNode(key) ? key.range?.[0] : undefined;
}

function insertNode(document: Document, event: string, group: Group): string {
  const hooks = document.get('hooks', true);
  if (!isMap(hooks)) document.set('hooks', commented(document.createNode({}), hooks));
  const path = ['hooks', event];
  const list = document.getIn(path, true);
  if (isSeq(list)) document.addIn(path, document.createNode(group));
  else document.setIn(path, commented(document.createNode([group]), list));
  return document.toString({ lineWidth: 0 });
}

/** With the comment of the empty node that it replaces. */
function commented<T extends Node>(node: T, old: unknown): T {
  if (isNode(old)) node.commentBefore = old.comment ?? old.commentBefore ?? null;
  return node;
}

function block(value: unknown, indent: number): string {
  return stringify(value, { lineWidth: 0 }).replaceAll(/^(?=.)/gm, ' '.repeat(indent));
}
