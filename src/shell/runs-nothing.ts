/** Programs that treat their words only as texts and files: they run nothing, whatever their arguments. */
import { dirname } from 'node:path/posix';
import { BUILTIN_NAMES } from './builtin-names.js';
import type { ShellCommand, ShellWord } from './line.js';
import { onlyPrintsSed } from './sed-script.js';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const TEXTS_AND_FILES = list(
  'arch b2sum base32 base64 basename bunzip2 bzcat bzip2 cat chgrp chmod chown cksum cmp column comm cp curl cut date dd df diff dirname du echo egrep expand expr factor false fgrep file find fmt fold free grep groups gunzip gzip head hexdump hostname iconv id join jq kill killall ln locale ls lsof md5sum mkdir mkfifo mktemp mv nl nproc numfmt od paste pgrep ping pkill pr printenv printf ps pwd readlink realpath rev rg rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shasum shred shuf sleep sort stat strings sum sync tac tail tee test touch tr tree true truncate tsort tty uname unexpand uniq unlink unxz uptime wc whatis whereis which who whoami xxd xz xzcat yes zcat zgrep zstd [',
);
/** Builtins that run a script. All others run nothing, or what they run is listed. */
const RUNS_A_SCRIPT = list('. source');
/** With one of these options they run a program after all. */
const RUNS_WITH: Readonly<Record<string, RegExp>> = {
  rg: /^--(?:pre|hos)/,
  sort: /^--co/,
  fd: /^-[^-]*[xX]|^--exec/,
  fdfind: /^-[^-]*[xX]|^--exec/,
};
const SED_OPTION =
  /^-(?:[nirEsuz]+|i\.\w+|n?e|-(?:quiet|silent|in-place|regexp-extended|null-data|separate))$/;
const HARMLESS_AWK = /^(?!-[^Fv])(?!.*(?:[|@]|system|getline))/s;

/** Contract: pure. Applies to the program of that name that comes with the system. */
export function runsNothing(command: ShellCommand): boolean {
  const [name, ...args] = command.words;
  if (name === undefined) return true;
  const program = installedName(command);
  if (program === undefined || command.calls) return false;
  if (BUILTIN_NAMES.has(program) && !RUNS_A_SCRIPT.has(program)) return true;
  if (Object.hasOwn(RUNS_WITH, program)) return !args.some((word) => RUNS_WITH[program]?.test(textOf(word)));
  if (program === 'sed') return !command.fed && isHarmlessSed(args);
  if (/^[gmn]?awk$/.test(program))
    return !command.fed && args.every(({ value }) => value !== undefined && HARMLESS_AWK.test(value));
  return TEXTS_AND_FILES.has(program);
}

/** The name of an installed program; undefined if it may be any file. */
export function installedName({
  words: [name],
  assignments,
  searched,
  carrier,
}: ShellCommand): string | undefined {
  const value = name?.value;
  const isSearchedElsewhere = searched !== undefined || assignments.some(({ name: set }) => set === 'PATH');
  if (value === undefined || (isSearchedElsewhere && !value.includes('/') && !BUILTIN_NAMES.has(value)))
    return undefined;
  if (carrier?.assignments.some(({ name: set }) => set === 'PATH')) return undefined;
  if (!value.includes('/')) return value;
  return /^(?:\/usr(?:\/local)?)?\/s?bin$/.test(dirname(value))
    ? value.slice(value.lastIndexOf('/') + 1)
    : undefined;
}

/** The first operand, or the value of `-e`, is the script; the rest are files. */
function isHarmlessSed(args: readonly ShellWord[]): boolean {
  const values = args.map(({ value }) => value);
  const at = values.findIndex((value) => value === undefined || !value.startsWith('-'));
  const scripts = values.filter((_, index) => index === at || /^-n?e$/.test(values[index - 1] ?? ''));
  return (
    values.every((value) => value !== undefined && (!value.startsWith('-') || SED_OPTION.test(value))) &&
    scripts.every((script) => onlyPrintsSed(script ?? ''))
  );
}

function textOf({ value, raw }: ShellWord): string {
  return value ?? raw;
}
