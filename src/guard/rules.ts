/** Compares a tool call with permission rules, such as `Read(**\/.env)` or `Bash(npm publish *)`. */
import { resolve } from 'node:path';
import { Permissions } from '../permissions/permissions.js';
import { editedPaths, fieldsOf, type GuardInput, shellLineOf, textsIn } from './input.js';

/** A rule that matches a call, or may match it. */
export interface RuleMatch {
  /** False: whether the rule matches is only known when the line runs. */
  readonly certain: boolean;
  readonly rule: string;
  /** A sentence that names the rule. */
  readonly reason: string;
}

/** Tools that only read; the others may write the files they name. */
const READS = /^(?:Read|Grep|Glob|LS|NotebookRead)$/;

/** Fields of tools of other hosts that narrow a search, or a read of several files, to names. */
const PATTERN_FIELDS = ['glob', 'include', 'include_pattern', 'file_pattern', 'glob_pattern'];

/** The first match among the files that a search is narrowed to by their names: `.env*`, `*.{key,pem}`. */
function searched(
  { tool_name, tool_input, cwd }: GuardInput,
  decide: (toolName: string, call: unknown) => RuleMatch | undefined,
): RuleMatch | undefined {
  if (/^(?:Bash|Glob|LS)$/.test(tool_name ?? '')) return undefined;
  const { path, ...fields } = fieldsOf(tool_input);
  const globs = PATTERN_FIELDS.flatMap((name) => textsIn(fields[name]));
  const folder = resolve(cwd, typeof path === 'string' ? path : '.');
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  for (const name of wanted.flatMap((glob) => glob.split(/[\s,]+(?![^{]*\})/)).flatMap(alternatives))
    for (const each of [name, name.replaceAll(/[*?]+/g, '')]) {
      const found = each === '' ? undefined : decide('Read', { file_path: resolve(folder, `./${each}`) });
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Without braces. */
function alternatives(glob: string): readonly string[] {
  const [all, before = '', inner = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
  return all === undefined ? [glob] : inner.split(',').flatMap((each) => alternatives(before + each + after));
}

/**
 * The first rule that matches a call; undefined if none does. Rules about files also match the shell lines that read
 * or write these files. Throws a HookError with code `invalid_option` for an invalid rule.
 */
export function matchRules(rules: readonly string[], input: GuardInput): RuleMatch | undefined {
  const { tool_name = '', cwd } = input;
  const root = process.env['CLAUDE_PROJECT_DIR'] || cwd;
  const permissions = new Permissions({
    deny: rules,
    root,
    mode: 'bypassPermissions',
    trustRepository: true,
  });
  const decide = (toolName: string, call: unknown): RuleMatch | undefined => {
    const verdict = permissions.decide({ toolName, input: call, cwd, readOnly: READS.test(toolName) });
    if (verdict.behavior === 'allow') return undefined;
    return { certain: verdict.behavior === 'deny', rule: verdict.rule ?? '', reason: verdict.reason };
  };
  const line = shellLineOf(input);
  const ofLine =
    line === undefined ? undefined : decide('Bash', { ...fieldsOf(input.tool_input), command: line });
  // In other tools `command` may be a word of their own: `{ "command": "view", "path": ".env" }`.
  if (line !== undefined && (tool_name === 'Bash' || ofLine?.certain || editedPaths(input).length === 0))
    return ofLine;
  const own = decide(tool_name, input.tool_input) ?? searched(input, decide);
  if (own !== undefined || READS.test(tool_name)) return own;
  // A tool that is not known by name may edit the files it names.
  for (const file_path of editedPaths(input)) {
    const found = decide('Edit', { file_path, old_string: '', new_string: '' });
    if (found !== undefined) return found;
  }
  return undefined;
}
