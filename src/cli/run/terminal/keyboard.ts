/** Reads the keyboard: one question at a time, and Escape and typed lines while the agent works. */
import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';

export interface Keyboard {
  /** Resolves to the typed answer, or to undefined at the end of input or when the signal aborts. Never rejects. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** The same for a prompt: starts with text typed ahead while the agent worked. Questions never do. */
  askPrompt(sign: string, signal: AbortSignal, history: readonly string[]): Promise<string | undefined>;
  /**
   * While the agent works, typed keys are not echoed. Calls `onEscape` on Escape and `onLine` for each line; a line that it
   * does not take, and all after it, wait for the next prompt. Ctrl-C interrupts as usual.
   */
  listen(onEscape: () => void, onLine: (line: string) => boolean): () => void;
}

const CTRL_C = '\u0003';
const ESCAPE = '\u001b';
const MAX_AHEAD = 10_000;

export function createKeyboard(input: ReadStream, output: NodeJS.WritableStream): Keyboard {
  let listening: { pause(): void; resume(): void } | undefined;
  let ahead = '';
  const read = async (
    text: string,
    signal: AbortSignal,
    begin = '',
    history: readonly string[] = [],
  ): Promise<string | undefined> => {
    listening?.pause();
    const terminal = createInterface({ input, output, terminal: true, history: [...history] });
    terminal.on('SIGINT', interrupt);
    const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
    try {
      const answer = terminal.question(text, { signal }).catch(() => undefined);
      if (begin !== '') terminal.write(begin);
      return await Promise.race([answer, closed]);
    } finally {
      terminal.close();
      listening?.resume();
    }
  };
  return {
    ask: (question, signal) => read(question, signal),
    askPrompt: (sign, signal, history) => {
      // One prompt at a time: the text after its line end is kept for the next one.
      const [begin = ''] = /^[^\r\n]*[\r\n]?/.exec(ahead) ?? [];
      ahead = ahead.slice(begin.length);
      return read(sign, signal, begin, history);
    },
    listen: (onEscape, onLine) => {
      const onData = (typed: Buffer): void => {
        const keys = typed.toString('utf8');
        if (keys.includes(CTRL_C)) interrupt();
        else if (keys === ESCAPE) onEscape();
        // Arrow keys and other special keys start with Escape.
        else if (!keys.startsWith(ESCAPE)) ahead = leftAfter((ahead + keys).slice(0, MAX_AHEAD), onLine);
      };
      const pause = (): void => {
        input.off('data', onData);
        input.setRawMode(false);
        input.pause();
      };
      const resume = (): void => {
        input.setRawMode(true);
        input.on('data', onData);
        input.resume();
      };
      listening = { pause, resume };
      resume();
      return () => {
        listening = undefined;
        pause();
      };
    },
  };
}

/** In raw mode the terminal does not send the signal itself. */
function interrupt(): void {
  process.kill(process.pid, 'SIGINT');
}

/** Offers whole lines; returns what was not taken. */
function leftAfter(typed: string, onLine: (line: string) => boolean): string {
  const end = typed.search(/[\r\n]/);
  if (end === -1) return typed;
  const line = withoutErased(typed.slice(0, end)).trim();
  if (line !== '' && !onLine(line)) return typed;
  return leftAfter(typed.slice(end + 1), onLine);
}

/** Applies Backspace, as the terminal does in a line that it edits. */
function withoutErased(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\u007f' || character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
}
