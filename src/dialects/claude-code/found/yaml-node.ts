/** The YAML at the beginning of a Markdown file, as values with their positions. */
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { JsonFile, JsonNode } from '../../../config/json-file.js';
import { type Layer, losesProtection, type Source } from '../../../config/loaded.js';

const FRONTMATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

/** Undefined: the file has no frontmatter. */
export function readFrontmatter(text: string, file: string, layer: Layer): JsonFile | undefined {
  const [, yaml] = FRONTMATTER.exec(text) ?? [];
  if (yaml === undefined) return undefined;
  const lines = new LineCounter();
  const document = parseDocument(quoteLoose(yaml), { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): Source => {
    const { line, col } = lines.linePos(offset);
    // The first line of the file is the one with the dashes.
    return { layer, file, line: Math.max(1, line) + 1, column: Math.max(1, col) };
  };
  const [error] = document.errors;
  if (error === undefined && isMap(document.contents))
    return { ok: true, root: toNode(document.contents, document, place) };
  const what = error === undefined ? 'it is not an object' : error.message.replace(/\.$/, '');
  const message = `The frontmatter cannot be read: ${what}. Nothing in it counts until it is repaired.`;
  const source = place(error?.pos[0] ?? 0);
  return { ok: false, problem: losesProtection({ severity: 'error', code: 'broken_file', message, source }) };
}

/** `description: Use it: always` is text for Claude Code, and no YAML. So a value of one line that cannot be read is a text. */
function quoteLoose(yaml: string): string {
  return yaml.replaceAll(/^([\w-]+):[ \t]+(\S.*?)\r?$/gm, (line, key: string, value: string) =>
    /^[|>&]/.test(value) || parseDocument(line).errors.length === 0
      ? line
      : `${key}: ${JSON.stringify(value)}`,
  );
}

/** What follows the frontmatter. */
export const bodyOf = (text: string): string => text.replace(FRONTMATTER, '').trim();

function toNode(given: Node, document: Document, place: (offset: number) => Source): JsonNode {
  const node = ('resolve' in given ? given.resolve(document) : given) ?? given;
  const children = (value: unknown): JsonNode[] => (isNode(value) ? [toNode(value, document, place)] : []);
  const entries: JsonNode['entries'] = () =>
    (isMap(node) ? node.items : []).flatMap(({ key, value }) =>
      children(value).map((child) => ({
        key: String(isScalar(key) ? key.value : key),
        keySource: place((isNode(key) ? key.range?.[0] : undefined) ?? 0),
        node: child,
      })),
    );
  return {
    value: plainValue(node, document),
    source: place(given.range?.[0] ?? 0),
    entries,
    items: () => (isSeq(node) ? node.items : []).flatMap(children),
    get: (key) => entries().findLast((entry) => entry.key === key)?.node,
    all: (key) => entries().flatMap((entry) => (entry.key === key ? [entry.node] : [])),
  };
}

/** A document with too many aliases cannot be expanded. */
function plainValue(node: Node, document: Document): unknown {
  try {
    return node.toJS(document);
  } catch {
    return null;
  }
}
