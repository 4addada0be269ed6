// Numbers as people read them.

export function show(value) {
  if (typeof value !== 'number') return String(value);
  return Number.isInteger(value) ? `${value}` : value.toFixed(2);
}

export function time(ns) {
  if (ns < 1000) return `${ns.toFixed(0)} ns`;
  return ns < 1e6 ? `${(ns / 1000).toFixed(2)} µs` : `${(ns / 1e6).toFixed(2)} ms`;
}

export function times(ratio) {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)} ×`;
}
