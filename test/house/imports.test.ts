import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { filesIn, importsOf, withoutComments } from './sources.js';

/**
 * Who may import whom. A part is a folder of `src/`, or a file in it, without its ending.
 * A new part needs a row; `packages` is given where not every dependency is welcome.
 */
const MAY_IMPORT: Readonly<Record<string, { parts: readonly string[]; packages?: readonly string[] }>> = {
  errors: { parts: [], packages: [] },
  json: { parts: ['json'], packages: ['node:util'] },
  text: { parts: ['text', 'errors'], packages: ['minimatch'] },
  process: { parts: ['process'] },
  events: { parts: ['events', 'errors'], packages: ['zod'] },
  messages: { parts: ['messages', 'errors', 'events'] },
  models: { parts: ['models', 'errors', 'json', 'text'] },
  hooks: { parts: ['hooks', 'errors', 'events', 'json', 'process', 'text'] },
  tools: { parts: ['tools', 'errors', 'json', 'process', 'text'] },
  shell: { parts: ['shell'], packages: ['unbash', 'minimatch', 'node:path', 'node:path/posix'] },
  permission: { parts: ['permission', 'errors', 'events', 'shell', 'text'] },
  config: { parts: ['config', 'errors', 'events', 'hooks', 'json', 'shell', 'text'] },
  dialects: { parts: ['dialects', 'errors', 'events', 'hooks', 'config', 'json', 'permission', 'text'] },
  pipeline: {
    parts: ['pipeline', 'errors', 'events', 'hooks', 'config', 'json', 'process', 'messages', 'dialects'],
  },
  injection: {
    parts: ['injection', 'errors', 'events', 'json', 'text', 'config', 'hook-runner', 'pipeline', 'messages'],
  },
  workspaces: { parts: ['workspaces', 'errors', 'text', 'injection'] },
  loop: {
    parts: [
      'loop',
      'text',
      'errors',
      'events',
      'json',
      'messages',
      'models',
      'tools',
      'permission',
      'hook-runner',
      'hooks',
      'pipeline',
      'injection',
    ],
  },
  live: {
    parts: [
      'live',
      'text',
      'errors',
      'events',
      'messages',
      'models',
      'permission',
      'pipeline',
      'hook-runner',
      'injection',
      'loop',
    ],
  },
  adapters: {
    parts: [
      'adapters',
      'text',
      'errors',
      'events',
      'json',
      'messages',
      'process',
      'hook-runner',
      'pipeline',
      'injection',
      'config',
    ],
  },
  cli: {
    parts: [
      'cli',
      'text',
      'adapters',
      'errors',
      'events',
      'json',
      'messages',
      'models',
      'tools',
      'permission',
      'config',
      'dialects',
      'hooks',
      'pipeline',
      'loop',
      'live',
      'injection',
      'process',
      'hook-runner',
      'runner',
      'runner-options',
      'live-config',
    ],
  },
};

/** The files at the top, where the parts are put together. */
const PUTS_TOGETHER = [
  'index',
  'runner',
  'runner-options',
  'runner-errors',
  'hook-runner',
  'process-pool',
  'engine',
  'live-config',
];

const partOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.ts$/, '');
const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** The part it leads to; undefined for packages and Node's own modules. */
  readonly part: string | undefined;
}

const files = filesIn('src', '.ts');
const imports: readonly Import[] = files.flatMap(({ path, text }) =>
  importsOf(text).map((specifier) => ({
    file: path,
    specifier,
    part: specifier.startsWith('.')
      ? partOf(posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts'))
      : undefined,
  })),
);
const inParts = files.filter(({ path }) => !PUTS_TOGETHER.includes(partOf(path)));

describe('imports', () => {
  it('the house: every part has a row that says what it may import', () => {
    expect(
      inParts.map(({ path }) => partOf(path)).filter((part) => !Object.hasOwn(MAY_IMPORT, part)),
    ).toEqual([]);
  });

  it.each(Object.keys(MAY_IMPORT))('the house: %s imports only what it may', (part) => {
    const allowed = MAY_IMPORT[part]?.parts ?? [];
    const wrong = imports
      .filter(({ file }) => partOf(file) === part)
      .filter((each) => each.part !== undefined && !allowed.includes(each.part))
      .map(({ file, specifier }) => `${file} imports ${specifier}`);
    expect(wrong).toEqual([]);
  });

  it.each(
    Object.entries(MAY_IMPORT).flatMap(([part, { packages }]) =>
      packages ? [[part, packages] as const] : [],
    ),
  )('the house: %s needs no packages but %j', (part, packages) => {
    const wrong = imports
      .filter(({ file, part: target }) => partOf(file) === part && target === undefined)
      .filter(({ specifier }) => !packages.includes(packageOf(specifier)))
      .map(({ file, specifier }) => `${file} imports ${specifier}`);
    expect(wrong).toEqual([]);
  });

  it('the house: no two parts import each other', () => {
    const pairs = new Set(
      imports
        .filter(({ file, part }) => part !== undefined && part !== partOf(file))
        .map(({ file, part }) => `${partOf(file)} > ${part}`),
    );
    const mutual = [...pairs].filter((pair) => pairs.has(pair.split(' > ').reverse().join(' > ')));
    expect(mutual).toEqual([]);
  });

  it('the house: whatever else is imported comes with Node or is a declared dependency', () => {
    const declared = new Set([
      // Types that leave no trace in what is built (PK-13): users need not install it.
      'typed-emitter',
      ...Object.keys(manifest.dependencies),
      ...Object.keys((manifest as { peerDependencies?: object }).peerDependencies ?? {}),
    ]);
    const wrong = imports
      .filter(({ part, specifier }) => part === undefined && !specifier.startsWith('node:'))
      .filter(({ specifier }) => !declared.has(packageOf(specifier)))
      .map(({ file, specifier }) => `${file} imports ${specifier}`);
    expect(wrong).toEqual([]);
  });

  it('the house: imports name files that exist, with the ending that Node wants', () => {
    const known = new Set(files.map(({ path }) => path));
    const wrong = imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(({ file, specifier }) => {
        const target = posix.join(posix.dirname(file), specifier);
        return !target.endsWith('.js') || !known.has(target.replace(/\.js$/, '.ts'));
      });
    expect(wrong).toEqual([]);
  });
});

describe('the reader of imports', () => {
  it('the house: sees every form of import, and none in comments', () => {
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
    expect(importsOf(code)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `./${name}.js`));
  });

  it('the house: comments are blanked out, what looks like one in a string or a pattern is not', () => {
    const code = "const a = '/* no */'; // yes\nconst b = /[/]*'/; const c = `//`; /** yes\n */ const d = 1;";
    const left = withoutComments(code);
    expect(left.split('\n')).toHaveLength(3);
    expect(left).not.toContain('yes');
    expect(left).toContain("'/* no */'");
    expect(left).toContain("/[/]*'/; const c = `//`;");
    expect(left).toContain('const d = 1;');
  });
});
