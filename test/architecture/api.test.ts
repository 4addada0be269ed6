import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_DIRECTORY, apiPages, readEntries } from '../../spec/generate-api.js';
import {
  commentText,
  type Declaration,
  findDeclarations,
  membersOf,
  readModule,
  referencesOf,
} from '../../spec/read-declarations.js';
import { filesIn } from './sources.js';

const STALE = 'The reference is not that of the code. Run npm run api and commit what it writes to spec/api.';

/** Whether a comment says which errors come, or that none do. */
const SAYS_WHAT_IS_THROWN = /\b(throw|reject)(s|n)?\b/i;
const IS_SENTENCE = /^[^a-z\s].*[.!?:]$/s;

/** Everything that can be imported, once. */
const declarations: readonly Declaration[] = [
  ...new Set(readEntries().flatMap(({ names }) => [...names.values()].flat())),
];

const sources = new Map(filesIn('src', '.ts').map(({ path, text }) => [path, text]));
const sourceOf = (file: string): string => file.replace(/^.*[/\\]dist[/\\](.*)\.d\.ts$/, 'src/$1.ts');

/** A declaration at the top of a file would get the comment that says what the file is for; that does not count. */
function saysWhatItIs({ doc, file }: Declaration): boolean {
  const head = /^(?:#!.*\n)?(\/\*\*[\s\S]*?\*\/)/.exec(sources.get(sourceOf(file)) ?? '')?.[1] ?? '';
  return IS_SENTENCE.test(doc) && doc !== commentText(head);
}

const place = ({ file, name }: Declaration, member?: string): string =>
  `${sourceOf(file)}: ${name}${member === undefined ? '' : `.${member}`}`;

/** The methods of a declaration; of overloads the first, which speaks for all. The class speaks for its constructor. */
function methodsOf(declaration: Declaration): readonly { readonly name: string; readonly doc: string }[] {
  const methods = membersOf(declaration).filter(({ isMethod, name }) => isMethod && name !== 'constructor');
  return methods.filter(({ name }, i) => methods.findIndex((other) => other.name === name) === i);
}

const isFunction = ({ kind, code }: Declaration): boolean =>
  kind === 'function' || (kind === 'const' && /^const \w+: (<.*>)?\(.*=>/s.test(code));

function firstDifference(written: string, wanted: string): string | undefined {
  const [old, fresh] = [written.split('\n'), wanted.split('\n')];
  const at = fresh.findIndex((line, i) => line !== old[i]);
  if (at < 0) return old.length > fresh.length ? `line ${fresh.length + 1} is too much` : undefined;
  return `line ${at + 1} is ${JSON.stringify(old[at])}, should be ${JSON.stringify(fresh[at])}`;
}

describe('the reference of the public names', () => {
  it('architecture: spec/api holds a page for every entry of package.json, and no others', () => {
    const written = existsSync(API_DIRECTORY) ? readdirSync(API_DIRECTORY) : [];
    expect(written.sort(), STALE).toEqual([...apiPages().keys()].sort());
  });

  it.each([...apiPages()])(
    'architecture: spec/api/%s says what the code says; run npm run api',
    (page, text) => {
      const written = existsSync(API_DIRECTORY + page) ? readFileSync(API_DIRECTORY + page, 'utf8') : '';
      expect(firstDifference(written, text), STALE).toBeUndefined();
    },
  );
});

describe('doc comments', () => {
  it('architecture: everything that can be imported says what it is, in a sentence', () => {
    const silent = declarations.filter((each) => !saysWhatItIs(each)).map((each) => place(each));
    expect(silent).toEqual([]);
  });

  it('architecture: every public method says what it does', () => {
    const silent = declarations.flatMap((each) =>
      methodsOf(each)
        .filter(({ doc }) => !IS_SENTENCE.test(doc))
        .map(({ name }) => place(each, name)),
    );
    expect(silent).toEqual([]);
  });

  it('architecture: every function says what it throws or rejects with, or that it never does', () => {
    const vague = declarations.filter((each) => isFunction(each) && !SAYS_WHAT_IS_THROWN.test(each.doc));
    expect(vague.map((each) => place(each))).toEqual([]);
  });

  it('architecture: so does every method, or its class or interface for all of them', () => {
    const vague = declarations
      .filter(({ doc }) => !SAYS_WHAT_IS_THROWN.test(doc))
      .flatMap((each) =>
        methodsOf(each)
          .filter(({ doc }) => !SAYS_WHAT_IS_THROWN.test(doc))
          .map(({ name }) => place(each, name)),
      );
    expect(vague).toEqual([]);
  });
});

describe('the reader of declarations', () => {
  it('architecture: finds what the entries are known to export, with comments and members', () => {
    const loop = declarations.find(
      ({ name, kind }) => name === 'AgentLoop' && kind === 'class',
    ) as Declaration;
    expect(loop.doc).toMatch(/^One session of an agent/);
    expect(methodsOf(loop).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['run', 'close', '[Symbol.asyncDispose]']),
    );
    expect(loop.code).not.toContain('#private');
    const runner = declarations.find(({ code }) => code.startsWith('class HookRunnerImplementation'));
    expect(runner && methodsOf(runner).map(({ name }) => name)).toContain('fire');
    expect(declarations.length).toBeGreaterThan(250);
  });

  it('architecture: follows names through lists, aliases, stars and imports in place', () => {
    const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    try {
      write('types.d.ts', "export type Shape = {\n    a: 1;\n}\n/** Or this. */\n | {\n    b: '}';\n};\n");
      write('all.d.ts', "export * from './types.js';\ntype Own = 1;\nexport {};\n");
      const entry = write(
        'index.d.ts',
        [
          '/** The file. */',
          "import { type Shape as Form } from './all.js';",
          '/** First. */',
          'export declare function make(form: Form): void;',
          'export declare function make(list: readonly Pick<Hidden, "x">[]): typeof table;',
          'interface Hidden {',
          '    /** Says x. */',
          '    x(): import("./all.js").Shape;',
          '}',
          'declare const table: number;',
          'export { make as build, type Hidden as Shown };\n',
        ].join('\n'),
      );
      const { doc, exported } = readModule(entry);
      expect([doc, exported]).toEqual(['The file.', ['make', 'build', 'Shown']]);
      const [first, second] = findDeclarations(entry, 'build');
      expect([first?.doc, second?.doc]).toEqual(['First.', '']);
      const named = (declaration: Declaration | undefined): readonly string[] =>
        declaration === undefined ? [] : referencesOf(declaration).map(({ target }) => target.name);
      expect([named(first), named(second)]).toEqual([['Shape'], ['Hidden', 'table']]);
      expect(second && referencesOf(second).map(({ picked }) => picked)).toEqual([true, false]);
      const [shown] = findDeclarations(entry, 'Shown');
      expect(named(shown)).toEqual(['Shape']);
      expect(shown && membersOf(shown)).toEqual([{ name: 'x', isMethod: true, doc: 'Says x.' }]);
      expect(() => readModule(write('odd.d.ts', 'export default 1;\n'))).toThrow('not understood');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('architecture: takes the stars off a comment', () => {
    expect(commentText('/** One line. */')).toBe('One line.');
    expect(commentText('    /**\n     * Two\n     *  lines.\n     */\n')).toBe('Two\n lines.');
  });
});
