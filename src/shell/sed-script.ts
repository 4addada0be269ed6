/** Recognises sed scripts that certainly only print: everything else may write, run or read other files. */

/** Without operands; they print, delete, or move lines between sed's own buffers. */
const PLAIN = /^[pPdDqQgGhHxnNlzF=]/;
/** Flags of a substitution; `e` runs the result, and `w` writes it. */
const FLAGS = /^[gpiIM\d]*/;
const ADDRESS = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/;

/** Contract: pure. Reads one command after another, and gives up at the first that it does not know. */
export function onlyPrintsSed(script: string): boolean {
  return readsSed(script, afterCommand);
}

/** The shell lines that a script starts; undefined if it is not understood. Contract: pure. */
export function startedBySed(script: string): readonly string[] | undefined {
  const lines: string[] = [];
  const isUnderstood = readsSed(script, (text) => {
    const [whole, letter = '', line = ''] = FREE.exec(text) ?? [];
    if (whole === undefined) return afterCommand(text);
    if (letter === 'e' && (!/\w/.test(line) || /[$`\\\n]/.test(line))) return undefined;
    if (letter === 'e') lines.push(line.trim());
    return text.slice(whole.length);
  });
  return isUnderstood ? lines : undefined;
}

/** With a text, the name of a file, a line for the shell, or a label, up to the end of the line. */
const FREE = /^(?:([aicrRwWe])((?:[^\n\\]|\\[\s\S])*)|[btT:][ \t]*[^;\n}]*)/;

function readsSed(script: string, afterOne: (text: string) => string | undefined): boolean {
  let rest = script;
  let depth = 0;
  while (rest !== '') {
    const start = rest.replace(/^[\s;]+/, '').replace(/^#[^\n]*/, '');
    if (start !== rest) {
      rest = start;
      continue;
    }
    const command = afterAddresses(rest);
    if (command === undefined) return false;
    if (command.startsWith('{')) {
      depth += 1;
      rest = command.slice(1);
      continue;
    }
    const after = command.startsWith('}') && depth > 0 ? command.slice(1) : afterOne(command);
    if (command.startsWith('}')) depth -= 1;
    // A command ends here, so that nothing after it belongs to it.
    if (after === undefined || !/^\s*(?:[;\n}#]|$)/.test(after)) return false;
    rest = after;
  }
  return depth === 0;
}

/** `1,/x/!p` without `1,/x/!`. */
function afterAddresses(text: string): string | undefined {
  const first = afterAddress(text);
  if (first === undefined) return undefined;
  const [comma] = /^\s*,\s*/.exec(first) ?? [];
  const isPair = comma !== undefined && first !== text;
  const second = isPair ? afterAddress(first.slice(comma.length)) : first;
  if (second === undefined || (isPair && second === first.slice(comma.length))) return undefined;
  return second.replace(/^\s*(?:!\s*)?/, '');
}

/** The text itself if there is no address; undefined if its end is not certain. */
function afterAddress(text: string): string | undefined {
  const [plain] = ADDRESS.exec(text) ?? [];
  if (plain !== undefined) return text.slice(plain.length);
  if (!text.startsWith('/')) return text;
  const after = afterDelimited(text.slice(1), '/', true);
  return after?.replace(/^[IM]/, '');
}

function afterCommand(text: string): string | undefined {
  if (/^[qQl]\s*\d+/.test(text)) return text.replace(/^.\s*\d+/, '');
  if (PLAIN.test(text)) return text.slice(1);
  const [, kind, delimiter = ''] = /^([sy])([/|#,:@!%+_~])/.exec(text) ?? [];
  if (kind === undefined) return undefined;
  const second = afterDelimited(text.slice(2), delimiter, kind === 's');
  const end = second === undefined ? undefined : afterDelimited(second, delimiter, false);
  return kind === 's' ? end?.replace(FLAGS, '') : end;
}

/** What follows the delimiter. Undefined if programs disagree on where it is: in brackets, or across lines. */
function afterDelimited(text: string, delimiter: string, isPattern: boolean): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '\n') return undefined;
    if (letter === delimiter)
      return isPattern && !hasClosedBrackets(text.slice(0, at)) ? undefined : text.slice(at + 1);
    if (letter === '\\') {
      if (text[at + 1] === '\n') return undefined;
      at += 1;
    }
  }
  return undefined;
}

/** Whether no bracket of a pattern is open at its end, so that every program sees the same end. */
export function hasClosedBrackets(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '[') {
      const [set] = /^\[\^?\]?(?:[^[\]\\]|\\[^[\]\\]|\[:\w+:\])*\]/.exec(pattern.slice(at)) ?? [];
      if (set === undefined) return false;
      at += set.length - 1;
    }
  }
  return true;
}
