/** A YAML or JSON file as a document with positions, or the position of its first syntax error. */
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { readJsonFile } from '../../../config/json-file.js';
import { type Diagnostic, losesProtection, type Source } from '../../../config/loaded.js';

export interface FileDocument {
  readonly document: Document;
  /** The position of a value, or of the nearest existing value around it. */
  at(path: readonly PropertyKey[]): Source;
  /** The position of a key in an object. */
  keyAt(path: readonly PropertyKey[]): Source;
}

export type ReadDocument =
  | { readonly ok: true; readonly file: FileDocument }
  | { readonly ok: false; readonly problem: Diagnostic };

/** The parser's messages, reworded for the author of the file. */
const IN_WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key occurs twice in the same object',
  MULTIPLE_DOCS: 'it contains several documents, and only one is read',
};

/** Never throws. */
export function readDocument(text: string, source: Source): ReadDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number): Source => {
    const { line, col } = lines.linePos(offset);
    return { ...source, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    const json = source.file.endsWith('.json') ? readJsonFile(text, source.file, source.layer) : undefined;
    // Errors in a JSON file are described in terms of JSON.
    if (json?.ok === false) return json;
    return broken(IN_WORDS[error.code] ?? lowerFirst(error.message), place(error.pos[0]));
  }
  const dangling = findDangling(document);
  if (dangling !== undefined)
    return broken(
      `*${dangling.name} is undefined: no &${dangling.name} comes before it`,
      place(dangling.offset),
    );
  return {
    ok: true,
    file: {
      document,
      at: (path) => place(nearest(document, path)?.range?.[0] ?? 0),
      keyAt: (path) => place((keyNode(document, path) ?? nearest(document, path))?.range?.[0] ?? 0),
    },
  };
}

function broken(what: string, source: Source): ReadDocument {
  const message = `The file cannot be read: ${what.replace(/\.$/, '')}. Nothing in it counts until it is repaired.`;
  return { ok: false, problem: losesProtection({ severity: 'error', code: 'broken_file', message, source }) };
}

/** An alias without an anchor: the parser reports it only when values are read, and without its position. */
function findDangling(document: Document): { readonly name: string; readonly offset: number } | undefined {
  let found: { name: string; offset: number } | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      found = { name: alias.source, offset: alias.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

function nearest(document: Document, path: readonly PropertyKey[]): Node | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : nodeAt(document, path.slice(0, length));
    if (isNode(node) && node.range) return node;
  }
  return undefined;
}

function nodeAt(document: Document, path: readonly PropertyKey[]): unknown {
  if (path.length === 0) return document.contents;
  return isCollection(document.contents) ? document.getIn(path, true) : undefined;
}

function keyNode(document: Document, path: readonly PropertyKey[]): Node | undefined {
  const around = nodeAt(document, path.slice(0, -1));
  if (!isMap(around)) return undefined;
  const key = around.items
    .map((pair) => pair.key)
    .find((each) => isScalar(each) && each.value === path.at(-1));
  return isNode(key) ? key : undefined;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
