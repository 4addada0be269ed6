/**
 * Turns the handlers named in a file into hooks that can run. A handler that cannot be found is reported before
 * anything is fired.
 */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { isOfWorkspace, type Layer, type LoadedHook } from '../../config/loaded.js';
import type { AnyEvent, HookCallback } from '../../events/types.js';
import { StartError } from '../../handlers/completion.js';
import type { AnyCallback, Hook } from '../../handlers/types.js';
import { encodeHookEvent } from './event.js';
import { loadModuleHandler } from './module-handler.js';
import { PythonHost } from './python/host.js';
import { checkPythonHandler, pythonHook, readPythonHandler } from './python/python.js';
import type { HandlerKind, WrittenHook } from './types.js';

export interface HandlerOptions {
  /**
   * Relative paths start here, handlers run here, and Python searches modules here first. Default: the file's folder.
   */
  readonly cwd?: string | undefined;
  /** The Python interpreter. Default: `python3`. */
  readonly python?: string | undefined;
  /** Additional folders in which Python searches modules. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Whether handlers are imported when the file is loaded. Importing runs their code, so workspace handlers are
   * imported only when they are first called. Default: true, except for the layers `project` and `local`.
   */
  readonly preflight?: boolean | undefined;
  /** The timeout for importing a handler, in seconds. Default: 30. */
  readonly importTimeout?: number | undefined;
}

/** The result for a handler: a hook to register, or why there is none. */
type Prepared = { readonly hook: Hook } | { readonly problem: string };

export class Handlers {
  readonly #folder: string;
  readonly #python: string;
  readonly #preflight: boolean;
  readonly #importMs: number;
  /** Workspace handlers get no secrets. */
  readonly #environment: 'inherit' | 'scrub';
  readonly #host: PythonHost;

  constructor(file: string, layer: Layer, options: HandlerOptions) {
    this.#folder = resolve(options.cwd ?? dirname(file));
    this.#python = options.python ?? 'python3';
    const workspace = isOfWorkspace({ layer });
    this.#environment = workspace ? 'scrub' : 'inherit';
    this.#preflight = options.preflight ?? !workspace;
    this.#importMs = (options.importTimeout ?? 30) * 1000;
    this.#host = new PythonHost({
      python: this.#python,
      cwd: this.#folder,
      paths: [this.#folder, ...(options.paths ?? [])],
      environment: this.#environment,
    });
  }

  /** Never rejects. `onProblem` is called with the reason why a handler will never run. */
  async prepare(written: WrittenHook, onProblem: (message: string) => void): Promise<LoadedHook> {
    const { handler, kind, source, broken } = written;
    const prepared = broken === undefined ? await this.#kinds[kind](written) : { problem: broken };
    const found = { description: handler, source, written: { type: kind, handler } };
    if ('hook' in prepared) return { ...found, hook: prepared.hook };
    const message = `${handler} cannot run: ${prepared.problem}`;
    if (broken === undefined) onProblem(message);
    return { ...found, hook: refusing(handler, message), inactive: { reason: 'broken', message } };
  }

  /** Ends the Python process. Resolves when it has exited. */
  close(): Promise<void> {
    return this.#host.close();
  }

  readonly #kinds: Readonly<Record<HandlerKind, (written: WrittenHook) => Promise<Prepared>>> = {
    python: async ({ handler: text }) => {
      const read = readPythonHandler(text, this.#folder);
      if ('problem' in read) return read;
      const { handler } = read;
      const problem = this.#preflight
        ? await checkPythonHandler(handler, this.#host, this.#importMs)
        : undefined;
      return problem === undefined
        ? { hook: { type: 'prepared', name: text, run: pythonHook(handler, { host: this.#host }) } }
        : { problem };
    },
    command: async ({ handler }) => {
      const found = findCommand(handler, this.#folder, this.#python);
      if ('problem' in found) return found;
      const environment = this.#environment;
      return { hook: { type: 'command', name: handler, cwd: this.#folder, environment, ...found } };
    },
    module: async ({ handler: text }) => {
      let loading = this.#preflight ? loadModuleHandler(text, this.#folder, this.#importMs) : undefined;
      const loaded = await loading;
      if (loaded !== undefined && 'problem' in loaded) return loaded;
      const callback: AnyCallback = async (input, _, context) => {
        loading ??= loadModuleHandler(text, this.#folder, this.#importMs);
        const ready = await loading;
        if ('problem' in ready) throw new StartError(ready.problem);
        return ready.handler(encodeHookEvent(input['hook_event_name'] as AnyEvent, input), context);
      };
      return { hook: { type: 'callback', name: text, callback: callback as HookCallback } };
    },
  };
}

/** Registered instead of a handler that does not exist. */
function refusing(name: string, message: string): Hook {
  return { type: 'prepared', name, onFailure: 'block', run: () => ({ kind: 'failed-to-start', message }) };
}

type FoundCommand =
  | { readonly command: string; readonly args?: readonly string[] }
  | { readonly problem: string };

/** A script that is not executable runs with its interpreter. */
function interpreterOf(path: string, python: string): string | undefined {
  const extension = extname(path);
  if (extension === '.py') return python;
  if (extension === '.sh') return '/bin/sh';
  return ['.js', '.mjs', '.cjs'].includes(extension) ? process.execPath : undefined;
}

/** Relative paths start at `folder`. Only more than one word is a line for the shell. */
function findCommand(handler: string, folder: string, python: string): FoundCommand {
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
