/** For what can wait until the work of this moment is done: most of it then turns out not to be needed. */

let tasks: Array<() => void> = [];

/** Calls `task` when no microtask is left, before the event loop turns. Contract: it does not throw. */
export function afterMicrotasks(task: () => void): void {
  if (tasks.push(task) === 1) queueMicrotask(askForTick);
}

/** A tick that is asked for by a microtask runs when no microtask is left. */
function askForTick(): void {
  process.nextTick(runTasks);
}

function runTasks(): void {
  const due = tasks;
  tasks = [];
  for (const task of due) task();
}
