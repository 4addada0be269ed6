/**
 * Judges lines by hand: `tsx test/permissions/corpus/try.ts <situation> [file] [--run]`, one line each, or separated by `%%` lines.
 * With `--run` each one is also run in a real bash, in a temporary folder. Lines that may reach beyond that are refused
 * (`refuseToRun`), but not every such line can be recognised: give it none.
 * `corpus` as the situation takes every hostile line of the corpus in its own situation.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Permissions } from '../../../src/permissions/permissions.js';
import { HOSTILE } from './hostile.js';
import { doesHarm, isHere, makeFolder, refuseToRun } from './sandbox.js';
import { type HostileLine, SITUATIONS, type Situation } from './situations.js';

const [name = 'corpus', file] = process.argv.slice(2).filter((word) => word !== '--run');
const isRun = process.argv.includes('--run');
const situations = SITUATIONS as Readonly<Record<string, Situation>>;
if (name !== 'corpus' && !Object.hasOwn(situations, name))
  throw new Error(`Situations are corpus, ${Object.keys(SITUATIONS).join(', ')}.`);

const lines: readonly Omit<HostileLine, 'rule'>[] =
  name === 'corpus'
    ? HOSTILE
    : readLines(file).map((line) => ({ situation: name as HostileLine['situation'], line }));
const root = makeFolder();
const counts: Record<string, number> = {};
for (const { situation, line, needs = [] } of lines) {
  const { options, harm } = situations[situation] as Situation;
  const { behavior, reason } = new Permissions({ root, home: join(root, '..', 'home'), ...options }).decide({
    toolName: 'Bash',
    input: { command: line },
    readOnly: false,
    cwd: root,
  });
  const refused = refuseToRun(line);
  const canRun =
    isRun && refused === undefined && needs.every((program) => !program.startsWith('-') && isHere(program));
  const effect = canRun
    ? doesHarm(line, harm)
      ? 'harm'
      : 'no harm'
    : isRun && refused
      ? 'refused to run'
      : 'not run';
  const mark = `${behavior}, ${effect}`;
  counts[mark] = (counts[mark] ?? 0) + 1;
  if (name !== 'corpus' || behavior === 'allow' || effect === 'no harm')
    console.log(`${mark}\t${JSON.stringify(line)}\t${behavior === 'allow' ? '' : reason}`);
}
rmSync(join(root, '..'), { recursive: true, force: true });
console.log(JSON.stringify(counts));

function readLines(path: string | undefined): readonly string[] {
  const text = readFileSync(path ?? 0, 'utf8');
  const parts = text.includes('\n%%\n') ? text.split('\n%%\n') : text.split('\n');
  return parts.filter((line) => line.trim() !== '');
}
