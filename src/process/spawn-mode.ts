/** Decides whether a host is large enough for the spawn helper to pay off. */

import { platform } from './platform.js';

export type SpawnMode = 'direct' | 'helper' | 'auto';

/** A start takes 1 ms in a process of 66 MB and 17 ms at 340 MB; the helper adds well below 1 ms. */
const HELPER_RSS_BYTES = 200 * 1024 * 1024;

/** A process does not grow much within this time, and the measurement is slow. */
const FRESH_MS = 100;
let rss = 0;
let measuredAt = Number.NEGATIVE_INFINITY;

/** Never on Windows: it copies nothing to start a process, and the helper starts processes without execa. */
export function shouldUseHelper(
  mode: SpawnMode,
  rssBytes?: number,
  thresholdBytes: number = HELPER_RSS_BYTES,
): boolean {
  if (!platform.startsPlainly || mode === 'direct') return false;
  return mode === 'helper' || (rssBytes ?? recentRss()) >= thresholdBytes;
}

function recentRss(): number {
  const now = performance.now();
  if (now - measuredAt > FRESH_MS) {
    rss = process.memoryUsage.rss();
    measuredAt = now;
  }
  return rss;
}
