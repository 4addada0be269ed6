/** The one place through which the command speaks: results, complaints, and a line that comes and goes. */
import colors from 'picocolors';
import { escapeControls } from '../base/json/escape-controls.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = Readonly<Record<Style, (text: string) => string>>;

export interface Printer {
  /** The colours of results; without a terminal they leave texts as they are. */
  readonly paint: Paint;
  /** Whether somebody watches, so that a line may come and go. */
  readonly live: boolean;
  /** One line of the result, or several. */
  line(text?: string): void;
  /** The result for programs. */
  json(value: unknown): void;
  /** One of several values for programs, on a line of its own. */
  record(value: unknown): void;
  /** Something beside the result: an error, a note. */
  complain(text: string): void;
  /** A line that the next one takes the place of; undefined takes it away. Without a terminal nothing happens. */
  status(text: string | undefined): void;
}

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Our own colours; any other sequence in a text comes from a stranger and is made visible. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
const OWN_COLOURS = /(\u001b\[(?:1|2|22|31|32|33|36|39)m)/;
const CLEAR_LINE = '\r\u001b[2K';
const STEERING_IN_JSON = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function createPrinter(stdout: OutputStream, stderr: OutputStream, env: Variables): Printer {
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
    live,
    line: (text = '') => {
      clear();
      stdout.write(`${clean(text, coloured)}\n`);
    },
    json: (value) => {
      clear();
      stdout.write(`${toJson(value)}\n`);
    },
    record: (value) => {
      clear();
      stdout.write(`${escapeSteering(JSON.stringify(value) ?? 'null')}\n`);
    },
    complain: (text) => {
      clear();
      const label = complaintsColoured ? colors.createColors(true).bold('hookline:') : 'hookline:';
      stderr.write(`${label} ${clean(text, false)}\n`);
    },
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

/** On a terminal, unless NO_COLOR says no; anywhere, if FORCE_COLOR says so. An empty variable says nothing. */
function wantsColour(stream: OutputStream, env: Variables): boolean {
  if (env['NO_COLOR']) return false;
  const forced = env['FORCE_COLOR'];
  if (forced) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/** What a hook printed, or a repository wrote down, must not steer the terminal of whoever looks at it. */
function clean(text: string, coloured: boolean): string {
  if (!coloured) return escapeControls(text);
  // Every second piece is a colour of ours.
  const pieces = text.split(OWN_COLOURS);
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : escapeControls(piece))).join('');
}

/** JSON escapes most control characters itself; the others would reach the terminal as they are. */
function toJson(value: unknown): string {
  return escapeSteering(JSON.stringify(value, null, 2) ?? 'null');
}

function escapeSteering(json: string): string {
  return json.replaceAll(
    STEERING_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
