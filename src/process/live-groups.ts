/**
 * Tracks the running process groups, so that none outlives this process.
 *
 * A separate group neither receives the terminal's Ctrl-C nor dies with its parent, so it is ended here. If this
 * process itself gets SIGKILL, nothing can be done.
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

/** Call it before the start: a signal that arrives during the start is then handled once the pid is known. */
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
  // An uncaught exception needs no listener of its own: it leads to 'exit', unless the application survives it.
  process.on('exit', endAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/** The next process often starts at once, and adding a signal listener costs more than anything else here. */
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
 * If the application has its own listener, it decides what a signal means, and 'exit' still follows. Otherwise the
 * signal must kill this process immediately, as without our listener: the application must not continue after its
 * processes were ended.
 */
function onSignal(signal: NodeJS.Signals): void {
  if (applicationListens(signal)) return;
  endAll();
  unlisten();
  process.kill(process.pid, signal);
}

/**
 * The widespread `signal-exit` package raises the signal again only if all listeners are its own. It counts our
 * listener, so we must not count its: otherwise each would wait for the other to exit.
 */
function applicationListens(signal: NodeJS.Signals): boolean {
  const shared: unknown = Reflect.get(globalThis, Symbol.for('signal-exit emitter'));
  const signalExitCount =
    shared && typeof shared === 'object' && 'count' in shared ? Number(shared.count) || 0 : 0;
  return process.listenerCount(signal) - 1 > signalExitCount;
}
