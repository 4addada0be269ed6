/** Languages in which a few words start programs or run texts, and all others are harmless: awk, Lua, C. */
import { type Language, type Token, tokenize } from './tokens.js';
import {
  afterBracket,
  isPlainLine,
  isSign,
  isWord,
  Lines,
  linesStarted,
  type Started,
  startedByCall,
  words,
} from './understood.js';

const AWK_PATTERN = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?\]?(?:[^\]\\\n]|\\[^\n])*\])+\//y;
const COMMENT = /#[^\n]*|\\\n/y;

export const AWK: Language = {
  tokens:
    /(?<gap>[ \t\n]+)|(?<word>[A-Za-z_]\w*(?:::\w+)*)|(?<number>\d[\w.]*|\.\d\w*)|(?<sign>\|\||\|&|&&|>>|[-+*/%^<>=!]=|\+\+|--|\*\*|[-+*/%^<>=!?:;,.()[\]{}$~|@&])/y,
  special(reader) {
    const { rest, last } = reader;
    const [gap] = reader.match(COMMENT) ?? [];
    if (gap !== undefined) reader.skip(gap.length);
    else if (rest === '"') {
      reader.at += 1;
      reader.readText('"', '"');
      if (reader.last?.text.includes('\n')) return reader.unclear();
    } else if (rest === '/' && !isOperand(last)) {
      const [pattern] = reader.match(AWK_PATTERN) ?? [];
      // Where a bracket could end is disputed.
      if (pattern === undefined || /\[[^\][]*\/|\[\^?\]/.test(pattern)) return reader.unclear();
      reader.add('pattern', pattern);
      reader.at += pattern.length;
    } else return false;
    return true;
  },
};

function isOperand(last: Token | undefined): boolean {
  if (last?.kind === 'word') return !/^(?:print|printf|return|in|getline|case)$/.test(last.text);
  return last !== undefined && (last.kind !== 'sign' || /^[)\]$]$|^\+\+$|^--$/.test(last.text));
}

/** They run what they read, or get their words from it. */
const OBEYS = /\b(?:\w*sh|xargs|parallel|at|batch|env|python[\d.]*|perl|ruby|node|php|lua|ed|ex|make)\b/;

/** Contract: pure. */
export function startedByAwk(code: string): Started {
  const tokens = tokenize(code, AWK);
  if (tokens === undefined) return undefined;
  const lines = new Lines();
  const heads: boolean[] = [];
  let afterHead = false;
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    const wasHead = afterHead;
    afterHead = false;
    if (isSign(token, '(')) heads.push(/^(?:if|while|for|switch)$/.test(before?.text ?? ''));
    if (isSign(token, ')')) afterHead = heads.pop() ?? false;
    // After the head of a statement a slash begins a pattern.
    if (wasHead && /^\/=?$/.test(token.text)) lines.add(undefined);
    if (isWord(token, 'system')) {
      lines.add(startedByCall(tokens, at + 1));
    }
    if (
      isSign(token, '@') ||
      (token.kind === 'word' && /^(?:extension|SYMTAB|awk::.*|.*::system)$/.test(token.text))
    )
      lines.add(undefined);
    if (isSign(token, '|') || isSign(token, '|&')) lines.add(pipedTo(tokens, at));
  });
  return lines.result;
}

/** `print | "sort"`, `"date" | getline`. */
function pipedTo(tokens: readonly Token[], at: number): Started {
  const [first, before, next, end] = [tokens[at - 2], tokens[at - 1], tokens[at + 1], tokens[at + 2]];
  const isStart = first === undefined || before?.first || /^[;{}(]$/.test(first.text);
  if (isWord(next, 'getline'))
    return before?.kind === 'text' && isPlainLine(before) && isStart ? [before.text] : undefined;
  const isEnd = end === undefined || end.first || /^[;}]$/.test(end.text);
  return next?.kind === 'text' && isPlainLine(next) && isEnd && !OBEYS.test(next.text)
    ? [next.text]
    : undefined;
}

export const LUA: Language = {
  tokens:
    /(?<gap>[ \t\n]+|--(?!\[=*\[)[^\n]*)|(?<word>[A-Za-z_]\w*)|(?<number>\d[\w.]*|\.\d\w*)|(?<sign>\.\.\.?|[<>=~]=|\/\/|<<|>>|::|[-+*/%^#<>=;:,.()[\]{}&|~])/y,
  special(reader) {
    const { rest } = reader;
    const [, level] = reader.match(/(?:--)?\[(=*)\[/y) ?? [];
    if (level !== undefined) return reader.unclear();
    if (rest !== '"' && rest !== "'") return false;
    reader.at += 1;
    reader.readText(rest, rest);
    return true;
  },
};
const LUA_LEADS =
  /^(?:_G|_ENV|load|loadstring|loadfile|dofile|require|getfenv|setfenv|debug|package|ffi|jit|module|getmetatable|setmetatable)$/;
const LUA_OS = words('time date clock getenv difftime remove rename tmpname exit setlocale');
const LUA_IO = words('read write lines open stdin stdout stderr type close input output');

/** Contract: pure. */
export function startedByLua(code: string): Started {
  const tokens = tokenize(code, LUA);
  if (tokens === undefined) return undefined;
  const lines = new Lines();
  tokens.forEach((token, at) => {
    if (token.kind !== 'word') return;
    if (LUA_LEADS.test(token.text)) lines.add(undefined);
    const isMember = isSign(tokens[at - 1], '.') || isSign(tokens[at - 1], ':');
    if (isMember || !/^(?:os|io)$/.test(token.text)) return;
    const name = isSign(tokens[at + 1], '.') ? (tokens[at + 2]?.text ?? '') : '';
    if ((token.text === 'os' ? LUA_OS : LUA_IO).has(name)) return;
    const isStart = /^(?:execute|popen)$/.test(name) && isSign(tokens[at + 3], '(');
    lines.add(isStart ? linesStarted(tokens.slice(at + 4, afterBracket(tokens, at + 3) - 1)) : undefined);
  });
  const changes =
    lines.found.length > 0 && tokens.some((token) => isWord(token, 'write') || isWord(token, 'rename'));
  return changes ? undefined : lines.result;
}

const C_WORDS = words(
  'int main void return char const unsigned long short float double static struct sizeof if else for while do break continue switch case default include stdio h string stdlib stdint stdbool bool size_t printf puts putchar strlen argc argv true false',
);

/** A program of a few harmless words. Contract: pure. */
export function startedByC(code: string): Started {
  const plain = code.replaceAll(/"[^"\\\n]*(?:\\n)?"/g, '');
  const isHarmless = (plain.match(/[A-Za-z_]\w*/g) ?? []).every(
    (word) => C_WORDS.has(word) || word.length === 1,
  );
  return isHarmless && !/["'\\]|##/.test(plain) ? [] : undefined;
}
