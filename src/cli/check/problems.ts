/**
 * Finds everything that is wrong with the hooks of a folder, each problem with its position and what to do about it.
 */
import { z } from 'zod';
import type { Diagnostic, LoadedGroup, Source } from '../../config/loaded.js';
import { preflightMatcher } from '../../config/preflight/preflight-matcher.js';
import { withheldText } from '../../config/withheld-text.js';
import { readSettingsTrees } from '../../dialects/claude-code/settings-trees.js';
import { resolveDialect } from '../../dialects/index.js';
import { rowOf } from '../../events/registry.js';
import { Runner } from '../../runner/runner.js';
import type { LoadedHooks } from '../hooks/load.js';
import { hintFor } from './hints.js';

/** An error makes a check fail. */
export interface Problem extends Diagnostic {
  /** What to do, if the message does not say it. */
  readonly hint?: string;
  /** A hook or a rule has no effect because of it. */
  readonly inactive: boolean;
}

/** Codes of warnings for hooks that never run. */
const NEVER_RUNS: ReadonlySet<string> = new Set([
  'untrusted',
  'modified',
  'removed',
  'disabled',
  'inactive',
  'hook_unresolved',
]);

/** Sorted by file and line. `tools`: the names that matchers may refer to. */
export async function findProblems(hooks: LoadedHooks, tools: readonly string[]): Promise<Problem[]> {
  const { nodeAt } = await readSettingsTrees(hooks.configs);
  const reported = [
    ...hooks.diagnostics,
    ...hooks.configs.flatMap(({ groups }) =>
      groups
        .filter(({ source }) => !isDoubtful(nodeAt(source)?.get('matcher')?.source, hooks))
        .flatMap((group) => matcherProblems(group, tools)),
    ),
    ...(await hooks.check()),
    ...disabled(hooks),
    ...(await withheldVariables(hooks)),
  ];
  const all = [...reported, ...(await silentProblems(hooks, reported))];
  const problems = all.map((diagnostic) =>
    toProblem(diagnostic, hintFor(diagnostic, nodeAt(diagnostic.source))),
  );
  // A hook that cannot be used because of a misspelt key is one mistake.
  const same = new Set(
    problems.flatMap(({ code, source, hint }) =>
      code === 'bad_hook' && hint !== undefined
        ? (nodeAt(source)?.entries() ?? []).map(({ keySource }) => `${placeOf(keySource)} ${hint}`)
        : [],
    ),
  );
  const once = problems.filter(
    ({ code, source, hint }) => code !== 'unknown_key' || !same.has(`${placeOf(source)} ${hint}`),
  );
  return once.sort(
    (a, b) =>
      compare(a.source.file, b.source.file) ||
      a.source.line - b.source.line ||
      a.source.column - b.source.column,
  );
}

const placeOf = ({ file, line, column }: Source): string => `${file}:${line}:${column}`;

/** Whether the loader has said what is wrong with a matcher. */
function isDoubtful(matcher: Source | undefined, { diagnostics }: LoadedHooks): boolean {
  return (
    matcher !== undefined &&
    diagnostics.some(
      ({ code, source }) => code === 'matcher_doubtful' && placeOf(source) === placeOf(matcher),
    )
  );
}

function toProblem(diagnostic: Diagnostic, hint: string | undefined): Problem {
  const inactive = leavesOut(diagnostic);
  const severity = inactive ? 'error' : diagnostic.severity;
  return { ...diagnostic, severity, ...(hint !== undefined && { hint }), inactive };
}

/** Whether a hook or a rule has no effect because of it. */
export function leavesOut(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error' || NEVER_RUNS.has(diagnostic.code);
}

/** Matchers that have no effect, or that match no known tool. */
function matcherProblems({ event, options, source }: LoadedGroup, tools: readonly string[]): Diagnostic[] {
  const { matcher } = options;
  if (matcher === undefined || matcher === '' || matcher === '*') return [];
  const { matcherField: subject } = rowOf(event);
  if (subject === null) {
    const message = `${event} has nothing to match: the matcher ${JSON.stringify(matcher)} is ignored, and its hooks run on every ${event}.`;
    return [{ severity: 'warning', code: 'matcher_ignored', message, source }];
  }
  // The MCP servers of an agent are unknown here.
  if (subject === 'tool_name' && /\bmcp_/.test(matcher)) return [];
  const known = subject === 'tool_name' ? tools : knownWords(rowOf(event).input[subject]);
  const what = subject === 'tool_name' ? undefined : `values of \`${subject}\` on ${event}`;
  try {
    const matches = resolveDialect(options.dialect).compileMatcher(matcher);
    const problem = preflightMatcher(matches, known, matcher, what);
    return problem === undefined ? [] : [{ ...problem, source }];
  } catch {
    // The loader has reported it.
    return [];
  }
}

/** The known values of a field, if the table lists them. */
function knownWords(field: unknown): readonly string[] {
  const { examples = [] } = (field instanceof z.ZodType && field.meta()) || {};
  return (examples as readonly unknown[]).map(String);
}

function disabled({ entries }: LoadedHooks): Diagnostic[] {
  return entries.flatMap(({ hook: { inactive, source } }) =>
    inactive?.reason === 'disabled'
      ? [
          {
            severity: inactive.byChoice ? 'info' : 'warning',
            code: inactive.byChoice ? 'plugin_disabled' : 'disabled',
            message: `This hook does not run: ${inactive.message}.`,
            source,
          } as const,
        ]
      : [],
  );
}

/** Variables that a hook mentions and will not get. */
async function withheldVariables({ entries }: LoadedHooks): Promise<Diagnostic[]> {
  const found = entries.map(async ({ hook }): Promise<Diagnostic[]> => {
    const text = withheldText((await hook.withheld?.()) ?? [], hook.approval?.fingerprint);
    if (text === undefined) return [];
    return [{ severity: 'warning', code: 'withheld_variable', message: `${text}.`, source: hook.source }];
  });
  return (await Promise.all(found)).flat();
}

/** Problems that only appear at registration: a runner reports them, at positions without any report so far. */
async function silentProblems(
  { cwd, configs, entries }: LoadedHooks,
  reported: readonly Diagnostic[],
): Promise<Diagnostic[]> {
  const runner = new Runner({ cwd, onWarning: () => {} });
  try {
    for (const config of configs) runner.use(config, { onLostProtection: 'warn' });
    const inactive = entries.flatMap(({ hook }) => (hook.inactive === undefined ? [] : [hook]));
    const known = new Set([...reported, ...inactive].map(({ source }) => `${source.file}:${source.line}`));
    return runner.warnings.flatMap(({ code, message }) => {
      const [, file = '', line, column, text = ''] = /^(.+?):(\d+):(\d+): ([\s\S]*)$/.exec(message) ?? [];
      if (code !== 'hook_inactive' || known.has(`${file}:${line}`)) return [];
      const source: Source = { layer: 'file', file, line: Number(line), column: Number(column) };
      return [
        { severity: 'error' as const, code: 'inactive', message: `This hook never runs: ${text}`, source },
      ];
    });
  } finally {
    await runner.dispose();
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
