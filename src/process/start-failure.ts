/** Explains a failed start in one sentence that names the cause and says what to do. */

import { accessSync, closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { ProcessRequest, StartFailure } from './types.js';

export function describeStartFailure(error: NodeJS.ErrnoException, request: ProcessRequest): StartFailure {
  const inCwd = cwdProblem(request.cwd);
  if (inCwd) return { kind: 'failed-to-start', ...inCwd };
  const code = error.code ?? 'EINVAL';
  return { kind: 'failed-to-start', code, message: explain(code, error, request) };
}

function explain(code: string, error: Error, request: ProcessRequest): string {
  const program = request.args ? request.command : (request.shell ?? '/bin/sh');
  switch (code) {
    case 'ENOENT':
      return explainMissing(program, request);
    case 'EACCES':
      return explainForbidden(program, request);
    case 'E2BIG':
      return `The environment and arguments are too large for the system: ${largestPart(request)}. Pass large data by standard input.`;
    case 'EMFILE':
    case 'ENFILE':
      return `No file descriptors are left to start '${program}'. Run fewer processes at once, or raise the limit (ulimit -n).`;
    case 'EAGAIN':
    case 'ENOMEM':
      return `The system has no process or memory left to start '${program}'. Run fewer processes at once, or raise the limit (ulimit -u).`;
    default:
      return `'${program}' could not be started: ${error.message}`;
  }
}

function cwdProblem(cwd: string): { code: string; message: string } | undefined {
  try {
    if (!statSync(cwd).isDirectory()) {
      return {
        code: 'ENOTDIR',
        message: `The working directory '${cwd}' is not a directory. Give another one.`,
      };
    }
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'ENOENT';
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be entered (${code})`;
    return { code, message: `The working directory '${cwd}' ${what}. Create it, or give another one.` };
  }
}

function explainMissing(program: string, request: ProcessRequest): string {
  const path = locate(program, request);
  if (!path) {
    const where = program.includes('/')
      ? `at '${resolve(request.cwd, program)}'`
      : 'in the PATH of its environment';
    return `The program '${program}' was not found ${where}. Install it, or give its full path.`;
  }
  const interpreter = firstLine(path).match(/^#!\s*(\S+)/)?.[1];
  if (interpreter && /^#!.*\r$/.test(firstLine(path))) {
    return `'${path}' has Windows line endings, so its interpreter '${interpreter}' is looked for with a carriage return in its name. Save it with LF line endings.`;
  }
  return interpreter
    ? `'${path}' names the interpreter '${interpreter}', which was not found. Install it, or change the first line.`
    : `'${path}' exists, but the loader it was built for does not. Install a build for this system.`;
}

function explainForbidden(program: string, request: ProcessRequest): string {
  const path = locate(program, request) ?? program;
  const found = statOf(path);
  if (!(found instanceof Error) && found.isDirectory()) {
    return `'${path}' is a directory, not a program. Give the path of a file.`;
  }
  return `'${path}' may not be executed. Make it executable (chmod +x), run it through its interpreter, or check that its file system is not mounted noexec.`;
}

function largestPart(request: ProcessRequest): string {
  const parts: Array<[label: string, text: string]> = [
    [request.args ? 'the program name' : 'the command line', request.command],
    ...(request.args ?? []).map((text, index): [string, string] => [`argument ${index + 1}`, text]),
    ...Object.entries(request.env).map(([name, text]): [string, string] => [`the variable ${name}`, text]),
  ];
  const sized = parts.map(([label, text]) => ({ label, bytes: Buffer.byteLength(text) }));
  const largest = sized.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return `${largest.label} alone has ${largest.bytes} bytes`;
}

function locate(program: string, { cwd, env }: ProcessRequest): string | undefined {
  const candidates = program.includes('/')
    ? [resolve(cwd, program)]
    : (env['PATH'] ?? '/usr/bin:/bin')
        .split(delimiter)
        .map((folder) => join(isAbsolute(folder) ? folder : cwd, program));
  return candidates.find((path) => !(statOf(path) instanceof Error));
}

function firstLine(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(256);
      return start.toString('latin1', 0, readSync(file, start)).split('\n', 1)[0] ?? '';
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

function statOf(path: string): Stats | NodeJS.ErrnoException {
  try {
    return statSync(path);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
