/** Sets where the repository is: `npm run repository -- owner/name`. Links on the package page need it. */
import { readFileSync, writeFileSync } from 'node:fs';

const [name] = process.argv.slice(2);
if (!/^[\w.-]+\/[\w.-]+$/.test(name ?? '')) {
  console.error('Give the repository as owner/name, as in: npm run repository -- acme/hookline');
  process.exit(64);
}
const file = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const page = `https://github.com/${name}`;
manifest.repository = { type: 'git', url: `git+${page}.git` };
manifest.homepage = `${page}#readme`;
manifest.bugs = { url: `${page}/issues` };
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
const guide = new URL('../docs/how-to/test-hooks.md', import.meta.url);
const text = readFileSync(guide, 'utf8');
writeFileSync(guide, text.replace(/[\w.-]+\/[\w.-]+(?=\/\.github\/actions\/hooks@)/g, name));
console.log(`package.json and docs/how-to/test-hooks.md now name ${page}.`);
