/**
 * Imports and finds modules whose names are only known at run time, in a form that bundlers leave alone: webpack puts a
 * function of its own in the place of an imported `createRequire`.
 */
import module from 'node:module';

/** As `import()`. */
export function importModule(url: string): Promise<unknown> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ url);
}

/** The path of a module as a file would find it. Throws as `require.resolve` does. */
export function resolveFrom(file: string, name: string): string {
  return module.createRequire(file).resolve(name);
}

/** Where a file would look for a package. Throws if it is not the address or path of a file. */
export function moduleFoldersFrom(file: string, name: string): readonly string[] {
  return module.createRequire(file).resolve.paths(name) ?? [];
}
