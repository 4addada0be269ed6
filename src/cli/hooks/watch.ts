/** On a terminal, a status line with what is running and for how long; otherwise nothing. */
import { hookLabel } from '../../runner/hook-label.js';
import type { ObservableRunner } from '../../runner/hook-runner.js';
import type { Printer } from '../printer.js';
import { oneLine } from './place.js';

const EVERY_MS = 100;
/** Hooks that end sooner need no status line. */
const AFTER_MS = 400;
/** A long command line leaves room for what the hook says. */
const WIDEST = 50;

interface Running {
  readonly name: string;
  readonly since: number;
  said: string;
}

/** Watches until the returned function is called. */
export function watchHooks(runner: ObservableRunner, printer: Printer): () => void {
  if (!printer.live) return () => {};
  const running = new Map<string, Running>();
  const show = (): void => {
    const now = performance.now();
    const [oldest] = running.values();
    if (oldest === undefined || now - oldest.since < AFTER_MS) return;
    const seconds = ((now - oldest.since) / 1000).toFixed(1);
    const others = running.size > 1 ? ` and ${running.size - 1} more` : '';
    printer.status(`${seconds} s  ${oldest.name}${others}${oldest.said && `: ${oldest.said}`}`);
  };
  const timer = setInterval(show, EVERY_MS);
  timer.unref();
  const stop = runner.observe(({ event }) => ({
    within: ({ id, name, origin }, run) => {
      const label = oneLine(hookLabel(name, event, origin), WIDEST);
      running.set(id, { name: label, since: performance.now(), said: '' });
      return run();
    },
    message: (message) => {
      const known = running.get(message.hook_id);
      if (known === undefined) return;
      if (message.subtype === 'hook_progress') {
        const last = message.output.trimEnd().split('\n').at(-1);
        if (last) known.said = last;
      } else if (message.subtype === 'hook_response') {
        running.delete(message.hook_id);
        if (running.size === 0) printer.status(undefined);
      }
    },
  }));
  return () => {
    clearInterval(timer);
    stop();
    printer.status(undefined);
  };
}
