/** The single place that writes output: results, messages on stderr, and a status line. */
import colors from 'picocolors';
import { escapeControls } from '../base/json/escape-controls.js';
import { wrapLine } from './wrap.js';

/** Red, green and magenta can be read on a light and on a dark ground; yellow and cyan vanish on white, blue on black. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'magenta';
export type Paint = Readonly<Record<Style, (text: string) => string>>;

export interface Printer {
  /** Colours for results; without a terminal they return the text unchanged. */
  readonly paint: Paint;
  /** The width of the terminal that results go to; undefined if they go elsewhere. */
  readonly columns: number | undefined;
  /** Whether stderr is a terminal that can show a status line. */
  readonly live: boolean;
  /** Prints one or more lines of the result. On a terminal, long lines are broken between words. */
  line(text?: string): void;
  /** Prints the result for programs. */
  json(value: unknown): void;
  /** Prints one of several values for programs, on its own line. */
  record(value: unknown): void;
  /** Prints a result whose every byte counts, such as the answer of a hook. */
  raw(text: string): void;
  /** Prints something other than the result to stderr: an error or a note. */
  note(text: string): void;
  /** Prints a line about the course of the work to stderr. */
  progress(text: string): void;
  /** Colours for `progress`. */
  readonly progressPaint: Paint;
  /** Shows a status line that replaces the previous one; undefined clears it. Does nothing without a terminal. */
  status(text: string | undefined): void;
}

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Our own colours; any other escape sequence comes from untrusted text and is made visible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const OWN_COLOURS = /(\u001b\[(?:1|2|22|31|32|35|39)m)/;
const CLEAR_LINE = '\r\u001b[2K';
const CONTROLS_IN_JSON = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function createPrinter(stdout: OutputStream, stderr: OutputStream, env: Variables): Printer {
  const inActions = Boolean(env['GITHUB_ACTIONS']);
  const clean = (text: string, coloured: boolean): string => {
    const cleaned = escapeUnlessOurs(text, coloured);
    return inActions ? withoutCommands(cleaned) : cleaned;
  };
  const coloured = wantsColour(stdout, env);
  const complaintsColoured = wantsColour(stderr, env);
  const live = stderr.isTTY === true && env['TERM'] !== 'dumb';
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write(CLEAR_LINE);
    shown = false;
  };
  return {
    paint: colors.createColors(coloured),
    columns: widthOf(stdout),
    live,
    line: (text = '') => {
      clear();
      stdout.write(`${wrap(clean(text, coloured), stdout)}\n`);
    },
    json: (value) => {
      clear();
      stdout.write(`${toJson(value)}\n`);
    },
    record: (value) => {
      clear();
      stdout.write(`${escapeJsonControls(JSON.stringify(value) ?? 'null')}\n`);
    },
    raw: (text) => {
      clear();
      stdout.write(text);
    },
    note: (text) => {
      clear();
      const label = complaintsColoured ? colors.createColors(true).bold('hookline:') : 'hookline:';
      stderr.write(`${wrap(`${label} ${clean(text, false)}`, stderr)}\n`);
    },
    progress: (text) => {
      clear();
      stderr.write(`${wrap(clean(text, complaintsColoured), stderr)}\n`);
    },
    progressPaint: colors.createColors(complaintsColoured),
    status: (text) => {
      if (!live) return;
      clear();
      if (text === undefined) return;
      const line = clean(text.replaceAll(/\s+/g, ' '), false);
      stderr.write(line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1)));
      shown = true;
    },
  };
}

/** Undefined if it is no terminal, or one that does not know its size. */
const widthOf = ({ isTTY, columns }: OutputStream): number | undefined =>
  isTTY === true ? columns || undefined : undefined;

function wrap(text: string, stream: OutputStream): string {
  const columns = widthOf(stream);
  if (columns === undefined) return text;
  return (
    text
      .split('\n')
      // How wide a tab is depends on where it stands.
      .flatMap((line) => wrapLine(line.replaceAll('\t', '  '), columns))
      .join('\n')
  );
}

/** On a terminal unless NO_COLOR is set; everywhere if FORCE_COLOR is set. Empty variables are ignored. */
function wantsColour(stream: OutputStream, env: Variables): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** Output of a hook or text from a repository must not control the user's terminal. */
function escapeUnlessOurs(text: string, coloured: boolean): string {
  if (!coloured) return escapeControls(text);
  // Every second piece is one of our colours.
  const pieces = text.split(OWN_COLOURS);
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : escapeControls(piece))).join('');
}

/** GitHub Actions reads lines that begin with `::`, and `##[` anywhere in a line, as commands; texts of hooks must not be. */
function withoutCommands(text: string): string {
  return text.replaceAll(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/** JSON escapes most control characters itself; the rest would reach the terminal unchanged. So would `##[`. */
function toJson(value: unknown): string {
  return escapeJsonControls(JSON.stringify(value, null, 2) ?? 'null');
}

function escapeJsonControls(json: string): string {
  return json
    .replaceAll('##[', '##\\u005b')
    .replaceAll(
      CONTROLS_IN_JSON,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
