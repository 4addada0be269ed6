/**
 * The line that a person can edit at any time, also while the agent works. Node's readline edits it (cursor keys, words,
 * history); the screen draws it. Not a library of terminal interfaces: the maintained ones need a newer Node.
 */
import { createInterface, emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { createPasteReader, QUIET_MS } from './pastes.js';

/** The text as it is shown, and where the cursor is in it. */
export interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

export interface KeyboardListener {
  /** The line or the cursor has changed. */
  onChange(): void;
  /** Enter was pressed. */
  onLine(text: string): void;
  onEscape(): void;
  /** Ctrl-C. */
  onInterrupt(): void;
  /** Ctrl-D in an empty line, or the end of input. */
  onEnd(): void;
  /** What Tab can make of the line. */
  complete(line: string): readonly string[];
}

export interface Keyboard {
  /** What is being typed. */
  line(): EditedLine;
  /** The next line answers a question. Until then, or until it is cancelled, the line typed so far is set aside. */
  beginAnswer(onAnswer: (text: string | undefined) => void): { cancel(): void };
  close(): void;
}

/** Stands for a line end in a pasted text while it is edited: readline would take a real one for Enter. */
const LINE_END = '\ue00a';
const SHOWN_LINE_END = '⏎';
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys that are no text
const NO_TEXT = /[\u0000-\u001f\u007f]/;
/** Everything that readline takes for Enter. */
const LINE_ENDS = /\r\n?|[\n\u2028\u2029]/g;
const BRACKETED_PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l' };
/** The reader of pastes has waited for the rest of a key. */
const ESCAPE_MS = 1;
const HISTORY = 1000;

export function createKeyboard(
  input: ReadStream,
  output: { write(text: string): unknown },
  listener: KeyboardListener,
): Keyboard {
  const prompts = createEditor(listener.onLine, listener.complete);
  let answers: { readonly editor: Editor; readonly end: (text: string | undefined) => void } | undefined;
  /** Where the paste that arrives belongs, even if a question is asked meanwhile. */
  let target = prompts;
  const keys = new Readable({ read: () => {} });
  const current = (): Editor => answers?.editor ?? prompts;
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.ctrl && key.name === 'c') listener.onInterrupt();
    else if (key.ctrl && key.name === 'd' && current().line().text === '') {
      if (answers === undefined) listener.onEnd();
      else answers.end(undefined);
    } else if (key.name === 'escape') listener.onEscape();
    // Ctrl-Z would stop the process with the terminal in raw mode.
    else if (!(key.ctrl && key.name === 'z')) current().press(text, key);
    listener.onChange();
  };
  const reader = createPasteReader({
    typed: (typed) => {
      if (!NO_TEXT.test(typed)) {
        current().insert(typed);
        listener.onChange();
      } else keys.emit('data', typed);
    },
    pasteBegins: () => {
      target = current();
    },
    pasted: (text) => {
      (target === prompts ? prompts : current()).insert(text);
      listener.onChange();
    },
  });
  const onEnd = (): void => {
    reader.settle();
    listener.onEnd();
  };
  emitKeypressEvents(keys, prompts.readline);
  keys.on('keypress', onKey);
  input.setRawMode(true);
  output.write(BRACKETED_PASTE.on);
  input.on('data', reader.read);
  input.on('end', onEnd);
  input.resume();
  return {
    line: () => current().line(),
    beginAnswer: (onAnswer) => {
      // What was typed before the question does not answer it.
      reader.settle();
      const end = (text: string | undefined): void => {
        if (answers?.editor !== editor) return;
        answers = undefined;
        editor.close();
        onAnswer(text);
      };
      const editor = createEditor(end, () => []);
      answers = { editor, end };
      return { cancel: () => end(undefined) };
    },
    close: () => {
      reader.close();
      input.off('data', reader.read).off('end', onEnd);
      input.setRawMode(false);
      input.pause();
      output.write(BRACKETED_PASTE.off);
      prompts.close();
      answers?.editor.close();
    },
  };
}

/** For terminals that cannot move the cursor: they show and edit the line themselves. */
export function createPlainKeyboard(
  input: ReadStream,
  output: { write(text: string): unknown },
  listener: KeyboardListener,
): Keyboard {
  let answer: ((text: string | undefined) => void) | undefined;
  /** Lines that arrive together. */
  let lines: string[] = [];
  /** Several lines that arrived together are a paste, which waits for Enter. */
  let pasted: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let check: NodeJS.Immediate | undefined;
  const readline = createInterface({ input, terminal: false });
  const stopTimers = (): void => {
    clearTimeout(timer);
    clearImmediate(check);
  };
  const settle = (): void => {
    stopTimers();
    const [text, ...more] = lines;
    lines = [];
    if (text === undefined) return;
    if (more.length > 0) {
      pasted.push(text, ...more);
      output.write(`(${pasted.length} lines are pasted. Enter sends them as one message.)\n`);
    } else if (answer !== undefined) answer(text);
    else {
      listener.onLine([...pasted, text].join('\n'));
      pasted = [];
    }
  };
  readline.on('line', (text) => {
    stopTimers();
    lines.push(text);
    timer = setTimeout(() => {
      check = setImmediate(settle);
    }, QUIET_MS);
  });
  const onEnd = (): void => {
    settle();
    listener.onEnd();
  };
  readline.on('close', onEnd);
  return {
    line: () => ({ text: '', cursor: 0 }),
    beginAnswer: (onAnswer) => {
      // What was typed before the question does not answer it.
      settle();
      const end = (text: string | undefined): void => {
        if (answer !== end) return;
        answer = undefined;
        onAnswer(text);
      };
      answer = end;
      return { cancel: () => end(undefined) };
    },
    close: () => {
      stopTimers();
      readline.off('close', onEnd);
      readline.close();
    },
  };
}

interface Editor {
  readonly readline: Interface;
  line(): EditedLine;
  press(text: string | undefined, key: Key): void;
  insert(text: string): void;
  close(): void;
}

function createEditor(onLine: (text: string) => void, complete: KeyboardListener['complete']): Editor {
  // Readline believes that it has a terminal of its own; what it draws there is dropped.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const readline = createInterface({
    input: new PassThrough(),
    output: Object.assign(output, { columns: Number.MAX_SAFE_INTEGER }),
    terminal: true,
    historySize: HISTORY,
    removeHistoryDuplicates: true,
    escapeCodeTimeout: ESCAPE_MS,
    completer: (line: string) => [[...complete(line)], line],
  });
  readline.on('line', (text) => onLine(text.replaceAll(LINE_END, '\n')));
  return {
    readline,
    line: () => ({
      text: readline.line.replaceAll(LINE_END, SHOWN_LINE_END).replaceAll('\t', ' '),
      cursor: readline.cursor,
    }),
    press: (text, key) => readline.write(text as string, key),
    insert: (text) => readline.write(text.replaceAll(LINE_ENDS, LINE_END)),
    close: () => readline.close(),
  };
}
