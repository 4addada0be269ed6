/** A regular expression as a tree. */
import type { CharSet } from './char-set.js';

export type PatternNode =
  /** Matches one code unit of a set. */
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  /** `max` may be infinite. */
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'assertion'; readonly at: Place }
  | LookNode;

/** The position at which an assertion holds. */
export type Place = 'start' | 'end' | 'boundary' | 'no-boundary';

/** `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`. */
export interface LookNode {
  readonly kind: 'look';
  readonly body: PatternNode;
  readonly behind: boolean;
  readonly negated: boolean;
}
