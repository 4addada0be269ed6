/** Groups what a command prints into few messages: sent promptly, and bounded if there is a flood of output. */

const INTERVAL_MS = 100;
/** The maximum per stream and message; of a flood, the newest part is shown. */
const MAX_TEXT = 4096;

export class ProgressBuffer {
  readonly #onText: (stdout: string, stderr: string) => void;
  #stdout = '';
  #stderr = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(onText: (stdout: string, stderr: string) => void) {
    this.#onText = onText;
  }

  add(stream: 'stdout' | 'stderr', text: string): void {
    if (stream === 'stdout') this.#stdout = newest(this.#stdout + text);
    else this.#stderr = newest(this.#stderr + text);
    // The first text is sent at once; what follows waits for the end of the interval.
    if (this.#timer === undefined) this.#flush();
  }

  /** Sends the rest, before the response. */
  end(): void {
    clearTimeout(this.#timer);
    this.#send();
  }

  #flush(): void {
    if (!this.#send()) {
      this.#timer = undefined;
      return;
    }
    this.#timer = setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Returns whether there was anything to send. */
  #send(): boolean {
    const stdout = this.#stdout;
    const stderr = this.#stderr;
    if (stdout === '' && stderr === '') return false;
    this.#stdout = '';
    this.#stderr = '';
    this.#onText(stdout, stderr);
    return true;
  }
}

function newest(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const start = text.length - MAX_TEXT;
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}
