import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { FOLDERS } from './folders.js';
import { filesIn, importsOf, typeImportsOf, withoutComments } from './sources.js';

/** The one file that stands outside of the folders: the root entry. */
const ROOT_ENTRY = 'index.ts';

const names = Object.keys(FOLDERS).sort((one, other) => other.length - one.length);
const folderOf = (path: string): string => names.find((name) => path.startsWith(`${name}/`)) ?? '';
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
const targetOf = (file: string, specifier: string): string =>
  posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** The file it leads to; undefined for packages and Node's own modules. */
  readonly target: string | undefined;
  /** It leaves no trace in what is built. */
  readonly isType: boolean;
}

const files = filesIn('src', '.ts').map(({ path, text }) => ({ path: path.slice('src/'.length), text }));
const imports: readonly Import[] = files.flatMap(({ path, text }) => {
  const types = typeImportsOf(text);
  return importsOf(text).map((specifier) => ({
    file: path,
    specifier,
    target: specifier.startsWith('.') ? targetOf(path, specifier) : undefined,
    isType: types.includes(specifier),
  }));
});
/** From one folder to another. */
const crossing = imports.flatMap(({ file, target }) =>
  target !== undefined && folderOf(file) !== folderOf(target) ? [{ file, target }] : [],
);
const entries = Object.values(manifest.exports)
  .flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]))
  .map((path) => path.replace('./dist/', '').replace(/\.js$/, '.ts'));

/** All files that are loaded with these; with `types`, also those that only the compiler sees. */
function closure(from: readonly string[], types: boolean): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...from];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const each of imports)
      if (each.file === file && each.target !== undefined && (types || !each.isType)) open.push(each.target);
  }
  return seen;
}

describe('folders', () => {
  it('architecture: every file but the root entry lies in a folder of the table', () => {
    expect(files.filter(({ path }) => folderOf(path) === '').map(({ path }) => path)).toEqual([ROOT_ENTRY]);
  });

  it.each(Object.entries(FOLDERS))(
    'architecture: %s imports the folders of its row, and all of them',
    (name, { imports: allowed }) => {
      const used = new Set(
        crossing.filter(({ file }) => folderOf(file) === name).map(({ target }) => folderOf(target)),
      );
      expect([...used].sort()).toEqual([...allowed].sort());
    },
  );

  it.each(Object.entries(FOLDERS))(
    'architecture: others import only the public files of %s',
    (name, { files: allowed }) => {
      const used = new Set(
        [
          ...crossing.map(({ target }) => target),
          ...entries,
          manifest.bin.hookline.replace('dist/', '').replace(/\.js$/, '.ts'),
        ]
          .filter((target) => folderOf(target) === name)
          .map((target) => target.slice(name.length + 1).replace(/\.ts$/, '')),
      );
      expect([...used].sort()).toEqual([...allowed].sort());
    },
  );

  it('architecture: imports go one way: a folder comes after all that it imports', () => {
    const order = Object.keys(FOLDERS);
    const wrong = Object.entries(FOLDERS).flatMap(([name, { imports: allowed }]) =>
      allowed
        .filter((other) => order.indexOf(other) > order.indexOf(name))
        .map((other) => `${name} > ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  it('architecture: no library entry loads the command line', () => {
    const reached = [...closure(entries, true)].filter((path) => folderOf(path) === 'cli');
    expect(reached).toEqual([]);
  });

  it('architecture: no two files need each other to be loaded', () => {
    const cycles = files
      .map(({ path }) => path)
      .filter((path) =>
        closure(
          imports.flatMap(({ file, target, isType }) => (file === path && target && !isType ? [target] : [])),
          false,
        ).has(path),
      );
    expect(cycles).toEqual([]);
  });
});

describe('packages', () => {
  it.each(
    Object.entries(FOLDERS).flatMap(([name, { packages }]) => (packages ? [[name, packages] as const] : [])),
  )('architecture: %s needs no packages but %j', (name, packages) => {
    const wrong = imports
      .filter(({ file, target }) => folderOf(file) === name && target === undefined)
      .filter(({ specifier }) => !packages.includes(packageOf(specifier)))
      .map(({ file, specifier }) => `${file} imports ${specifier}`);
    expect(wrong).toEqual([]);
  });

  it('architecture: whatever else is imported comes with Node or is a declared dependency', () => {
    const declared = new Set([
      // Types that leave no trace in what is built (PK-13): users need not install it.
      'typed-emitter',
      // Built into the files (PK-22).
      'execa',
      'jsonc-parser',
      'marked',
      'picocolors',
      'smol-toml',
      'string-width',
      'wrap-ansi',
      'yaml',
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.peerDependenciesMeta),
    ]);
    const wrong = imports
      .filter(({ target, specifier }) => target === undefined && !specifier.startsWith('node:'))
      .filter(({ specifier }) => !declared.has(packageOf(specifier)))
      .map(({ file, specifier }) => `${file} imports ${specifier}`);
    expect(wrong).toEqual([]);
  });

  it('architecture: imports name files that exist, with the ending that Node wants', () => {
    const known = new Set(files.map(({ path }) => path));
    const wrong = imports.filter(
      ({ specifier, target }) => target !== undefined && (!specifier.endsWith('.js') || !known.has(target)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the reader of imports', () => {
  const code = `
      import a from './a.js'; // import x from './no.js'
      import { b, type B } from "./b.js";
      import {
        c,
      } from './c.js';
      import './d.js';
      /* import y from './no.js' */
      export { e } from './e.js';
      export type * from './f.js';
      const g = await import('./g.js');
      const url = 'http://example.com'; const h = require('./h.js');
    `;

  it('architecture: sees every form of import, and none in comments', () => {
    expect(importsOf(code)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `./${name}.js`));
  });

  it('architecture: tells imports of types alone, also where a file is imported twice', () => {
    expect(typeImportsOf(code)).toEqual(['./f.js']);
    expect(typeImportsOf("import type { A } from './a.js';\nimport { a } from './a.js';")).toEqual([]);
    expect(typeImportsOf("import type { A } from './a.js';\nimport { type B } from './b.js';")).toEqual([
      './a.js',
      './b.js',
    ]);
  });

  it('architecture: comments are blanked out, what looks like one in a string or a pattern is not', () => {
    const text = "const a = '/* no */'; // yes\nconst b = /[/]*'/; const c = `//`; /** yes\n */ const d = 1;";
    const left = withoutComments(text);
    expect(left.split('\n')).toHaveLength(3);
    expect(left).not.toContain('yes');
    expect(left).toContain("'/* no */'");
    expect(left).toContain("/[/]*'/; const c = `//`;");
    expect(left).toContain('const d = 1;');
  });
});
