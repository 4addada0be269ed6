/**
 * Loads every module of the installed package in the way that bears no top-level await, and says which cannot be loaded
 * so, and what else the package began to do by that. Programs and what belongs into a page are named by the caller.
 */
const { readdirSync } = require('node:fs');
const { join, relative, sep } = require('node:path');

const others = process.argv.slice(2);
const dist = join(__dirname, 'node_modules', 'hookline', 'dist');
const modules = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
  .map((entry) => relative(dist, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter((path) => !others.some((other) => path.startsWith(other)));
// They come into being when they are looked at.
void [process.stdin, process.stdout, process.stderr];
const before = process.getActiveResourcesInfo();

const failed = modules.flatMap((path) => {
  try {
    require(join(dist, path));
    return [];
  } catch ({ code, message }) {
    return [`${path}: ${code} ${message}`];
  }
});
const begun = process.getActiveResourcesInfo().filter((each) => !before.includes(each));
console.log(JSON.stringify({ loaded: modules.length, failed, begun }));
