/** Reads a TOML file with the line of every table in it, in the form of a JSON file. */
import { parse, TomlError } from 'smol-toml';
import { messageOf } from '../../base/errors.js';
import type { JsonFile, JsonNode } from '../../config/json-file.js';
import { type Layer, losesProtection, type Source } from '../../config/loaded.js';

export function readTomlFile(text: string, file: string, layer: Layer): JsonFile {
  const lines = text.split('\n');
  const at = (line: number): Source => ({ layer, file, line, column: 1 });
  try {
    const value: unknown = parse(text);
    return { ok: true, root: toNode(value, at(1), headersOf(lines), '', at) };
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    const what = messageOf(error).split('\n')[0];
    const message = `The file cannot be read: ${what}. Nothing in it counts until it is repaired.`;
    return {
      ok: false,
      problem: losesProtection({ severity: 'error', code: 'broken_file', message, source: at(line) }),
    };
  }
}

/** The lines of the headers `[a.b]` and `[[a.b]]`, by their path, in order. */
function headersOf(lines: readonly string[]): Map<string, number[]> {
  const headers = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const [, name] = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line) ?? [];
    if (name === undefined) continue;
    const path = name.split('.').map((part) => part.trim().replaceAll(/^["']|["']$/g, ''));
    const key = path.join('.');
    headers.set(key, [...(headers.get(key) ?? []), index + 1]);
  }
  return headers;
}

/** A value has the line of the nearest header above it: items of a list take the headers of its name one by one. */
function toNode(
  value: unknown,
  source: Source,
  headers: Map<string, number[]>,
  path: string,
  at: (line: number) => Source,
): JsonNode {
  const plain = value instanceof Date ? value.toISOString() : value;
  const isTable = typeof plain === 'object' && plain !== null && !Array.isArray(plain);
  const entries = (isTable ? Object.entries(plain) : []).map(([key, each]) => {
    const below = path === '' ? key : `${path}.${key}`;
    const line = Array.isArray(each) ? undefined : headers.get(below)?.[0];
    const keySource = line === undefined ? source : at(line);
    return { key, keySource, node: toNode(each, keySource, headers, below, at) };
  });
  const items = (Array.isArray(plain) ? plain : []).map((item: unknown) => {
    const line = headers.get(path)?.shift();
    return toNode(item, line === undefined ? source : at(line), headers, path, at);
  });
  return {
    value: plain,
    source,
    entries: () => entries,
    items: () => items,
    get: (key) => entries.find((entry) => entry.key === key)?.node,
    all: (key) => entries.flatMap((entry) => (entry.key === key ? [entry.node] : [])),
  };
}
