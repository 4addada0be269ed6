/** The rules of a session: the initial ones, with later additions and removals. Immutable. */
import { HookError, show } from '../base/errors.js';
import { canCover, compileRule, type PermissionRule } from './rule.js';
import {
  BEHAVIORS,
  type PermissionBehavior,
  type PermissionOptions,
  type PermissionUpdate,
} from './types.js';

interface HeldRule {
  readonly rule: PermissionRule;
  readonly behavior: PermissionBehavior;
  /** The destination of the update that added it; undefined for an initial rule. */
  readonly destination?: PermissionUpdate['destination'];
}

type RuleUpdate = Extract<PermissionUpdate, { readonly rules: unknown }>;

/** Throws a HookError with code `invalid_option` for an invalid rule, and for an allow rule that could never apply. */
export function compileRuleFor(behavior: PermissionBehavior, text: string): PermissionRule {
  const rule = compileRule(text);
  if (behavior === 'allow' && !canCover(rule))
    throw new HookError(
      'invalid_option',
      `The permission rule ${show(text)} cannot allow anything: the wildcard in its tool name may match unexpected tools. Name the tools one by one, or set the mode to bypassPermissions.`,
    );
  if (behavior === 'allow' && rule.unclear)
    throw new HookError(
      'invalid_option',
      `The permission rule ${show(text)} cannot allow anything: ${rule.tool} has no specifiers of its own. Write \`${rule.tool}\` to allow every call of it.`,
    );
  return rule;
}

export class RuleSet {
  readonly #held: readonly HeldRule[];

  private constructor(held: readonly HeldRule[]) {
    this.#held = held;
  }

  static from(options: PermissionOptions): RuleSet {
    return new RuleSet(
      BEHAVIORS.flatMap((behavior) =>
        listOf(options, behavior).map((text) => ({ behavior, rule: compileRuleFor(behavior, text) })),
      ),
    );
  }

  of(behavior: PermissionBehavior): readonly PermissionRule[] {
    return this.#held.filter((held) => held.behavior === behavior).map(({ rule }) => rule);
  }

  /**
   * Added rules come last. Rules are removed wherever they came from; `replaceRules` only replaces rules that earlier
   * updates added for the same destination, never initial ones.
   */
  with({ type, rules, behavior, destination }: RuleUpdate): RuleSet {
    const named = rules.map(({ toolName, ruleContent }) =>
      compileRuleFor(behavior, ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`),
    );
    const isNamed = (held: HeldRule): boolean =>
      held.behavior === behavior && named.some((rule) => isSame(rule, held.rule));
    if (type === 'removeRules') return new RuleSet(this.#held.filter((held) => !isNamed(held)));
    const kept = this.#held.filter(
      (held) =>
        !isNamed(held) &&
        !(type === 'replaceRules' && held.behavior === behavior && held.destination === destination),
    );
    // An initial rule stays an initial rule, so that replacing cannot remove it later.
    const lasting = this.#held.filter((held) => isNamed(held) && held.destination === undefined);
    const added = named.filter((rule) => !lasting.some((held) => isSame(rule, held.rule)));
    return new RuleSet([...kept, ...lasting, ...added.map((rule) => ({ rule, behavior, destination }))]);
  }
}

function isSame(one: PermissionRule, other: PermissionRule): boolean {
  return one.tool === other.tool && one.specifier === other.specifier;
}

function listOf(options: PermissionOptions, behavior: PermissionBehavior): readonly string[] {
  const list: unknown = options[behavior] ?? [];
  if (!Array.isArray(list))
    throw new HookError(
      'invalid_option',
      `The permission rules to ${behavior} are ${show(list)}; give a list of texts such as ['Bash(git *)'].`,
    );
  return list;
}
