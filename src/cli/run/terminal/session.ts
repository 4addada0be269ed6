/** `hookline run` at a terminal: a loop of prompts, each with a live view. */
import type { AgentLoop } from '../../../agent/loop/agent-loop.js';
import type { ResultMessage } from '../../../agent/loop/messages.js';
import { EXIT } from '../../../base/exit-codes.js';
import { escapeControls } from '../../../base/json/escape-controls.js';
import type { ObservableRunner } from '../../../runner/hook-runner.js';
import type { HookResult } from '../../../runner/outcome.js';
import type { Io } from '../../io.js';
import type { Printer } from '../../printer.js';
import type { RunValues } from '../options.js';
import { prepare } from '../prepare.js';
import { startRun } from '../start-run.js';
import { frameOf } from './frame.js';
import { createKeyboard, type Keyboard } from './keyboard.js';
import { askAtTerminal } from './permission.js';
import { createScreen, type Screen } from './screen.js';
import { advance, EMPTY_VIEW } from './view.js';

const FRAME_MS = 100;
const EXITS = new Set(['/exit', '/quit']);

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
  const keyboard = createKeyboard(process.stdin, process.stdout);
  const screen = createScreen(process.stdout, printer, process.env['TERM'] !== 'dumb');
  let drawing = false;
  const note = (text: string): void => {
    // Goes through the screen, which clears the live area first.
    if (drawing) screen.print(text.split('\n').map((line) => printer.paint.yellow(line)));
    else printer.note(text);
  };
  const canUseTool = askAtTerminal(screen, keyboard, printer);
  const asking = { canUseTool, confirm };
  const { loop, runner, close } = await prepare(options, cwd, note, signal, asking);
  const results = keepHookResults(runner);
  printer.line(
    printer.paint.dim('/exit quits, /compact and /clear change the conversation, Escape interrupts a turn.'),
  );
  drawing = true;
  let isError = false;
  try {
    for await (const prompt of promptsOf(given, keyboard, printer, signal)) {
      const result = await show(loop, prompt, { keyboard, screen, printer, signal, results });
      isError = result.is_error;
    }
    if (signal.aborted) return EXIT.interrupted;
    return isError ? EXIT.failed : EXIT.ok;
  } finally {
    results.stop();
    await loop.close(signal.aborted ? 'other' : 'prompt_input_exit');
    await close();
  }
}

async function* promptsOf(
  given: string | undefined,
  keyboard: Keyboard,
  { paint }: Printer,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  if (given !== undefined) yield given;
  const history: string[] = [];
  while (!signal.aborted) {
    const typed = (await keyboard.askPrompt(paint.cyan('› '), signal, history))?.trim();
    if (typed === undefined || EXITS.has(typed)) return;
    if (typed === '') continue;
    history.unshift(typed);
    yield typed;
  }
}

interface TerminalContext {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly printer: Printer;
  readonly signal: AbortSignal;
  readonly results: HookResults;
}

async function show(
  loop: AgentLoop,
  prompt: string,
  { keyboard, screen, printer, signal, results }: TerminalContext,
): Promise<ResultMessage> {
  let view = EMPTY_VIEW;
  const draw = (): void => {
    // A terminal that does not know its size reports 0.
    const size = { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
    screen.draw(frameOf(view, performance.now(), size, printer.paint));
  };
  const timer = setInterval(draw, FRAME_MS);
  const stopListening = keyboard.listen(
    () => loop.interrupt(),
    (line) => {
      // Commands are for the next prompt.
      if (line.startsWith('/')) return false;
      loop.send(line).catch(() => {});
      screen.print([printer.paint.dim(`› ${escapeControls(line)}`)]);
      return true;
    },
  );
  const run = startRun(loop, prompt, signal);
  try {
    for (;;) {
      const step = await run.next();
      if (step.done) return step.value;
      view = advance(view, step.value, performance.now(), printer.paint, results.take);
      screen.print(view.lines);
      draw();
    }
  } finally {
    clearInterval(timer);
    screen.draw([]);
    stopListening();
  }
}

interface HookResults {
  /** Returns a hook's result once, after its response. */
  take(hookId: string): HookResult | undefined;
  stop(): void;
}

/** Drops old results that are never taken, such as those of hooks that run at the end of a session. */
const MAX_KEPT = 1000;

function keepHookResults(runner: ObservableRunner): HookResults {
  const kept = new Map<string, HookResult>();
  const stop = runner.observe(() => ({
    message(message, result) {
      if (result === undefined) return;
      kept.set(message.hook_id, result);
      const [oldest = ''] = kept.keys();
      if (kept.size > MAX_KEPT) kept.delete(oldest);
    },
  }));
  return {
    take(hookId) {
      const result = kept.get(hookId);
      kept.delete(hookId);
      return result;
    },
    stop,
  };
}
