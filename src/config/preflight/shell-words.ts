/** Takes a command line apart as a POSIX shell does: words with their quoting, operators, and what was left open. */

export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly raw: string; readonly quoted: boolean }
  /** `$(…)`, backticks, `${a%b}`, `$1`: what only a running shell can say. */
  | { readonly kind: 'code'; readonly raw: string; readonly inner: string };

export interface ShellWord {
  readonly kind: 'word';
  readonly parts: readonly WordPart[];
}

export interface ShellOperator {
  readonly kind: 'operator';
  readonly text: string;
}

export type ShellToken = ShellWord | ShellOperator;

export interface ShellLine {
  readonly tokens: readonly ShellToken[];
  /** The quote or bracket that nothing closes. */
  readonly open: string | undefined;
  /** It has something in it (a here-document, `case`, bash's own quotes) that shells read in more than one way. */
  readonly doubtful: boolean;
}

interface Cursor {
  readonly line: string;
  at: number;
  open: string | undefined;
  doubtful: boolean;
  depth: number;
}

/** Nobody nests so deep; reading it would only exhaust the stack. */
const DEEPEST = 50;

const OPERATOR = /&>>?|\d*(?:<<<|<<-?|<&|<>|<|>>|>\||>&|>)|&&|\|\||\|&|;;|[|&;()\n]/y;
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/y;
const PARAMETER = /\$[0-9@*#?$!-]/y;
const ENDS_WORD = /[ \t\n|&;()<>]/;

export function readShellLine(line: string): ShellLine {
  const cursor: Cursor = { line, at: 0, open: undefined, doubtful: false, depth: 0 };
  const tokens: ShellToken[] = [];
  for (let token = nextToken(cursor); token; token = nextToken(cursor)) tokens.push(token);
  return { tokens, open: cursor.open, doubtful: cursor.doubtful };
}

/** The word as it is written, without its quotes; variables and code stay as they are. */
export function wordText(word: ShellWord): string {
  return word.parts.map(rawText).join('');
}

export function rawText(part: WordPart): string {
  return part.kind === 'text' ? part.text : part.raw;
}

function nextToken(cursor: Cursor): ShellToken | undefined {
  skipBlanks(cursor);
  if (cursor.at >= cursor.line.length) return undefined;
  const operator = take(cursor, OPERATOR)?.[0];
  if (operator === undefined) return readWord(cursor);
  if (/<<-?$/.test(operator) || (/[<>]$/.test(operator) && peek(cursor) === '(')) cursor.doubtful = true;
  return { kind: 'operator', text: operator };
}

function skipBlanks(cursor: Cursor): void {
  take(cursor, /(?:[ \t]|\\\n)*(?:#[^\n]*)?/y);
}

function readWord(cursor: Cursor): ShellWord {
  const parts: WordPart[] = [];
  while (cursor.at < cursor.line.length && !ENDS_WORD.test(peek(cursor))) {
    const char = peek(cursor);
    if (char === "'") parts.push(readSingleQuotes(cursor));
    else if (char === '"') parts.push(...readDoubleQuotes(cursor));
    else if (char === '\\') parts.push(readEscape(cursor));
    else if (char === '$') parts.push(readDollar(cursor, false));
    else if (char === '`') parts.push(readBackticks(cursor));
    else parts.push(text(take(cursor, /[^ \t\n|&;()<>'"\\$`]+/y)?.[0] ?? '', false));
  }
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text' && only.text === 'case') cursor.doubtful = true;
  return { kind: 'word', parts };
}

function readSingleQuotes(cursor: Cursor): WordPart {
  const end = cursor.line.indexOf("'", cursor.at + 1);
  if (end === -1) return rest(cursor, "'", 1);
  return text(cut(cursor, end + 1).slice(1, -1), true);
}

function readEscape(cursor: Cursor): WordPart {
  const escaped = cut(cursor, cursor.at + 2).slice(1);
  return text(escaped === '\n' ? '' : escaped, true);
}

function readDoubleQuotes(cursor: Cursor): WordPart[] {
  // Even an empty pair makes a word.
  const parts: WordPart[] = [text('', true)];
  cursor.at += 1;
  while (cursor.at < cursor.line.length) {
    const char = peek(cursor);
    if (char === '"') {
      cursor.at += 1;
      return parts;
    }
    if (char === '$') parts.push(readDollar(cursor, true));
    else if (char === '`') parts.push(readBackticks(cursor));
    else if (char !== '\\') parts.push(text(take(cursor, /[^"$`\\]+/y)?.[0] ?? '', true));
    else if (/^\\["$`\\\n]/.test(cursor.line.slice(cursor.at, cursor.at + 2))) parts.push(readEscape(cursor));
    else parts.push(text(cut(cursor, cursor.at + 1), true));
  }
  cursor.open ??= '"';
  return parts;
}

function readDollar(cursor: Cursor, quoted: boolean): WordPart {
  const variable = take(cursor, VARIABLE);
  if (variable) {
    return { kind: 'variable', name: variable[1] ?? variable[2] ?? '', raw: variable[0], quoted };
  }
  const parameter = take(cursor, PARAMETER);
  if (parameter) return { kind: 'code', raw: parameter[0], inner: '' };
  const next = cursor.line[cursor.at + 1];
  if (next === '(') return readSubstitution(cursor);
  if (next === '{') return readBraces(cursor);
  if (!quoted && (next === "'" || next === '"')) {
    // bash quotes in its own way here, other shells take the dollar as it is.
    cursor.doubtful = true;
    const ansi = take(cursor, /\$'((?:[^'\\]|\\[\s\S])*)'/y);
    if (ansi) return text(ansi[1] ?? '', true);
  }
  return text(cut(cursor, cursor.at + 1), quoted);
}

function readSubstitution(cursor: Cursor): WordPart {
  const start = cursor.at;
  if (cursor.depth >= DEEPEST) {
    cursor.doubtful = true;
    return rest(cursor, '$(', 2);
  }
  cursor.at += 2;
  cursor.depth += 1;
  let brackets = 1;
  while (brackets > 0) {
    const token = nextToken(cursor);
    if (!token) break;
    if (token.kind === 'operator' && token.text === '(') brackets += 1;
    if (token.kind === 'operator' && token.text === ')') brackets -= 1;
  }
  cursor.depth -= 1;
  if (brackets > 0) cursor.open ??= '$(';
  const raw = cursor.line.slice(start, cursor.at);
  return { kind: 'code', raw, inner: raw.slice(2, brackets > 0 ? undefined : -1) };
}

function readBraces(cursor: Cursor): WordPart {
  const end = cursor.line.indexOf('}', cursor.at);
  if (end === -1) return rest(cursor, '${', 2);
  const raw = cut(cursor, end + 1);
  const inner = raw.slice(2, -1);
  if (/['"`$\\{]/.test(inner)) cursor.doubtful = true;
  return { kind: 'code', raw, inner };
}

function readBackticks(cursor: Cursor): WordPart {
  const raw = take(cursor, /`(?:[^`\\]|\\[\s\S])*`/y)?.[0];
  return raw === undefined ? rest(cursor, '`', 1) : { kind: 'code', raw, inner: raw.slice(1, -1) };
}

/** Everything to the end, because what begins here is never closed. */
function rest(cursor: Cursor, open: string, length: number): WordPart {
  cursor.open ??= open;
  const raw = cut(cursor, cursor.line.length);
  return { kind: 'code', raw, inner: raw.slice(length) };
}

function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.line);
  if (!match) return undefined;
  cursor.at += match[0].length;
  return match;
}

function cut(cursor: Cursor, end: number): string {
  const piece = cursor.line.slice(cursor.at, end);
  cursor.at = Math.min(end, cursor.line.length);
  return piece;
}

const peek = (cursor: Cursor): string => cursor.line[cursor.at] ?? '';

const text = (value: string, quoted: boolean): WordPart => ({ kind: 'text', text: value, quoted });
