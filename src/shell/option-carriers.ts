/** Programs that run a text from their options or their input, besides what they do by themselves: `tar -I program`. */
import type { Carried } from './carrying.js';
import type { ShellCommand, ShellWord } from './line.js';

type Words = readonly ShellWord[];

interface Runs {
  /** Long options, without dashes; beginnings of them count too. */
  readonly names?: string;
  /** Long options whose value decides what its programs load; what they run is unknown. Four letters are enough. */
  readonly loads?: string;
  /** Letters of short options, also behind other letters. */
  readonly letters?: string;
  /** An option of more than one letter. */
  readonly word?: string;
  /** The line in the value of such an option; undefined if there is none. By default the whole value. */
  readonly line?: (value: string) => string | undefined;
  /** A line in any word. */
  readonly anywhere?: RegExp;
  /** A line in each line of its input. */
  readonly spoken?: RegExp;
  /** It runs its input, unless one of its words matches. */
  readonly input?: RegExp;
}

const behind =
  (pattern: RegExp) =>
  (value: string): string | undefined =>
    pattern.exec(value)?.[1];

const SSH: Runs = {
  letters: 'o',
  line: behind(
    /^\s*(?:proxycommand|localcommand|knownhostscommand|smartcarddevice|pkcs11provider)[\s=]+(.*)$/is,
  ),
};
/** Commands of the editor: `!line`, `r !line`, `:w !line`. */
const EDITOR: Runs = {
  names: 'cmd',
  letters: 'c',
  line: behind(/^(?!\s*:?(?:q|qa|qall|w|wq|wqa|x|xa|e)!\s*$)[^!]*!(.*)$/s),
  spoken: /^[^!\n]*!(.+)$/gm,
  anywhere: /^\+(?!\s*:?(?:q|qa|qall|w|wq|wqa|x|xa|e)!\s*$)[^!]*!(.*)$/s,
};
/** Of sqlite also beginnings (`.sh`), and pipes to and from a program (`.once |line`). */
const CLIENT: Runs = {
  spoken: /^\s*(?:\\!|!|\.sh\w*|\.sy\w*|\.\w+\s+["']?\||shell)\s*(.+)$/gm,
  anywhere: /(?:^|[\s;])(?:(?:\\!|!|\.sh\w*|\.sy\w*|shell)\s+|\.\w+\s+["']?\|)(.+)$/s,
};
const PACKAGES: Runs = { loads: 'script-shell node-options userconfig globalconfig' };

const RUNS: Readonly<Record<string, Runs>> = {
  split: { names: 'filter' },
  ...Object.fromEntries(
    ['tar', 'gtar', 'bsdtar'].map((name) => [
      name,
      {
        names:
          'checkpoint-action to-command use-compress-program info-script new-volume-script rsh-command rmt-command',
        letters: 'IF',
        line: behind(/^(?!(?:bell|dot|echo|sleep|ttyout|totals|wait)\b)(?:exec=)?(.*)$/s),
      },
    ]),
  ),
  cpio: { names: 'rsh-command' },
  rsync: { names: 'rsh rsync-path', letters: 'e' },
  ssh: SSH,
  scp: { ...SSH, letters: 'oS' },
  sftp: { ...SSH, letters: 'oSD' },
  sort: { names: 'compress-program' },
  zip: { names: 'unzip-command', word: '-TT' },
  man: { names: 'pager html', letters: 'PH' },
  install: { names: 'strip-program' },
  wget: { names: 'use-askpass' },
  script: { names: 'command', letters: 'c' },
  dpkg: { names: 'pre-invoke post-invoke' },
  ...Object.fromEntries(['vi', 'vim', 'nvim', 'view', 'gvim', 'ex'].map((name) => [name, EDITOR])),
  ed: { spoken: /^[^!\n]*!(.+)$/gm },
  less: { anywhere: /^\+[^!]*!(.*)$/s },
  ...Object.fromEntries(['psql', 'mysql', 'sqlite3', 'gdb', 'lftp', 'ftp'].map((name) => [name, CLIENT])),
  npm: PACKAGES,
  npx: PACKAGES,
  pnpm: PACKAGES,
  at: { input: /^-[a-zA-Z]*[fldrc]/ },
  batch: { input: /^-[a-zA-Z]*f/ },
  parallel: { input: /^[^-\d]/ },
};

export function hasCarryingOptions(program: string): boolean {
  return Object.hasOwn(RUNS, program);
}

/** Contract: pure. */
export function carriedByOptions(program: string, args: Words, command: ShellCommand): readonly Carried[] {
  const runs = Object.hasOwn(RUNS, program) ? RUNS[program] : undefined;
  if (runs === undefined) return [];
  const { line = (value: string) => value, anywhere, input } = runs;
  const unknown: Carried = { unknown: `what \`${program}\` runs is only known when it runs` };
  const carried: Carried[] = args.flatMap((word, at): readonly Carried[] => {
    const found = anywhere?.exec(word.value ?? '')?.[1];
    if (found !== undefined) return [{ line: found }];
    if (decidesWhatLoads(word.value ?? '', runs)) return [unknown];
    const given = programGiven(word.value ?? '', args[at + 1], runs);
    if (given === undefined) return [];
    if (given.value === undefined) return [unknown];
    const text = line(given.value);
    return text === undefined ? [] : [{ line: text }];
  });
  const texts = command.redirects.flatMap(({ operator, target }) =>
    operator.startsWith('<<') ? (target.value ?? []) : [],
  );
  const { spoken } = runs;
  if (spoken)
    carried.push(
      ...texts.flatMap((text) =>
        [...text.matchAll(spoken)].map(([, spokenLine = '']) => ({ line: spokenLine })),
      ),
    );
  const isFromInput = input !== undefined && !args.some(({ value = '' }) => input.test(value));
  return isFromInput ? [...carried, ...runsInput(command)] : carried;
}

function decidesWhatLoads(word: string, { loads = '' }: Runs): boolean {
  const [, name = ''] = /^--?([a-z-]+)/.exec(word) ?? [];
  return name.length > 3 && loads.split(' ').some((each) => each.startsWith(name));
}

/** The value of an option that takes a program; undefined if the word is none. */
function programGiven(
  word: string,
  next: ShellWord | undefined,
  { names = '', letters = '', word: option }: Runs,
): { readonly value: string | undefined } | undefined {
  if (option !== undefined && word.startsWith(option))
    return { value: word.slice(option.length) || next?.value };
  const [, name, attached] = /^--([a-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
  if (name !== undefined) {
    const isOne = name.length > 1 && names.split(' ').some((each) => each.startsWith(name));
    return isOne ? { value: attached ?? next?.value } : undefined;
  }
  if (letters === '' || !/^-[A-Za-z]/.test(word)) return undefined;
  const [, rest] = new RegExp(`^-[A-Za-z]*?[${letters}](.*)$`, 's').exec(word) ?? [];
  return rest === undefined ? undefined : { value: rest === '' ? next?.value : rest };
}

/** A text is a line for a shell. What comes through a pipe is unknown; a file is a script like any other. */
export function runsInput({ words: [name], redirects, piped }: ShellCommand): readonly Carried[] {
  const input = redirects.findLast(({ operator }) => operator.startsWith('<'));
  const unknown: Carried = { unknown: `what \`${name?.raw}\` runs is only known when it runs` };
  if (input?.operator.startsWith('<<'))
    return input.target.value === undefined ? [unknown] : [{ line: input.target.value }];
  const isFile = input?.target.value !== undefined && !input.target.raw.includes('<(');
  if (input?.operator === '<' && isFile) return [];
  return piped || input ? [unknown] : [];
}
