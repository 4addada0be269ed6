/** The rules of a scrubbed environment: what looks like a secret, and what makes programs load code. */

/** A name made of words (`API_KEY`, `authToken`) holds a secret if one of them is in this list. */
const SECRET_WORDS = new Set([
  ...['KEY', 'KEYS', 'APIKEY', 'TOKEN', 'TOKENS', 'JWT', 'BEARER', 'PAT', 'AUTH', 'COOKIE', 'COOKIES'],
  ...['PASS', 'PASSPHRASE', 'PASSCODE', 'CREDS', 'DSN', 'NETRC', 'WEBHOOK'],
]);

/** It also does if it contains one of these parts, or is one of the special names at the end. */
const SECRET_PART =
  /SECRET|PASSWORD|PASSWD|CREDENTIAL|(ACCESS|PRIVATE|AUTH|API)_?(KEY|TOKEN)|CONNECTION_?STRING|SSHPASS|_PWD$|^AWS_|^PGPASSFILE$/;

/** A secret may have a harmless name: a password in a URL, a private key, a token with a known prefix. */
const SECRET_VALUES = [
  /:\/\/[^\s/:@]*:[^\s/@]+@/,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /^(sk-|sk_live_|rk_live_|gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|npm_|pypi-|hf_)[\w-]{12,}/,
  /^eyJ[\w-]+\.eyJ[\w-]+\./,
];

export function holdsSecret(name: string, value: string): boolean {
  const upper = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
  return (
    SECRET_PART.test(upper) ||
    upper.split(/[^A-Z0-9]+/).some((word) => SECRET_WORDS.has(word)) ||
    SECRET_VALUES.some((pattern) => pattern.test(value))
  );
}

/** Whole families: variables of the dynamic linker, functions exported by bash, git configuration by variable. */
const LOADER_FAMILY = /^(LD_|DYLD_|BASH_FUNC_|GIT_CONFIG|LUA_INIT|R_PROFILE|R_ENVIRON)/;

const LOADERS = new Set([
  ...['BASH_ENV', 'ENV', 'PROMPT_COMMAND', 'PS4', 'SHELLOPTS', 'BASHOPTS', 'ZDOTDIR'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'NODE_EXTRA_CA_CERTS'],
  ...['PYTHONSTARTUP', 'PYTHONPATH', 'PYTHONHOME', 'PYTHONUSERBASE', 'PYTHONINSPECT', 'PYTHONBREAKPOINT'],
  ...['PYTHONWARNINGS', 'PYTHONPLATLIBDIR'],
  ...['PERL5OPT', 'PERL5LIB', 'PERLLIB', 'PERL5DB', 'RUBYOPT', 'RUBYLIB', 'PHPRC', 'PHP_INI_SCAN_DIR'],
  ...['JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS', 'CLASSPATH', 'GCONV_PATH', 'GLIBC_TUNABLES'],
  ...[
    'GIT_SSH',
    'GIT_SSH_COMMAND',
    'GIT_ASKPASS',
    'SSH_ASKPASS',
    'GIT_EDITOR',
    'GIT_SEQUENCE_EDITOR',
    'GIT_PAGER',
  ],
  ...['GIT_EXTERNAL_DIFF', 'GIT_PROXY_COMMAND', 'GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR', 'LESSOPEN', 'LESSCLOSE'],
]);

export function loadsCode(name: string): boolean {
  return LOADERS.has(name) || LOADER_FAMILY.test(name);
}
