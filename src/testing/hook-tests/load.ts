/** Loads hook test files: modules, and YAML and JSON with the line number of every test. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { HookError, messageOf, show } from '../../base/errors.js';
import { didYouMean } from '../../base/text/suggest.js';
import { eventNames, isEvent } from '../../events/registry.js';
import { describeIssue } from '../../events/schemas.js';
import { importTests } from './module.js';
import { type CheckedTest, moduleTestSchema, testFileSchema } from './schema.js';

export interface LoadedTest {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly test: CheckedTest;
}

/** A file, or a test in it, that is invalid. */
export interface BrokenTest {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly problem: string;
}

const DATA = ['.yaml', '.yml', '.json'];
const MODULES = ['.mjs', '.js', '.ts', '.mts'];
const NAME = 'hookline.test';

/** Finds the named files, the test files in named folders, or those in `cwd` if none are named. */
export async function findTestFiles(named: readonly string[], cwd: string): Promise<string[]> {
  if (named.length === 0) return testFilesIn(cwd);
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
  return files;
}

async function testFilesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(
    (name) => isTestFile(name) && /(^|\.)hookline\.test\.\w+$/.test(name),
  );
  return names.sort().map((name) => join(folder, name));
}

function isTestFile(path: string): boolean {
  return [...DATA, ...MODULES].includes(extname(path));
}

/** Never rejects: problems with a file are part of the result. */
export async function loadTests(file: string): Promise<(LoadedTest | BrokenTest)[]> {
  try {
    if (DATA.includes(extname(file))) return readTests(await readFile(file, 'utf8'), file);
    const tests = await importTests(file);
    return tests.map((test, i) => check(test, moduleTestSchema, { file, line: 1, name: `test ${i + 1}` }));
  } catch (error) {
    return [{ file, line: 1, name: NAME, problem: messageOf(error) }];
  }
}

/** One invalid test does not affect the others. Throws if the text is not YAML at all. */
function readTests(text: string, file: string): (LoadedTest | BrokenTest)[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const [error] = document.errors;
  if (error !== undefined) {
    return [
      { file, line: lineOf(error.pos[0]), name: NAME, problem: `This is not valid YAML: ${error.message}` },
    ];
  }
  const value: unknown = document.toJS();
  const tests = (value as { tests?: unknown } | null)?.tests;
  if (!Array.isArray(tests)) {
    return [
      {
        file,
        line: 1,
        name: NAME,
        problem: 'The file has no list `tests`; write tests: [{ event, expect }].',
      },
    ];
  }
  const outer = testFileSchema.omit({ tests: true }).safeParse({ ...(value as object), tests: undefined });
  const unknown = outer.error?.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [],
  );
  const extra = (unknown ?? []).filter((key) => key !== 'tests');
  const broken = extra.map((key) => ({
    file,
    line: 1,
    name: NAME,
    problem: `Unknown key ${show(key)} in a test file.`,
  }));
  const read = tests.map((test, i) => {
    const node = document.getIn(['tests', i], true);
    const line = isNode(node) && node.range ? lineOf(node.range[0]) : 1;
    return check(test, testFileSchema.shape.tests.element, { file, line, name: `test ${i + 1}` });
  });
  return [...broken, ...read];
}

function check(
  test: unknown,
  schema: z.ZodType<CheckedTest>,
  at: Pick<LoadedTest, 'file' | 'line' | 'name'>,
): LoadedTest | BrokenTest {
  const named = (test as { name?: unknown } | null)?.name;
  const place = { ...at, ...(typeof named === 'string' && named !== '' && { name: named }) };
  const checked = schema.safeParse(test);
  if (checked.success) return { ...place, test: checked.data };
  return {
    ...place,
    problem: `This test cannot be read: ${describeIssue(checked.error)}.${eventHint(test)}`,
  };
}

function eventHint(test: unknown): string {
  const event = (test as { event?: unknown } | null)?.event;
  return typeof event === 'string' && !isEvent(event) ? didYouMean(event, eventNames()) : '';
}
