/** What a permission rule says about one call of its tool. */

export interface RuleContext {
  /** What relative paths are relative to. */
  readonly cwd: string;
  /** What `~/` is. Without it, no path is under it. */
  readonly home?: string | undefined;
  /** What a path with one leading slash is relative to: where the rule is written. Default: `cwd`. */
  readonly root?: string | undefined;
}

/** Three questions, because "some of it" is enough to forbid and never enough to allow. */
export interface Judgement {
  /** Some part of the call is what the rule names: enough to deny or to ask. */
  readonly matches: boolean;
  /** All of the call is what the rule names: needed to allow. */
  readonly covers: boolean;
  /** The call may be what the rule names: enough to run a hook that has the rule as its condition. */
  readonly applies: boolean;
}

/** Contract: pure, never throws, answers in milliseconds whatever the input is. */
export type Judge = (toolInput: unknown, context: RuleContext) => Judgement;

/** What cannot be read must not slip past a guard, and is not allowed by anything. */
export const UNREADABLE: Judgement = Object.freeze({ matches: true, covers: false, applies: true });
export const EVERY_CALL: Judgement = Object.freeze({ matches: true, covers: true, applies: true });

/** A call that is one thing, which is what the rule names or is not. */
export function whole(named: boolean): Judgement {
  return { matches: named, covers: named, applies: named };
}
