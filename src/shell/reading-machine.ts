/** Programs that describe the machine, its processes and what is installed, with options under which they change nothing. */
import { type Analyse, analyseWith, NOTHING, readsNothing } from './affected-paths.js';
import { knownOptions } from './arguments.js';
import { isPublicVariable } from './variables.js';

const NO_OPERANDS = { operands: 0 };

/** The environment of processes is not among them. */
const PS_FIELDS =
  /^(?:(?:pid|ppid|pgid|sid|user|uid|group|comm|args|cmd|command|etime|etimes|time|cputime|pcpu|pmem|%cpu|%mem|rss|rsz|vsz|stat|state|tty|tt|lstart|start|nice|ni|pri|nlwp)(?:=\w*)?,?)+$/;

/**
 * Without a dash, `e` shows the environment. With a dash and `x` in any word, all of them are read as if they had none, so
 * that no word may be there in which an `e`, or a value that is taken for one, counts.
 */
const ps: Analyse = (words) => {
  const isWithoutDashes = words.some((word) => /^-\w*x/.test(word));
  const isKnown = words.every((word, at) => {
    const before = words[at - 1] ?? '';
    if (/^-?[AaefFHjwx]*o$/.test(before)) return PS_FIELDS.test(word);
    if (/^(?:-?(?:aux|ax|auxw+|axu|a|x|axo|ao|xo)|-o|--sort=-?[%\w,+-]+|--forest|--no-headers)$/.test(word))
      return true;
    if (isWithoutDashes) return false;
    return /^-[pugCt]$/.test(before) ? /^[\w,.-]+$/.test(word) : /^-(?:[AaeflFHjw]+o?|[pugCt])$/.test(word);
  });
  return isKnown ? NOTHING : undefined;
};

const printenv: Analyse = (words) =>
  words.length > 0 && words.every(isPublicVariable) ? NOTHING : undefined;

/** With a number it sets a limit. */
const ulimit: Analyse = (words) =>
  words.every((word) => /^-[HSacdfnstuv]+$/.test(word)) ? NOTHING : undefined;

const NPM_LIST = analyseWith(
  knownOptions('lag', 'depth= all json long parseable omit= include= prod production global'),
  () => ({ reads: ['.'], writes: [] }),
);
/** A path to something in `package.json`. */
const NPM_FIELD = /^[\w@][\w.@/[\]-]*$/;

/** Settings that may hold a password, also in an address; some have it from the environment. */
const NPM_SECRET = /proxy|otp|auth|pass|token|key|cert|secret/;

/** Only what it does without the network and without running scripts. */
const npm: Analyse = ([command, ...rest]) => {
  if (/^(?:ls|list|ll|la|explain|why|query)$/.test(command ?? '')) return NPM_LIST(rest);
  // With a name it opens a browser, which may be a program of the project.
  if (command === 'fund') return rest.every((word) => word === '--json') ? NPM_LIST(rest) : undefined;
  // Without a name they list the scripts.
  if (/^(?:run|run-script)$/.test(command ?? '') && rest.length === 0) return NPM_LIST([]);
  if (/^(?:root|prefix)$/.test(command ?? '') && /^(?:-g|--global)?$/.test(rest.join(' '))) return NOTHING;
  if (command === 'pkg' && rest[0] === 'get')
    return rest.slice(1).every((word) => word === '--json' || NPM_FIELD.test(word))
      ? NPM_LIST([])
      : undefined;
  const [get, name = '', ...more] = rest;
  const isSetting = command === 'config' && get === 'get' && more.length === 0;
  return isSetting && /^[a-z][a-z-]*$/.test(name) && !NPM_SECRET.test(name) ? NOTHING : undefined;
};

const PIP_LIST = readsNothing(knownOptions('v', 'format= local user not-required'), NO_OPERANDS);

