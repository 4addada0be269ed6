/** The reader for untrusted JSON text: limited in size, and precise about what is wrong. */
import { type CopyLimits, plainCopy } from './plain-copy.js';

export type JsonRead =
  | {
      readonly ok: true;
      readonly value: Readonly<Record<string, unknown>>;
      readonly dropped?: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

const SHOWN_BYTES = 60;

/**
 * Reads text that must be exactly one JSON object. White space around it and a byte order mark are allowed. Contract:
 * never throws; a problem says what is wrong and shows the beginning of the text.
 */
export function readJsonObject(text: string, limits?: CopyLimits): JsonRead {
  const document = text.charCodeAt(0) === 0xfeff ? text.slice(1).trim() : text.trim();
  let parsed: unknown;
  try {
    parsed = JSON.parse(document);
  } catch (error) {
    return { ok: false, problem: `${diagnose(document, error)}; it begins with ${beginning(document)}` };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    const kind = parsed === null ? 'null' : Array.isArray(parsed) ? 'an array' : `a ${typeof parsed}`;
    return { ok: false, problem: `the output is ${kind}, expected one JSON object` };
  }
  const copied = plainCopy(parsed, limits);
  if (!copied.ok) return { ok: false, problem: `the output is JSON, but ${copied.problem}` };
  return { ...copied, value: copied.value as Readonly<Record<string, unknown>> };
}

/** The beginning of a text, on one line, with control characters escaped. */
export function beginning(text: string, shown: number = SHOWN_BYTES): string {
  const start = JSON.stringify(text.slice(0, shown));
  return text.length > shown ? `${start}...` : start;
}

function diagnose(document: string, error: unknown): string {
  const end = endOfFirstDocument(document);
  if (end !== undefined) {
    const rest = document.slice(end).trimStart();
    return rest.startsWith('{')
      ? 'the output holds two JSON documents, expected one'
      : `the output goes on after its JSON document with ${beginning(rest)}`;
  }
  if (document.includes('\u0000')) return 'the output holds NUL characters (UTF-16?), expected JSON in UTF-8';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with ESC
  if (/\u001b\[/.test(document)) return 'the output holds terminal escapes, expected bare JSON';
  const brace = document.search(/[{[]/);
  if (brace > 0) return 'the output has text before its JSON document; print logs on stderr';
  const reason = error instanceof Error ? error.message : String(error);
  return brace === 0
    ? `the output is broken JSON (${reason})`
    : 'the output is text, expected one JSON object';
}

/** Where the first document ends, if the text begins with a complete one. Braces inside strings are skipped. */
function endOfFirstDocument(document: string): number | undefined {
  if (!/^[{[]/.test(document)) return undefined;
  let depth = 0;
  for (let i = 0; i < document.length; i++) {
    const character = document[i];
    if (character === '"') i = endOfString(document, i);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return isJson(document.slice(0, i + 1)) ? i + 1 : undefined;
  }
  return undefined;
}

function endOfString(document: string, start: number): number {
  let i = start + 1;
  while (i < document.length && document[i] !== '"') i += document[i] === '\\' ? 2 : 1;
  return i;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
