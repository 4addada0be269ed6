/** `hookline run` at a terminal: prompts one after another, a live view, and a line to type in at any time. */
import type { ResultMessage } from '../../../agent/loop/messages.js';
import { Queue } from '../../../base/async/queue.js';
import { EXIT } from '../../../base/exit-codes.js';
import { escapeControls } from '../../../base/json/escape-controls.js';
import type { Io } from '../../io.js';
import type { RunValues } from '../options.js';
import { type Prepared, prepare } from '../prepare.js';
import { startRun } from '../start-run.js';
import { answerCommand, completions, EXITS, isCommand } from './commands.js';
import { frameOf } from './frame.js';
import { headerLines } from './header.js';
import { type HookLog, logHooks } from './hook-log.js';
import { createKeyboard, createPlainKeyboard, type Keyboard } from './keyboard.js';
import { createQuestions } from './permission.js';
import { createScreen, type Screen } from './screen.js';
import { advance, EMPTY_VIEW, type View } from './view.js';

const FRAME_MS = 100;
const SIGN = '› ';

/** Whether a user is at the terminal and no option for programs was given. */
export function isAtTerminal(options: RunValues): boolean {
  const { stdin, stdout } = process;
  const forPrograms =
    options.print || options['output-format'] !== undefined || options['input-format'] !== undefined;
  return stdin.isTTY === true && stdout.isTTY === true && !forPrograms && !options['init-only'];
}

export async function runAtTerminal(
  given: string | undefined,
  options: RunValues,
  { printer, signal, confirm }: Io,
  cwd: string,
): Promise<number> {
  const moves = process.env['TERM'] !== 'dumb';
  const screen = createScreen(process.stdout, printer, moves);
  let session: Session | undefined;
  const note = (text: string): void => {
    if (session === undefined) printer.note(text);
    else screen.print(text.split('\n').map((line) => printer.paint.magenta(escapeControls(line))));
  };
  const questions = createQuestions(printer.paint);
  const onWake = (): void => session?.prompts.push(null);
  const asking = { canUseTool: questions.canUseTool, confirm, includePartialMessages: moves, onWake };
  const prepared = await prepare(options, cwd, note, signal, asking);
  const log = logHooks(prepared.runner);
  screen.print(headerLines(prepared, cwd, printer.paint));
  session = new Session({ prepared, log, screen, questions, paint: printer.paint, cwd, moves });
  if (given !== undefined) session.prompts.push(given);
  let isError = false;
  try {
    for await (const prompt of promptsUntil(session.prompts, signal))
      isError = (await session.work(prompt, signal)).is_error;
    if (signal.aborted) return EXIT.interrupted;
    return isError ? EXIT.failed : EXIT.ok;
  } finally {
    session.close();
    log.stop();
    await prepared.loop.close(signal.aborted ? 'other' : 'prompt_input_exit');
    await prepared.close();
  }
}

async function* promptsUntil(
  prompts: Session['prompts'],
  signal: AbortSignal,
): AsyncGenerator<string | null, void> {
  const stop = (): void => prompts.close();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  for await (const prompt of prompts) {
    if (signal.aborted || (prompt !== null && EXITS.has(prompt))) return;
    yield prompt;
  }
}

interface SessionParts {
  readonly prepared: Prepared;
  readonly log: HookLog;
  readonly screen: Screen;
  readonly questions: ReturnType<typeof createQuestions>;
  readonly paint: Io['printer']['paint'];
  readonly cwd: string;
  readonly moves: boolean;
}

