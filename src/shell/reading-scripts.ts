/** Programs that take a script and files: they only read if their script certainly only prints. */
import { type AffectedPaths, type Analyse, analyseWith } from './affected-paths.js';
import { knownOptions, readLeadingOptions } from './arguments.js';
import { onlyPrintsAwk } from './awk-script.js';
import { onlyPrintsSed } from './sed-script.js';

const SED_SCRIPT = ['-e', '--expression'];

const sed = analyseWith(
  knownOptions(
    'nErsuze:',
    'quiet silent regexp-extended separate unbuffered null-data zero-terminated posix sandbox expression=',
  ),
  ({ operands, values }) => {
    const given = values.flatMap(([option, value]) => (SED_SCRIPT.includes(option) ? [value] : []));
    const [scripts, files] = given.length > 0 ? [given, operands] : [operands.slice(0, 1), operands.slice(1)];
    return scripts.length > 0 && onlyPrintsSed(scripts.join('\n')) ? { reads: files, writes: [] } : undefined;
  },
);

/** Its options end at the script: a later word is a file, whatever it starts with. */
const awk: Analyse = (words) => {
  const options = readLeadingOptions(words, knownOptions('F:v:'));
  const [script, ...files] = words.slice(options?.end);
  const isPlain = options !== undefined && script !== undefined && onlyPrintsAwk(script);
  return isPlain && !files.some((file) => file.startsWith('-')) ? { reads: files, writes: [] } : undefined;
};

const JQ_FLAG =
  /^(?:-[cCMrRnesSaj]+|--(?:compact-output|raw-output|raw-input|null-input|slurp|sort-keys|exit-status|color-output|monochrome-output|ascii-output|join-output|tab|seq|stream))$/;
/** They show the environment, or read other files. */
const JQ_FORBIDDEN = /env|import|include|modulemeta|input_filename|getpath|search|\$__/i;

/** The first operand is a filter; `--arg` and `--argjson` take two words each. */
const jq: Analyse = (words) => {
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--arg' || word === '--argjson') at += 2;
    else if (word === '--indent' && /^\d$/.test(words[at + 1] ?? '')) at += 1;
    else if (!word.startsWith('-')) operands.push(word);
    else if (!JQ_FLAG.test(word)) return undefined;
  }
  const [filter, ...files] = operands;
  return filter === undefined || JQ_FORBIDDEN.test(filter) ? undefined : reading(files);
};

const reading = (reads: readonly string[]): AffectedPaths => ({ reads, writes: [] });

export const READING_SCRIPTS: Readonly<Record<string, Analyse>> = {
  ...{ sed, gsed: sed, jq },
  ...Object.fromEntries(['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awk])),
};
