/** Programs that run other programs ("carriers"): determines from their arguments what they run. */
import { basename } from 'node:path/posix';
import { knownOptions } from './arguments.js';
import {
  type Carried,
  type Carry,
  carryFed,
  env,
  evaluates,
  fd,
  find,
  flock,
  NO_OPTIONS,
  shell,
  source,
  su,
  times,
  trap,
  watch,
  wraps,
  xargs,
} from './carrying.js';
import { gitCarries } from './git-carriers.js';
import type { ShellCommand } from './line.js';
import { carriedByOptions, hasCarryingOptions } from './option-carriers.js';

const TIMEOUT = knownOptions('vfpk:s:', 'foreground preserve-status verbose kill-after= signal=');
const SUDO = knownOptions(
  'AbBEHiklnNPSsvVKeu:g:h:p:C:r:t:T:U:D:R:',
  'askpass background bell preserve-env edit set-home login non-interactive preserve-groups stdin shell user= group= host= prompt= close-from= role= type= command-timeout= other-user= chdir= chroot=',
);

const CARRIERS: Readonly<Record<string, Carry>> = {
  env,
  exec: wraps(knownOptions('cla:')),
  command: wraps(knownOptions('pvV'), { not: /^-[vV]$/ }),
  builtin: wraps(NO_OPTIONS),
  noglob: wraps(NO_OPTIONS),
  nohup: wraps(NO_OPTIONS),
  time: times,
  timeout: wraps(TIMEOUT, { skip: 1 }),
  gtimeout: wraps(TIMEOUT, { skip: 1 }),
  nice: wraps(knownOptions('n:#', 'adjustment=')),
  ionice: wraps(knownOptions('tuc:n:P:p:', 'ignore class= classdata='), { not: /^-[pPu]$/ }),
  chrt: wraps(
    knownOptions('abdefimorRvT:P:D:p', 'all-tasks batch deadline idle other fifo rr reset-on-fork verbose'),
    { skip: 1, not: /^-[pm]$/ },
  ),
  taskset: wraps(knownOptions('acp', 'all-tasks cpu-list pid'), { skip: 1, not: /^-p$/ }),
  stdbuf: wraps(knownOptions('i:o:e:', 'input= output= error=')),
  setsid: wraps(knownOptions('cfw', 'ctty fork wait')),
  unbuffer: wraps(knownOptions('p')),
  sudo: wraps(SUDO, { wrapped: false, not: /^(?:-[lvVKke]|--edit)$/, shell: /^(?:-[si]|--shell|--login)$/ }),
  doas: wraps(knownOptions('nsLC:u:a:'), { wrapped: false, shell: /^-s$/ }),
  su,
  runuser: su,
  busybox: wraps(NO_OPTIONS),
  toybox: wraps(NO_OPTIONS),
  ...Object.fromEntries(
    ['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'rbash'].map((name) => [name, shell]),
  ),
  eval: evaluates,
  trap,
  '.': source,
  source,
  xargs,
  find,
  gfind: find,
  fd,
  fdfind: fd,
  watch,
  flock,
  git: gitCarries,
};

/** Contract: pure; the name of the command is known. A program is identified by its name, wherever it is located. */
export function carriedBy(command: ShellCommand): readonly Carried[] {
  const [name, ...args] = command.words;
  const program = basename(name?.value ?? '');
  const carry = isCarrier(program) ? CARRIERS[program] : undefined;
  if (carry === undefined) return carriedByOptions(program, args, command);
  return command.fed ? carryFed(carry, args, command) : carry(args, command);
}

/** Whether it is known which options of a program of this name run a text. */
export function mayCarry(program: string): boolean {
  return isCarrier(program) || hasCarryingOptions(program);
}

/** Whether all that a program of this name runs is determined from its arguments. */
export function isCarrier(program: string): boolean {
  return Object.hasOwn(CARRIERS, program);
}
