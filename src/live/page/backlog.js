/** Events wait here for the next frame, so that a page that is behind draws only what it will still show. */

/** Of these, an agent's column shows only the latest; results of entries that were left out find nothing and are dropped. */
const ENTRIES = new Set(['text', 'note', 'tool', 'fire', 'hook', 'tool_result', 'denied']);
const HIDDEN_MS = 250;
/** How long a page that is still receiving many events waits before it draws. */
const PATIENCE_MS = 1000;

/**
 * @param {number} most How many entries an agent's column shows.
 * @param {(event: object) => void} show
 */
export function backlog(most, show) {
  let waiting = [];
  let since = 0;
  let before = 0;

  function flush() {
    const isStillGrowing = waiting.length > most && waiting.length > before;
    before = waiting.length;
    if (isStillGrowing && performance.now() - since < PATIENCE_MS) {
      schedule();
      return;
    }
    const events = waiting;
    waiting = [];
    before = 0;
    for (const event of latest(events, most)) show(event);
  }

  function schedule() {
    // A page in the background gets no frames.
    if (document.hidden) setTimeout(flush, HIDDEN_MS);
    else requestAnimationFrame(flush);
  }

  return (event) => {
    waiting.push(event);
    if (waiting.length > 1) return;
    since = performance.now();
    schedule();
  };
}

/** Without entries of an agent that later ones would push out. */
function latest(events, most) {
  if (events.length <= most) return events;
  const counts = new Map();
  const kept = [];
  for (const event of events.toReversed()) {
    const { type, agent } = event;
    const count = counts.get(agent) ?? 0;
    if (!ENTRIES.has(type)) kept.push(event);
    else if (count < most) {
      counts.set(agent, count + 1);
      kept.push(event);
    }
  }
  return kept.reverse();
}
