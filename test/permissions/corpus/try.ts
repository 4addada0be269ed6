/** Tries lines by hand: `tsx test/permissions/corpus/try.ts <situation> [file]`, one line each, or separated by `%%` lines. */
import { readFileSync } from 'node:fs';
import { Permissions } from '../../../src/permissions/permissions.js';
import { doesHarm, makeFolder } from './sandbox.js';
import { SITUATIONS, type Situation } from './situations.js';

const [name = 'denyRemove', file] = process.argv.slice(2);
const situation = (SITUATIONS as Readonly<Record<string, Situation>>)[name];
if (situation === undefined) throw new Error(`Situations are ${Object.keys(SITUATIONS).join(', ')}.`);
const text = readFileSync(file ?? 0, 'utf8');
const lines = (text.includes('\n%%\n') ? text.split('\n%%\n') : text.split('\n')).filter((line) =>
  line.trim(),
);
const root = makeFolder();
for (const line of lines) {
  const { behavior, reason } = new Permissions({
    root,
    home: `${root}/../home`,
    ...situation.options,
  }).decide({
    toolName: 'Bash',
    input: { command: line },
    readOnly: false,
    cwd: root,
  });
  const harm = doesHarm(line, situation.harm);
  const mark =
    behavior === 'allow' ? (harm ? 'HOLE' : 'allowed, no harm') : harm ? 'held' : `${behavior}, no harm`;
  console.log(`${mark}\t${JSON.stringify(line)}${behavior === 'allow' ? '' : `\t${reason}`}`);
}
