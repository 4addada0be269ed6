/** Formats the matches of Grep for the model and for hooks. */
import { capLine } from './cap-content.js';
import type { GrepInput } from './grep.js';
import type { ToolOutcome } from './tool.js';
import { describeHidden, shortPath } from './walk.js';

export interface FileMatches {
  readonly path: string;
  readonly lines: readonly string[];
  /** The numbers of the matching lines, from 0, ascending. */
  readonly found: readonly number[];
}

export interface Omissions {
  readonly tooLarge: number;
  readonly incomplete: boolean;
  /** The number of files the agent may not read. */
  readonly hidden: number;
}

const DEFAULT_LIMIT = 250;
const MAX_SHOWN = 500;

export function renderMatches(
  matches: readonly FileMatches[],
  input: GrepInput,
  cwd: string,
  omissions: Omissions,
): ToolOutcome {
  const mode = input.output_mode ?? 'files_with_matches';
  const filenames = matches.map(({ path }) => shortPath(cwd, path));
  const entries = matches.flatMap((match, i) => entriesOf(match, filenames[i] ?? match.path, input));
  const shown = entries.slice(0, input.head_limit ?? DEFAULT_LIMIT);
  const content = [
    ...(shown.length > 0 ? shown : ['No matches found.']),
    ...notes(entries, shown, omissions),
  ];
  const numMatches = matches.reduce((sum, { found }) => sum + found.length, 0);
  return {
    ok: true,
    content: content.join('\n'),
    response: {
      mode,
      numFiles: matches.length,
      filenames: mode === 'files_with_matches' ? shown : filenames,
      ...(mode === 'content' && { content: shown.join('\n'), numLines: shown.length }),
      ...(mode === 'count' && { content: shown.join('\n'), numMatches }),
    },
  };
}

function entriesOf(match: FileMatches, name: string, input: GrepInput): string[] {
  if (input.output_mode === 'content') return contentOf(match, name, input);
  return [input.output_mode === 'count' ? `${name}:${match.found.length}` : name];
}

/** Like grep: `:` after a matching line's number, `-` after a context line's, `--` between groups. */
function contentOf({ lines, found }: FileMatches, name: string, input: GrepInput): string[] {
  const before = input['-B'] ?? input['-C'] ?? 0;
  const after = input['-A'] ?? input['-C'] ?? 0;
  const fits = new Set(found);
  const entries: string[] = [];
  let next = 0;
  for (const number of found) {
    const from = Math.max(number - before, next);
    if (before + after > 0 && next > 0 && from > next) entries.push('--');
    const to = Math.min(number + after, lines.length - 1);
    for (let i = from; i <= to; i++) {
      const mark = fits.has(i) ? ':' : '-';
      const place = input['-n'] === false ? `${name}${mark}` : `${name}${mark}${i + 1}${mark}`;
      entries.push(place + capLine(lines[i] ?? '', MAX_SHOWN));
    }
    next = Math.max(next, to + 1);
  }
  return entries;
}

function notes(entries: readonly string[], shown: readonly string[], omissions: Omissions): string[] {
  const notes: string[] = [];
  if (entries.length > shown.length)
    notes.push(`[${entries.length - shown.length} more: narrow the search or raise head_limit]`);
  if (omissions.tooLarge > 0)
    notes.push(`[not searched because of their size: ${omissions.tooLarge} file(s); search them with Bash]`);
  notes.push(...describeHidden(omissions.hidden));
  if (omissions.incomplete) notes.push('[too many files: not all were searched; use a narrower path]');
  return notes;
}
