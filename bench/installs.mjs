// Installs packages as users do, each in a folder of its own under peers/, and says what came with them.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLACE = fileURLToPath(new URL('peers', import.meta.url));
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
/** What a reader of the import table may have in mind beside hookline. Nailed down, so that runs compare. */
const OTHERS = [
  { name: 'hookable', version: '6.1.2' },
  { name: 'zod', version: '4.6.7' },
  { name: 'ai', version: '7.0.173' },
  { name: '@anthropic-ai/claude-agent-sdk', version: '0.3.327' },
  { name: '@openai/agents', version: '0.20.0' },
  // Beside nothing, npm takes minutes to choose among the versions of what it needs.
  { name: 'langchain', version: '1.5.14', beside: ['@langchain/core@1.2.13', '@langchain/langgraph@1.4.13'] },
  { name: '@mastra/core', version: '1.71.0', entry: '@mastra/core/agent' },
  { name: '@strands-agents/sdk', version: '1.19.0' },
  { name: '@google/gemini-cli-core', version: '0.61.0' },
  { name: '@openrouter/agent', version: '0.8.0' },
];

/** Is everything there that was installed once? This package itself is packed anew with every run. */
export const areInstalled = () => OTHERS.every(({ name }) => existsSync(folderOf(name)));

export function installOthers() {
  for (const { name, version, beside = [] } of OTHERS) {
    const place = folderOf(name);
    if (existsSync(place)) continue;
    console.log(`  npm install ${name}@${version}`);
    // What has its name was installed whole.
    const begun = `${place}-begun`;
    rmSync(begun, { recursive: true, force: true });
    install(begun, `${name}@${version}`, ...beside);
    renameSync(begun, place);
  }
}

/** Everybody with what was installed for it, this package first. */
export function installed() {
  const own = folderOf('hookline');
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const packed = npm(PACKAGE, 'pack', '--silent', '--ignore-scripts', '--pack-destination', own).trim();
  install(own, join(own, packed));
  const ours = ['hookline', 'hookline/session', 'hookline/injection', 'hookline/claude-agent-sdk'];
  return [
    ...ours.map((entry) => describe(entry, 'hookline', entry)),
    ...OTHERS.map(({ name, version, entry = name }) => describe(`${entry} ${version}`, name, entry)),
  ];
}

function describe(title, name, entry) {
  const cwd = folderOf(name);
  const lock = JSON.parse(readFileSync(join(cwd, 'node_modules/.package-lock.json'), 'utf8'));
  // A package of another system is in the list and not on the disk.
  const packages = Object.keys(lock.packages).filter((path) => existsSync(join(cwd, path)));
  return { title, entry, cwd, packages: packages.length, bytes: bytesIn(join(cwd, 'node_modules')) };
}

function install(place, ...specs) {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true, "type": "module" }\n');
  // Their scripts are not run: nobody here needs what they build.
  npm(place, 'install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', ...specs);
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Where a package is, or would be. */
export function folderOf(name) {
  return join(PLACE, name.replaceAll(/[@/]/g, '-').replace(/^-/, ''));
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, path, name }) => sum + statSync(join(parentPath ?? path, name)).size, 0);
}
