/** Reads one word of a shell line, with its quotes and what is expanded in it. */

/** The place in a line that is being read, and what to do with commands found inside words. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Reads commands up to and including the closing parenthesis. */
  readNested(): void;
  /** Reads a text of its own as commands. */
  readInside(text: string): void;
  /** There may be commands that are not found. */
  unreadable(): void;
  /** Reads one level further inside, unless that is deeper than anybody writes. */
  deeper(read: () => void): void;
}

export interface ShellWord {
  /** As it is written. */
  readonly raw: string;
  /** Without its quotes. */
  readonly plain: string;
  /** What it comes to is known only when it runs: it holds `$…` or backticks. */
  readonly dynamic: boolean;
  /** It may turn into other words: unquoted `*`, `?`, `[` or `{`. */
  readonly expands: boolean;
  readonly end: number;
}

/** What stands around an expansion: in double quotes and here-documents, single quotes mean nothing. */
type Around = 'nothing' | 'quotes' | 'here-document';

const ENDS_A_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);
const NAME = /[A-Za-z_]\w*|[\d@*#?$!-]/y;

export function readWord(cursor: Cursor): ShellWord {
  const start = cursor.at;
  let plain = '';
  let dynamic = false;
  let expands = false;
  while (cursor.at < cursor.text.length) {
    const sign = cursor.text[cursor.at] as string;
    const from = cursor.at;
    if ((sign === '<' || sign === '>') && cursor.text[from + 1] === '(') {
      cursor.at += 2;
      cursor.deeper(() => cursor.readNested());
      dynamic = true;
      plain += cursor.text.slice(from, cursor.at);
    } else if (ENDS_A_WORD.has(sign)) {
      break;
    } else if (sign === "'") {
      plain += readSingleQuotes(cursor);
    } else if (sign === '"') {
      cursor.at += 1;
      const quoted = readDoubleQuotes(cursor);
      plain += quoted.plain;
      dynamic ||= quoted.dynamic;
    } else if (sign === '\\') {
      cursor.at += 2;
      const escaped = cursor.text[from + 1];
      if (escaped === undefined) cursor.unreadable();
      else if (escaped !== '\n') plain += escaped;
    } else if (sign === '$' || sign === '`') {
      dynamic = readExpansion(cursor, 'nothing') || dynamic;
      plain += cursor.text.slice(from, cursor.at);
    } else {
      if ('*?[{'.includes(sign)) expands = true;
      plain += sign;
      cursor.at += 1;
    }
  }
  cursor.at = Math.min(cursor.at, cursor.text.length);
  const raw = cursor.text.slice(start, cursor.at).replaceAll('\\\n', '');
  // The two programs whose names look like the beginning of a glob.
  if (raw === '[' || raw === '[[') expands = false;
  return { raw, plain, dynamic, expands, end: cursor.at };
}

/** Text in which only expansions mean something: double quotes without the quotes, such as a here-document. */
export function skipText(cursor: Cursor): void {
  while (cursor.at < cursor.text.length) {
    const sign = cursor.text[cursor.at];
    if (sign === '\\') cursor.at += 2;
    else if (sign === '$' || sign === '`') readExpansion(cursor, 'here-document');
    else cursor.at += 1;
  }
}

/**
 * Skips `((…))` or `$((…))`, of which the opening is `length` long, if it is one and not two nested subshells; what
 * is substituted inside it runs all the same.
 */
export function skipArithmetic(cursor: Cursor, length: number, opening: string): boolean {
  if (!cursor.text.startsWith(opening, cursor.at)) return false;
  let depth = 0;
  let end = cursor.at + length;
  for (; end < cursor.text.length; end++) {
    const sign = cursor.text[end];
    // A quote could hide parentheses; nobody needs one here.
    if (sign === "'" || sign === '"') return false;
    if (sign === '(') depth += 1;
    else if (sign === ')' && depth > 0) depth -= 1;
    else if (sign === ')') break;
  }
  if (!cursor.text.startsWith('))', end)) return false;
  cursor.at += length;
  while (cursor.at < end) {
    const sign = cursor.text[cursor.at];
    if (sign === '$' || sign === '`') readExpansion(cursor, 'nothing');
    else cursor.at += 1;
  }
  cursor.at = Math.max(cursor.at, end + 2);
  return true;
}

function readSingleQuotes(cursor: Cursor): string {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end < 0) cursor.unreadable();
  const inside = cursor.text.slice(cursor.at + 1, end < 0 ? undefined : end);
  cursor.at = end < 0 ? cursor.text.length : end + 1;
  return inside;
}

