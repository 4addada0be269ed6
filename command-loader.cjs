// The beginning of `hookline`, after a table of its files: runs modules by their numbers, and keeps for the next call
// what V8 has compiled.
const fs = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = compiledFolder();
const fresh = new Map();
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
  const kept = folder && join(folder, `${hash}-${process.version}-${process.arch}`);
  const cachedData = kept && readIfThere(kept);
  const script = new Script(
    `(function(module,require,__filename,__dirname){${fs.readFileSync(filename, 'utf8')}\n})`,
    { filename, cachedData },
  );
  if (kept && (cachedData === undefined || script.cachedDataRejected)) fresh.set(kept, script);
  const module = { exports: {} };
  script.runInThisContext()(module, require, filename, join(filename, '..'));
  return module.exports;
}

/** In the user's own cache. Undefined where somebody else could have put something: what is in it is run. */
function compiledFolder() {
  try {
    const cache = process.env.XDG_CACHE_HOME;
    const path = cache?.startsWith('/') ? cache : join(require('node:os').homedir(), '.cache');
    const mine = join(path, 'hookline');
    fs.mkdirSync(mine, { recursive: true, mode: 0o700 });
    const { uid, mode } = fs.statSync(mine);
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? mine : undefined;
  } catch {
    return undefined;
  }
}

function readIfThere(path) {
  try {
    return fs.readFileSync(path);
  } catch {
    return undefined;
  }
}

/** At the end, so that functions are in it that were compiled when they were called. It arrives whole or not at all. */
process.on('exit', () => {
  for (const [path, script] of fresh)
    try {
      const own = `${path}-${process.pid}`;
      const file = fs.openSync(own, 'wx', 0o600);
      fs.writeSync(file, script.createCachedData());
      fs.closeSync(file);
      fs.renameSync(own, path);
    } catch {
      // It only saves time.
    }
});

// The program itself.
$m(0);
