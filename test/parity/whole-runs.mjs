#!/usr/bin/env node
/**
 * Runs the recorded scenarios from beginning to end with `hookline run` in the place of the reference, and compares.
 * Needs the recordings beside this repository; ends with 1 when a scenario differs that spec/parity.md does not list.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
// The comparison runs only under its real path.
const oracle = realPathOf(resolve(root, '../shared/oracle'));
const reference = join(oracle, 'recordings/2.1.325');

if (!existsSync(reference)) {
  console.log(
    `npm run parity compares with recordings of Claude Code, which are not part of this repository: ${oracle} is not there. Nothing was compared.`,
  );
  process.exit(0);
}

const filters = process.argv.slice(2);
const out = mkdtempSync(join(tmpdir(), 'hookline-parity-'));
try {
  const started = spawnSync(
    process.execPath,
    [join(oracle, 'run.mjs'), '--host', 'ours', '--out', out, '--jobs', '4', ...filters],
    { cwd: root, env: { ...process.env, ORACLE_OURS: root }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (started.status !== 0) process.exitCode = 1;
  const compared = spawnSync(
    process.execPath,
    [join(oracle, 'lib/parity.mjs'), reference, join(out, 'ours'), '-v'],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  process.stdout.write(`\n${compared.stdout}${compared.stderr}`);
  judge(compared.stdout);
} finally {
  rmSync(out, { recursive: true, force: true });
}

/** Only what is written down may differ; what is written down and agrees by now has to be struck out. */
function judge(table) {
  const differing = [...table.matchAll(/^([\w-]+): /gm)].map(([, name]) => name);
  const [, rest = ''] = readFileSync(join(root, 'spec/parity.md'), 'utf8').split('**PA-2**');
  const [section = ''] = rest.split('Further differences');
  const listed = [...section.matchAll(/`([a-z]+-[\w-]+)`(?=[^|\n]*\|)/g)].map(([, name]) => name);
  // What depends on timing may agree, too.
  const timed = section.split('\n').filter((row) => row.includes('depends on timing'));
  const isTimed = (name) => timed.some((row) => row.includes(`\`${name}\``));
  const surprising = differing.filter((name) => !listed.includes(name));
  const agreeing =
    filters.length > 0 ? [] : listed.filter((name) => !differing.includes(name) && !isTimed(name));
  for (const name of surprising) console.log(`${name} differs, and spec/parity.md does not say why.`);
  for (const name of agreeing) console.log(`${name} agrees, and spec/parity.md says that it differs.`);
  if (surprising.length === 0 && agreeing.length === 0)
    console.log(`Every difference is listed in spec/parity.md (${differing.length}).`);
  else process.exitCode = 1;
}

function realPathOf(path) {
  return existsSync(path) ? realpathSync(path) : path;
}
