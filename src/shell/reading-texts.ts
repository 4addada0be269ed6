/** Programs that print texts and archives in another form, with the options under which they only read. */
import { type Analyse, analyseWith, NOTHING, readsNothing, readsOperands } from './affected-paths.js';
import { knownOptions } from './arguments.js';

/** A second operand of `xxd` is written. */
const xxd = analyseWith(knownOptions('abeipuErl:s:c:g:'), ({ operands }) =>
  operands.length > 1 ? undefined : { reads: operands, writes: [], counted: true },
);

/** A word with a plus is a command of the pager. */
const pager = analyseWith(knownOptions('FRSXNnie'), ({ operands }) =>
  operands.some((operand) => operand.startsWith('+')) ? undefined : { reads: operands, writes: [] },
);

const tee = analyseWith(knownOptions('ai'), ({ operands }) =>
  operands.every((operand) => /^\/dev\/(?:null|stdout|stderr)$/.test(operand)) ? NOTHING : undefined,
);

/** Otherwise it replaces the file. */
const gzip =
  (needed: RegExp): Analyse =>
  (words) => {
    const options = words.filter((word) => word.startsWith('-'));
    const isKnown = options.every((word) => /^-[lvdctk]+$/.test(word)) && needed.test(options.join(''));
    return isKnown ? { reads: words.filter((word) => !word.startsWith('-')), writes: [] } : undefined;
  };

/** `tar tf file`. A name with a colon is a file of another machine. */
const tar: Analyse = ([mode = '', file = '', ...names]) => {
  const isList = /^-?[vzjJ]*t[vzjJ]*f$/.test(mode) && !file.includes(':');
  return isList && file !== '' && !names.some((name) => name.startsWith('-'))
    ? { reads: [file], writes: [] }
    : undefined;
};

const unzip: Analyse = ([mode = '', file = '', ...names]) =>
  /^-(?:[lvt]|Z1?)$/.test(mode) && file !== '' && ![file, ...names].some((name) => name.startsWith('-'))
    ? { reads: [file], writes: [] }
    : undefined;

/** `bat cache` builds something; a pager of the user's own is what the user wants. */
const bat = analyseWith(
  knownOptions(
    'npAl:r:',
    'plain number show-all language= line-range= style= color= paging= decorations= theme= wrap= tabs= file-name= highlight-line=',
  ),
  ({ operands }) => (operands[0] === 'cache' ? undefined : { reads: operands, writes: [] }),
);

/** Paths into a document: other programs of this name differ in what else they understand. */
const yq: Analyse = (words) => {
  const [path = '', ...files] = words.filter((word) => !/^(?:-[rPC]|-o=?(?:json|yaml)|eval|e)$/.test(word));
  const isPath = /^\.[\w.[\]-]*(?: \| (?:keys|length))?$/.test(path);
  return isPath && files.every((file) => !file.startsWith('-')) ? { reads: files, writes: [] } : undefined;
};

/** Without a command it prints its input. */
const xargs = analyseWith(knownOptions('0rtxn:L:s:d:', 'null no-run-if-empty'), ({ operands }) =>
  operands.length === 0 ? NOTHING : undefined,
);

const EZA = readsOperands(
  knownOptions(
    '1aldhHirstTFSgbBmuUGxDL:I:R',
    'all long git tree level= header icons color= sort= reverse group-directories-first only-dirs no-permissions no-user no-time',
  ),
  { orHere: true },
);

export const READING_TEXTS: Readonly<Record<string, Analyse>> = {
  ...{ xxd, less: pager, more: pager, tee, tar, unzip },
  gzip: gzip(/[lt]|d.*c|c.*d/),
  gunzip: gzip(/[ltc]/),
  zcat: readsOperands(knownOptions()),
  base64: readsOperands(knownOptions('dw:', 'decode wrap=')),
  base32: readsOperands(knownOptions('dw:', 'decode wrap=')),
  column: readsOperands(knownOptions('txs:', 'table separator=')),
  expand: readsOperands(knownOptions('it:')),
  unexpand: readsOperands(knownOptions('at:')),
  fmt: readsOperands(knownOptions('csuw:#')),
  fold: readsOperands(knownOptions('bsw:#', 'width= spaces')),
  hexdump: readsOperands(knownOptions('bcCdovxn:s:')),
  join: readsOperands(knownOptions('it:a:e:o:v:j:1:2:')),
  pr: readsOperands(knownOptions('dtTm')),
  shasum: readsOperands(knownOptions('bta:')),
  shuf: readsOperands(knownOptions('erzn:i:')),
  strings: readsOperands(knownOptions('an:t:')),
  sum: readsOperands(knownOptions('rs')),
  yes: readsNothing(knownOptions()),
  ...{ bat, batcat: bat, yq, xargs, eza: EZA, exa: EZA },
  bc: (words) => (words.every((word) => /^-[lqs]+$/.test(word)) ? NOTHING : undefined),
  factor: readsNothing(knownOptions('h')),
  numfmt: readsNothing(knownOptions('d:z', 'to= from= suffix= padding= format= field= header= grouping')),
  tsort: readsOperands(knownOptions()),
  iconv: readsOperands(knownOptions('f:t:lcs', 'from-code= to-code= list')),
  readelf: readsOperands(knownOptions('ahlSsdnWtVrugA')),
  tokei: readsOperands(knownOptions('fs:t:e:', 'files sort= type= exclude='), { orHere: true }),
  bzcat: readsOperands(knownOptions()),
  xzcat: readsOperands(knownOptions()),
  zgrep: analyseWith(knownOptions('EFivnwclqhHe:m:A:B:C:'), ({ operands, options }) => ({
    reads: options.has('-e') ? operands : operands.slice(1),
    writes: [],
  })),
};