/** `pip` reads what is installed; its other commands run setup scripts, or use the network. */
const pip: Analyse = ([command, ...rest]) => {
  if (command === 'list' || command === 'freeze') return PIP_LIST(rest);
  return command === 'show' ? readsNothing(knownOptions('f', 'files'))(rest) : undefined;
};

/** Some distributions call it `fdfind`. */
const FD = analyseWith(
  knownOptions(
    'HIisgapuF01e:t:d:E:c:S:',
    'hidden no-ignore unrestricted extension= type= max-depth= min-depth= exclude= glob absolute-path full-path fixed-strings changed-within= changed-before= max-results= color= size=',
  ),
  ({ operands }) => ({ reads: operands.length > 1 ? operands.slice(1) : ['.'], writes: [] }),
);

const DOCKER_LIST = readsNothing(
  knownOptions('aqf:n:ls', 'all quiet format= filter= last= latest no-trunc size digests'),
  {
    operands: 1,
  },
);

/** Lists of what runs and what is there; other commands show files, variables or logs, or look for a project. */
const docker: Analyse = ([command, second, ...rest]) => {
  if (command === 'ps' || command === 'images')
    return DOCKER_LIST(second === undefined ? [] : [second, ...rest]);
  const isList = /^(?:container|image|volume|network)$/.test(command ?? '') && second === 'ls';
  return isList ? DOCKER_LIST(rest) : undefined;
};

export const READING_MACHINE: Readonly<Record<string, Analyse>> = {
  ...{ docker, ps, printenv, ulimit, npm, pip, pip3: pip },
  uptime: readsNothing(knownOptions('ps'), NO_OPERANDS),
  groups: readsNothing(knownOptions()),
  arch: readsNothing(knownOptions(), NO_OPERANDS),
  free: readsNothing(knownOptions('bkmghtlw'), NO_OPERANDS),
  lscpu: readsNothing(knownOptions('aceJ'), NO_OPERANDS),
  lsblk: readsNothing(knownOptions('abdflmnpJ'), NO_OPERANDS),
  pgrep: readsNothing(knownOptions('flaxnocvu:P:')),
  lsof: readsNothing(knownOptions('nPti:p:'), NO_OPERANDS),
  ss: readsNothing(knownOptions('tlnpuaxsH46'), NO_OPERANDS),
  netstat: readsNothing(knownOptions('tlnpuaxrsi'), NO_OPERANDS),
  cal: readsNothing(knownOptions('13y')),
  tty: readsNothing(knownOptions('s'), NO_OPERANDS),
  locale: readsNothing(knownOptions('a'), NO_OPERANDS),
  getconf: readsNothing(knownOptions('a'), { operands: 1 }),
  whereis: readsNothing(knownOptions('bms')),
  jobs: readsNothing(knownOptions('lprs'), NO_OPERANDS),
  who: readsNothing(knownOptions('abdHlmqrstTu'), NO_OPERANDS),
  w: readsNothing(knownOptions('hsfoi'), NO_OPERANDS),
  last: readsNothing(knownOptions('n:adFiwx#'), NO_OPERANDS),
  pidof: readsNothing(knownOptions('s')),
  stty: (words) => (/^(?:size|-a|speed)?$/.test(words.join(' ')) ? NOTHING : undefined),
  tput: (words) => (/^(?:cols|lines|colors)$/.test(words.join(' ')) ? NOTHING : undefined),
  'apt-cache': (words) =>
    /^(?:policy|show|search|depends|rdepends|madison)(?: [\w][\w.+-]*)*$/.test(words.join(' '))
      ? NOTHING
      : undefined,
  umask: readsNothing(knownOptions('S'), NO_OPERANDS),
  help: readsNothing(knownOptions('dms')),
  clear: readsNothing(knownOptions(), NO_OPERANDS),
  dpkg: readsNothing(knownOptions('lsL', 'list status listfiles print-architecture')),
  'dpkg-query': readsNothing(knownOptions('lsLWf:', 'list show status listfiles showformat=')),
  fd: FD,
  fdfind: FD,
};
