/** Words that a shell does not look for in PATH. bash's are among them: a wrong finding is worse than none. */

export const BUILTINS: ReadonlySet<string> = new Set([
  ...[
    ':',
    '.',
    '[',
    'alias',
    'bg',
    'bind',
    'break',
    'caller',
    'cd',
    'chdir',
    'compgen',
    'complete',
    'compopt',
  ],
  ...[
    'continue',
    'declare',
    'dirs',
    'disown',
    'echo',
    'enable',
    'eval',
    'exit',
    'export',
    'false',
    'fc',
    'fg',
  ],
  ...[
    'getopts',
    'hash',
    'help',
    'history',
    'jobs',
    'kill',
    'let',
    'local',
    'logout',
    'mapfile',
    'popd',
    'print',
  ],
  ...['printf', 'pushd', 'pwd', 'read', 'readarray', 'readonly', 'return', 'set', 'shift', 'shopt', 'source'],
  ...[
    'suspend',
    'test',
    'times',
    'trap',
    'true',
    'type',
    'typeset',
    'ulimit',
    'umask',
    'unalias',
    'unset',
    'wait',
  ],
]);

/** They succeed, and change nothing that could make what follows them another program. */
export const HARMLESS: ReadonlySet<string> = new Set([':', 'true', 'echo', 'printf', 'set', 'umask']);

/** What follows one of these is a program of its own, to be looked at as if it stood first. */
export const PREFIXES: ReadonlySet<string> = new Set([
  ...['!', '{', 'time', 'exec', 'env', 'command', 'builtin', 'nohup'],
]);

/** The grammar begins where these stand; reading on would be guessing. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'in'],
  ...['function', 'select', 'coproc', '}', '[[', '((', 'repeat', 'foreach'],
]);

/** The name and the value of `NAME=value`. */
export const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=(.*)$/s;
