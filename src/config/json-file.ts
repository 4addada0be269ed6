/** Reads a JSON file with comments and keeps the source position of every value. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Diagnostic, type Layer, losesProtection, type Source } from './loaded.js';

/** A value of the file and its position. */
export interface JsonNode {
  readonly value: unknown;
  readonly source: Source;
  /** The entries of an object, in order; empty for anything else. */
  entries(): readonly { readonly key: string; readonly keySource: Source; readonly node: JsonNode }[];
  /** The items of a list; empty for anything else. */
  items(): readonly JsonNode[];
  get(key: string): JsonNode | undefined;
  /** All values of a key that occurs several times in an object. */
  all(key: string): readonly JsonNode[];
}

export type JsonFile =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly problem: Diagnostic };

/** Allows comments and trailing commas; any other syntax error makes the whole file unreadable. */
export function readJsonFile(text: string, file: string, layer: Layer): JsonFile {
  const errors: ParseError[] = [];
  const content = text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  const tree = parseTree(content, errors, { allowTrailingComma: true });
  const locate = locator(content, file, layer);
  const [error] = errors;
  if (error !== undefined || tree === undefined || tree.type !== 'object') {
    const empty = content.trim() === '';
    const what = empty
      ? 'it is empty'
      : error === undefined
        ? 'it is not a JSON object'
        : describe(error, content);
    const source = locate(empty ? 0 : (error?.offset ?? 0));
    const message = `The file cannot be read: ${what}. Nothing in it counts until it is repaired.`;
    const code = empty ? 'empty_file' : 'broken_file';
    return { ok: false, problem: losesProtection({ severity: 'error', code, message, source }) };
  }
  return { ok: true, root: toNode(tree, locate) };
}

function toNode(node: Node, locate: (offset: number) => Source): JsonNode {
  const entries: JsonNode['entries'] = () =>
    (node.type === 'object' ? (node.children ?? []) : []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      if (key === undefined || value === undefined) return [];
      return [{ key: String(key.value), keySource: locate(key.offset), node: toNode(value, locate) }];
    });
  return {
    value: plainValue(node),
    source: locate(node.offset),
    entries,
    items: () => (node.type === 'array' ? (node.children ?? []) : []).map((item) => toNode(item, locate)),
    // The last of duplicate keys wins, as in JSON.parse.
    get: (key) => entries().findLast((entry) => entry.key === key)?.node,
    all: (key) => entries().flatMap((entry) => (entry.key === key ? [entry.node] : [])),
  };
}

/** Defines own properties only, so that a key called `__proto__` is an ordinary key. */
function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      return key === undefined || value === undefined ? [] : [[String(key.value), plainValue(value)]];
    }),
  );
}

function locator(text: string, file: string, layer: Layer): (offset: number) => Source {
  const starts = [0];
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    const line = Math.max(1, starts.findLastIndex((start) => start <= offset) + 1);
    return { layer, file, line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

const SHOWN_CHARACTERS = 20;

/** The parser's error name, and the text at that position. */
function describe({ error, offset }: ParseError, text: string): string {
  const words = printParseErrorCode(error)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const [found = ''] = /^[^\s,:{}[\]]+|^./.exec(text.slice(offset, offset + SHOWN_CHARACTERS)) ?? [];
  if (words === 'invalid symbol')
    return `${JSON.stringify(found)} is not JSON; keys and strings need double quotes`;
  if (!words.endsWith(' expected')) return words;
  return `${words}, found ${found === '' ? 'the end of the file' : JSON.stringify(found)}`;
}
