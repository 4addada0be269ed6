/**
 * The line that a person can edit at any time, also while the agent works. Node's readline edits it (cursor keys, words,
 * history); the screen draws it. Not a library of terminal interfaces: the maintained ones need a newer Node.
 */
import { createInterface, emitKeypressEvents, type Interface, type Key } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';

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
const BRACKETED_PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l' };
/** How long to wait for the rest of a key that begins with Escape. */
const ESCAPE_MS = 50;
const HISTORY = 1000;

export function createKeyboard(
  input: ReadStream,
  output: { write(text: string): unknown },
  listener: KeyboardListener,
): Keyboard {
  const prompts = createEditor(listener.onLine, listener.complete);
  let answers: { readonly editor: Editor; readonly end: (text: string | undefined) => void } | undefined;
  let pasted: string | undefined;
  let marksPastes = false;
  const current = (): Editor => answers?.editor ?? prompts;
  const endPaste = (): void => {
    if (pasted !== undefined) current().insert(pasted);
    pasted = undefined;
    listener.onChange();
  };
  const onKey = (text: string | undefined, key: Key): void => {
    if (key.name === 'paste-end') endPaste();
    else if (key.name === 'paste-start') {
      pasted ??= '';
      marksPastes = true;
    } else if (pasted !== undefined) pasted += text ?? '';
    else if (key.ctrl && key.name === 'c') listener.onInterrupt();
    else if (key.ctrl && key.name === 'd' && current().line().text === '') {
      if (answers === undefined) listener.onEnd();
      else answers.end(undefined);
    } else if (key.name === 'escape') listener.onEscape();
    // Ctrl-Z would stop the process with the terminal in raw mode.
    else if (!(key.ctrl && key.name === 'z')) current().press(text, key);
    listener.onChange();
  };
  // Terminals without bracketed paste: a prompt of several lines at once was not typed. One that has marked a paste marks them all.
  const beforeKeys = (chunk: Buffer): void => {
    const text = chunk.toString('utf8');
    if (!marksPastes && answers === undefined && /[\r\n][^\r\n]/.test(text) && !text.includes('\u001b'))
      pasted ??= '';
  };
  const afterKeys = (chunk: Buffer): void => {
    if (pasted !== undefined && !chunk.includes('\u001b')) endPaste();
  };
  input.setRawMode(true);
  output.write(BRACKETED_PASTE.on);
  // Only with a listener for keys does it read the input, so the order of these lines counts.
  input.on('data', beforeKeys);
  emitKeypressEvents(input, prompts.readline);
  input.on('keypress', onKey);
  input.on('data', afterKeys);
  input.on('end', listener.onEnd);
  input.resume();
  return {
    line: () => current().line(),
    beginAnswer: (onAnswer) => {
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
      input.off('data', beforeKeys).off('keypress', onKey).off('data', afterKeys).off('end', listener.onEnd);
      input.setRawMode(false);
      input.pause();
      output.write(BRACKETED_PASTE.off);
      prompts.close();
      answers?.editor.close();
    },
  };
}

/** For terminals that cannot move the cursor: they show and edit the line themselves. */
export function createPlainKeyboard(input: ReadStream, listener: KeyboardListener): Keyboard {
  let answer: ((text: string | undefined) => void) | undefined;
  const readline = createInterface({ input, terminal: false });
  readline.on('line', (text) => {
    if (answer === undefined) listener.onLine(text);
    else answer(text);
  });
  readline.on('close', listener.onEnd);
  return {
    line: () => ({ text: '', cursor: 0 }),
    beginAnswer: (onAnswer) => {
      const end = (text: string | undefined): void => {
        if (answer !== end) return;
        answer = undefined;
        onAnswer(text);
      };
      answer = end;
      return { cancel: () => end(undefined) };
    },
    close: () => {
      readline.off('close', listener.onEnd);
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
    line: () => ({ text: readline.line.replaceAll(LINE_END, SHOWN_LINE_END), cursor: readline.cursor }),
    press: (text, key) => readline.write(text as string, key),
    insert: (text) => readline.write(text.replaceAll(/\r\n?|\n/g, LINE_END)),
    close: () => readline.close(),
  };
}
