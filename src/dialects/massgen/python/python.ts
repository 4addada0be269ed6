/** The hook that is a Python function: called in a warm process, with the input in its dialect's form. */
import { isAbsolute, resolve } from 'node:path';
import { ProgressBuffer } from '../../../handlers/command/progress.js';
import type { RunHook } from '../../../handlers/hook.js';
import type { PythonHandler, PythonHost } from './host.js';

const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

export type ReadHandler = { readonly handler: PythonHandler } | { readonly problem: string };

/** `module.function`, `package.module.function`, `module.object.method`, or `./file.py:function`. */
export function readPythonHandler(text: string, folder: string): ReadHandler {
  const file = /^(.+\.py):([^:]+)$/.exec(text);
  if (file !== null) {
    const [, path = '', name = ''] = file;
    if (!isDotted(name)) return { problem: `${JSON.stringify(name)} is not the name of a Python function` };
    return { handler: { file: isAbsolute(path) ? path : resolve(folder, path), name } };
  }
  if (/\.py$/.test(text)) {
    return { problem: 'it names a file but no function; write `file.py:function`, or use `type: command`' };
  }
  if (!isDotted(text) || !text.includes('.')) {
    return { problem: 'a Python handler is `module.function` or `./file.py:function`' };
  }
  return { handler: { name: text } };
}

/** Resolves to why a handler cannot be called, or undefined. Imports its module, so use it only for trusted code. */
export function checkPythonHandler(
  handler: PythonHandler,
  host: PythonHost,
  timeoutMs: number,
): Promise<string | undefined> {
  return host.check(handler, timeoutMs);
}

/** What the handler prints is progress on stderr: its answer is its return value. */
export function pythonHook(handler: PythonHandler, { host }: { readonly host: PythonHost }): RunHook {
  return async (run) => {
    const progress = run.watched ? new ProgressBuffer(run.onProgress) : undefined;
    const completion = await host.call(handler, run.wire(), {
      timeoutMs: run.timeoutMs,
      cancellation: run.cancellation,
      onText: (text) => progress?.add('stderr', text),
    });
    progress?.end();
    return completion;
  };
}

function isDotted(text: string): boolean {
  return text.split('.').every((part) => IDENTIFIER.test(part));
}
