/** Loads hook test files: modules, and YAML and JSON with the line number of every test. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { messageOf, show } from '../../base/errors.js';
import { didYouMean } from '../../base/text/suggest.js';
import { eventNames, isEvent } from '../../events/registry.js';
import { describeIssue } from '../../events/schemas.js';
import { isDataFile } from './find.js';
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

/** Never rejects: problems with a file are part of the result. */
export async function loadTests(file: string): Promise<(LoadedTest | BrokenTest)[]> {
  try {
    const text = await readFile(file, 'utf8');
    if (isDataFile(file)) return readTests(text, file);
    const tests = await importTests(file);
    const lines = linesOf(tests, text);
    return tests.map((test, i) =>
      check(test, moduleTestSchema, { file, line: lines[i] ?? 1, name: `test ${i + 1}` }),
    );
  } catch (error) {
    return [{ file, line: 1, name: basename(file), problem: messageOf(error) }];
  }
}

/** Where each test's name, or else its event, is written in a module; the line before if a name is put together. */
function linesOf(tests: readonly unknown[], text: string): number[] {
  let from = 0;
  return tests.map((test) => {
    const { name, event } = (test ?? {}) as { readonly name?: unknown; readonly event?: unknown };
    const at = text.slice(from).search(quoted(name ?? event));
    if (at !== -1) from += at + 1;
    return text.slice(0, from).split('\n').length;
  });
}

const quoted = (value: unknown): RegExp =>
  new RegExp(`(['"\`])${String(value).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\1`);

/** One invalid test does not affect the others. Throws if the text is not YAML at all. */
function readTests(text: string, file: string): (LoadedTest | BrokenTest)[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineOf = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const [error] = document.errors;
  if (error !== undefined) {
    return [
      {
        file,
        line: lineOf(error.pos[0]),
        name: basename(file),
        problem: `This is not valid YAML: ${error.message}`,
      },
    ];
  }
  const value: unknown = document.toJS();
  const tests = (value as { tests?: unknown } | null)?.tests;
  if (!Array.isArray(tests)) {
    return [
      {
        file,
        line: 1,
        name: basename(file),
        problem: 'The file has no list `tests`; write tests: [{ event, expect }].',
      },
    ];
  }
  const { tests: _, ...rest } = value as { tests: unknown };
  const outer = testFileSchema.omit({ tests: true }).safeParse(rest);
  const broken = (outer.error?.issues ?? []).flatMap((issue) =>
    (issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `Unknown key ${show(key)} in a test file.`)
      : [`${issue.path.join('.')} of the file: ${issue.message}.`]
    ).map((problem) => ({ file, line: 1, name: basename(file), problem })),
  );
  const hook = outer.data?.hook;
  const loaded = tests.map((test, i) => {
    const node = document.getIn(['tests', i], true);
    const line = isNode(node) && node.range ? lineOf(node.range[0]) : 1;
    const read = check(test, testFileSchema.shape.tests.element, { file, line, name: `test ${i + 1}` });
    return hook === undefined || 'problem' in read ? read : { ...read, test: { hook, ...read.test } };
  });
  return [...broken, ...loaded];
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
    problem:
      unknownKey(checked.error) ??
      `This test cannot be read: ${describeIssue(checked.error)}.${eventHint(test)}`,
  };
}

/** The keys that a test has, and those of its `expect`. */
const KEYS = {
  test: Object.keys(moduleTestSchema.shape),
  expect: Object.keys(testFileSchema.shape.tests.element.shape.expect.shape),
};

function unknownKey({ issues }: z.core.$ZodError): string | undefined {
  // A union reports the issues of each of its forms; an unknown key is an issue of the form that was intended.
  const all = issues.flatMap((issue) =>
    issue.code === 'invalid_union'
      ? issue.errors.flat().map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
      : [issue],
  );
  for (const issue of all) {
    const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (key === undefined) continue;
    const [place, known] = issue.path.length === 0 ? ['a test', KEYS.test] : ['`expect`', KEYS.expect];
    return `Unknown key ${show(key)} in ${place}.${didYouMean(key, known) || ` It can have: ${known.join(', ')}.`}`;
  }
  return undefined;
}

function eventHint(test: unknown): string {
  const event = (test as { event?: unknown } | null)?.event;
  return typeof event === 'string' && !isEvent(event) ? didYouMean(event, eventNames()) : '';
}
