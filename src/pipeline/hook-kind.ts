/** What kind of hook a compiled one is: those who observe want to know, the fire itself does not. */
import type { CompiledHook, HookGroup } from '../config/group.js';

/** A hook from a file has its entry with it; of one that was registered in code only this is left. */
const registered = new WeakMap<CompiledHook, string>();

/** Contract: the group was compiled from just these hooks, in this order, and none of them comes from a file. */
export function noteKinds({ hooks }: HookGroup, given: readonly unknown[]): void {
  for (const [i, hook] of hooks.entries()) registered.set(hook, typeOf(given[i]));
}

export function kindOf(hook: CompiledHook): string {
  const { origin } = hook;
  if (origin === undefined) return registered.get(hook) ?? UNKNOWN;
  // A loader may have made it ready in its own way; what is written says more.
  const written = origin.written?.['type'];
  return typeof written === 'string' ? written : typeOf(origin.hook);
}

const UNKNOWN = 'prepared';

function typeOf(hook: unknown): string {
  if (typeof hook === 'function') return 'callback';
  const type = (hook as { readonly type?: unknown } | undefined)?.type;
  return typeof type === 'string' ? type : UNKNOWN;
}
