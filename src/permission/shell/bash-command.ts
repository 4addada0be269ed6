/**
 * Takes a shell line apart into the simple commands it would run: across `&&`, `||`, `;`, `|`, `&`, lines, subshells,
 * substitutions and control flow. Small and conservative: what it is not sure about makes the line unreadable.
 */
import { type Cursor, readWord, type ShellWord, skipArithmetic, skipText } from './bash-command-word.js';

import type { ShellCommand, ShellLine, ShellRedirect } from './line.js';

const LONGEST_LINE = 10_000;
const DEEPEST = 40;
/** Words that stand before a command and are none. */
const BEFORE_A_COMMAND = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{']);
const AFTER_A_COMMAND = new Set(['fi', 'done', '}', 'esac']);
/** What follows them, up to the next separator, is a list of values. */
const BEFORE_VALUES = new Set(['for', 'select']);
const NOT_UNDERSTOOD = new Set(['case', 'function', 'coproc']);
const SEPARATOR = /;;&|;;|;&|;|&&|\|\||\|&|\||&/y;
const REDIRECT = /&>>|&>|<<<|<<-|<<|<>|<&|>>|>\||>&|<|>/y;
/** After these a command has to follow. */
const UNFINISHED = new Set(['&&', '||', '|', '|&']);

/** Contract: pure, never throws, and linear in the length of the line, of which no more than a limit is read. */
export function readShellLine(line: string): ShellLine {
  if (line.length > LONGEST_LINE || line.includes('\0'))
    return { commands: [], readable: false, simple: false };
  const reader = new ShellReader(line, 0);
  reader.readCommands(undefined);
  return reader;
}

/** The command that is being read. */
class OpenCommand {
  words: ShellWord[] = [];
  readonly redirects: ShellRedirect[] = [];
  /** Its words are values to loop over, not a command. */
  discards = false;
  /** It has not begun, but has to: something like `&&` stands before it. */
  isDue = false;
}

class ShellReader implements Cursor, ShellLine {
  readonly text: string;
  at = 0;
  readonly commands: ShellCommand[] = [];
  readable = true;
  simple = true;
  #depth: number;
  #open = new OpenCommand();
  readonly #hereDocuments: { readonly word: ShellWord; readonly indented: boolean }[] = [];

  constructor(text: string, depth: number) {
    this.text = text;
    this.#depth = depth;
  }

  unreadable(): void {
    this.readable = false;
  }

  deeper(read: () => void): void {
    this.#depth += 1;
    if (this.#depth <= DEEPEST) read();
    else {
      this.unreadable();
      this.at = this.text.length;
    }
    this.#depth -= 1;
  }

  readInside(text: string, read = (inner: ShellReader) => inner.readCommands(undefined)): void {
    const inner = new ShellReader(text, this.#depth);
    read(inner);
    this.commands.push(...inner.commands);
    if (!inner.readable) this.unreadable();
    this.simple &&= inner.simple && inner.commands.length === 0;
  }

  /** What is open outside waits until what is inside has been read. */
  readNested(): void {
    this.simple = false;
    const outer = this.#open;
    this.#open = new OpenCommand();
    this.readCommands(')');
    this.#open = outer;
  }

  /** Up to the closing sign, which is consumed, or to the end of the text. */
  readCommands(until: ')' | undefined): void {
    while (this.at < this.text.length) {
      const sign = this.text[this.at];
      if (sign === ')' && until === ')') {
        this.at += 1;
        this.#endList();
        return;
      }
      this.#readNext(sign);
    }
    if (until !== undefined || this.#hereDocuments.length > 0) this.unreadable();
    this.#endList();
  }

  #readNext(sign: string | undefined): void {
    if (sign === ' ' || sign === '\t') this.at += 1;
    else if (sign === '\\' && this.text[this.at + 1] === '\n') this.at += 2;
    else if (sign === '\n') this.#readLineEnd();
    else if (sign === '#') this.#skipComment();
    else if (sign === '(') this.#readParenthesis();
    else if (sign === ')') this.#giveUpOnSign();
    else if (!this.#readRedirect() && !this.#readSeparator()) this.#readNextWord();
  }

  #readNextWord(): void {
    const word = readWord(this);
    this.#open.isDue = false;
    if (this.#open.words.length > 0 || this.#open.discards || word.raw !== word.plain)
      this.#open.words.push(word);
    else if (word.plain === '!') return;
    else if (!this.#readKeyword(word)) this.#open.words.push(word);
    else this.simple = false;
  }

  #readKeyword(word: ShellWord): boolean {
    if (word.plain === '[[') this.#readTest(word);
    else if (BEFORE_VALUES.has(word.plain)) this.#open.discards = true;
    else if (NOT_UNDERSTOOD.has(word.plain)) this.unreadable();
    else return BEFORE_A_COMMAND.has(word.plain) || AFTER_A_COMMAND.has(word.plain);
    return true;
  }

  /** Inside `[[ … ]]` the signs compare and group; only its substitutions are commands. */
  #readTest(opening: ShellWord): void {
    this.#open.words.push(opening);
    while (this.at < this.text.length) {
      const word = readWord(this);
      if (word.raw === '') {
        // One of the signs, or white space.
        this.at += 1;
        continue;
      }
      this.#open.words.push(word);
      if (word.raw === ']]') return;
    }
    this.unreadable();
  }

  #readParenthesis(): void {
    this.#open.isDue = false;
    this.simple = false;
    if (this.#open.words.length === 1 && this.text[this.at + 1] === ')') {
      // The head of a function: its body is read as if it ran.
      this.#open.words = [];
      this.at += 2;
    } else if (this.#open.words.length > 0 && !this.#open.discards) this.#giveUpOnSign();
    else if (!skipArithmetic(this, 2, '((')) {
      this.at += 1;
      this.deeper(() => this.readNested());
    }
  }

  #readSeparator(): boolean {
    const sign = this.#take(SEPARATOR);
    if (sign === undefined) return false;
    if (this.#open.words.length === 0 && this.#open.redirects.length === 0 && this.#open.isDue)
      this.unreadable();
    this.#endCommand();
    this.#open.isDue = UNFINISHED.has(sign);
    if (sign !== ';' && !UNFINISHED.has(sign)) this.simple = false;
    return true;
  }

  #readRedirect(): boolean {
    const next = this.text[this.at + 1];
    const opening = this.text[this.at];
    // A process substitution is a word, not a redirection.
    if ((opening === '<' || opening === '>') && next === '(') return false;
    const start = this.at;
    const operator = this.#take(REDIRECT);
    if (operator === undefined) return false;
    const number = this.#open.words.at(-1);
    if (number !== undefined && number.end === start && /^\d+$/.test(number.raw)) this.#open.words.pop();
    while (/[ \t]/.test(this.text[this.at] ?? '')) this.at += 1;
    const target = readWord(this);
    this.#open.isDue = false;
    this.#open.redirects.push({ operator, target });
    if (target.raw === '') this.unreadable();
    else if (operator === '<<' || operator === '<<-')
      this.#hereDocuments.push({ word: target, indented: operator === '<<-' });
    return true;
  }

  #readLineEnd(): void {
    this.at += 1;
    const unfinished = this.#open.isDue;
    this.#endCommand();
    this.#open.isDue = unfinished;
    for (const { word, indented } of this.#hereDocuments.splice(0)) this.#readHereDocument(word, indented);
  }

  #readHereDocument(word: ShellWord, indented: boolean): void {
    const start = this.at;
    while (this.at < this.text.length) {
      const lineStart = this.at;
      const lineEnd = this.text.indexOf('\n', lineStart);
      this.at = lineEnd < 0 ? this.text.length : lineEnd + 1;
      const line = this.text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
      if ((indented ? line.replace(/^\t+/, '') : line) !== word.plain) continue;
      // With a quoted word the text is taken as it is; otherwise its substitutions run.
      if (word.raw === word.plain) this.#readExpanded(this.text.slice(start, lineStart));
      return;
    }
    this.unreadable();
  }

  #readExpanded(text: string): void {
    if (/[$`]/.test(text)) this.simple = false;
    this.readInside(text, skipText);
  }

  #endList(): void {
    if (this.#open.isDue) this.unreadable();
    this.#endCommand();
  }

  #endCommand(): void {
    if (!this.#open.discards && this.#open.words.length + this.#open.redirects.length > 0)
      this.commands.push({ words: this.#open.words, redirects: this.#open.redirects });
    this.#open = new OpenCommand();
  }

  #skipComment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  #giveUpOnSign(): void {
    this.unreadable();
    this.at += 1;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const sign = pattern.exec(this.text)?.[0];
    if (sign !== undefined) this.at += sign.length;
    return sign;
  }
}
