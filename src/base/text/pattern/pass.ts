/** One pass of an automaton over a text. What it does with a letter is worked out once and remembered until its end. */
import { contains, WORD } from './char-set.js';
import type { Place } from './node.js';
import type { Program, State } from './program.js';

/** What all passes over one text share. */
export interface Searching {
  readonly text: string;
  /** For each lookaround and place: whether what stands in it fits there. */
  readonly tables: readonly Uint8Array[];
  stepsLeft: number;
}

/** Looking up what is remembered is one step. */
export const MAX_STEPS = 500_000;
/** Working it out takes this many for each state. */
const STEPS_PER_STATE = 10;
/** Of sets with more states nothing is remembered. */
const MAX_REMEMBERED = 64;

/** What stands beside a place: nothing at the ends of the text. */
type Neighbour = 'none' | 'word' | 'other';

/** The states that the letters so far lead to. */
interface Reached {
  readonly states: readonly number[];
  readonly last: Neighbour;
  /** What comes of the next letter, by its symbol. */
  readonly moves: Map<number, Move>;
}

interface Move {
  /** Whether the pattern ends before that letter. */
  readonly accepts: boolean;
  readonly to: Reached;
}

const END = 0x10000;

/**
 * Begins anew at every place of the text. `onAccept` is told of the places where the pattern ends, and says whether that is
 * enough. Undefined: out of steps.
 */
export function pass(
  program: Program,
  searching: Searching,
  onAccept: (place: number) => boolean,
): boolean | undefined {
  const { text, tables } = searching;
  const { backward } = program;
  const automaton = new Automaton(program, searching);
  let reached = automaton.begin();
  for (let i = 0; i <= text.length; i++) {
    const place = backward ? text.length - i : i;
    const code = text.charCodeAt(backward ? place - 1 : place);
    let held = 0;
    for (let look = 0; look < tables.length; look++) held |= (tables[look]?.[place] ?? 0) << look;
    const symbol = held * (END + 1) + (i === text.length ? END : code);
    let move = reached.moves.get(symbol);
    if (move === undefined) {
      move = automaton.move(reached, code, held);
      reached.moves.set(symbol, move);
    }
    searching.stepsLeft -= 1;
    if (searching.stepsLeft < 0) return undefined;
    if (move.accepts && onAccept(place)) return true;
    reached = move.to;
  }
  return false;
}

class Automaton {
  readonly #program: Program;
  readonly #searching: Searching;
  readonly #known = new Map<string, Reached>();
  /** The move in which each state was last looked at, and last reached: once is enough. */
  readonly #visitedIn: Int32Array;
  readonly #reachedIn: Int32Array;
  readonly #waiting: number[] = [];
  #moves = 0;

  constructor(program: Program, searching: Searching) {
    this.#program = program;
    this.#searching = searching;
    this.#visitedIn = new Int32Array(program.states.length);
    this.#reachedIn = new Int32Array(program.states.length);
  }

  begin(): Reached {
    return this.#reach([], 'none');
  }

  /** `code` is NaN at the end. `held`: the lookarounds that hold here, bit by bit. */
  move(reached: Reached, code: number, held: number): Move {
    const { states, start, backward } = this.#program;
    const coming = neighbour(code);
    const [left, right] = backward ? [coming, reached.last] : [reached.last, coming];
    const waiting = this.#waiting;
    this.#moves += 1;
    const next: number[] = [];
    let accepts = false;
    waiting.push(start);
    for (let i = 0; i < reached.states.length; i++) waiting.push(reached.states[i] as number);
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (this.#visitedIn[index] === this.#moves) continue;
      this.#visitedIn[index] = this.#moves;
      this.#searching.stepsLeft -= STEPS_PER_STATE;
      const state = states[index] as State;
      if (state.kind === 'set') {
        if (contains(state.set, code)) this.#add(next, state.next);
      } else if (state.kind === 'split') waiting.push(state.other, state.next);
      else if (state.kind === 'assertion') {
        if (holds(state.at, left, right)) waiting.push(state.next);
      } else if (state.kind === 'look') {
        if (((held >> state.look) & 1) === (state.negated ? 0 : 1)) waiting.push(state.next);
      } else accepts = true;
    }
    return { accepts, to: this.#reach(next, coming) };
  }

  #add(next: number[], state: number): void {
    if (this.#reachedIn[state] === this.#moves) return;
    this.#reachedIn[state] = this.#moves;
    next.push(state);
  }

  #reach(states: readonly number[], last: Neighbour): Reached {
    // To compare so many costs more than to work it out again.
    if (states.length > MAX_REMEMBERED) return { states, last, moves: new Map() };
    const key = `${last} ${states.join()}`;
    let reached = this.#known.get(key);
    if (reached === undefined) {
      reached = { states, last, moves: new Map() };
      this.#known.set(key, reached);
    }
    return reached;
  }
}

function neighbour(code: number): Neighbour {
  if (Number.isNaN(code)) return 'none';
  return contains(WORD, code) ? 'word' : 'other';
}

function holds(at: Place, left: Neighbour, right: Neighbour): boolean {
  if (at === 'start') return left === 'none';
  if (at === 'end') return right === 'none';
  const isBoundary = (left === 'word') !== (right === 'word');
  return isBoundary === (at === 'boundary');
}
