/** Small helpers: elements with text content, chips, times and running clocks. */

/**
 * @param {string} tag
 * @param {string} [className]
 * @param {...(Node | string)} children Strings become text, never markup.
 */
export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** A colored word; its meaning never depends on the color. */
export function chip(word, tone = 'plain') {
  const element = make('span', 'chip', word);
  element.dataset.tone = tone;
  return element;
}

export function button(label, onClick) {
  const element = make('button', '', label);
  element.type = 'button';
  element.addEventListener('click', onClick);
  return element;
}

const TONES = {
  allow: 'good',
  success: 'good',
  completed: 'good',
  delivered: 'good',
  deny: 'bad',
  error: 'bad',
  failed: 'bad',
  refused: 'bad',
  ask: 'care',
  defer: 'care',
  queued: 'care',
  expired: 'care',
  cancelled: 'plain',
  running: 'live',
};

export const toneOf = (word) => TONES[word] ?? 'plain';

export function duration(ms) {
  if (ms < 1) return '<1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' });

/** A time of day, with the full date on hover. */
export function clockTime(at) {
  const date = new Date(at);
  const element = make('time', 'clock', CLOCK.format(date));
  element.dateTime = date.toISOString();
  element.title = date.toLocaleString();
  return element;
}

/** How far the server's clock is ahead of ours. */
let ahead = 0;
export function setServerTime(now) {
  ahead = now - Date.now();
}

const running = new Map();
let timer;

function tick() {
  for (const [element, since] of running)
    element.textContent = duration(Math.max(0, Date.now() + ahead - since));
}

/** Shows the elapsed time until `stopClock`. */
export function startClock(element, since) {
  running.set(element, since);
  tick();
  timer ??= setInterval(tick, 200);
}

export function stopClock(element) {
  running.delete(element);
  if (running.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** A text that may be long: shows one line, and the rest on demand. */
export function fold(label, text, isOpen = false) {
  const details = make('details', 'fold', make('summary', '', label), make('pre', '', text));
  details.open = isOpen;
  return details;
}

let lastWords = '';
/** Announces important changes to screen readers. */
export function announce(words) {
  if (words === lastWords) return;
  lastWords = words;
  byId('announce').textContent = words;
}

/** Keeps a scroller at its end while its content grows, until the user scrolls up. */
export function stayAtEnd(scroller, content) {
  let stays = true;
  let top = 0;
  let height = 0;
  scroller.addEventListener('scroll', () => {
    const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 48;
    // Ignore scrolling that a resize caused.
    const wentUp = scroller.scrollTop < top && scroller.clientHeight === height;
    if (isAtEnd) stays = true;
    else if (wentUp) stays = false;
    top = scroller.scrollTop;
  });
  const observer = new ResizeObserver(() => {
    height = scroller.clientHeight;
    if (stays) scroller.scrollTop = scroller.scrollHeight;
  });
  observer.observe(content);
  observer.observe(scroller);
}

/** An input with a single field is shown as that field; others as a list of fields. */
export function pretty(input) {
  try {
    const value = JSON.parse(input);
    const fields = Object.entries(value ?? {});
    if (fields.length === 0) return '';
    if (fields.length === 1 && typeof fields[0][1] === 'string') return fields[0][1];
    return fields
      .map(([key, field]) => `${key}: ${typeof field === 'string' ? field : JSON.stringify(field)}`)
      .join('\n');
  } catch {
    return input;
  }
}

export function firstLine(text) {
  const [line] = text.split('\n');
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

/** The fields that say most about a call, of the usual tools. */
const TELLING = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'prompt', 'description'];

/** An input on one line. */
export function summary(input) {
  try {
    const value = JSON.parse(input);
    const field = TELLING.find((name) => typeof value?.[name] === 'string');
    if (field !== undefined) return firstLine(value[field]);
  } catch {
    // A truncated input is not valid JSON.
  }
  return firstLine(pretty(input));
}
