// The beginning of `hookline`, after a table of its files: runs modules by their numbers, and keeps for the next call
// what V8 has compiled.
const fs = require('node:fs');
const { dirname, isAbsolute, join } = require('node:path');
const { Script } = require('node:vm');

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
/** A file that was not written for so long belongs to a version that is gone, or to a process that was ended. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000;
const SUM_BYTES = 32;

const folder = compiledFolder();
const fresh = [];
const loaded = new Map();
const modules = [];

/** Runs a module when it is first used. */
function $m(id) {
  const known = modules[id];
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules[id] = module;
  const [file, first, hash] = files.findLast(([, first]) => first <= id);
  if (!loaded.has(file)) loaded.set(file, load(join(__dirname, file), hash));
  loaded.get(file)[id - first](module, module.exports, $m);
  return module.exports;
}

/** As `require` does, which does not know compiled code in every version of Node. A file without a hash is left to it. */
function load(filename, hash) {
  if (hash === undefined) return require(filename);
  const source = fs.readFileSync(filename);
  const kept = folder && join(folder, `${hash}-${process.version}-${process.arch}`);
  const cachedData = kept && compiledIn(kept, source);
  const script = new Script(`(function(module,require,__filename,__dirname){${source}\n})`, {
    filename,
    cachedData,
  });
  if (kept && (cachedData === undefined || script.cachedDataRejected)) fresh.push({ kept, script, source });
  const module = { exports: {} };
  script.runInThisContext()(module, require, filename, join(filename, '..'));
  return module.exports;
}

/** In the user's own cache. Undefined where somebody else could have put something: what is in it is run. */
function compiledFolder() {
  try {
    if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
    const cache = process.env.XDG_CACHE_HOME;
    const path = cache && isAbsolute(cache) ? cache : join(require('node:os').homedir(), '.cache');
    // A home that is empty or relative leads to the folder of the hooks, which anybody may have written.
    if (!isAbsolute(path)) return undefined;
    const own = join(path, 'hookline');
    // One by one: Node's `recursive` does not end below /proc, and would make the home of a user who has none.
    for (const each of [path, own])
      if (!fs.existsSync(each)) attempt(() => fs.mkdirSync(each, { mode: 0o700 }));
    // As it is written, and where links lead.
    const parents = new Set();
    for (let at of [path, fs.realpathSync(path)])
      for (parents.add(at); at !== dirname(at); parents.add(at)) at = dirname(at);
    for (const each of parents) if (!isSafeParent(fs.lstatSync(each))) return undefined;
    const stats = fs.lstatSync(own);
    return stats.isDirectory() && isMine(stats) ? own : undefined;
  } catch {
    return undefined;
  }
}

function isMine({ uid, mode }) {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** No other user can put another folder, or a link, in the place of what is in it. */
function isSafeParent(stats) {
  const { uid, mode } = stats;
  const sticky = (mode & 0o1000) !== 0;
  const closed = stats.isSymbolicLink() || (mode & 0o002) === 0 || sticky;
  return closed && (uid === 0 || uid === process.getuid?.());
}

/** V8 itself looks at the length of the source only, and runs compiled code that is cut off or damaged. */
function compiledIn(path, source) {
  let file;
  try {
    // A pipe does not hold it up.
    file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fs.fstatSync(file);
    if (!stats.isFile() || !isMine(stats)) return undefined;
    const kept = fs.readFileSync(file);
    const code = kept.subarray(SUM_BYTES);
    return sumOf(source, code).equals(kept.subarray(0, SUM_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

function sumOf(source, code) {
  return require('node:crypto').createHash('sha256').update(source).update(code).digest();
}

/** At the end, so that functions are in it that were compiled when they were called. */
process.on('exit', () => {
  if (fresh.length === 0) return;
  for (const each of fresh) attempt(() => keep(each));
  attempt(removeOld);
});

/** It arrives whole or not at all. */
function keep({ kept, script, source }) {
  const own = `${kept}-${process.pid}`;
  const file = fs.openSync(own, 'wx', 0o600);
  try {
    const code = script.createCachedData();
    fs.writeFileSync(file, Buffer.concat([sumOf(source, code), code]));
    fs.renameSync(own, kept);
  } catch {
    fs.rmSync(own, { force: true });
  } finally {
    fs.closeSync(file);
  }
}

function removeOld() {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - fs.lstatSync(path).mtimeMs > OLD_MS) fs.rmSync(path);
  }
}

/** It only saves time. */
function attempt(work) {
  try {
    work();
  } catch {}
}

// The program itself.
$m(0);
