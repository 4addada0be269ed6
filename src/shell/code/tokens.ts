/** Splits code in another language into words, plain texts, patterns, numbers and signs, without comments. */

export interface Token {
  readonly kind: 'word' | 'text' | 'pattern' | 'number' | 'sign';
  /** Of a text its content, as written. */
  readonly text: string;
  /** A text that is exactly what is written: nothing in it is filled in or decoded. */
  readonly plain: boolean;
  /** Of a text: the letter or sign that begins it, such as a backtick. */
  readonly opener?: string;
  /** A blank or the end of a line precedes it. */
  readonly spaced: boolean;
  /** It is the first on its line. */
  readonly first: boolean;
}

export interface Language {
  /** Sticky, with the groups `gap`, `word`, `number` and `sign`. */
  readonly tokens: RegExp;
  /** Reads what begins at the position and is none of these. Returns false if nothing begins there. */
  readonly special: (reader: Reader) => boolean;
}

/** Thrown, and caught here, where it is not certain how a program reads the code. */
class Unclear extends Error {}

/** How deep code may be nested in texts. */
const MAX_DEPTH = 8;

export class Reader {
  readonly tokens: Token[] = [];
  at = 0;
  #spaced = false;
  #first = true;
  #depth = 0;

  constructor(
    readonly code: string,
    readonly language: Language,
  ) {}

  get last(): Token | undefined {
    return this.tokens.at(-1);
  }

  get rest(): string | undefined {
    return this.code[this.at];
  }

  unclear(): never {
    throw new Unclear();
  }

  add(kind: Token['kind'], text: string, plain = true, opener?: string): undefined {
    const opened = opener === undefined ? {} : { opener };
    this.tokens.push({ kind, text, plain, ...opened, spaced: this.#spaced, first: this.#first });
    this.#spaced = this.#first = false;
  }

  skip(length: number): undefined {
    const gap = this.code.slice(this.at, this.at + length);
    this.#spaced = true;
    this.#first ||= gap.includes('\n');
    this.at += length;
  }

  /** The match of a sticky expression here. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.code);
  }

  /** Reads to the end, or up to one of the signs in `ends` that is in no bracket. */
  read(ends = ''): undefined {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.unclear();
    let open = 0;
    while (this.at < this.code.length) {
      if (open === 0 && ends !== '' && ends.includes(this.rest ?? '')) break;
      if (this.language.special(this)) continue;
      const { 0: found = '', groups } = this.match(this.language.tokens) ?? { groups: undefined };
      const { gap, word, number } = (groups ?? {}) as Partial<Record<'gap' | 'word' | 'number', string>>;
      if (found === '') this.unclear();
      if (gap !== undefined) this.skip(found.length);
      else {
        if (/[([{]/.test(found)) open += 1;
        if (/[)\]}]/.test(found)) open -= 1;
        const kind = word !== undefined ? 'word' : number !== undefined ? 'number' : 'sign';
        this.add(kind, found);
        this.at += found.length;
      }
    }
    this.#depth -= 1;
    if (ends !== '' && this.at >= this.code.length) this.unclear();
  }

  /** Reads code in a text, whose tokens are put between `${` and `}$`. */
  readNested(ends = '}'): undefined {
    this.add('sign', '${');
    this.read(ends);
    this.at += 1;
    this.add('sign', '}$');
  }

  /**
   * Reads a text up to the closing sign. `inserts` begins nested code in it, up to `}`. A backslash hides the next
   * character.
   */
  readText(opener: string, close: string, inserts?: string): undefined {
    const start = this.at;
    const at = this.tokens.length;
    this.add('text', '', false, opener);
    let plain = true;
    while (!this.code.startsWith(close, this.at)) {
      if (this.at >= this.code.length) this.unclear();
      if (this.rest === '\\') this.at += 1;
      else if (inserts !== undefined && this.code.startsWith(inserts, this.at)) {
        plain = false;
        this.at += inserts.length;
        this.readNested();
        continue;
      }
      this.at += 1;
    }
    const text = this.code.slice(start, this.at);
    this.tokens[at] = { ...(this.tokens[at] as Token), text, plain: plain && !ESCAPE.test(text) };
    this.at += close.length;
  }
}

/** Everything but the usual escapes for ends of lines, blanks and quotes. */
const ESCAPE = /\\(?![nrt\\'"`/])/;
/** Some programs end a line or a comment at these, others do not. */
const DISPUTED = /\r(?!\n)|[\0\f\v\u0085\u2028\u2029]/;

/** Undefined if it is not certain how a program reads the code. Contract: pure, and linear in the length. */
export function tokenize(code: string, language: Language): readonly Token[] | undefined {
  if (DISPUTED.test(code)) return undefined;
  const reader = new Reader(code.replaceAll('\r\n', '\n'), language);
  try {
    reader.read();
    return reader.tokens;
  } catch (error) {
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}
