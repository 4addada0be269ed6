/** What the built files import, held against what package.json declares. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { filesIn, importsOf, withoutComments } from '../architecture/sources.js';
import { OPTIONAL, packageOf, specifierOf, staticImportsOf } from './support.js';
import { readTable } from './tables.js';

const DEPENDENCIES = Object.keys(manifest.dependencies);
/** The command has its dependencies in it: see PK-22. */
const isCommand = (path: string): boolean => path.startsWith('dist/cli/');
const code = filesIn('dist', '.js').filter(({ path }) => !isCommand(path));
const declarations = filesIn('dist', '.d.ts');

const isOutside = (specifier: string): boolean => !/^(\.|node:)/.test(specifier);

function findStrangers(
  files: ReturnType<typeof filesIn>,
  importsIn: (text: string) => readonly string[],
  known: readonly string[],
): readonly string[] {
  return files.flatMap(({ path, text }) =>
    importsIn(text)
      .filter((specifier) => isOutside(specifier) && !known.includes(packageOf(specifier)))
      .map((specifier) => `${path} imports ${specifier}`),
  );
}

describe('what the built files import', () => {
  it('PK-13: is Node, this package, a dependency or an optional package', () => {
    expect(findStrangers(code, importsOf, [...DEPENDENCIES, ...OPTIONAL])).toEqual([]);
    expect(findStrangers(declarations, importsOf, [...DEPENDENCIES, ...OPTIONAL])).toEqual([]);
  });

  it('PK-3: is never an optional package when a file is loaded', () => {
    expect(findStrangers(code, staticImportsOf, DEPENDENCIES)).toEqual([]);
  });

  it('PK-13: every dependency is imported by some code', () => {
    const imported = new Set(code.flatMap(({ text }) => importsOf(text)).map(packageOf));
    expect(DEPENDENCIES.filter((name) => !imported.has(name))).toEqual([]);
  });

  it('PK-13: every optional package is imported, by code when it is used or by a declaration', () => {
    const imported = new Set(
      [...code, ...declarations].flatMap(({ text }) => importsOf(text)).map(packageOf),
    );
    expect(OPTIONAL.filter((name) => !imported.has(name))).toEqual([]);
  });

  it('PK-14: nothing is imported for what it does when it is loaded, so that a bundler may leave out what is not used', () => {
    expect(manifest.sideEffects).toBe(false);
    // A chunk may import another one only to be loaded after it: what matters there is what the sources say.
    const effects = [...filesIn('src', '.ts'), ...code].flatMap(({ path, text }) =>
      [
        ...withoutComments(text).matchAll(
          path.startsWith('src/') ? /^import\s*['"]([^'"]+)/gm : /^import\s*['"]([^.'"][^'"]*)/gm,
        ),
      ].map((match) => `${path} imports ${match[1]}`),
    );
    expect(effects).toEqual([]);
  });

  it('PK-13: the reader of statements sees those, and not what is loaded on use', () => {
    const text =
      "import a, { b } from 'one';\nexport * from 'two';\nimport 'three';\nconst c = () => import('four');\nimport {\n  d,\n} from 'five';\n// import 'six'\nexport const e = 'seven';\nexport const f = { from: 'eight' };";
    expect(staticImportsOf(text)).toEqual(['one', 'two', 'three', 'five']);
  });
});

const declared = new Map(declarations.map(({ path, text }) => [path, importsOf(text)]));

/** The optional packages whose types can be reached from a file of declarations. */
function reach(path: string, seen = new Set<string>()): ReadonlySet<string> {
  const found = new Set<string>();
  if (seen.has(path)) return found;
  seen.add(path);
  for (const specifier of declared.get(path) ?? []) {
    if (OPTIONAL.includes(packageOf(specifier))) found.add(packageOf(specifier));
    if (!specifier.startsWith('.')) continue;
    const next = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.d.ts');
    for (const each of reach(next, seen)) found.add(each);
  }
  return found;
}

describe('what the command imports', () => {
  it('PK-22: is Node, its own files, and optional packages when they are used', () => {
    const command = filesIn('dist/cli', '.js');
    const required = command.flatMap(({ text }) =>
      [...text.matchAll(/\brequire\((["`])([^"`]+)\1\)/g)].map(([, , specifier]) => specifier ?? ''),
    );
    expect(required).toContain('node:fs');
    expect(required.filter((specifier) => !isBuiltin(specifier))).toEqual([]);
    const loaded = command.flatMap(({ text }) =>
      [...text.matchAll(/\bimport\(["`]([^."`][^"`]*)["`]\)/g)].map(([, specifier]) =>
        packageOf(specifier ?? ''),
      ),
    );
    expect(loaded).toContain('openai');
    expect(loaded.filter((name) => !OPTIONAL.includes(name))).toEqual([]);
  });
});

describe('the types of an entry', () => {
  const entries = Object.entries(manifest.exports).filter(
    (entry): entry is [string, { types: string; default: string }] => typeof entry[1] === 'object',
  );

  it('PK-15: name no optional packages but those that are recorded', () => {
    const needed = entries.flatMap(([entry, { types }]) =>
      [...reach(types.replace(/^\.\//, ''))].map((name) => `${specifierOf(entry)} ${name}`),
    );
    const recorded = readTable('Types of optional packages').map(([entry, name]) => `${entry} ${name}`);
    expect(needed.sort()).toEqual(recorded.toSorted());
  });
});
