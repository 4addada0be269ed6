/** Runs many calls with limited concurrency. */

/** Maximum number of concurrent calls. */
const AT_ONCE = 50;

export async function inBatches<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  for (let i = 0; i < values.length; i += AT_ONCE) await Promise.all(values.slice(i, i + AT_ONCE).map(work));
}