/** Connects the keyboard, the screen and the agent. */
class Session {
  /** Prompts that wait for the agent, or null if a hook wakes it; closed at the end of input. */
  readonly prompts = new Queue<string | null>();
  readonly #parts: SessionParts;
  readonly #keyboard: Keyboard;
  readonly #timer: NodeJS.Timeout;
  #view: View = EMPTY_VIEW;
  /** Since when the agent works. */
  #since: number | undefined;
  /** What was typed while the agent works, until the model reads it. */
  #queued: string[] = [];
  #last: ResultMessage | undefined;
  #sign = '';

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const listener = {
      onChange: () => this.#draw(),
      onLine: (text: string) => void this.#onLine(text.trim()),
      onEscape: () => parts.prepared.loop.interrupt(),
      // In raw mode the terminal does not send the signal itself.
      onInterrupt: () => process.kill(process.pid, 'SIGINT'),
      onEnd: () => this.prompts.close(),
      complete: (line: string) => completions(line, parts.prepared.skills),
    };
    this.#keyboard = parts.moves
      ? createKeyboard(process.stdin, process.stdout, listener)
      : createPlainKeyboard(process.stdin, process.stdout, listener);
    parts.questions.start(this.#keyboard, parts.screen, () => this.#draw());
    this.#timer = setInterval(() => {
      if (this.#since !== undefined) this.#draw();
    }, FRAME_MS);
    this.#draw();
  }

  /** Runs one prompt to its end. */
  async work(prompt: string | null, signal: AbortSignal): Promise<ResultMessage> {
    const { prepared, screen, log, questions, paint } = this.#parts;
    // A terminal that shows the line itself has shown it.
    if (this.#parts.moves && prompt !== null)
      screen.print(shownPrompt(prompt).map((line) => paint.bold(line)));
    this.#since = performance.now();
    this.#view = EMPTY_VIEW;
    const waitedBefore = questions.waitedMs();
    try {
      const run = startRun(prepared.loop, prompt, signal, 'user');
      for (;;) {
        const step = await run.next();
        if (step.done) {
          this.#last = step.value;
          return step.value;
        }
        if (step.value.type === 'user') this.#showRead(textsOf(step.value.message.content));
        this.#view = advance(this.#view, step.value, {
          now: performance.now(),
          paint,
          columns: process.stdout.columns || 80,
          resultOf: log.take,
          waitedMs: (id) => questions.waitedMs(id) - (id === undefined ? waitedBefore : 0),
        });
        screen.print(this.#view.lines);
        this.#draw();
      }
    } finally {
      this.#since = undefined;
      this.#view = EMPTY_VIEW;
      this.#draw();
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#parts.screen.draw([]);
    this.#keyboard.close();
  }

  async #onLine(text: string): Promise<void> {
    const { screen, prepared, paint } = this.#parts;
    this.#sign = '';
    if (text === '') {
      this.#draw();
      return;
    }
    if (isCommand(text)) {
      const lines = await answerCommand(text, { ...this.#parts, last: this.#last });
      if (lines !== undefined) {
        screen.print([...(this.#parts.moves ? [paint.bold(`${SIGN}${text}`)] : []), ...lines]);
        this.#draw();
        return;
      }
      if (this.#since !== undefined) screen.print([paint.dim(`${SIGN}${text}  (when the agent is done)`)]);
    } else if (this.#since !== undefined) {
      this.#queued.push(text);
      this.#draw();
      await prepared.loop.send(text).catch(() => {});
      return;
    }
    this.prompts.push(text);
  }

  /** A typed line that the model reads now is no longer queued. */
  #showRead(texts: readonly string[]): void {
    const { screen, paint } = this.#parts;
    for (const text of texts) {
      const place = this.#queued.indexOf(text);
      if (place === -1) continue;
      this.#queued.splice(place, 1);
      screen.print(shownPrompt(text).map((line, i) => paint.bold(i === 0 ? `${line}  (delivered)` : line)));
    }
  }

  #draw(): void {
    const { screen, questions, paint, moves } = this.#parts;
    if (!moves) {
      this.#writeSign(questions.isOpen() ? questions.sign() : this.#since === undefined ? SIGN : '');
      return;
    }
    // A terminal that does not know its size reports 0.
    const size = { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    const state = { since: this.#since, queued: this.#queued };
    const lines = questions.isOpen() ? [] : frameOf(this.#view, state, performance.now(), size, paint);
    const sign = questions.isOpen() ? questions.sign() : SIGN;
    screen.draw(lines, { ...this.#keyboard.line(), sign });
  }

  /** Without a live area the sign is written once, and again after a line was typed behind it. */
  #writeSign(sign: string): void {
    if (sign !== this.#sign) process.stdout.write(sign);
    this.#sign = sign;
  }
}

const MAX_SHOWN = 10;

function shownPrompt(text: string): string[] {
  const lines = escapeControls(text).split('\n');
  const more = lines.length > MAX_SHOWN ? [`  (${lines.length - MAX_SHOWN} more lines)`] : [];
  return [...lines.slice(0, MAX_SHOWN).map((line, i) => `${i === 0 ? SIGN : '  '}${line}`), ...more];
}

function textsOf(content: readonly { readonly type: string }[]): string[] {
  return content.flatMap((block) => ('text' in block && typeof block.text === 'string' ? [block.text] : []));
}
