// Draws the measured curves as one SVG: what a fire costs as hooks, matchers, payload, listeners and concurrency grow.
import { time } from './units.mjs';

const WIDTH = 300;
const HEIGHT = 190;
const MARGIN = { left: 62, right: 16, top: 34, bottom: 40 };
const COLUMNS = 3;

export function drawCurves(results) {
  const curves = results.filter(({ points }) => points !== undefined);
  const rows = Math.ceil(curves.length / COLUMNS);
  const panels = curves.map((each, i) =>
    panel(each, (i % COLUMNS) * WIDTH, Math.floor(i / COLUMNS) * HEIGHT),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * WIDTH} ${rows * HEIGHT}" font-family="sans-serif" font-size="10">`,
    '<title>What a fire costs as things grow</title>',
    `<rect width="${COLUMNS * WIDTH}" height="${rows * HEIGHT}" fill="#fff"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function panel({ title, curve, points }, x, y) {
  const inner = {
    width: WIDTH - MARGIN.left - MARGIN.right,
    height: HEIGHT - MARGIN.top - MARGIN.bottom,
  };
  const sizes = points.map(({ size }) => size);
  const highest = Math.max(...points.map(({ ns }) => ns)) * 1.15;
  const across = (i) => (sizes.length === 1 ? 0 : (i / (sizes.length - 1)) * inner.width);
  const up = (ns) => inner.height - (ns / highest) * inner.height;
  const line = points.map(({ ns }, i) => `${across(i).toFixed(1)},${up(ns).toFixed(1)}`).join(' ');
  const marks = points.map(
    ({ size, ns }, i) =>
      `<circle cx="${across(i).toFixed(1)}" cy="${up(ns).toFixed(1)}" r="2.5" fill="#0b6bcb"/>` +
      `<text x="${across(i).toFixed(1)}" y="${inner.height + 14}" text-anchor="middle" fill="#555">${short(size)}</text>`,
  );
  const steps = [0, 0.5, 1].map((share) => {
    const ns = highest * share;
    return (
      `<line x1="0" x2="${inner.width}" y1="${up(ns).toFixed(1)}" y2="${up(ns).toFixed(1)}" stroke="#ddd"/>` +
      `<text x="-6" y="${(up(ns) + 3).toFixed(1)}" text-anchor="end" fill="#555">${share === 0 ? '0' : time(ns)}</text>`
    );
  });
  return [
    `<g transform="translate(${x + MARGIN.left} ${y + MARGIN.top})">`,
    `<text x="${-MARGIN.left + 12}" y="-16" font-weight="bold" fill="#222">${title}</text>`,
    ...steps,
    `<polyline points="${line}" fill="none" stroke="#0b6bcb" stroke-width="1.5"/>`,
    ...marks,
    `<text x="${inner.width / 2}" y="${inner.height + 30}" text-anchor="middle" fill="#222">${curve}</text>`,
    '</g>',
  ].join('\n');
}

function short(size) {
  if (size >= 1e6) return `${size / 1e6}M`;
  return size >= 1e3 ? `${size / 1e3}k` : `${size}`;
}
