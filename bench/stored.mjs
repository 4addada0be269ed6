// The ratios of an earlier run, kept with the code: gross regressions show without a quiet machine.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('stored.json', import.meta.url);
/** Machines differ and are busy; a factor of this much is no noise any more. */
const GROSS = 2;

export function store(run, judged) {
  const ratios = Object.fromEntries(judged.map((goal) => [keyOf(goal), round(goal.measured)]));
  writeFileSync(FILE, `${JSON.stringify({ ...run, ratios }, null, 2)}\n`);
}

/** The goals that have become worse by more than the factor. Milliseconds depend on the machine and are not compared. */
export function regressions(judged) {
  if (!existsSync(FILE)) return [];
  const { ratios } = JSON.parse(readFileSync(FILE, 'utf8'));
  return judged
    .map((goal) => ({ ...goal, before: ratios[keyOf(goal)] }))
    .filter(({ of, before, measured }) => of.startsWith('×') && measured > GROSS * before);
}

function keyOf({ case: name, what }) {
  return `${name}: ${what}`;
}

function round(value) {
  return Number(value.toPrecision(3));
}
