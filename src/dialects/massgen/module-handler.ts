/** Loads a JavaScript handler: `./hooks/guard.mjs#name`, `./hooks/guard.mjs:name`, or a default export. */

import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pTimeout from 'p-timeout';
import { messageOf } from '../../base/errors.js';
import { importModule, resolveFrom } from '../../base/run-time-modules.js';
import type { HookContext } from '../../events/types.js';
import type { MassgenEvent } from './event.js';

/** An export of a module: it gets MassGen's HookEvent and answers with a HookResult, now or later. */
export type ModuleHandler = (event: MassgenEvent, context: HookContext) => unknown;

export type LoadedModule = { readonly handler: ModuleHandler } | { readonly problem: string };

/** Never rejects. Relative paths start at `folder`; anything else is a package that is installed there. */
export async function loadModuleHandler(
  text: string,
  folder: string,
  timeoutMs: number,
): Promise<LoadedModule> {
  const [, specifier = '', name = 'default'] =
    /^(.+?)(?:#|:(?=[\p{ID_Start}_$][\p{ID_Continue}$]*$))(.*)$/u.exec(text) ?? [text, text];
  try {
    const milliseconds = timeoutMs;
    const message = `importing ${specifier} took longer than ${timeoutMs / 1000} s`;
    const module: unknown = await pTimeout(importModule(locate(specifier, folder)), {
      milliseconds,
      message,
    });
    const handler = (module as Readonly<Record<string, unknown>>)[name === '' ? 'default' : name];
    if (typeof handler === 'function') return { handler: handler as ModuleHandler };
    const what = handler === undefined ? 'no' : 'no function as';
    return { problem: `the module ${specifier} has ${what} export ${JSON.stringify(name)}` };
  } catch (error) {
    return { problem: `the module ${specifier} cannot be imported: ${messageOf(error).split('\n')[0]}` };
  }
}

function locate(specifier: string, folder: string): string {
  if (/^\.{1,2}[/\\]/.test(specifier) || /\.[cm]?[jt]s$/.test(specifier) || isAbsolute(specifier)) {
    return specifier.startsWith('file:') ? specifier : pathToFileURL(resolve(folder, specifier)).href;
  }
  try {
    const path = resolveFrom(join(folder, 'handler.js'), specifier);
    return isAbsolute(path) ? pathToFileURL(path).href : path;
  } catch {
    return specifier;
  }
}
