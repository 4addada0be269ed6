/** Runs an automaton over a text once. Transitions are computed on demand and cached for the duration of the pass. */
import { contains, WORD } from './char-set.js';
import type { Place } from './node.js';
import type { Program, State } from './program.js';

/** Shared by all passes over one text. */
export interface Searching {
  readonly text: string;
  /** For each lookaround and position: whether its body matches there. */
  readonly tables: readonly Uint8Array[];
  stepsLeft: number;
}

/** The budget of a search. Following a cached transition costs one step. */
export const MAX_STEPS = 500_000;
/** The cost in steps of computing a transition, for each state. */
const STEPS_PER_STATE = 10;
/** State sets larger than this are not cached. */
const MAX_CACHED_STATES = 64;

/** What is next to a position: nothing at the ends of the text. */
type Neighbour = 'none' | 'word' | 'other';

/** The set of states after the characters read so far. */
interface Reached {
  readonly states: readonly number[];
  readonly last: Neighbour;
  /** Cached transitions, by the symbol of the next character. */
  readonly moves: Map<number, Move>;
}

interface Move {
  /** Whether the pattern matches before that character. */
  readonly accepts: boolean;
  readonly to: Reached;
}

const END = 0x10000;

/**
 * Tries a match from every position. `onAccept` is called with each position where the pattern matches, and returns
 * whether to stop. Returns undefined if the steps run out.
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
  /** The move in which each state was last visited, and last added: once per move is enough. */
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

  /** `code` is NaN at the end of the text. `held` is a bit mask of the lookarounds that hold here. */
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
    // Comparing this many states costs more than computing the transitions again.
    if (states.length > MAX_CACHED_STATES) return { states, last, moves: new Map() };
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
