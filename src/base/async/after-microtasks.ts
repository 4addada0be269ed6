/** Defers work until all pending microtasks have run; by then most of it is no longer needed. */

let tasks: Array<() => void> = [];

/** Calls `task` once the microtask queue is empty, before the event loop continues. Contract: `task` does not throw. */
export function afterMicrotasks(task: () => void): void {
  if (tasks.push(task) === 1) queueMicrotask(scheduleTick);
}

/** A tick scheduled from a microtask runs once the microtask queue is empty. */
function scheduleTick(): void {
  process.nextTick(runTasks);
}

function runTasks(): void {
  const due = tasks;
  tasks = [];
  for (const task of due) task();
}
