/** What is suspicious in a settings file although it can be read: slips that leave hooks and rules out in silence. */
import type { JsonNode } from '../../config/json-file.js';
import type { Diagnostic, Source } from '../../config/loaded.js';
import { doubtTimeout } from '../../config/timeout.js';
import { messageOf } from '../../errors.js';
import { isHookEvent } from '../../events/schemas.js';
import { compileRuleFor } from '../../permission/rule-set.js';
import { suggest } from '../suggest.js';

export function settingsProblems(root: JsonNode): Diagnostic[] {
  return [
    ...topProblems(root),
    ...duplicateKeys(root),
    ...timeoutProblems(root),
    ...permissionProblems(root),
  ];
}

/** Hooks under a key that nobody reads. */
export function topProblems(root: JsonNode): Diagnostic[] {
  return root.entries().flatMap(({ key, keySource }): Diagnostic[] => {
    if (isHookEvent(key)) {
      const message = `\`${key}\` stands beside \`hooks\`, so its hooks never run; write it inside \`hooks\`.`;
      return [found('error', 'misplaced_event', message, keySource)];
    }
    if (key === 'hooks' || suggest(key, ['hooks']) === undefined) return [];
    const message = `\`${key}\` is not known here, so what is in it never runs.`;
    return [found('error', 'unknown_key', message, keySource)];
  });
}

/** Two lists under the same name: both are read here, and by most other readers only the last. */
function duplicateKeys(node: JsonNode): Diagnostic[] {
  const entries = node.entries();
  const twice = entries.flatMap(({ key, keySource }, i) => {
    const first = entries.findIndex((other) => other.key === key);
    if (first === i) return [];
    const message = `\`${key}\` is written twice in the same object, in line ${entries[first]?.keySource.line} and in line ${keySource.line}: Claude Code, as most readers of JSON, takes only the last. Write it once, with what stands under both.`;
    return [found('warning', 'duplicate_key', message, keySource)];
  });
  const inside = [...entries.map((entry) => entry.node), ...node.items()];
  return [...twice, ...inside.flatMap(duplicateKeys)];
}

function timeoutProblems(root: JsonNode): Diagnostic[] {
  const events = root.get('hooks')?.entries() ?? [];
  const groups = events.flatMap(({ node }) => node.items());
  const hooks = groups.flatMap((group) => group.get('hooks')?.items() ?? []);
  return hooks.flatMap((hook) => {
    const timeout = hook.get('timeout');
    const doubt = doubtTimeout(timeout?.value);
    if (timeout === undefined || doubt === undefined) return [];
    return [found('warning', 'doubtful_timeout', doubt, timeout.source)];
  });
}

/** Rules that do not count. A rule to deny that does not count denies nothing. */
function permissionProblems(root: JsonNode): Diagnostic[] {
  const permissions = root.get('permissions');
  return (['allow', 'ask', 'deny'] as const).flatMap((behavior): Diagnostic[] => {
    const list = permissions?.get(behavior);
    if (list === undefined) return [];
    if (!Array.isArray(list.value)) {
      const message = `\`${behavior}\` is not a list of rules, so none of the permissions counts; write ["Bash(git diff:*)"].`;
      return [found('error', 'invalid_permissions', message, list.source)];
    }
    return list.items().flatMap((item) => ruleProblem(behavior, item));
  });
}

function ruleProblem(behavior: 'allow' | 'ask' | 'deny', { value, source }: JsonNode): Diagnostic[] {
  if (typeof value !== 'string') {
    const message = `A rule to ${behavior} is not a string, so none of the permissions counts; write "Bash(git diff:*)".`;
    return [found('error', 'invalid_permissions', message, source)];
  }
  try {
    compileRuleFor(behavior, value);
    return [];
  } catch (error) {
    return [found('error', 'invalid_rule', `${messageOf(error)} It does not count.`, source)];
  }
}

function found(severity: Diagnostic['severity'], code: string, message: string, source: Source): Diagnostic {
  return { severity, code, message, source };
}
