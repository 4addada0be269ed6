/** On a terminal, a status line with what is running and for how long; otherwise nothing. */
import type { MessageStream } from '../../runner/messages/message-stream.js';
import type { Printer } from '../printer.js';

const EVERY_MS = 100;
/** Hooks that end sooner need no status line. */
const AFTER_MS = 400;

interface Running {
  readonly name: string;
  readonly since: number;
  said: string;
}

/** Watches until the returned function is called. */
export function watchHooks(messages: MessageStream, printer: Printer): () => void {
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
  const stops = [
    messages.on('hook_started', ({ hook_id, hook_name }) => {
      running.set(hook_id, { name: hook_name, since: performance.now(), said: '' });
    }),
    messages.on('hook_progress', ({ hook_id, output }) => {
      const known = running.get(hook_id);
      const last = output.trimEnd().split('\n').at(-1);
      if (known !== undefined && last) known.said = last;
    }),
    messages.on('hook_response', ({ hook_id }) => {
      running.delete(hook_id);
      if (running.size === 0) printer.status(undefined);
    }),
  ];
  return () => {
    clearInterval(timer);
    for (const stop of stops) stop();
    printer.status(undefined);
  };
}
