/** Parses the arguments of a program by its known options; an unknown option makes the result undefined. */

export interface KnownOptions {
  readonly letters: ReadonlySet<string>;
  /** Letters that take a value, in the same word or the next. */
  readonly valued: ReadonlySet<string>;
  /** Letters whose optional value is the rest of the word. */
  readonly attached: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly valuedNames: ReadonlySet<string>;
  /** Whether `-20` is an option. */
  readonly digits: boolean;
}

export interface Arguments {
  readonly operands: readonly string[];
  /** As written, without values: `-n`, `--lines`. */
  readonly options: ReadonlySet<string>;
  /** The options that have a value, in order. */
  readonly values: readonly (readonly [option: string, value: string])[];
}

/**
 * `letters`: `n` takes no value, `n:` takes a value, `n?` takes an optional one in the same word, `#` allows a number.
 * `names`, without dashes: `lines=` takes a value. Any name may have a value after an equals sign, and must be given in
 * full, because a prefix may mean an option that is not listed.
 *
 * List a value only if every version of the program takes one: otherwise a file could be mistaken for a value.
 */
export function knownOptions(letters = '', names = ''): KnownOptions {
  const all = [...letters.matchAll(/([^:?#])([:?]?)/g)];
  const long = names.split(' ').filter((name) => name !== '');
  const marked = (mark: string): ReadonlySet<string> =>
    new Set(all.flatMap(([, letter = '', found]) => (found === mark ? [letter] : [])));
  return {
    letters: marked(''),
    valued: marked(':'),
    attached: marked('?'),
    names: new Set(long.filter((name) => !name.endsWith('='))),
    valuedNames: new Set(long.flatMap((name) => (name.endsWith('=') ? [name.slice(0, -1)] : []))),
    digits: letters.includes('#'),
  };
}

/** Undefined if the meaning of one of the words is unknown. */
export function readArguments(words: readonly string[], known: KnownOptions): Arguments | undefined {
  const operands: string[] = [];
  const options = new Set<string>();
  const values: [string, string][] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      operands.push(word);
      continue;
    }
    const found = new Set<string>();
    const taken = word.startsWith('--') ? readName(word, known, found) : readLetters(word, known, found);
    if (taken === undefined || at + taken >= words.length) return undefined;
    const last = [...found].at(-1) ?? '';
    const value = taken === 1 ? words[at + 1] : valueIn(word, last);
    if (value !== undefined) values.push([last, value]);
    for (const option of found) options.add(option);
    at += taken;
  }
  return { operands, options, values };
}

export interface LeadingOptions {
  /** The index of the first word that is neither an option nor an option's value. */
  readonly end: number;
  /** Each option with its value; undefined for those without. */
  readonly given: ReadonlyMap<string, string | undefined>;
}

/** The options before the first operand. Undefined if one of them is unknown. */
export function readLeadingOptions(
  words: readonly (string | undefined)[],
  known: KnownOptions,
): LeadingOptions | undefined {
  const given = new Map<string, string | undefined>();
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === '--') return { end: at + 1, given };
    if (word === undefined || word === '-' || !word.startsWith('-')) break;
    const options = new Set<string>();
    const taken = word.startsWith('--') ? readName(word, known, options) : readLetters(word, known, options);
    if (taken === undefined) return undefined;
    for (const option of options) given.set(option, valueIn(word, option));
    const last = [...options].at(-1);
    if (taken === 1 && last !== undefined) given.set(last, words[at + 1]);
    at += taken;
  }
  return { end: Math.min(at, words.length), given };
}

/** The text after an option in the same word. */
function valueIn(word: string, option: string): string | undefined {
  if (option.startsWith('--')) return word.includes('=') ? word.slice(word.indexOf('=') + 1) : undefined;
  return word.slice(word.indexOf(option.slice(1)) + 1) || undefined;
}

/** How many of the following words belong to it; undefined if it is unknown. */
function readName(word: string, known: KnownOptions, options: Set<string>): 0 | 1 | undefined {
  const equals = word.indexOf('=');
  const name = word.slice(2, equals < 0 ? undefined : equals);
  options.add(`--${name}`);
  if (known.valuedNames.has(name)) return equals < 0 ? 1 : 0;
  return known.names.has(name) ? 0 : undefined;
}

function readLetters(word: string, known: KnownOptions, options: Set<string>): 0 | 1 | undefined {
  if (known.digits && /^-\d+$/.test(word)) return 0;
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] as string;
    options.add(`-${letter}`);
    if (known.attached.has(letter)) return 0;
    if (known.valued.has(letter)) return at + 1 < word.length ? 0 : 1;
    if (!known.letters.has(letter)) return undefined;
  }
  return 0;
}
