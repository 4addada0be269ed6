/** Runs hook tests one after another, each with its own input. */

import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../base/errors.js';
import { setPath } from '../../base/json/set-path.js';
import type { Expected } from '../../runner/outcome-fields.js';
import { type LateKey, OUTCOME_ROWS, type OutcomeRow, textsIn } from '../../runner/outcome-rows.js';
import { sampleFields, sampleInput } from '../samples.js';
import type { Fired, HookSession } from '../session.js';
import { verdictOf } from '../verdict.js';
import type { BrokenTest, LoadedTest } from './load.js';
import type { CheckedTest, Expectation } from './schema.js';

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly passed: boolean;
  readonly durationMs: number;
  readonly differences: readonly Difference[];
  /** Why it could not be run. */
  readonly problem?: string;
  /** Why there is nothing to test, for example because a host has no such event. */
  readonly skipped?: string;
  /** The host that it was run through. */
  readonly host?: string;
  /** The hook that it tests, if it names one. */
  readonly hook?: string;
  readonly fired?: Fired;
}

/** Never rejects. */
export async function runTest(
  test: LoadedTest | BrokenTest,
  session: HookSession,
  cwd: string,
): Promise<TestResult> {
  const { file, line, name } = test;
  const at = { file, line, name };
  if ('problem' in test)
    return { ...at, passed: false, durationMs: 0, differences: [], problem: test.problem };
  const { event, expect, agent, hook } = test.test;
  const tested = { ...at, ...(hook !== undefined && { hook }) };
  const started = performance.now();
  const took = (): number => performance.now() - started;
  try {
    const fired = await session.fire({ event, input: inputOf(test, cwd), agentId: agent, hook });
    const differences = await compare(expect, fired);
    return { ...tested, passed: differences.length === 0, durationMs: took(), differences, fired };
  } catch (error) {
    return { ...tested, passed: false, durationMs: took(), differences: [], problem: messageOf(error) };
  }
}

/** Throws a HookError if the input does not match the event. */
function inputOf({ test }: LoadedTest, cwd: string): Readonly<Record<string, unknown>> {
  const { event, input, set = {} } = test;
  const own = Object.entries(set).reduce<unknown>(
    (made, [path, value]) => setPath(made, path.split('.'), value),
    { ...sampleFields(event, cwd, set['tool_name'] ?? input?.['tool_name']), ...input },
  );
  return sampleInput(event, cwd, own as object);
}

export interface Difference {
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}

type Text = string | RegExp;

/** Returns an empty list if everything is as expected. */
async function compare(expect: CheckedTest['expect'], fired: Fired): Promise<Difference[]> {
  if (typeof expect !== 'function') return [...differences(expect, fired)];
  try {
    await expect(fired.outcome);
    return [];
  } catch (error) {
    return [{ field: 'expect', expected: 'the function not to throw', got: messageOf(error) }];
  }
}

function* differences(expect: Expectation, fired: Fired): Generator<Difference> {
  const { outcome, ran } = fired;
  const { exit } = verdictOf(outcome, fired.lateFailures);
  for (const row of OUTCOME_ROWS) if (row.expected !== null) yield* ofField(row, row.expected, expect, fired);
  yield* same('exit', expect.exit, exit);
  yield* same('hooks', expect.hooks, ran.length);
  yield* failureOf(expect.failure, fired);
}

function* ofField(
  row: OutcomeRow,
  expected: Expected,
  expect: Expectation,
  { outcome, late }: Fired,
): Generator<Difference> {
  const { name } = expected;
  const wanted = (expect as Readonly<Record<string, unknown>>)[name];
  if (expected.by === 'value') return yield* same(name, wanted, outcome[row.field] ?? expected.absent);
  const later = expected.late ? late.flatMap((answer) => answer[row.verdict as LateKey] ?? []) : [];
  yield* holds(name, wanted as Text | readonly Text[] | undefined, [...textsIn(outcome, row), ...later]);
}

/** A hook that crashed has not allowed anything, so an unexpected failure always fails the test. */
function* failureOf(expected: Expectation['failure'], { ran }: Fired): Generator<Difference> {
  const failures = ran.flatMap(({ result: { failure } }) => (failure === undefined ? [] : [failure.message]));
  const got = failures.length === 0 ? 'no failure' : failures.map(show).join(', ');
  if (expected === true && failures.length === 0)
    yield { field: 'failure', expected: 'a hook that fails', got };
  else if (expected === undefined || expected === false) {
    if (failures.length > 0) yield { field: 'failure', expected: 'no hook that fails', got };
  } else if (expected !== true) yield* holds('failure', expected, failures);
}

function* same(field: string, expected: unknown, got: unknown): Generator<Difference> {
  if (expected === undefined || isDeepStrictEqual(expected, got)) return;
  yield { field, expected: show(expected), got: show(got) };
}

/** Every expected text must occur in one of the actual texts. */
function* holds(
  field: string,
  expected: Text | readonly Text[] | undefined,
  got: readonly string[],
): Generator<Difference> {
  if (expected === undefined) return;
  for (const text of Array.isArray(expected) ? (expected as readonly Text[]) : [expected as Text]) {
    if (got.some((each) => found(text, each))) continue;
    const wanted = text instanceof RegExp || asPattern(text) ? `a match for ${String(text)}` : `"…${text}…"`;
    yield { field, expected: wanted, got: got.length === 0 ? 'nothing' : got.map(show).join(', ') };
  }
}

function found(text: Text, got: string): boolean {
  const pattern = text instanceof RegExp ? text : asPattern(text);
  if (pattern === undefined) return got.includes(text as string);
  // Patterns with `g` or `y` keep state between calls.
  return new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, '')).test(got);
}

/** `/text/i`, as written in files; undefined for plain text and invalid patterns. */
function asPattern(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  if (source === undefined) return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
}
