/** The forms in which `check` and `test` print their findings, and the one that GitHub shows in a pull request. */
import { HookError, show } from '../base/errors.js';
import { escapeControls } from '../base/json/escape-controls.js';
import { didYouMean } from '../base/text/suggest.js';
import { shortPath } from './hooks/place.js';
import type { Printer } from './printer.js';

const FORMATS = ['text', 'json', 'github'] as const;

export const FORMAT_OPTIONS = {
  json: { type: 'boolean', help: 'Print the result as JSON; the same as --format json.' },
  format: {
    type: 'string',
    value: 'FORMAT',
    help: 'text, json, or github: also annotate the pull request at file and line.',
  },
} as const;

export interface Annotation {
  readonly severity: 'error' | 'warning' | 'info';
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly title: string;
  readonly message: string;
}

/** Throws a HookError if the name is unknown. */
export function formatOf({
  json,
  format = 'text',
}: {
  readonly json: boolean;
  readonly format?: string | undefined;
}): (typeof FORMATS)[number] {
  if (json) return 'json';
  const known = FORMATS.find((name) => name === format);
  if (known !== undefined) return known;
  const hint =
    didYouMean(format, FORMATS) || ` Write ${FORMATS.slice(0, -1).join(', ')} or ${FORMATS.at(-1)}.`;
  throw new HookError('invalid_option', `There is no format ${show(format)}.${hint}`);
}

/** Prints workflow commands of GitHub Actions. */
export function annotate(annotations: readonly Annotation[], cwd: string, printer: Printer): void {
  for (const annotation of annotations) printer.raw(`${githubCommand(annotation, cwd)}\n`);
}

/** Its paths start at the root of the checkout. */
function githubCommand({ severity, file, line, column, title, message }: Annotation, cwd: string): string {
  const word = severity === 'info' ? 'notice' : severity;
  const path = shortPath(file, process.env['GITHUB_WORKSPACE'] || cwd);
  const properties = [
    `file=${escapeProperty(path)}`,
    `line=${line}`,
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${word} ${properties.join(',')}::${escapeData(message)}`;
}

const escapeData = (text: string): string =>
  escapeControls(text)
    .replaceAll('##[', '## [')
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
