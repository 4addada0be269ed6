/** Decides whether a host is large enough for the spawn helper to pay. */

export type SpawnMode = 'direct' | 'helper' | 'auto';

/** A start costs 1 ms in a process of 66 MB, 17 ms at 340 MB; the way through the helper costs well below 1 ms. */
export const HELPER_RSS_BYTES = 200 * 1024 * 1024;

/** A process does not become large within this time, and asking the system takes a while. */
const FRESH_MS = 100;
let rss = 0;
let askedAt = Number.NEGATIVE_INFINITY;

export function shouldUseHelper(
  mode: SpawnMode,
  rssBytes?: number,
  thresholdBytes: number = HELPER_RSS_BYTES,
): boolean {
  return mode === 'helper' || (mode === 'auto' && (rssBytes ?? recentRss()) >= thresholdBytes);
}

function recentRss(): number {
  const now = performance.now();
  if (now - askedAt > FRESH_MS) {
    rss = process.memoryUsage.rss();
    askedAt = now;
  }
  return rss;
}
