// The ratios of an earlier run, kept with the code: gross regressions show without a quiet machine.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('stored.json', import.meta.url);
/** Machines differ and are busy; a factor of this much is no noise any more. */
const GROSS = 2;

export function store(run, judged) {
  const ratios = Object.fromEntries(judged.map((goal) => [goal.key, round(goal.measured)]));
  writeFileSync(FILE, `${JSON.stringify({ ...run, ratios }, null, 2)}\n`);
}

/** What was measured for each goal before there were these changes. */
export const before = JSON.parse(readFileSync(new URL('before.json', import.meta.url), 'utf8'));

/**
 * The goals that have become worse by more than the factor. Milliseconds and megabytes depend on the machine: there the
 * goal itself counts as well.
 */
export function regressions(judged) {
  if (!existsSync(FILE)) return [];
  const { ratios } = JSON.parse(readFileSync(FILE, 'utf8'));
  return judged
    .map((goal) => ({ ...goal, before: ratios[goal.key] ?? goal.most }))
    .filter(({ of, most, before, measured }) => {
      const allowed = of.startsWith('×') ? before : Math.max(before, most);
      // What could not be measured is no number, and larger than nothing.
      return !(measured <= GROSS * allowed);
    });
}

function round(value) {
  return Number(value.toPrecision(3));
}
