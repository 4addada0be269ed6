/** A list of many rows of the same height, of which only the visible ones exist. */

/** Rows beyond the edges, so that a fast scroll shows no gap. */
const MARGIN = 8;

/**
 * @param {HTMLElement} scroller Has the CSS variable `--row`, the height of a row in pixels.
 * @param {HTMLElement} list The parent of the rows.
 * @param {(item: object) => HTMLElement} makeRow Items have `id` and `version`: a row is made anew when that changes.
 */
export function virtualList(scroller, list, makeRow) {
  /** Oldest first; the newest is shown at the top. */
  let items = [];
  const rows = new Map();
  const heightOf = () => Number.parseFloat(getComputedStyle(scroller).getPropertyValue('--row'));
  let height = heightOf();
  let isScheduled = false;

  function draw() {
    isScheduled = false;
    const first = Math.max(0, Math.floor(scroller.scrollTop / height) - MARGIN);
    const last = Math.min(
      items.length,
      Math.ceil((scroller.scrollTop + scroller.clientHeight) / height) + MARGIN,
    );
    const wanted = new Set();
    for (let i = first; i < last; i += 1) {
      const item = items[items.length - 1 - i];
      wanted.add(item.id);
      place(rowOf(item), i);
    }
    for (const [id, { element }] of rows) {
      if (wanted.has(id)) continue;
      element.remove();
      rows.delete(id);
    }
  }

  function rowOf(item) {
    const known = rows.get(item.id);
    if (known?.version === item.version) return known.element;
    const element = makeRow(item);
    const hasFocus = known?.element.contains(document.activeElement);
    if (known === undefined) list.append(element);
    else known.element.replaceWith(element);
    if (hasFocus) element.querySelector('a')?.focus({ preventScroll: true });
    rows.set(item.id, { element, version: item.version });
    return element;
  }

  function place(element, index) {
    element.style.transform = `translateY(${index * height}px)`;
    element.setAttribute('aria-posinset', String(index + 1));
    element.setAttribute('aria-setsize', String(items.length));
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(draw);
  }

  scroller.addEventListener('scroll', schedule, { passive: true });
  new ResizeObserver(() => {
    height = heightOf();
    list.style.height = `${items.length * height}px`;
    schedule();
  }).observe(scroller);

  return {
    /** `added`: how many were added at the top since the last time; what is shown stays in its place. */
    show(shown, added = 0) {
      items = shown;
      list.style.height = `${items.length * height}px`;
      if (added > 0 && scroller.scrollTop > 0) scroller.scrollTop += added * height;
      draw();
    },
    /** Makes all visible rows anew. */
    refresh() {
      for (const { element } of rows.values()) element.remove();
      rows.clear();
      draw();
    },
    /** Scrolls to an item and returns its row. */
    reveal(item) {
      const index = items.length - 1 - items.indexOf(item);
      if (index >= items.length) return undefined;
      const top = index * height;
      if (top < scroller.scrollTop) scroller.scrollTop = top;
      else if (top + height > scroller.scrollTop + scroller.clientHeight)
        scroller.scrollTop = top + height - scroller.clientHeight;
      draw();
      return rows.get(item.id)?.element;
    },
  };
}
