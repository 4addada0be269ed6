/** Finds out what a `type: command` handler starts: a script, a program, or a line for the shell. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path';

export type FoundCommand =
  | { readonly command: string; readonly args?: readonly string[] }
  | { readonly problem: string };

/** Scripts that are not executable run with the program that reads them. */
function interpreterOf(path: string, python: string): string | undefined {
  const extension = extname(path);
  if (extension === '.py') return python;
  if (extension === '.sh') return '/bin/sh';
  return ['.js', '.mjs', '.cjs'].includes(extension) ? process.execPath : undefined;
}

/** Relative paths begin at `folder`. Only what is more than one word is a line for the shell. */
export function findCommand(handler: string, folder: string, python: string): FoundCommand {
  const path = resolve(folder, handler);
  if (isFile(path)) {
    if (isExecutable(path)) return { command: path, args: [] };
    const interpreter = interpreterOf(path, python);
    if (interpreter !== undefined) return { command: interpreter, args: [path] };
    return { problem: `${path} may not be executed; make it executable (chmod +x)` };
  }
  if (existsSync(path) && handler.includes('/')) return { problem: `${path} is a directory, not a program` };
  if (/[^\w@%+=:,./-]/.test(handler)) return { command: handler };
  if (handler.includes('/') || extname(handler) !== '') return { problem: `there is no file ${path}` };
  if (isInPath(handler)) return { command: handler, args: [] };
  return { problem: `there is neither a file ${path} nor a program ${handler} in the PATH` };
}

function isInPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  return folders.some((folder) => isFile(join(folder, program)) && isExecutable(join(folder, program)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
