/** The person at the keyboard: asked one thing at a time, and heard while the agent works. */
import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';

export interface Keyboard {
  /** What is typed as an answer; undefined when there is no more, or nobody waits any longer. Never rejects. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** The same for a prompt: it begins with what was typed while the agent worked. Questions never do. */
  askPrompt(sign: string, signal: AbortSignal, history: readonly string[]): Promise<string | undefined>;
  /** While an agent works nothing is typed into its lines; Escape is heard, and Ctrl-C is what it always is. */
  listen(onEscape: () => void): () => void;
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
      // One prompt at a time: what stands behind its end is for the next one.
      const [begin = ''] = /^[^\r\n]*[\r\n]?/.exec(ahead) ?? [];
      ahead = ahead.slice(begin.length);
      return read(sign, signal, begin, history);
    },
    listen: (onEscape) => {
      const hear = (typed: Buffer): void => {
        const keys = typed.toString('utf8');
        if (keys.includes(CTRL_C)) interrupt();
        else if (keys === ESCAPE) onEscape();
        // Arrows and their like begin with it.
        else if (!keys.startsWith(ESCAPE)) ahead = (ahead + keys).slice(0, MAX_AHEAD);
      };
      const pause = (): void => {
        input.off('data', hear);
        input.setRawMode(false);
        input.pause();
      };
      const resume = (): void => {
        input.setRawMode(true);
        input.on('data', hear);
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

/** In raw mode the terminal does not send it by itself. */
function interrupt(): void {
  process.kill(process.pid, 'SIGINT');
}
