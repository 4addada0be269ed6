/** Reports of hook tests: for people, for programs, and for CI servers that read JUnit's XML. */
import { escapeControls } from '../../base/json/escape-controls.js';
import type { TestResult } from '../../testing/hook-tests/run.js';
import { wordOf } from '../../testing/verdict.js';
import type { Annotation } from '../format.js';
import type { Printer } from '../printer.js';
import { oneLine, shortPlace } from './place.js';
import { duration } from './show-fire.js';

export function showResult(result: TestResult, printer: Printer, cwd: string): void {
  const { paint } = printer;
  const word =
    result.skipped !== undefined
      ? paint.magenta('----')
      : result.passed
        ? paint.green('pass')
        : paint.red('FAIL');
  const place = paint.dim(`${duration(result.durationMs)}  ${shortPlace(result, cwd)}`);
  printer.line(`${word}  ${result.name}  ${place}`);
  const why = result.problem ?? result.skipped;
  if (why !== undefined) printer.line(`      ${why}`);
  for (const { field, expected, got } of result.differences) {
    const label = `${field}:`.padEnd(15);
    printer.line(`      ${label}expected ${paint.green(expected)}`);
    printer.line(`      ${' '.repeat(15)}got      ${paint.red(got)}`);
  }
  if (!result.passed) showHooks(result, printer, cwd);
}

function showHooks({ fired }: TestResult, printer: Printer, cwd: string): void {
  if (fired === undefined) return;
  if (fired.ran.length === 0) printer.line('      No hook ran.');
  for (const { hook, result } of fired.ran) {
    const place = hook === undefined ? '' : `  ${shortPlace(hook.source, cwd)}`;
    printer.line(
      printer.paint.dim(`      hook ${wordOf(result)}: ${oneLine(hook?.description ?? result.name)}${place}`),
    );
  }
}

/** Guards by hosts, if tests were run through hosts. Tests that name no hook are rows of their own. */
export function showMatrix(results: readonly TestResult[], printer: Printer): void {
  const hosts = [...new Set(results.flatMap(({ host }) => host ?? []))];
  if (hosts.length === 0) return;
  const rows = new Map<string, TestResult[]>();
  for (const result of results) {
    const row = result.hook ?? result.name.slice((result.host ?? '').length + 2);
    rows.set(row, [...(rows.get(row) ?? []), result]);
  }
  const table = [
    ['', ...hosts],
    ...[...rows].map(([row, own]) => [
      row,
      ...hosts.map((host) => cell(own.filter((result) => result.host === host))),
    ]),
  ];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0))) ?? [];
  printer.line('');
  for (const line of table)
    printer.line(
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function cell(results: readonly TestResult[]): string {
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  const failed = results.filter(({ passed }) => !passed).length;
  const words = [
    [failed, 'FAIL'],
    [results.length - failed - skipped, 'pass'],
    [skipped, '-'],
  ] as const;
  const shown = words.filter(([count]) => count > 0);
  return shown.map(([count, word]) => (results.length === 1 ? word : `${count} ${word}`)).join(', ');
}

export function showSummary(results: readonly TestResult[], printer: Printer): void {
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  const passed = results.filter((result) => result.passed).length - skipped;
  const failed = results.length - passed - skipped;
  const { paint } = printer;
  const words = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} without effect there`] : []),
  ].join(', ');
  printer.line(`\n${(failed > 0 ? paint.red : paint.green)(words)}`);
}

export function resultJson({ fired, ...result }: TestResult): Readonly<Record<string, unknown>> {
  return { ...result, ...(fired !== undefined && { decision: fired.outcome.decision ?? 'none' }) };
}

export function failuresOf(results: readonly TestResult[]): Annotation[] {
  return results.flatMap((result) =>
    result.passed
      ? []
      : [
          {
            severity: 'error' as const,
            file: result.file,
            line: result.line,
            title: `hookline test: ${result.name}`,
            message: result.problem ?? describeDifferences(result),
          },
        ],
  );
}

function describeDifferences({ differences }: TestResult): string {
  return differences
    .map(({ field, expected, got }) => `${field}: expected ${expected}, got ${got}`)
    .join('\n');
}

/** One suite per file. */
export function junit(results: readonly TestResult[], cwd: string): string {
  const suites = [...new Set(results.map(({ file }) => file))].map((file) => {
    const own = results.filter((result) => result.file === file);
    const name = shortPlace({ file, line: 1 }, cwd).replace(/:1$/, '');
    const cases = own.map((result) => testCase(result, name)).join('\n');
    return `  <testsuite name=${xml(name)} ${counts(own)}>\n${cases}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="hookline" ${counts(results)}>\n${suites.join('\n')}\n</testsuites>\n`;
}

function counts(results: readonly TestResult[]): string {
  const failures = results.filter(({ passed, problem }) => !passed && problem === undefined).length;
  const errors = results.filter(({ problem }) => problem !== undefined).length;
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0));
  return `tests="${results.length}" failures="${failures}" errors="${errors}"${skips(results)} time="${time}"`;
}

function skips(results: readonly TestResult[]): string {
  const skipped = results.filter(({ skipped: why }) => why !== undefined).length;
  return skipped === 0 ? '' : ` skipped="${skipped}"`;
}

function testCase(result: TestResult, suite: string): string {
  const { name, line, durationMs, passed, problem } = result;
  const opened = `    <testcase name=${xml(name)} classname=${xml(suite)} file=${xml(suite)} line="${line}" time="${seconds(durationMs)}"`;
  if (result.skipped !== undefined)
    return `${opened}>\n      <skipped message=${xml(result.skipped)}/>\n    </testcase>`;
  if (passed) return `${opened}/>`;
  const text = describeDifferences(result);
  const tag = problem === undefined ? 'failure' : 'error';
  const message = problem ?? text.split('\n', 1)[0] ?? '';
  return `${opened}>\n      <${tag} message=${xml(message)}>${escapeXml(problem ?? text)}</${tag}>\n    </testcase>`;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
const xml = (text: string): string => `"${escapeXml(text).replaceAll('\n', '&#10;')}"`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Most control characters are not allowed in XML, not even as entities. */
function escapeXml(text: string): string {
  return escapeControls(text)
    .replaceAll(/[\ufffe\uffff]/g, '')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
