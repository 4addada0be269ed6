/** Texts that a line types into another program: `tmux send-keys 'ls' Enter`. They run there, perhaps together with others. */
import { basename } from 'node:path/posix';
import type { ShellCommand } from '../shell/read-line.js';

/** Keys that end a line, are blanks, or give nothing to run. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ['enter', '\n'],
  ['c-m', '\n'],
  ['c-j', '\n'],
  ['kpenter', '\n'],
  ['space', ' '],
  ['escape', ''],
  ['q', ''],
  ['c-c', ''],
  ['c-d', ''],
  ['c-l', ''],
  ['c-u', ''],
  ['c-z', ''],
]);
/** They hand over what was put somewhere before, or type for a person. */
const TYPES_UNSEEN = /^(?:xdotool|ydotool|wtype|dotool|cliclick)$/;
/** Other terminals, with the subcommand in front of the text. */
const SENDS_TEXT = /^(?:send-text|write-chars|write|remote-send|--remote-send|stuff)$/;
const TERMINALS = /^(?:kitty|kitten|wezterm|zellij|screen|nvim|vim|gvim|alacritty|byobu)$/;
const VALUED = /^-[tcN]$/;

/**
 * The lines that a command types; undefined if it may type only a part of one, which another call completes, or what is
 * only known when it runs. Contract: pure.
 */
export function linesTyped({ words: [name, ...args] }: ShellCommand): readonly string[] | undefined {
  const program = basename(name?.value ?? '');
  const values = args.map(({ value }) => value);
  if (TYPES_UNSEEN.test(program)) return undefined;
  if (program === 'tmux' || program === 'byobu') return typedByTmux(values);
  if (!TERMINALS.test(program)) return [];
  if (program === 'screen' && values.some((value) => value === 'paste')) return undefined;
  const at = values.findIndex((value) => SENDS_TEXT.test(value ?? ''));
  return at < 0
    ? []
    : linesOf(values.slice(at + 1).map((value) => value?.replaceAll(/\^M|\\[rn]|\\015|\r/g, '\n')));
}

/** `tmux a \; send-keys b`: several commands in one line. */
function typedByTmux(values: readonly (string | undefined)[]): readonly string[] | undefined {
  const found: string[] = [];
  let keys: (string | undefined)[] | undefined;
  for (const [at, value] of [...values, ';'].entries()) {
    if (value === ';' || value?.endsWith(';') === true) {
      if (value !== ';') keys?.push(value?.slice(0, -1));
      const lines = keys && linesOf(keys);
      if (keys !== undefined && lines === undefined) return undefined;
      found.push(...(lines ?? []));
      keys = undefined;
    } else if (keys !== undefined) {
      const isOption = keys.length === 0 && value?.startsWith('-') === true;
      // `-H` takes codes of letters, `-X` commands for tmux itself.
      if (isOption && /^-[a-zA-Z]*[HX]/.test(value)) return undefined;
      if (!isOption && !(keys.length === 0 && VALUED.test(values[at - 1] ?? ''))) keys.push(value);
    } else if (/^(?:send(?:-k\w*)?|send-keys)$/.test(value ?? '')) keys = [];
    else if (/^paste/.test(value ?? '')) return undefined;
  }
  return found;
}

/** Whole lines, and keys that run nothing. */
function linesOf(keys: readonly (string | undefined)[]): readonly string[] | undefined {
  if (keys.includes(undefined)) return undefined;
  const texts = keys.map((key = '') => {
    const known = KEYS.get(key.toLowerCase());
    // `Up`, `C-r`: a line of the history.
    return (
      known ??
      (/^(?:[CMS]-.+|Up|Down|Left|Right|Tab|BTab|BSpace|DC|Home|End|PgUp|PgDn|F\d+)$/.test(key)
        ? undefined
        : key)
    );
  });
  if (texts.includes(undefined)) return undefined;
  const text = texts.join('');
  if (text !== '' && !text.endsWith('\n')) return undefined;
  return text.split('\n').filter((line) => line.trim() !== '');
}
