/** Hooks of recorded scenarios: each writes down what it got, and then does what a plan says. They are shell scripts: Node starts slowly. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Step {
  /** Printed after `stdout`. */
  readonly json?: unknown;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit?: number;
  readonly delayMs?: number;
}

/** What each label does; a list has a step for each of its runs, and nothing is done in later ones. */
export type Plan = Readonly<Record<string, Step | readonly Step[]>>;

const STEP_KEYS = ['json', 'stdout', 'stderr', 'exit', 'delayMs'];

/** Whether the script can do what a plan says. */
export const isPlain = (plan: Readonly<Record<string, unknown>>): boolean =>
  Object.values(plan).every((steps) =>
    [steps].flat().every((step) => Object.keys(step as object).every((key) => STEP_KEYS.includes(key))),
  );

/** What starts it; the folder and the label follow. */
export const PLANNED_HOOK: string = `sh ${fileURLToPath(new URL('../fixtures/planned-hook.sh', import.meta.url))}`;

/** Makes the folder ready for hooks that are started with it. */
export function writePlan(folder: string, plan: Plan): void {
  mkdirSync(join(folder, 'ran'));
  for (const [label, steps] of Object.entries(plan)) {
    if (!Array.isArray(steps)) writeStep(join(folder, 'plan', label), steps as Step);
    else for (const [run, step] of steps.entries()) writeStep(join(folder, 'plan', `${label}.${run}`), step);
  }
}

function writeStep(folder: string, { json, stdout = '', stderr = '', exit = 0, delayMs = 0 }: Step): void {
  mkdirSync(folder, { recursive: true });
  const said = json === undefined ? '' : JSON.stringify(json);
  const files = { stdout: stdout + said, stderr, exit: `${exit}`, delay: `${delayMs / 1000}` };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

export interface Ran {
  readonly label: string;
  readonly stdin: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

/** What has run, by the names of the runs: `<label>.<number>`. */
export function ranSoFar(folder: string): ReadonlyMap<string, Ran> {
  const ran = join(folder, 'ran');
  const names = readdirSync(ran).filter((name) => existsSync(join(ran, name, 'stdin')));
  return new Map(names.map((name) => [name, readRun(join(ran, name), name)]));
}

function readRun(folder: string, name: string): Ran {
  const variables = readFileSync(join(folder, 'env'), 'utf8').split('\0').filter(Boolean);
  return {
    label: name.slice(0, name.lastIndexOf('.')),
    stdin: JSON.parse(readFileSync(join(folder, 'stdin'), 'utf8')),
    env: Object.fromEntries(
      variables.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  };
}
