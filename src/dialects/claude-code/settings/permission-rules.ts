/**
 * Reads the `permissions` of one settings file: every rule with its line. A mistake disables only the rule it is in.
 */

import { messageOf, show } from '../../../base/errors.js';
import { suggest } from '../../../base/text/suggest.js';
import type { JsonNode } from '../../../config/json-file.js';
import { type Diagnostic, losesProtection, type Source } from '../../../config/loaded.js';
import { compileRule } from '../../../permissions/rule.js';
import { compileRuleFor } from '../../../permissions/rule-set.js';
import { misspelt } from '../../../permissions/rule-tools.js';

const BEHAVIORS = ['deny', 'ask', 'allow'] as const;
type Behavior = (typeof BEHAVIORS)[number];

export interface PermissionRules extends Readonly<Record<Behavior, readonly string[]>> {
  /** As written. */
  readonly additionalDirectories: readonly string[];
  readonly mode?: string;
  readonly diagnostics: readonly Diagnostic[];
}

const KEYS: readonly string[] = [...BEHAVIORS, 'additionalDirectories', 'defaultMode'];

/** `root`: the whole file. Undefined: it has no permissions. */
export function readPermissionRules(root: JsonNode): PermissionRules | undefined {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (code, message, source, protects) => {
    const severity = code === 'unknown_rule' ? 'warning' : 'error';
    const problem = { severity, code, message, source } as const;
    diagnostics.push(protects ? losesProtection(problem) : problem);
  };
  reportMisspeltTop(root, report);
  // A rule that denies counts wherever it is; of duplicate keys that allow, the last one counts, as in JSON.
  const all = root.all('permissions');
  if (all.length === 0 && diagnostics.length === 0) return undefined;
  for (const node of all) {
    if (!isObject(node.value))
      report(
        'invalid_permissions',
        '`permissions` is no object; write { "deny": [...] }.',
        node.source,
        true,
      );
    reportMisspeltKeys(node, report);
  }
  const last = all.at(-1);
  const lastOf = (key: string): readonly JsonNode[] => last?.all(key).slice(-1) ?? [];
  const mode = last?.get('defaultMode');
  if (mode !== undefined && typeof mode.value !== 'string')
    report('invalid_permissions', '`defaultMode` is not a string; it is ignored.', mode.source, false);
  return {
    deny: readRules(
      'deny',
      all.flatMap((node) => node.all('deny')),
      report,
    ),
    ask: readRules(
      'ask',
      all.flatMap((node) => node.all('ask')),
      report,
    ),
    allow: readRules('allow', lastOf('allow'), report),
    additionalDirectories: lastOf('additionalDirectories').flatMap((list) =>
      readTexts('additionalDirectories', list, false, report).map(({ text }) => text),
    ),
    ...(typeof mode?.value === 'string' && { mode: mode.value }),
    diagnostics,
  };
}

type Report = (code: string, message: string, source: Source, protects: boolean) => void;

function readRules(behavior: Behavior, lists: readonly JsonNode[], report: Report): string[] {
  const protects = behavior !== 'allow';
  const texts = lists.flatMap((list) => readTexts(behavior, list, protects, report));
  return texts.flatMap(({ text, source }) => {
    try {
      const { tool, unclear } = compileRule(text);
      const meant = misspelt(tool);
      if (unclear) {
        report('unknown_rule', unknownText(behavior, text, tool), source, false);
        return protects ? [text] : [];
      }
      compileRuleFor(behavior, text);
      if (meant !== undefined) report('invalid_rule', misspeltText(text, tool, meant), source, protects);
      return [text];
    } catch (error) {
      report('invalid_rule', `${messageOf(error)} It is ignored.`, source, protects);
      return [];
    }
  });
}

/** Settings are shared with agents that have other tools. */
function unknownText(behavior: Behavior, text: string, tool: string): string {
  const what = `The permission rule ${show(text)} is for an unknown tool`;
  if (behavior === 'allow') return `${what}, so it allows nothing.`;
  const so = behavior === 'deny' ? 'denied' : 'asked about';
  return `${what}; if there is a tool ${tool}, every call of it is ${so}.`;
}

function misspeltText(text: string, tool: string, meant: string): string {
  return `The permission rule ${show(text)} is for an unknown tool ${tool}. Did you mean ${meant}?`;
}

function readTexts(
  key: string,
  list: JsonNode,
  protects: boolean,
  report: Report,
): { readonly text: string; readonly source: Source }[] {
  if (!Array.isArray(list.value)) {
    const message = `\`${key}\` is not a list, so nothing in it counts; write [${exampleFor(key)}].`;
    report('invalid_permissions', message, list.source, protects);
    return [];
  }
  return list.items().flatMap(({ value, source }) => {
    if (typeof value === 'string') return [{ text: value, source }];
    const message = `An entry of \`${key}\` is not a string, so it is ignored; write ${exampleFor(key)}.`;
    report('invalid_permissions', message, source, protects);
    return [];
  });
}

const exampleFor = (key: string): string =>
  key === 'additionalDirectories' ? '"../library"' : '"Bash(git diff:*)"';

/** Reports rules under an unknown key: `denny` and `denied` deny nothing. */
function reportMisspeltKeys(permissions: JsonNode, report: Report): void {
  for (const { key, keySource, node } of permissions.entries()) {
    if (KEYS.includes(key)) continue;
    const meant = suggest(key, BEHAVIORS);
    if (meant === undefined && !holdsRules(node)) continue;
    const words = meant === undefined ? '`deny`, `ask` or `allow`' : `\`${meant}\``;
    const message = `\`${key}\` is unknown in \`permissions\`, so nothing in it counts; write ${words}.`;
    report('unknown_key', message, keySource, !permits(meant ?? key));
  }
}

/** The same beside `permissions`, or under another name for it. */
function reportMisspeltTop(root: JsonNode, report: Report): void {
  for (const { key, keySource, node } of root.entries()) {
    if (key === 'permissions') continue;
    const isBehavior = BEHAVIORS.some((behavior) => behavior === key.toLowerCase());
    if (isBehavior ? Array.isArray(node.value) : holdsRules(node)) {
      const message = `\`${key}\` is beside \`permissions\`, so none of its rules counts; write { "permissions": { "deny": [...] } }.`;
      report('misplaced_rules', message, keySource, !permits(key));
    } else if (suggest(key, ['permissions']) !== undefined && holdsBehaviors(node)) {
      const message = `\`${key}\` is unknown, so none of its rules counts; write \`permissions\`.`;
      report('unknown_key', message, keySource, true);
    }
  }
}

/** A key that would only allow is not a loss of protection: `allowedTools`. */
const permits = (key: string): boolean => key.toLowerCase().startsWith('allow');

const holdsBehaviors = (node: JsonNode): boolean =>
  node.entries().some(({ key }) => BEHAVIORS.some((behavior) => behavior === key));

/** A list with an entry that can only be a rule: `Bash(rm *)`. A name alone may be anything. */
function holdsRules(node: JsonNode): boolean {
  if (!Array.isArray(node.value)) return false;
  return node.value.some((entry) => typeof entry === 'string' && entry.endsWith(')') && isRule(entry));
}

function isRule(text: string): boolean {
  try {
    compileRuleFor('deny', text);
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
