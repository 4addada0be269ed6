/** From what a file says to hooks that can run. A handler that cannot be found is known before anything is fired. */
import { dirname, resolve } from 'node:path';
import type { Layer, LoadedHook } from '../../config/loaded.js';
import type { Hook } from '../../config/types.js';
import type { HookEvent } from '../../events/types.js';
import type { AnyCallback } from '../../hooks/callback.js';
import type { RunHook } from '../../hooks/hook.js';
import { checkPythonHandler, pythonHook, readPythonHandler } from '../../hooks/python.js';
import { PythonHost } from '../../hooks/python-host.js';
import { inheritEnvironment, scrubEnvironment } from '../../process/environment.js';
import { findCommand } from './command-handler.js';
import type { HandlerKind, WrittenHook } from './entry.js';
import { encodeHookEvent } from './event.js';
import { loadModuleHandler } from './module-handler.js';

export interface HandlerOptions {
  /** Where relative paths begin, where handlers run, and where Python looks for modules first. Default: the file's folder. */
  readonly cwd?: string | undefined;
  /** The Python interpreter. Default: `python3`. */
  readonly python?: string | undefined;
  /** Further folders in which Python looks for modules. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Whether handlers are imported when the file is loaded. Importing runs their code, so what comes with a workspace is
   * imported only when it is first called. Default: true, except for the layers `project` and `local`.
   */
  readonly preflight?: boolean | undefined;
  /** Seconds that importing a handler may take. Default: 30. */
  readonly importTimeout?: number | undefined;
}

/** What becomes of a handler: what to register, or why there is nothing. */
type Prepared = { readonly hook: Hook } | { readonly problem: string };

export class Handlers {
  readonly #folder: string;
  readonly #python: string;
  readonly #preflight: boolean;
  readonly #importMs: number;
  readonly #workspace: boolean;
  readonly #host: PythonHost;

  constructor(file: string, layer: Layer, options: HandlerOptions) {
    this.#folder = resolve(options.cwd ?? dirname(file));
    this.#python = options.python ?? 'python3';
    this.#workspace = layer === 'project' || layer === 'local';
    this.#preflight = options.preflight ?? !this.#workspace;
    this.#importMs = (options.importTimeout ?? 30) * 1000;
    this.#host = new PythonHost({
      python: this.#python,
      cwd: this.#folder,
      paths: [this.#folder, ...(options.paths ?? [])],
      env: this.#workspace ? scrubEnvironment() : inheritEnvironment(),
    });
  }

  /** Never rejects. `onProblem` is told why a handler will never run. */
  async prepare(written: WrittenHook, onProblem: (message: string) => void): Promise<LoadedHook> {
    const { handler, kind, source, broken } = written;
    const prepared = broken === undefined ? await this.#kinds[kind](written) : { problem: broken };
    const found = { description: handler, source };
    if ('hook' in prepared) return { ...found, hook: prepared.hook };
    const message = `${handler} cannot run: ${prepared.problem}`;
    if (broken === undefined) onProblem(message);
    return { ...found, hook: refusing(handler, message), inactive: { reason: 'broken', message } };
  }

  /** Ends the Python process. Resolves when it is gone. */
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
        ? { hook: asHook({ type: 'run', name: text, run: pythonHook(handler, { host: this.#host }) }) }
        : { problem };
    },
    command: async ({ handler }) => {
      const found = findCommand(handler, this.#folder, this.#python);
      if ('problem' in found) return found;
      const environment = this.#workspace ? 'scrub' : 'inherit';
      return { hook: { type: 'command', name: handler, cwd: this.#folder, environment, ...found } };
    },
    module: async ({ handler: text }) => {
      let loading = this.#preflight ? loadModuleHandler(text, this.#folder, this.#importMs) : undefined;
      const loaded = await loading;
      if (loaded !== undefined && 'problem' in loaded) return loaded;
      const callback: AnyCallback = async (input, _, context) => {
        loading ??= loadModuleHandler(text, this.#folder, this.#importMs);
        const ready = await loading;
        if ('problem' in ready) return { decision: 'deny', reason: ready.problem };
        return ready.handler(encodeHookEvent(input['hook_event_name'] as HookEvent, input), context);
      };
      return { hook: asHook({ type: 'callback', name: text, callback }) };
    },
  };
}

/** The types of callbacks know the answers of our own dialects only; here the dialect of the group reads them. */
function asHook(
  hook:
    | { type: 'run'; name: string; run: RunHook }
    | { type: 'callback'; name: string; callback: AnyCallback },
): Hook {
  return hook as unknown as Hook;
}

/** Stands in for a handler that is not there, for those who register it all the same. */
function refusing(name: string, message: string): Hook {
  const callback = (): never => {
    throw new Error(message);
  };
  return { type: 'callback', name, callback, onFailure: 'block' };
}
