/** Reads this repository's own files, for the tests that hold its house rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The files under a folder whose names end so, sorted by path. */
export function filesIn(folder: string, ...endings: readonly string[]): readonly SourceFile[] {
  return readdirSync(ROOT + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => {
      const full = `${entry.parentPath}${sep}${entry.name}`;
      return { path: relative(ROOT, full).split(sep).join('/'), text: readFileSync(full, 'utf8') };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Comments, strings, templates and regular expressions. A slash that begins a regular expression is told by what
 * stands before it, which is enough for this code.
 */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** The code without its comments; strings and templates stay as they are. Lines keep their numbers. */
export function withoutComments(code: string): string {
  return code.replace(TOKEN, (text) => (/^\/[*/]/.test(text) ? text.replace(/[^\n]/g, ' ') : text));
}

/** What the string literals of some code hold, with their line; of templates, the text between the backticks. */
export function stringsOf(code: string): readonly { readonly text: string; readonly line: number }[] {
  return [...code.matchAll(TOKEN)]
    .filter(([text]) => /^['"`]/.test(text))
    .map((match) => ({ text: match[0].slice(1, -1), line: code.slice(0, match.index).split('\n').length }));
}

/** What a file imports or re-exports from, as written. */
export function importsOf(code: string): readonly string[] {
  const found = withoutComments(code).matchAll(
    /(?:(?<!['"])\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+|\brequire\s*\(\s*)(['"])([^'"\n]+)\1/gm,
  );
  return [...found].map((match) => match[2] ?? '');
}

/** Of these, what is imported for its types alone. */
export function typeImportsOf(code: string): readonly string[] {
  const text = withoutComments(code);
  const typed = [...text.matchAll(/\b(?:import|export)\s+type\b[^'"]*?\bfrom\s*(['"])([^'"\n]+)\1/g)].map(
    (match) => match[2] ?? '',
  );
  const listed = [...text.matchAll(/\bimport\s*\{([^}]*)\}\s*from\s*(['"])([^'"\n]+)\2/g)]
    .filter(([, list = '']) => list.split(',').every((name) => /^\s*(?:type\s|$)/.test(name)))
    .map((match) => match[3] ?? '');
  const types = [...typed, ...listed];
  const count = (list: readonly string[], one: string): number => list.filter((each) => each === one).length;
  return [...new Set(types)].filter((one) => count(types, one) === count(importsOf(code), one));
}
