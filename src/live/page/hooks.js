/** The loaded hooks, with how often each ran, how it ended, and how long it takes. */
import { byId, chip, duration, make } from './dom.js';
import { showFiresOf } from './fires.js';
import { addLoaded, hooks, onChange, percentile } from './store.js';

const SVG = 'http://www.w3.org/2000/svg';
const SPARKS = 40;
const [WIDTH, HEIGHT] = [96, 24];

export function setUpHooks() {
  onChange(() => {
    const all = [...hooks.values()];
    byId('hook-count').textContent = all.length === 0 ? '' : String(all.length);
    if (!byId('hooks-view').hidden) drawHooks();
  });
}

/** Asks the server which hooks are loaded. */
export async function loadHooks() {
  const loaded = await fetch('hooks')
    .then((response) => (response.ok ? response.json() : []))
    .catch(() => []);
  addLoaded(loaded);
  return loaded;
}

export function drawHooks() {
  const all = [...hooks.values()].toSorted((a, b) => b.runs - a.runs);
  byId('no-hooks').hidden = all.length > 0;
  byId('hook-rows').replaceChildren(...all.map(rowOf));
}

function rowOf({ key, event, name, place, matcher, inactive, runs, failures, refusals, times }) {
  const link = make('a', 'name', name);
  link.href = '#fires';
  link.setAttribute('aria-label', `Fires of ${name}`);
  link.addEventListener('click', () => showFiresOf(key));
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  const cells = [
    [
      'hook',
      runs > 0 ? link : make('span', 'name', name),
      place === undefined ? '' : make('code', 'place', place),
      inactive === undefined ? '' : make('p', 'inactive', inactive),
    ],
    ['event', make('span', 'event', event), matcher === undefined ? '' : ` ${matcher}`],
    ['runs', inactive !== undefined && runs === 0 ? chip('does not run', 'care') : String(runs)],
    ['refusals', refusals === 0 ? '' : String(refusals)],
    ['failures', failures === 0 ? '' : chip(String(failures), 'bad')],
    ['p50', p50 === undefined ? '' : duration(p50)],
    ['p95', p95 === undefined ? '' : duration(p95)],
    ['latest', sparkline(times.slice(-SPARKS))],
  ];
  return make(
    'tr',
    '',
    ...cells.map(([label, ...content]) => {
      const cell = make('td', label, ...content);
      cell.dataset.label = label;
      return cell;
    }),
  );
}

/** The latest durations, oldest first. The highest is the slowest of them. */
function sparkline(times) {
  if (times.length < 2) return '';
  const most = Math.max(...times) || 1;
  const points = times.map((ms, i) => {
    const x = (i / (times.length - 1)) * (WIDTH - 2) + 1;
    return `${x.toFixed(1)},${(HEIGHT - 2 - (ms / most) * (HEIGHT - 4)).toFixed(1)}`;
  });
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('class', 'sparkline');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `The last ${times.length} times, up to ${duration(most)}`);
  const line = document.createElementNS(SVG, 'polyline');
  line.setAttribute('points', points.join(' '));
  svg.append(line);
  return svg;
}
