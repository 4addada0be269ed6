/** Recognises awk scripts that certainly only print: everything else may write, run, or read other files. */
import { hasClosedBrackets } from './sed-script.js';

/** What may stand before a parenthesis. Other names are functions that run programs or are not known. */
const CALLED = new Set(
  'if while for switch print printf return exit in delete length substr index split sub gsub gensub match sprintf tolower toupper int sqrt log exp sin cos atan2 rand srand strftime systime mktime asort asorti and or xor compl lshift rshift strtonum'.split(
    ' ',
  ),
);
/** They run programs, read other files, or hold the environment. */
const FORBIDDEN =
  /^(?:system|getline|close|fflush|function|func|extension|ENVIRON|ARG[VC]|ARGIND|PROCINFO|SYMTAB|FUNCTAB|include|load|namespace)$/;
const TOKEN =
  /^(?:[ \t\r\n]+|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*|\d[\d.]*(?:[eE][-+]?\d+)?|\.\d+|\|\||&&|>=|<=|==|!=|[-+*%^]=|\+\+|--|[-+*%^!~<>=?:$,;(){}[\]])/;
/** After these, a slash starts a pattern. */
const BEFORE_PATTERN = /^(?:|[{};(,!~]|&&|\|\|)$/;

/** Contract: pure. */
export function onlyPrintsAwk(script: string): boolean {
  let rest = script;
  let last = '';
  /** Open parentheses. Outside of them, `>` after `print` names a file. */
  let depth = 0;
  let isPrinting = false;
  while (rest !== '') {
    const token = rest.startsWith('/') ? slash(rest, last) : TOKEN.exec(rest)?.[0];
    if (token === undefined || FORBIDDEN.test(token)) return false;
    rest = rest.slice(token.length);
    if (/^[\s#]/.test(token)) continue;
    if (token === 'print' || token === 'printf') isPrinting = true;
    if (/^[;{}]$/.test(token)) isPrinting = false;
    depth += token === '(' ? 1 : token === ')' ? -1 : 0;
    if (token === '(' && /^[A-Za-z_]/.test(last) && !CALLED.has(last)) return false;
    // `>>` is always a file.
    if (token === '>' && ((isPrinting && depth <= 0) || last === '>')) return false;
    last = token;
  }
  return true;
}

/** A pattern, or a division where it cannot be a pattern. Undefined if it may be either. */
function slash(text: string, last: string): string | undefined {
  const end = text.indexOf('/', 1);
  if (BEFORE_PATTERN.test(last)) {
    const [pattern] = /^\/(?:[^/\\\n]|\\[^\n])+\//.exec(text) ?? [];
    return pattern !== undefined && hasClosedBrackets(pattern.slice(1, -1)) ? pattern : undefined;
  }
  return end < 0 && /[\w)\]]$/.test(last) ? '/' : undefined;
}
