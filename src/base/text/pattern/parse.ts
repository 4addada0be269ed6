/** Parses a regular expression, as `new RegExp(source)` does, into a tree. */
import { type CharSet, complement, DIGITS, NOT_LINE_END, SPACE, single, union, WORD } from './char-set.js';
import type { LookNode, PatternNode, Place } from './node.js';

/** Thrown for syntax that an automaton cannot express or that is not supported. The message says which. */
export class UnsupportedPattern extends Error {}

const MAX_DEPTH = 100;
const EVERYTHING: CharSet = [0, 0xffff];
const NOTHING: PatternNode = { kind: 'sequence', parts: [] };

const CLASS_ESCAPES: Readonly<Record<string, CharSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};
const CONTROL_ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };
const ASSERTIONS: Readonly<Record<string, Place>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'boundary',
  '\\B': 'no-boundary',
};
const LOOKS: Readonly<Record<string, Pick<LookNode, 'behind' | 'negated'>>> = {
  '(?=': { behind: false, negated: false },
  '(?!': { behind: false, negated: true },
  '(?<=': { behind: true, negated: false },
  '(?<!': { behind: true, negated: true },
};

const GROUP = /\((?:\?(?:<?[=!]|:|<[^>]*>))?/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
/** A character by its code, or a control character. */
const CODED = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|c([A-Za-z])|0(?!\d))/y;

/** Contract: `source` is a valid expression without flags. Throws UnsupportedPattern. */
export function parsePattern(source: string): PatternNode {
  return new Parser(source).read();
}

class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): PatternNode {
    const options = [this.#readSequence()];
    while (this.#take('|')) options.push(this.#readSequence());
    return options.length === 1 ? (options[0] as PatternNode) : { kind: 'choice', options };
  }

  #readSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at] as string))
      parts.push(this.#readQuantifier(this.#readTerm()));
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts };
  }

  #readTerm(): PatternNode {
    for (const [written, at] of Object.entries(ASSERTIONS))
      if (this.#take(written)) return { kind: 'assertion', at };
    const group = this.#match(GROUP);
    if (group !== undefined) return this.#readGroup(group[0]);
    if (this.#take('.')) return { kind: 'set', set: NOT_LINE_END };
    if (this.#take('[')) return { kind: 'set', set: this.#readClass() };
    return { kind: 'set', set: this.#readCharacter(false) };
  }

  #readGroup(opening: string): PatternNode {
    if (opening === '(' && this.#source[this.#at] === '?')
      throw new UnsupportedPattern('it switches flags inside a group');
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new UnsupportedPattern(`its groups are more than ${MAX_DEPTH} deep`);
    const body = this.read();
    this.#depth -= 1;
    this.#take(')');
    const look = Object.hasOwn(LOOKS, opening) ? LOOKS[opening] : undefined;
    return look === undefined ? body : { kind: 'look', body, ...look };
  }

  #readQuantifier(body: PatternNode): PatternNode {
    const found = this.#match(QUANTIFIER);
    if (found === undefined) return body;
    const [, sign, least = '', comma, most] = found;
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const unbounded = sign === undefined ? comma === ',' && most === '' : sign !== '?';
    const bounded = sign === '?' ? 1 : comma === ',' ? Number(most) : min;
    const max = unbounded ? Number.POSITIVE_INFINITY : bounded;
    return max === 0 ? NOTHING : { kind: 'repeat', body, min, max };
  }

  /** Inside brackets, a minus between two characters makes a range; next to a class it is literal. */
  #readClass(): CharSet {
    const negated = this.#take('^');
    const sets: CharSet[] = [];
    while (!this.#take(']')) {
      const from = this.#readCharacter(true);
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']';
      if (!isRange) {
        sets.push(from);
        continue;
      }
      this.#at += 1;
      const to = this.#readCharacter(true);
      const low = onlyOne(from);
      const high = onlyOne(to);
      if (low === undefined || high === undefined) sets.push(from, single(0x2d), to);
      else sets.push([low, high]);
    }
    const set = union(sets);
    return negated ? complement(set) : set;
  }

  #readCharacter(inClass: boolean): CharSet {
    const coded = this.#match(CODED);
    if (coded !== undefined) {
      const [, two, four, control] = coded;
      if (control !== undefined) return single(control.charCodeAt(0) % 32);
      return single(Number.parseInt(two ?? four ?? '0', 16));
    }
    const character = this.#next();
    if (character !== '\\') return single(character.charCodeAt(0));
    const escaped = this.#next();
    if (/\d/.test(escaped)) throw new UnsupportedPattern('it refers back to a group');
    if (escaped === 'k' && this.#source[this.#at] === '<')
      throw new UnsupportedPattern('it refers back to a group');
    if (escaped === 'c') throw new UnsupportedPattern('`\\c` stands before no letter');
    if (escaped === 'b' && inClass) return single(0x08);
    if (Object.hasOwn(CLASS_ESCAPES, escaped)) return CLASS_ESCAPES[escaped] ?? EVERYTHING;
    const written = Object.hasOwn(CONTROL_ESCAPES, escaped) ? CONTROL_ESCAPES[escaped] : escaped;
    return single((written ?? escaped).charCodeAt(0));
  }

  #next(): string {
    const character = this.#source[this.#at] ?? '';
    this.#at += 1;
    return character;
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source);
    if (found === null) return undefined;
    this.#at = expression.lastIndex;
    return found;
  }
}

function onlyOne(set: CharSet): number | undefined {
  return set.length === 2 && set[0] === set[1] ? set[0] : undefined;
}
