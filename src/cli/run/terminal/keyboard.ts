/** The person at the keyboard: asked one thing at a time, and heard while the agent works. */
import { createInterface } from 'node:readline/promises';
import type { ReadStream } from 'node:tty';

export interface Keyboard {
  /** What is typed after a text; undefined when there is no more, or nobody waits any longer. Never rejects. */
  ask(text: string, signal: AbortSignal, history?: readonly string[]): Promise<string | undefined>;
  /** While an agent works nothing is typed into its lines; Escape is heard, and Ctrl-C is what it always is. */
  listen(onEscape: () => void): () => void;
}

const CTRL_C = '\u0003';
const ESCAPE = '\u001b';

export function createKeyboard(input: ReadStream, output: NodeJS.WritableStream): Keyboard {
  let listening: { pause(): void; resume(): void } | undefined;
  return {
    ask: async (text, signal, history = []) => {
      listening?.pause();
      const terminal = createInterface({ input, output, terminal: true, history: [...history] });
      terminal.on('SIGINT', interrupt);
      const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
      try {
        return await Promise.race([terminal.question(text, { signal }).catch(() => undefined), closed]);
      } finally {
        terminal.close();
        listening?.resume();
      }
    },
    listen: (onEscape) => {
      const hear = (typed: Buffer): void => {
        const keys = typed.toString('utf8');
        if (keys.includes(CTRL_C)) interrupt();
        else if (keys === ESCAPE) onEscape();
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
