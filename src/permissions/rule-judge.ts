/** How a permission rule judges one call of its tool. */

export interface RuleContext {
  /** The base of relative paths. */
  readonly cwd: string;
  /** The value of `~/`. Without it, no path matches `~/`. */
  readonly home?: string | undefined;
  /** The base of a path with one leading slash: where the rule is defined. Default: `cwd`. */
  readonly root?: string | undefined;
}

/** Three results, because a partial match is enough to deny and never enough to allow. */
export interface Judgement {
  /** Some part of the call matches: enough to deny or to ask. */
  readonly matches: boolean;
  /** All of the call matches: needed to allow. */
  readonly covers: boolean;
  /** The call may match: enough to run a hook that has the rule as its condition. */
  readonly applies: boolean;
}

/** Contract: pure, never throws, takes milliseconds for any input. */
export type Judge = (toolInput: unknown, context: RuleContext) => Judgement;

/** An input that cannot be read must not bypass a guard, and nothing allows it. */
export const UNREADABLE: Judgement = Object.freeze({ matches: true, covers: false, applies: true });
export const EVERY_CALL: Judgement = Object.freeze({ matches: true, covers: true, applies: true });

/** A call that matches as a whole or not at all. */
export function whole(named: boolean): Judgement {
  return { matches: named, covers: named, applies: named };
}
