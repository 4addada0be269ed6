/**
 * Reads the declaration files that the compiler writes. Their layout is regular (a statement begins at the margin, a
 * member four spaces in), so that text is enough and no parser is needed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** One statement that declares a name. */
export interface Declaration {
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'type' | 'function' | 'const' | 'enum' | 'namespace';
  /** The text of its doc comment; empty without one. */
  readonly doc: string;
  /** As declared, without `export` and `declare`, with the comments of its members. */
  readonly code: string;
  /** The file it stands in. */
  readonly file: string;
}

/** A method or property of a class or an interface. */
export interface Member {
  readonly name: string;
  readonly isMethod: boolean;
  readonly doc: string;
}

/** A declaration that another one names. */
export interface Reference {
  readonly target: Declaration;
  /** Only some of its fields are meant. */
  readonly picked: boolean;
}

/** What a local name stands for in another file. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

interface Module {
  readonly doc: string;
  readonly declared: ReadonlyMap<string, readonly Declaration[]>;
  /** What each name stands for that is imported here, or passed on from here. */
  readonly brought: ReadonlyMap<string, Origin>;
  /** Every name that others can import from here, but for those that come with `export *`. */
  readonly exported: readonly string[];
  /** The files of which everything is passed on. */
  readonly passedOn: readonly string[];
}

const HEAD =
  /^(export )?(?:declare )?(?:abstract )?(class|interface|type|function|const|let|enum|namespace) (\w+)/;
const LIST = /^(import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}(?:\s*from\s*['"]([^'"]+)['"])?;$/;
const ALL = /^export (?:type )?\* from ['"](\.[^'"]+)['"];$/;
/** Comments and strings: in them, brackets and names mean nothing. */
const QUIET = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
const NAME = /(?:\bimport\("([^"]+)"\)\.|\btypeof |\bPick<|(?<![.\w$]))([A-Za-z_$][\w$]*)/g;

const modules = new Map<string, Module>();

/** The comment without its stars. */
export function commentText(comment: string): string {
  return comment
    .replace(/^\s*\/\*\*?\s?/, '')
    .replace(/\s*\*\/\s*$/, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trim();
}

/** Statements with the comment right before them. A comment that another one follows belongs to the file. */
function splitStatements(text: string): { comments: string[]; code: string }[] {
  const found: { comments: string[]; code: string }[] = [];
  let comments: string[] = [];
  let code = '';
  for (const part of text.split(/(^\/\*\*[\s\S]*?\*\/\n)|(?<=\n)/m)) {
    if (part === undefined || (part.trim() === '' && code === '')) continue;
    if (code === '' && part.startsWith('/**')) {
      comments.push(part);
      continue;
    }
    code += part;
    if (!isWhole(code)) continue;
    found.push({ comments, code: code.trimEnd() });
    comments = [];
    code = '';
  }
  if (code !== '') throw new Error(`This statement does not end: ${code.slice(0, 200)}`);
  return found;
}

/** Blocks end with their brace, everything else with a semicolon; a lone brace may be one side of a union. */
function isWhole(code: string): boolean {
  const bare = code.replace(QUIET, '').trimEnd();
  const opened = bare.match(/[{([]/g)?.length ?? 0;
  const closed = bare.match(/[})\]]/g)?.length ?? 0;
  if (opened !== closed) return false;
  return bare.endsWith(';') || (/\b(class|interface|enum|namespace) \w/.test(bare) && bare.endsWith('}'));
}

/** The file that a specifier leads to; undefined for packages. */
function follow(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? resolve(dirname(file), specifier.replace(/\.js$/, '.d.ts')) : undefined;
}

/** Reads one file; the second time, remembers it. */
export function readModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  if (!existsSync(file)) throw new Error(`${file} does not exist; run npm run build.`);
  const declared = new Map<string, Declaration[]>();
  const brought = new Map<string, Origin>();
  const exported = new Set<string>();
  const passedOn: string[] = [];
  const statements = splitStatements(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
  for (const { comments, code } of statements) {
    const head = HEAD.exec(code);
    const list = LIST.exec(code.replaceAll('\n', ' '));
    const all = ALL.exec(code)?.[1];
    if (head) {
      const [, isExported, kind = '', name = ''] = head;
      const declaration: Declaration = {
        name,
        kind: (kind === 'let' ? 'const' : kind) as Declaration['kind'],
        doc: commentText(comments.at(-1) ?? ''),
        code: code.replace(/^(export )?(declare )?/, '').replace(/^ +#private;\n/m, ''),
        file,
      };
      declared.set(name, [...(declared.get(name) ?? []), declaration]);
      if (isExported) exported.add(name);
    } else if (list) {
      const [, verb, names = '', from] = list;
      const target = from === undefined ? file : follow(file, from);
      for (const entry of names.split(',').map((each) => each.trim().replace(/^type /, ''))) {
        if (entry === '') continue;
        const [name = '', alias = name] = entry.split(' as ');
        if (verb === 'export') exported.add(alias);
        if (target !== undefined && (target !== file || alias !== name))
          brought.set(alias, { file: target, name });
      }
    } else if (all !== undefined) {
      passedOn.push(follow(file, all) ?? '');
    } else if (!/^(import\b|export \{\};|declare global\b)/.test(code)) {
      throw new Error(`${file}: this statement is not understood: ${code.slice(0, 200)}`);
    }
  }
  const first = statements[0];
  const module: Module = {
    doc: commentText(
      first && !(HEAD.test(first.code) && first.comments.length < 2) ? (first.comments[0] ?? '') : '',
    ),
    declared,
    brought,
    exported: [...exported],
    passedOn,
  };
  modules.set(file, module);
  return module;
}

/** What declares a name that is known in a file, wherever that is; empty for names of packages and of the language. */
export function findDeclarations(file: string, name: string): readonly Declaration[] {
  const { declared, brought, passedOn } = readModule(file);
  const here = declared.get(name);
  if (here) return here;
  const origin = brought.get(name);
  if (origin) return findDeclarations(origin.file, origin.name);
  return passedOn.map((each) => findDeclarations(each, name)).find(({ length }) => length > 0) ?? [];
}

/** The declarations that a declaration's types name. */
export function referencesOf(declaration: Declaration): readonly Reference[] {
  const bare = declaration.code.replace(QUIET, (text) => (/^["']\.{1,2}\//.test(text) ? text : '""'));
  return [...bare.matchAll(NAME)].flatMap(([whole, specifier, name = '']) => {
    // What begins with a small letter is a field or a parameter, unless the type of a value is asked for.
    if (!/^[A-Z]/.test(name) && !whole.startsWith('typeof')) return [];
    const file = specifier === undefined ? declaration.file : follow(declaration.file, specifier);
    if (file === undefined || name === declaration.name) return [];
    const picked = whole.startsWith('Pick<');
    return findDeclarations(file, name).map((target) => ({ target, picked }));
  });
}

/** The members of a class or an interface, in order; private ones are not declared to the outside. */
export function membersOf({ kind, code }: Declaration): readonly Member[] {
  if (kind !== 'class' && kind !== 'interface') return [];
  const members = code.matchAll(
    /(?<=\n)( {4}\/\*\*[\s\S]*?\*\/\n)? {4}((?:readonly |static |abstract |get |set )*)(\[?[\w$.#]+\]?)\??(<|\(|:)/g,
  );
  return [...members].map(([, comment = '', words, name = '', next]) => ({
    name,
    isMethod: next !== ':' && !/[gs]et /.test(words ?? ''),
    doc: commentText(comment),
  }));
}
