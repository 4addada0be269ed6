/**
 * Distinguishes what is pasted from what is typed. Most terminals put marks around a paste. Where they do not, several lines
 * that arrive together are a paste: no person types that fast.
 */
import { StringDecoder } from 'node:string_decoder';

export interface PasteListener {
  /** Keys, as the terminal sends them. */
  typed(keys: string): void;
  /** A paste begins here; its text follows. */
  pasteBegins(): void;
  /** Text without control characters; its line ends do not mean Enter. */
  pasted(text: string): void;
}

export interface PasteReader {
  read(chunk: Buffer): void;
  /** What waits for the next keys counts as typed: what follows goes elsewhere. A paste that has begun goes on. */
  settle(): void;
  close(): void;
}

const BEGIN = '\u001b[200~';
const END = '\u001b[201~';
const INTERRUPT = '\u0003';
/** What arrives within this time belongs together. */
export const QUIET_MS = 50;
/** The terminal has more to send if a read was full; on a busy machine that can take longer. */
const FULL_READ = 1000;
const QUIET_AFTER_FULL_READ_MS = 500;

/** The beginning of a key at the end of a read. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys begin with ESC
const INCOMPLETE_KEY = /(?:\u001b(?:O|\[[\d;]*)?)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys begin with ESC
const ENTER_OR_INCOMPLETE_KEY = /[\r\n]*(?:\u001b(?:O|\[[\d;]*)?)?$/;
const SEVERAL_LINES = /[\r\n][^\r\n]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with ESC
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\r\n]*(?:\u0007|\u001b\\))/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all but the tab and line ends
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export function createPasteReader({ typed, pasteBegins, pasted }: PasteListener): PasteReader {
  const decoder = new StringDecoder('utf8');
  /** A paste between marks, as far as it has arrived. */
  let marked: string | undefined;
  /** A paste without marks, as far as it has arrived. */
  let unmarked: string | undefined;
  /** Enter, or the beginning of a key: what follows tells what it is. */
  let waiting = '';
  /** A paste with marks has just ended. */
  let justMarked = false;
  let marksPastes = false;
  let timer: NodeJS.Timeout | undefined;
  let check: NodeJS.Immediate | undefined;

  const insert = (text: string): void => {
    if (text !== '') pasted(textOf(text));
  };
  const settle = (): void => {
    const keys = waiting;
    waiting = '';
    if (unmarked !== undefined) {
      insert(unmarked);
      unmarked = '';
    }
    if (keys !== '') typed(keys);
  };
  const endUnmarked = (): void => {
    settle();
    unmarked = undefined;
  };
  const onQuiet = (): void => {
    if (justMarked && unmarked === undefined) marksPastes = true;
    justMarked = false;
    endUnmarked();
  };

  const take = (text: string): void => {
    if (marked !== undefined) {
      marked += text;
      const end = marked.indexOf(END);
      if (end === -1) return;
      const [content, rest] = [marked.slice(0, end), marked.slice(end + END.length)];
      marked = undefined;
      justMarked = true;
      insert(content);
      takeUnmarked(rest);
      return;
    }
    const begin = text.indexOf(BEGIN);
    if (begin === -1) {
      takeUnmarked(text);
      return;
    }
    takeUnmarked(text.slice(0, begin));
    endUnmarked();
    pasteBegins();
    marked = '';
    take(text.slice(begin + BEGIN.length));
  };

  const takeUnmarked = (text: string): void => {
    if (unmarked !== undefined) {
      unmarked += text;
      return;
    }
    const end = text.indexOf(END);
    if (end !== -1) {
      // The text between the marks contained the second mark itself: it was no Enter that preceded this one.
      pasteBegins();
      insert(text.slice(0, end));
      takeUnmarked(text.slice(end + END.length));
    } else if (!marksPastes && SEVERAL_LINES.test(textOf(text))) {
      pasteBegins();
      unmarked = text;
    } else {
      const waits = marksPastes && !justMarked ? INCOMPLETE_KEY : ENTER_OR_INCOMPLETE_KEY;
      const at = text.search(waits);
      waiting = text.slice(at);
      if (at > 0) typed(text.slice(0, at));
    }
  };

  const stopTimers = (): void => {
    clearTimeout(timer);
    clearImmediate(check);
  };
  return {
    read: (chunk) => {
      stopTimers();
      const text = decoder.write(chunk);
      // Also where the second mark of a paste never comes.
      if (text === INTERRUPT && (marked ?? unmarked) !== undefined) {
        typed(text);
        return;
      }
      const before = waiting;
      waiting = '';
      take(before + text);
      if (waiting === '' && unmarked === undefined && !justMarked) return;
      const quietMs = chunk.length < FULL_READ ? QUIET_MS : QUIET_AFTER_FULL_READ_MS;
      // A process that was busy reads what has arrived meanwhile before it decides.
      timer = setTimeout(() => {
        check = setImmediate(onQuiet);
      }, quietMs);
    },
    settle,
    close: stopTimers,
  };
}

/** Colours and other sequences in a pasted text must neither be taken for keys nor reach the terminal. */
const textOf = (text: string): string => text.replaceAll(SEQUENCES, '').replaceAll(CONTROLS, '');
