/** Finds the paths in a tool call by the names of its arguments, and whether the tool only reads. */

/** A path in the arguments of a call. */
export interface PathArgument {
  /** For example `edits.0.file_path`. */
  readonly key: string;
  readonly path: string;
}

const PATH_WORDS: ReadonlySet<string> = new Set([
  ...[
    'path',
    'paths',
    'file',
    'files',
    'filename',
    'filenames',
    'filepath',
    'filepaths',
    'dir',
    'dirs',
    'dirpath',
  ],
  ...['directory', 'directories', 'folder', 'folders', 'cwd', 'root', 'workspace', 'workdir'],
  ...['source', 'sources', 'destination', 'destinations', 'src', 'dst', 'dest', 'target', 'targets'],
]);

const READING: ReadonlySet<string> = new Set([
  ...[
    'read',
    'list',
    'ls',
    'search',
    'find',
    'grep',
    'glob',
    'view',
    'cat',
    'stat',
    'info',
    'tree',
    'get',
    'show',
    'head',
    'tail',
  ],
]);

const WRITING: ReadonlySet<string> = new Set([
  ...[
    'write',
    'edit',
    'create',
    'delete',
    'remove',
    'move',
    'rename',
    'copy',
    'append',
    'update',
    'patch',
    'set',
    'make',
  ],
  ...[
    'mkdir',
    'save',
    'insert',
    'replace',
    'put',
    'upload',
    'download',
    'run',
    'exec',
    'execute',
    'bash',
    'shell',
    'command',
  ],
]);

/** Deeper data is not searched. */
const MAX_DEPTH = 8;

/** `mcp__files__readTextFile` has the words read, text, file: the server's name is ignored. */
function wordsOf(name: string): readonly string[] {
  return (name.split('__').at(-1) ?? '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** A tool that is not known to be read-only is treated as writing. */
export function onlyReads(toolName: string): boolean {
  const words = wordsOf(toolName);
  return words.some((word) => READING.has(word)) && !words.some((word) => WRITING.has(word));
}

export function pathArguments(toolName: string, input: unknown): readonly PathArgument[] {
  const found: PathArgument[] = [];
  const globs = wordsOf(toolName).includes('glob');
  const visit = (value: unknown, key: string, isPath: boolean, depth: number): void => {
    if (typeof value === 'string') {
      if (isPath && value !== '' && !/^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(value))
        found.push({ key, path: value });
      return;
    }
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    for (const [name, inner] of Object.entries(value)) {
      const isNamed = Array.isArray(value) ? isPath : isPathName(name) || (globs && name === 'pattern');
      visit(inner, key === '' ? name : `${key}.${name}`, isNamed, depth + 1);
    }
  };
  visit(input, '', false, 0);
  return found;
}

/** `file_path`, `absolutePath`, `notebook_path`, `directory`: the last word decides. */
function isPathName(name: string): boolean {
  return PATH_WORDS.has(wordsOf(name).at(-1) ?? '');
}
