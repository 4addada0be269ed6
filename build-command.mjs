// Builds the command: with its dependencies in it, in a few files, of which a call reads and runs only what it uses.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path/posix';
import { rolldown } from 'rolldown';

/** An import that is declared at the top of a module. The variable of a default import of Node's is changed after it. */
const DECLARED = /^(?:const|let) ([\w$]+) = require\("((?:\.|node:)[^"]+)"\);\n(?!\1 = )/gm;

/** Code that imports when it runs. It has a file of its own, which Node loads: V8's compiled code cannot be kept for it. */
const IMPORTS = /(?<![.#\w$])import\(/;

/**
 * Every use of an import becomes a call of `$m`, which runs the imported module when it is first used. React Native's
 * bundler calls this inline requires.
 */
const inlineImports = {
  name: 'inline-imports',
  renderChunk(code, { fileName }) {
    // In parentheses, because of `new`.
    const call = (path) => `($m("${path.startsWith('.') ? join(dirname(fileName), path) : path}"))`;
    const calls = new Map();
    const rest = code.replaceAll(DECLARED, (_, name, path) => {
      calls.set(name, call(path));
      return '';
    });
    return rest
      .replaceAll(/(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g, (name) => calls.get(name) ?? name)
      .replaceAll(/\brequire\("(\.[^"]+)"\)/g, (_, path) => call(path));
  },
};

/** `hookline` itself: knows which file has which modules, by their numbers. */
const program = (files, atExit = '') => `#!/usr/bin/env node
'use strict';
const files = ${JSON.stringify(files)};
${atExit}${readFileSync(new URL('command-loader.cjs', import.meta.url), 'utf8')}`;

const REPORT = `process.on('exit', () => require('node:fs').writeSync(3, JSON.stringify(Object.keys(modules))));\n`;

/** Writes modules to the files that `fileOf` names, the main module first. Returns them by their numbers. */
function write(modules, { dir, fileOf, atExit }) {
  const files = new Map();
  for (const module of modules) {
    const file = fileOf(module);
    files.set(file, [...(files.get(file) ?? []), module]);
  }
  const numbered = [...files.values()].flat();
  const ids = new Map(numbered.map(({ path }, id) => [path, id]));
  const firsts = [];
  for (const [file, contents] of files) {
    const functions = contents.map(({ code }) => {
      const text = code.replaceAll(/\$m\(`([^`]+)`\)/g, (_, path) => `$m(${ids.get(path)})`);
      // In parentheses it is compiled at once; V8 would first only look through it.
      return `(function(module,exports,$m){${text}})`;
    });
    const text = `'use strict';\nmodule.exports=[\n${functions.join(',\n')}\n];\n`;
    writeFileSync(join(dir, file), text);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    firsts.push([`./${file}`, ids.get(contents[0].path), ...(IMPORTS.test(text) ? [] : [hash])]);
  }
  writeFileSync(join(dir, 'main.js'), program(firsts, atExit), { mode: 0o755 });
  return numbered;
}

/** The modules that everyday calls use, found out by making them: whatever else is in the same file is read in vain. */
function findEveryday(main, numbered) {
  const home = mkdtempSync(join(tmpdir(), 'hookline-build-'));
  const [claude, own] = [join(home, 'claude'), join(home, 'own')];
  const hook = { type: 'command', command: 'echo "$HOME" && exit 0' };
  const group = { matcher: 'Bash|Edit', hooks: [hook] };
  mkdirSync(join(claude, '.claude'), { recursive: true });
  mkdirSync(own);
  writeFileSync(join(claude, '.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [group] } }));
  writeFileSync(join(own, 'hookline.yaml'), JSON.stringify({ hooks: { PreToolUse: [group] } }));
  const event = { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: {} };
  const used = new Set();
  const call = (cwd, ...args) => {
    const { output } = spawnSync(process.execPath, [main, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home },
      input: JSON.stringify(event),
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    });
    for (const id of JSON.parse(output[3])) used.add(numbered[id]);
  };
  call(claude, 'list');
  call(claude, 'check');
  call(claude, 'explain', 'PreToolUse', 'Bash');
  call(claude, 'trust');
  call(claude, 'fire', 'PreToolUse', '--trust-workspace');
  call(own, 'trust', 'approve', '--yes');
  call(own, 'fire', 'PreToolUse');
  call(own, 'hook', '--host', 'gemini');
  rmSync(home, { recursive: true });
  return used;
}

/**
 * Writes the program of `input` to `dir`, as CommonJS: Node starts it faster than modules. `fileOf` says which file of
 * `dir` has a module; those that everyday calls do not use are in another one beside it.
 */
export async function buildCommand({ input, dir, fileOf, plugins, ...options }) {
  const build = await rolldown({ ...options, input, plugins: [...plugins, inlineImports] });
  const { output } = await build.generate({
    format: 'cjs',
    preserveModules: true,
    // Names of functions and classes stay, for stack traces.
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: { keepNames: true },
      codegen: { removeWhitespace: true },
    },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  const used = output.flatMap(({ code }) => [...code.matchAll(/\$m\(`(node:[^`]+)`\)/g)]);
  const ofNode = [...new Set(used.map(([, path]) => path))].map((path) => ({
    path,
    file: 'start.js',
    code: `module.exports=require("${path}")`,
  }));
  const built = output
    .toSorted((a, b) => Number(b.isEntry) - Number(a.isEntry))
    .map(({ fileName, moduleIds, code }) => ({
      path: fileName,
      file: IMPORTS.test(code) ? 'imports.js' : fileOf(moduleIds[0]),
      code: code.replace(/^#!.*/, ''),
    }));
  const modules = [...built, ...ofNode];
  mkdirSync(dir, { recursive: true });
  mkdirSync(join(dir, '../live'), { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "type": "commonjs" }\n');
  const main = join(dir, 'main.js');
  const numbered = write(modules, { dir, fileOf: ({ file }) => file, atExit: REPORT });
  const everyday = findEveryday(resolve(main), numbered);
  const mixed = new Set([...everyday].map(({ file }) => file));
  write(modules, {
    dir,
    fileOf: (module) =>
      everyday.has(module) || !mixed.has(module.file) ? module.file : module.file.replace('.js', '-more.js'),
  });
  return { output };
}
