import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { API_DIRECTORY, apiPages, readEntries } from '../../spec/generate-api.js';
import { commentText, type Declaration, findDeclarations, membersOf } from '../../spec/read-declarations.js';

const STALE = 'The reference is not that of the code. Run npm run api and commit what it writes to spec/api.';

/** Whether a comment says which errors come, or that none do. */
const SAYS_WHAT_IS_THROWN = /\b(throw|reject)(s|n)?\b/i;
const IS_SENTENCE = /^[^a-z\s].*[.!?:]$/s;

/** Everything that can be imported; an alias that only gives another name to a class stands for that class. */
const declarations: readonly Declaration[] = [
  ...new Set(readEntries().flatMap(({ names }) => [...names.values()].flat().flatMap(withNamesake))),
];

function withNamesake(declaration: Declaration): readonly Declaration[] {
  const name = /^type \w+ = (\w+);$/.exec(declaration.code)?.[1];
  const same = name === undefined ? [] : findDeclarations(declaration.file, name);
  return [declaration, ...same.filter(({ kind }) => kind === 'class')];
}

const place = ({ file, name }: Declaration, member?: string): string =>
  `${file.replace(/^.*\/dist\/(.*)\.d\.ts$/, 'src/$1.ts')}: ${name}${member === undefined ? '' : `.${member}`}`;

/** The methods of a declaration; of overloads the first, which speaks for all. The class speaks for its constructor. */
function methodsOf(declaration: Declaration): readonly { readonly name: string; readonly doc: string }[] {
  const methods = membersOf(declaration).filter(({ isMethod, name }) => isMethod && name !== 'constructor');
  return methods.filter(({ name }, i) => methods.findIndex((other) => other.name === name) === i);
}

const isFunction = ({ kind, code }: Declaration): boolean =>
  kind === 'function' || (kind === 'const' && /^const \w+: (<.*>)?\(.*=>/s.test(code));

describe('the reference of the public names', () => {
  it('the house: spec/api holds a page for every entry of package.json, and no others', () => {
    const written = existsSync(API_DIRECTORY) ? readdirSync(API_DIRECTORY) : [];
    expect(written.sort(), STALE).toEqual([...apiPages().keys()].sort());
  });

  it.each([...apiPages()])(
    'the house: spec/api/%s says what the code says; run npm run api',
    (page, text) => {
      expect(readFileSync(API_DIRECTORY + page, 'utf8') === text, STALE).toBe(true);
    },
  );
});

describe('doc comments', () => {
  it('the house: everything that can be imported says what it is, in a sentence', () => {
    const silent = declarations.filter(({ doc }) => !IS_SENTENCE.test(doc)).map((each) => place(each));
    expect(silent).toEqual([]);
  });

  it('the house: every public method says what it does', () => {
    const silent = declarations.flatMap((each) =>
      methodsOf(each)
        .filter(({ doc }) => !IS_SENTENCE.test(doc))
        .map(({ name }) => place(each, name)),
    );
    expect(silent).toEqual([]);
  });

  it('the house: every function says what it throws or rejects with, or that it never does', () => {
    const vague = declarations.filter((each) => isFunction(each) && !SAYS_WHAT_IS_THROWN.test(each.doc));
    expect(vague.map((each) => place(each))).toEqual([]);
  });

  it('the house: so does every method, or its class or interface for all of them', () => {
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
  it('the house: finds what the entries are known to export, with comments and members', () => {
    const loop = declarations.find(({ name, kind }) => name === 'AgentLoop' && kind === 'class');
    expect(loop?.doc).toMatch(/^One session of an agent/);
    expect(methodsOf(loop as Declaration).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['run', 'close', '[Symbol.asyncDispose]']),
    );
    expect(loop?.code).not.toContain('#private');
    expect(declarations.length).toBeGreaterThan(250);
  });

  it('the house: takes the stars off a comment', () => {
    expect(commentText('/** One line. */')).toBe('One line.');
    expect(commentText('    /**\n     * Two\n     *  lines.\n     */\n')).toBe('Two\n lines.');
  });
});
