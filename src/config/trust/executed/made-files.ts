/**
 * Files that an earlier command of the line writes: what they hold when they run is not what is there when the hook is
 * approved. And files from which such a command takes others: archives and patches.
 */
import { basename } from 'node:path/posix';
import type { ShellCommand, ShellWord } from '../../../shell/read-line.js';
import { pathsIn } from './given-files.js';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const WRITES_TO = /^(?:>|>>|>\||&>|&>>|<>)$/;
/** `-o x`, `--outfile=x`, `of=x`. */
const OUTPUT = /^(?:-[a-z]*[oO]|-{1,2}out[\w-]*|--dest[\w-]*|--target|of)$/i;
const COPIES = list('cp gcp mv gmv ln gln install ginstall rsync scp');
/** They write each of their operands. */
const WRITES_ALL = list('tee sponge patch gunzip unxz bunzip2 unzstd');
const UNPACKS = list('tar gtar bsdtar unzip 7z 7za 7zz unrar unar cpio pax ar patch jar');
const PACKED = /\.(?:gz|xz|bz2|zst)$/;

export interface Made {
  /** As the command names them. */
  readonly files: readonly string[];
  readonly sources: readonly string[];
}

/** Contract: pure. */
export function madeBy({ words: [name, ...args], redirects }: ShellCommand): Made {
  const program = basename(name?.value ?? '');
  const redirected = isLiteral(program, args, redirects)
    ? []
    : redirects.flatMap(({ operator, target }) => (WRITES_TO.test(operator) ? (target.value ?? []) : []));
  const values = args.flatMap(({ value }) => value ?? []);
  const outputs = values.flatMap((value, at) => {
    const [, option = '', given] = /^(-{0,2}[\w-]+)=(.+)$/s.exec(value) ?? /^(-o)(.+)$/s.exec(value) ?? [];
    if (given !== undefined) return OUTPUT.test(option) ? [given] : [];
    return OUTPUT.test(values[at - 1] ?? '') ? [value] : [];
  });
  const operands = values.filter((value) => !value.startsWith('-'));
  const to = operands.at(-1) ?? '.';
  // The last one may be a folder.
  const copied = COPIES.has(program) ? [to, ...operands.map((path) => `${to}/${basename(path)}`)] : [];
  const written = WRITES_ALL.has(program) ? operands.flatMap((path) => [path, path.replace(PACKED, '')]) : [];
  const isApplied = program === 'git' && /^(?:apply|am)$/.test(values[0] ?? '');
  const input = redirects.flatMap(({ operator, target }) => (operator === '<' ? (target.value ?? []) : []));
  return {
    files: [...redirected, ...outputs, ...copied, ...written],
    sources: UNPACKS.has(program) || isApplied ? [...values.flatMap(pathsIn), ...input] : [],
  };
}

/** What it writes is in the line itself. */
function isLiteral(
  program: string,
  args: readonly ShellWord[],
  redirects: ShellCommand['redirects'],
): boolean {
  const isKnown = args.every(({ value }) => value !== undefined);
  if (/^(?:echo|printf)$/.test(program)) return isKnown;
  const texts = redirects.filter(({ operator }) => operator.startsWith('<<'));
  return program === 'cat' && args.length === 0 && texts.some(({ target }) => target.value !== undefined);
}
