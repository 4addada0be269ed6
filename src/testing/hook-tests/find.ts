/** Finds hook test files by their names. */
import { readdir, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { HookError, show } from '../../base/errors.js';

const DATA = ['.yaml', '.yml', '.json'];
const MODULES = ['.mjs', '.js', '.ts', '.mts'];
/** `hookline.test.ts` is not among them: Vitest and Jest would run it as one of theirs. */
const DEFAULT_NAME = /(?:(?:^|\.)hookline\.test\.(?:ya?ml|json)|(?:^|\.)hooktest\.m?[jt]s)$/;
const TAKEN_NAME = /(?:^|\.)hookline\.test\.m?[jt]s$/;

/** Finds the named files, the test files in named folders, or those in `cwd` and its folder `hooks`; at least one. */
export async function findTestFiles(named: readonly string[], cwd: string): Promise<string[]> {
  const files: string[] = [];
  for (const name of named) {
    const path = resolve(cwd, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) throw new HookError('invalid_option', `There is no test file ${show(name)}.`);
    if (stats.isDirectory()) files.push(...(await testFilesIn(path)));
    else if (isTestFile(path)) files.push(path);
    else {
      const endings = [...DATA, ...MODULES].join(', ');
      throw new HookError(
        'invalid_option',
        `${show(name)} is not a test file; its name must end with one of ${endings}.`,
      );
    }
  }
  if (named.length === 0) {
    const beside = await testFilesIn(join(cwd, 'hooks')).catch(() => []);
    files.push(...(await testFilesIn(cwd)), ...beside);
  }
  if (files.length === 0) throw new HookError('invalid_option', await describeNone(cwd));
  return files;
}

export function isDataFile(path: string): boolean {
  return DATA.includes(extname(path));
}

function isTestFile(path: string): boolean {
  return isDataFile(path) || MODULES.includes(extname(path));
}

async function testFilesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => DEFAULT_NAME.test(name));
  return names.sort().map((name) => join(folder, name));
}

async function describeNone(folder: string): Promise<string> {
  const taken = (await readdir(folder)).find((name) => TAKEN_NAME.test(name));
  if (taken === undefined)
    return 'There is no hookline.test.yaml here. Name a test file, or write one with npx hookline init.';
  const better = taken.replace(/\btest(?=\.m?[jt]s$)/, 'hooktest');
  return `Vitest and Jest run ${show(taken)} as one of theirs. Rename it to ${better}, or name it: hookline test ${taken}.`;
}
