/** Which folders code in another language lists, as far as its words say. */
import { join } from 'node:path/posix';
import { isSimplePattern } from './affected-paths.js';
import type { GivenFolder } from './given-folders.js';

/** Calls that list a folder or copy one. The names in the first part mean nothing else. */
const LISTS =
  /\b(listdir|scandir|iterdir|rglob|iglob|copytree|make_archive|readdir(?:Sync)?|opendir(?:Sync)?|readDir(?:Sync)?|cpSync|bsd_glob|globSync|File::Find|Find\.find|Dir\.\w+|Dir(?=\[)|lfs\.dir)|\b(glob|(?<!ast\.)walk|fs\.cp|tarfile\b[\s\S]*\.add)(?=\s*[("'])/g;
/** `<.*>` of perl. */
const ANGLES = /<([^<>\s]*[*?][^<>\s]*)>/g;
const LITERAL = /^\s*[([]?\s*[rbuf]{0,2}(['"`])((?:(?!\1)[^\\$#{])*)\1/i;
/** `Path("src").rglob(…)`. */
const BASE = /\b(?!require\b|import\b|__import__\b)\w+\s*\(\s*(['"])([^'"]*)\1\s*\)\s*\.\s*$/;

/** Contract: pure. A folder that is not a plain text in the code is the current one. */
export function foldersInCode(code: string): readonly GivenFolder[] {
  const found = [...code.matchAll(LISTS)].map((match) => {
    const after = code.slice(match.index + match[0].length);
    const [, , base = '.'] = BASE.exec(code.slice(0, match.index)) ?? [];
    return folderOf(base, LITERAL.exec(after)?.[2] ?? '');
  });
  const angles = [...code.matchAll(ANGLES)].map(([, pattern = '']) => folderOf('.', pattern));
  return [...found, ...angles];
}

/** The part before the first wildcard is the folder; the last name says which of its files. */
function folderOf(base: string, pattern: string): GivenFolder {
  const names = pattern.split('/');
  const first = names.findIndex((name) => /[*?[]/.test(name));
  if (first < 0) return { path: pattern.startsWith('/') ? pattern : join(base, pattern || '.'), filter: {} };
  const last = names.at(-1) ?? '';
  const start = pattern.startsWith('/') ? '/' : base;
  const only = last !== '**' && isSimplePattern(last) ? { only: [last] } : {};
  return { path: join(start, ...names.slice(0, first)), filter: only };
}
