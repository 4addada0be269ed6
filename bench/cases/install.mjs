// What it costs to have a package: to install it, to import it, to keep it in memory. Beside what people install anyway.
import { spawnSync } from 'node:child_process';
import { FILES_RUN, runNode, samplesInTurn } from '../fresh.mjs';
import { areInstalled, installed } from '../installs.mjs';
import { at } from '../measure.mjs';

const MB = 1e6;
const asModule = (program) => ['--input-type=module', '--eval', program];

export const installCases = {
  install: {
    title: 'import, processor time without the start of Node',
    limit: "import('zod')",
    isThere: areInstalled,
    run: async ({ quick }) => {
      const packages = installed();
      const importing = ({ title, entry, cwd, ...rest }) => {
        const program = `await import(${JSON.stringify(entry)})`;
        const role = entry.startsWith('hookline') ? 'ours' : entry === 'zod' ? 'limit' : 'other';
        return { name: title, role, ...rest, cwd, entry, run: () => runNode(asModule(program), { cwd }) };
      };
      const bare = { name: 'bare node', role: 'other', run: () => runNode(asModule('0')) };
      const contenders = [bare, ...packages.map(importing)];
      const rows = samplesInTurn(contenders, quick ? 3 : 15, ({ cpu }) => cpu);
      const base = rows[0].p10;
      const zod = rows.find(({ role }) => role === 'limit').p10 - base;
      return { rows: rows.map((row) => finished(row, base, zod)) };
    },
  },
};

/** A row without the start of Node, and with what does not depend on time in further columns. */
function finished({ samples, cwd, entry, packages, bytes, ...row }, base, zod) {
  const isBare = entry === undefined;
  const net = isBare ? row : { ...row, p10: row.p10 - base, median: row.median - base };
  const rss = samples.map((sample) => sample.rss).toSorted((a, b) => a - b);
  const more = {
    'RSS after it, MB': (at(rss, 0.5) / MB).toFixed(0),
    'files run': isBare ? '' : filesRun(cwd, entry),
    packages: packages ?? '',
    'installed, MB': bytes === undefined ? '' : (bytes / MB).toPrecision(bytes < 100 * MB ? 2 : 3),
  };
  return { ...net, ratio: (row.p10 - base) / zod, more };
}

function filesRun(cwd, entry) {
  const program = `${FILES_RUN}
    await import(${JSON.stringify(entry)});
    process.stdout.write(JSON.stringify(files), () => process.exit());`;
  const { stdout } = spawnSync(process.execPath, asModule(program), {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  return new Set(JSON.parse(stdout)).size;
}