function readDoubleQuotes(cursor: Cursor): { plain: string; dynamic: boolean } {
  let plain = '';
  let dynamic = false;
  while (cursor.at < cursor.text.length) {
    const from = cursor.at;
    const sign = cursor.text[from] as string;
    if (sign === '"') {
      cursor.at += 1;
      return { plain, dynamic };
    }
    if (sign === '\\') {
      const escaped = cursor.text[from + 1] ?? '';
      plain += escaped === '\n' ? '' : '$`"\\'.includes(escaped) ? escaped : `\\${escaped}`;
      cursor.at += 2;
    } else if (sign === '$' || sign === '`') {
      dynamic = readExpansion(cursor, 'quotes') || dynamic;
      plain += cursor.text.slice(from, cursor.at);
    } else {
      plain += sign;
      cursor.at += 1;
    }
  }
  cursor.unreadable();
  return { plain, dynamic };
}

/** At `$` or a backtick. True when something is expanded, false for a dollar that is only a dollar. */
function readExpansion(cursor: Cursor, around: Around): boolean {
  let expanded = true;
  cursor.deeper(() => {
    expanded = readOneExpansion(cursor, around);
  });
  return expanded;
}

function readOneExpansion(cursor: Cursor, around: Around): boolean {
  const from = cursor.at;
  const next = cursor.text[from + 1];
  if (cursor.text[from] === '`') {
    readBackticks(cursor);
  } else if (next === '(') {
    if (skipArithmetic(cursor, 3, '$((')) return true;
    cursor.at += 2;
    cursor.readNested();
  } else if (next === '{') {
    cursor.at += 2;
    readBraces(cursor, around);
  } else if (next === '[') {
    cursor.unreadable();
    cursor.at += 2;
  } else if (next === "'" && around === 'nothing') {
    readAnsiQuotes(cursor);
  } else {
    NAME.lastIndex = from + 1;
    const name = NAME.exec(cursor.text)?.[0] ?? '';
    cursor.at += 1 + name.length;
    return name !== '';
  }
  return true;
}

/** `$'…'` can spell any word with escapes, so it counts as something that is known only when it runs. */
function readAnsiQuotes(cursor: Cursor): void {
  cursor.at += 2;
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== "'")
    cursor.at += cursor.text[cursor.at] === '\\' ? 2 : 1;
  if (cursor.at >= cursor.text.length) cursor.unreadable();
  cursor.at += 1;
}

function readBackticks(cursor: Cursor): void {
  const start = cursor.at + 1;
  let end = start;
  while (end < cursor.text.length && cursor.text[end] !== '`') end += cursor.text[end] === '\\' ? 2 : 1;
  if (end >= cursor.text.length) cursor.unreadable();
  cursor.at = end + 1;
  cursor.readInside(cursor.text.slice(start, end).replaceAll(/\\([`$\\])/g, '$1'));
}

/**
 * `${name:-…}`: what stands inside may hold quotes and further expansions. Which quotes count, if there are others around
 * it, depends on the operator and on the shell: then it is not read for sure.
 */
function readBraces(cursor: Cursor, around: Around): void {
  while (cursor.at < cursor.text.length) {
    const sign = cursor.text[cursor.at];
    const isDoubtful =
      around === 'quotes' ? sign === "'" : around === 'here-document' && /['"]/.test(sign ?? '');
    if (isDoubtful) cursor.unreadable();
    if (sign === '}') {
      cursor.at += 1;
      return;
    }
    if (sign === '\\') cursor.at += 2;
    else if (around === 'nothing' && (sign === '<' || sign === '>') && cursor.text[cursor.at + 1] === '(') {
      cursor.at += 2;
      cursor.deeper(() => cursor.readNested());
    } else if (sign === "'" && around === 'nothing') readSingleQuotes(cursor);
    else if (sign === '"') {
      cursor.at += 1;
      readDoubleQuotes(cursor);
    } else if (sign === '$' || sign === '`') readExpansion(cursor, around);
    else cursor.at += 1;
  }
  cursor.unreadable();
}
