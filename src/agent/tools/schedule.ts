/** Schedules the calls of one turn: adjacent concurrent calls run in parallel; all others run alone, in order. */

export interface ScheduledCall<Result> {
  readonly concurrent: boolean;
  run(): Promise<Result>;
}

export interface ScheduleOptions {
  /** The maximum number of parallel calls. Default: 10. */
  readonly concurrency?: number;
}

const DEFAULT_TOOL_CONCURRENCY = 10;

/**
 * Returns the results in call order. When a call rejects, waits for the calls in parallel with it, does not start
 * later ones, and rejects with the first error.
 */
export async function scheduleCalls<Result>(
  calls: readonly ScheduledCall<Result>[],
  { concurrency = DEFAULT_TOOL_CONCURRENCY }: ScheduleOptions = {},
): Promise<Result[]> {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new RangeError(`The concurrency must be a positive whole number, got ${String(concurrency)}.`);
  const results: Result[] = [];
  for (const group of groupNeighbours(calls)) results.push(...(await runGroup(group, concurrency)));
  return results;
}

function groupNeighbours<Result>(calls: readonly ScheduledCall<Result>[]): ScheduledCall<Result>[][] {
  const groups: ScheduledCall<Result>[][] = [];
  let open: ScheduledCall<Result>[] | undefined;
  for (const call of calls) {
    if (call.concurrent && open) {
      open.push(call);
      continue;
    }
    const group = [call];
    groups.push(group);
    open = call.concurrent ? group : undefined;
  }
  return groups;
}

async function runGroup<Result>(
  group: readonly ScheduledCall<Result>[],
  concurrency: number,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = group.entries();
  let failed = false;
  const work = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      if (failed) return;
      try {
        results[index] = await call.run();
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(
    Array.from({ length: Math.min(concurrency, group.length) }, () => work()),
  );
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results;
}
