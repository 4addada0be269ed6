/**
 * Remembers which process groups run, so that none outlives this process.
 *
 * A group of its own does not get the terminal's Ctrl-C and does not die with its parent: this has to do it.
 * Nothing can be done when this process itself gets SIGKILL.
 */

import { afterMicrotasks } from '../base/async/after-microtasks.js';
import { platform } from './platform.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface LiveGroup {
  started(pid: number): void;
  forget(): void;
}

const live = new Set<{ pid?: number }>();
let listening = false;

/** Call it before the start: a signal that arrives in the middle of it then waits until the pid is known. */
export function trackGroup(): LiveGroup {
  const group: { pid?: number } = {};
  listen();
  live.add(group);
  return {
    started(pid) {
      group.pid = pid;
    },
    forget() {
      if (live.delete(group) && live.size === 0) afterMicrotasks(unlistenIfIdle);
    },
  };
}

function listen(): void {
  if (listening) return;
  listening = true;
  // An uncaught exception needs no listener of its own: it ends in 'exit', unless the application survives it.
  process.on('exit', endAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/** The next process often starts at once, and listening to a signal costs more than anything else here. */
function unlistenIfIdle(): void {
  if (live.size === 0) unlisten();
}

function unlisten(): void {
  listening = false;
  process.off('exit', endAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function endAll(): void {
  for (const { pid } of live) if (pid !== undefined) platform.forceEnd(pid, true);
}

/**
 * With a listener of its own the application decides what a signal means, and 'exit' still comes. Without one the
 * signal has to kill, as if nobody listened: at once, since every moment in between the application would go on
 * with processes that were taken from under it.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (applicationListens(signal)) return;
  endAll();
  unlisten();
  process.kill(process.pid, signal);
}

/**
 * The widespread `signal-exit` package raises the signal again only if all listeners are its own. It counts us, we
 * must not count it: otherwise each would leave the dying to the other.
 */
function applicationListens(signal: NodeJS.Signals): boolean {
  const shared: unknown = Reflect.get(globalThis, Symbol.for('signal-exit emitter'));
  const polite = shared && typeof shared === 'object' && 'count' in shared ? Number(shared.count) || 0 : 0;
  return process.listenerCount(signal) - 1 > polite;
}
