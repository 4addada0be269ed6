/** Modules that Python finds in our folders: those named, and those that shadow the standard library. */
import { join } from 'node:path';
import type { ExecutedFiles, Variables } from './executed-files.js';
import { isFile, namesIn, pathFrom } from './places.js';

/**
 * Standard modules that Python finds only after those of the folder; names with one leading `_` are their private
 * parts.
 */
const STANDARD: ReadonlySet<string> = new Set(
  'abc argparse array ast asyncio base64 bdb binascii bisect bz2 calendar cgi cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum fcntl filecmp fileinput fnmatch fractions ftplib functools genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imp importlib inspect io ipaddress json keyword linecache locale logging lzma mailbox math mimetypes mmap modulefinder multiprocessing netrc ntpath nturl2path numbers opcode operator optparse os pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posixpath pprint profile pstats pty pyclbr pydoc pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site sitecustomize smtplib socket socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess symtable sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading timeit token tokenize tomllib trace traceback tracemalloc tty types typing unicodedata unittest urllib usercustomize uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'.split(
    ' ',
  ),
);
const LOADED = /\.(?:py|pyc|so)$/;

/** `import a, b.c`, `from a import b`, `import_module('a')`, `__import__('a')`, `run_module('a')`. */
const IMPORTS = [
  /(?:^|[\n;:])\s*import\s+([\w., \t]+)/g,
  /(?:^|[\n;:])\s*from\s+([\w.]+)\s+import\s+([\w, \t]+)/g,
  /\b(?:import_module|__import__|run_module)\s*\(\s*['"]([\w.]+)['"]/g,
];
/** `sys.path.insert(0, 'lib')`. */
const PATHS = /\bsys\.path\.(?:insert|append)\s*\(\s*(?:\d+\s*,\s*)?['"]([^'"]+)['"]/g;

/** The folders searched for a module before the installed ones. */
export function moduleFolders(folders: readonly string[], variables: Variables): readonly string[] {
  const more = (variables['PYTHONPATH'] ?? '').split(':').filter((path) => path !== '');
  return [...folders, ...more.map((path) => pathFrom(folders[0] ?? '/', path))];
}

/** Adds the files in a folder that Python would load instead of a standard module. */
export function addShadows(folders: readonly string[], executed: ExecutedFiles): void {
  for (const folder of folders.filter((each) => executed.isOurs(each))) {
    executed.folders.add(folder);
    for (const entry of namesIn(folder)) {
      const [name = ''] = entry.split('.', 1);
      if (!STANDARD.has(name) && !/^_[a-z]/.test(name)) continue;
      const file = join(folder, entry === name ? join(name, '__init__.py') : entry);
      if (entry === name) executed.folders.add(join(folder, name));
      if (LOADED.test(file) && isFile(file)) executed.add(file, { needed: false, program: false });
    }
  }
}

/** Adds the files of a module from the first folder that has it. Returns false if none has. */
export function addModule(name: string, folders: readonly string[], executed: ExecutedFiles): boolean {
  const names = name.split('.');
  for (const folder of folders) {
    const found = names.flatMap((_, index) => {
      const path = join(folder, ...names.slice(0, index + 1));
      const own = [join(path, '__init__.py'), `${path}.py`];
      return index === names.length - 1 ? [...own, join(path, '__main__.py')] : own;
    });
    for (const [index] of names.entries()) executed.folders.add(join(folder, ...names.slice(0, index)));
    const there = found.filter(isFile);
    for (const file of there) executed.add(file, { needed: true, program: false });
    if (there.length > 0) return true;
  }
  return false;
}

/** Adds the modules that inline code imports, if they are ours. */
export function addImports(code: string, folders: readonly string[], executed: ExecutedFiles): void {
  const [here = '/'] = folders;
  const own = [...code.matchAll(PATHS)].map(([, path = '']) => pathFrom(here, path));
  const places = [...folders, ...own].filter((folder) => executed.isOurs(folder));
  addShadows(places, executed);
  for (const [, modules = '', members = ''] of IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)])) {
    const names = modules.split(',').map((each) => each.trim().split(/\s/, 1)[0] ?? '');
    const inner = members.split(',').map((each) => `${names[0]}.${each.trim().split(/\s/, 1)[0]}`);
    for (const name of [...names, ...(members === '' ? [] : inner)].filter(isName))
      if (!STANDARD.has(name)) addModule(name, places, executed);
  }
}

function isName(name: string): boolean {
  return /^\w+(?:\.\w+)*$/.test(name);
}
