/** Compares two timers of one process by their order: a machine that stalls delays both, and never swaps them. */

/** Begins a limit. Look at `passed` as soon as what should come before it has come. */
export function startLimit(ms: number): { readonly passed: boolean } {
  const limit = { passed: false };
  setTimeout(() => {
    limit.passed = true;
  }, ms).unref();
  return limit;
}
