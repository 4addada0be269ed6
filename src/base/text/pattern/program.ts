/** Compiles a pattern into an automaton: a list of states and their transitions. */
import type { CharSet } from './char-set.js';
import type { LookNode, PatternNode, Place } from './node.js';
import { UnsupportedPattern } from './parse.js';

export type State =
  /** Consumes one code unit of the set. */
  | { readonly kind: 'set'; readonly set: CharSet; readonly next: number }
  /** Continues in two states at once. */
  | { readonly kind: 'split'; next: number; readonly other: number }
  | { readonly kind: 'assertion'; readonly at: Place; readonly next: number }
  /** Holds where the lookaround's table says so. */
  | { readonly kind: 'look'; readonly look: number; readonly negated: boolean; readonly next: number }
  | { readonly kind: 'accept' };

export interface Program {
  readonly states: readonly State[];
  readonly start: number;
  /** Whether it reads the text from end to beginning. */
  readonly backward: boolean;
}

export interface CompiledPattern {
  readonly main: Program;
  /** The bodies of lookarounds; each may refer to those before it. */
  readonly looks: readonly Program[];
}

/** Counted repetitions are unrolled, so a short pattern can have any number of states. */
const MAX_STATES = 5000;
/** Their results are stored as the bits of one number. */
const MAX_LOOKS = 16;

/** Throws UnsupportedPattern if there are too many states or lookarounds. */
export function compileProgram(pattern: PatternNode): CompiledPattern {
  const looks: Program[] = [];
  const known = new Map<LookNode, number>();
  let count = 0;

  function build(node: PatternNode, backward: boolean): Program {
    const states: State[] = [];
    const add = (state: State): number => {
      count += 1;
      if (count > MAX_STATES) throw new UnsupportedPattern(`it has more than ${MAX_STATES} states`);
      return states.push(state) - 1;
    };

    /** Returns the first state of the node; `next` is the state after it. */
    function emit(each: PatternNode, next: number): number {
      switch (each.kind) {
        case 'set':
          return add({ kind: 'set', set: each.set, next });
        case 'assertion':
          return add({ kind: 'assertion', at: each.at, next });
        case 'look':
          return add({ kind: 'look', look: lookOf(each), negated: each.negated, next });
        case 'sequence': {
          const fromTheEnd = backward ? each.parts : each.parts.toReversed();
          return fromTheEnd.reduce((after, part) => emit(part, after), next);
        }
        case 'choice':
          return each.options
            .map((option) => emit(option, next))
            .reduce((other, option) => add({ kind: 'split', next: option, other }));
        case 'repeat':
          return emitRepeat(each, next);
      }
    }

    function emitRepeat({ body, min, max }: Extract<PatternNode, { kind: 'repeat' }>, next: number): number {
      let first = next;
      if (max === Number.POSITIVE_INFINITY) {
        const loop = { kind: 'split' as const, next: 0, other: next };
        first = add(loop);
        loop.next = emit(body, first);
      } else
        for (let i = min; i < max; i++) first = add({ kind: 'split', next: emit(body, first), other: next });
      for (let i = 0; i < min; i++) {
        const after = first;
        first = emit(body, after);
        // Repeating an empty body changes nothing.
        if (first === after) break;
      }
      return first;
    }

    const accept = add({ kind: 'accept' });
    const start = emit(node, accept);
    return { states, start, backward };
  }

  /** A lookahead is run backward, so that one pass answers it for every position. */
  function lookOf(node: LookNode): number {
    const found = known.get(node);
    if (found !== undefined) return found;
    const program = build(node.body, !node.behind);
    if (looks.length === MAX_LOOKS) throw new UnsupportedPattern(`it has more than ${MAX_LOOKS} lookarounds`);
    known.set(node, looks.length);
    return looks.push(program) - 1;
  }

  const main = build(pattern, false);
  return { main, looks };
}
