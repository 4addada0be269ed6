/** A YAML file in which every node knows its position, parsed as MassGen's own parser does. */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { type Diagnostic, type Layer, losesProtection, type Source } from '../../config/loaded.js';

/** One key of a mapping. The value is undefined if nothing is written. */
export interface YamlEntry {
  readonly key: string;
  readonly keyNode: Node;
  readonly value: Node | undefined;
}

/** Merge keys may refer to each other in a cycle. */
const MAX_MERGE = 20;

export class YamlFile {
  readonly #diagnostics: Diagnostic[] = [];
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly #file: string;
  readonly #layer: Layer;
  /** Undefined if the file is empty or broken; a broken file is reported. */
  readonly root: Node | undefined;

  constructor(text: string, file: string, layer: Layer) {
    this.#file = file;
    this.#layer = layer;
    // Version 1.1, as in PyYAML: `yes` and `on` are true, and `<<` merges.
    this.#document = parseDocument(text, { lineCounter: this.#lines, version: '1.1', prettyErrors: false });
    for (const { message, pos } of this.#document.errors) {
      const what = message.replace(/\.$/, '');
      this.#add(
        'error',
        'invalid_yaml',
        `This is not valid YAML, so none of its hooks count: ${what}.`,
        pos[0],
      );
    }
    this.root = this.#diagnostics.length > 0 ? undefined : this.#resolve(this.#document.contents);
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Reports something that has no effect and may have been a guard. */
  error(code: string, message: string, at: Node | undefined): void {
    this.#add('error', code, message, at?.range?.[0] ?? 0);
  }

  /** Reports a mistake that a safe default replaces. */
  safeError(code: string, message: string, at: Node | undefined): void {
    this.report('error', code, message, this.sourceOf(at));
  }

  warn(code: string, message: string, at: Node | undefined): void {
    this.#add('warning', code, message, at?.range?.[0] ?? 0);
  }

  report(severity: Diagnostic['severity'], code: string, message: string, source: Source): void {
    this.#diagnostics.push({ severity, code, message, source });
  }

  sourceOf(node: Node | undefined): Source {
    return this.#sourceAt(node?.range?.[0] ?? 0);
  }

  /** The keys of a mapping in written order; undefined if it is not a mapping. */
  entries(node: Node | undefined, depth = 0): readonly YamlEntry[] | undefined {
    const map = this.#resolve(node);
    if (!isMap(map)) return undefined;
    const merged = new Map<string, YamlEntry>();
    const own = new Map<string, YamlEntry>();
    for (const pair of map.items) {
      const keyNode = pair.key as Node;
      const value = this.#resolve(pair.value as Node | null);
      const key = isScalar(keyNode) ? keyNode.value : undefined;
      if (isMerge(key)) this.#merge(value, depth, merged);
      else own.set(String(key), { key: String(key), keyNode, value });
    }
    return [...new Map([...merged, ...own]).values()];
  }

  /** The items of a list; undefined if it is not a list. */
  items(node: Node | undefined): readonly (Node | undefined)[] | undefined {
    const list = this.#resolve(node);
    return isSeq(list) ? list.items.map((item) => this.#resolve(item as Node)) : undefined;
  }

  get(node: Node | undefined, key: string): Node | undefined {
    return this.entries(node)?.find((entry) => entry.key === key)?.value;
  }

  /** A plain value; undefined for nothing, mappings and lists. */
  scalar(node: Node | undefined): unknown {
    const value = this.#resolve(node);
    return isScalar(value) ? (value.value ?? undefined) : undefined;
  }

  /** The value as text, for a message. */
  show(node: Node | undefined): string {
    if (node === undefined) return 'empty';
    if (isMap(node)) return 'a mapping';
    if (isSeq(node)) return 'a list';
    const value = this.scalar(node);
    // JSON has no `.nan` and no `.inf`.
    return typeof value === 'number' ? String(value) : JSON.stringify(value ?? null);
  }

  #merge(value: Node | undefined, depth: number, into: Map<string, YamlEntry>): void {
    if (depth > MAX_MERGE) return;
    // Of several merged mappings the first one wins.
    for (const source of [...(this.items(value) ?? [value])].reverse()) {
      for (const entry of this.entries(source, depth + 1) ?? []) into.set(entry.key, entry);
    }
  }

  #resolve(node: Node | null | undefined): Node | undefined {
    const found = isAlias(node) ? node.resolve(this.#document) : node;
    if (found === null || found === undefined) return undefined;
    return isScalar(found) && found.value === null ? undefined : found;
  }

  #add(severity: Diagnostic['severity'], code: string, message: string, offset: number): void {
    this.#diagnostics.push(losesProtection({ severity, code, message, source: this.#sourceAt(offset) }));
  }

  #sourceAt(offset: number): Source {
    const { line, col } = this.#lines.linePos(offset);
    // An empty file has no lines at all.
    return { layer: this.#layer, file: this.#file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function isMerge(key: unknown): boolean {
  return key === '<<' || (typeof key === 'symbol' && key.description === '<<');
}
