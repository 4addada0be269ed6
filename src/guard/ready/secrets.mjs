// Keeps secrets away from the agent: refuses to read or change files that hold them, refuses to write a secret into any
// file, and replaces secrets in the output of tools. This file is yours: change the two lists.
import {
  ask,
  codeIn,
  deny,
  guard,
  matchRules,
  readCommands,
  readShellLine,
  shellLineOf,
} from 'hookline/guard';

/** Files that hold secrets, as in permission rules. Templates such as .env.example are not among them. */
const FILES = [
  ...['.env', '.env.local', '.env.*.local', '.env.dev*', '.env.prod*', '.env.stag*', '.env.test', '.envrc'],
  // Copies of it, and those with another name.
  ...[
    '.env~',
    '.env.bak*',
    '.env.back*',
    '.env.old',
    '.env.orig',
    '.env.save',
    '.env.sw?',
    '.env.d/**',
    '.ENV',
  ],
  ...[
    'prod*.env',
    'stag*.env',
    'dev*.env',
    'local.env',
    'secret*.env',
    'config.env',
    '.dev.vars',
    '.secrets',
  ],
  ...[
    '*.pem',
    '*.key',
    '*.p12',
    '*.pfx',
    '*.jks',
    '*.keystore',
    '*.kdbx',
    '*.p8',
    '*.ppk',
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ed25519',
  ],
  ...['.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.htpasswd', '.git-credentials', 'credentials'],
  ...[
    '.my.cnf',
    '.vault-token',
    '.dockercfg',
    'kubeconfig',
    'wallet.dat',
    'credentials.tfrc.json',
    '.terraformrc',
  ],
  ...[
    'credentials.json',
    'service-account*.json',
    'serviceAccount*.json',
    '*adminsdk*.json',
    'secrets.yaml',
    'secrets.yml',
    'secrets.json',
  ],
  ...['*.tfstate', '*.tfstate.backup', 'terraform.tfvars', '*.auto.tfvars'],
  // What was typed, with passwords in it.
  ...['.*_history', 'fish_history'],
];
const FOLDERS = [
  '~/.ssh',
  '~/.aws',
  '~/.gnupg',
  '~/.kube',
  '~/.docker',
  '~/.config/gcloud',
  '~/.config/gh',
  '~/.azure',
  '~/.config/op',
  '~/.config/rclone',
  '~/.password-store',
  '/run/secrets',
  '/var/run/secrets',
];
/** Where agents and other programs keep what they log in with. */
const LOGINS = [
  ...['/etc/shadow', '/etc/gshadow', '~/.cargo/credentials*', '~/.gem/credentials', '~/.composer/auth.json'],
  ...[
    '~/.codex/auth.json',
    '~/.claude/.credentials.json',
    '~/.gemini/oauth_creds.json',
    '~/.qwen/oauth_creds.json',
  ],
  ...['~/.config/hub', '~/.config/configstore/*', '~/.local/share/opencode/auth.json'],
];

/** Texts that are secrets, wherever they are. */
const SECRETS = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, 'private key'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, 'AWS key'],
  [/\bgh[opsur]_[A-Za-z0-9]{30,}|\bgithub_pat_\w{30,}/g, 'GitHub token'],
  [/\bglpat-[\w-]{20,}/g, 'GitLab token'],
  [/\bsk-[A-Za-z0-9_-]{20,}/g, 'API key'],
  [/\b(?:sk|rk|pk)_live_[A-Za-z0-9]{16,}/g, 'Stripe key'],
  [/\bxox[abeprs]-[A-Za-z0-9-]{10,}/g, 'Slack token'],
  [/https:\/\/hooks\.slack\.com\/services\/[\w/]+/g, 'Slack web hook'],
  [/\bAIza[\w-]{35}/g, 'Google key'],
  [/\bnpm_[A-Za-z0-9]{36}/g, 'npm token'],
  [/\bpypi-[\w-]{50,}/g, 'PyPI token'],
  [/\bhf_[A-Za-z0-9]{30,}/g, 'Hugging Face token'],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g, 'JSON web token'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@'"]*):[^\s/@'"$<{*]{3,}(?=@)/gi, 'password in a URL'],
];

const RULES = [
  '//proc/*/environ',
  ...FILES.map((name) => `//**/${name}`),
  ...FOLDERS.map((folder) => `${folder.replace(/^\//, '//')}/**`),
  ...LOGINS.map((path) => path.replace(/^\//, '//')),
].flatMap((path) => [`Read(${path})`, `Edit(${path})`]);

/** Names of variables that hold secrets. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|_PAT$|DSN$/i;
/** Commands that print what is stored: each is the start of one; options may stand between the words. */
const PRINTS_STORED = [
  ...[
    'git credential fill',
    'git credential-cache get',
    'git credential-store get',
    'git credential-manager get',
  ],
  ...['git credential-osxkeychain get', 'gh auth token', 'gh auth status --show-token', 'gh auth status -t'],
  ...['glab auth status -t', 'gcloud auth print-access-token', 'gcloud auth print-identity-token'],
  ...['gcloud auth application-default print-access-token', 'gcloud secrets versions access'],
  ...['aws ecr get-login-password', 'aws configure get', 'aws configure export-credentials'],
  ...[
    'aws sts get-session-token',
    'aws ssm get-parameter --with-decryption',
    'aws secretsmanager get-secret-value',
  ],
  ...['az account get-access-token', 'az keyvault secret show', 'kubectl get secret', 'kubectl get secrets'],
  ...[
    'kubectl config view --raw',
    'vault kv get',
    'vault read',
    'op read',
    'op item get',
    'bw get',
    'pass show',
  ],
  ...['gopass show', 'lpass show', 'keyring get', 'security find-generic-password', 'security dump-keychain'],
  ...['security find-internet-password', 'secret-tool lookup', 'secret-tool search', 'heroku config'],
  ...['heroku config:get', 'heroku auth:token', 'fly auth token', 'netlify env:list', 'vercel env pull'],
  ...[
    'doppler secrets',
    'infisical secrets',
    'chamber read',
    'sops -d',
    'sops --decrypt',
    'ansible-vault view',
  ],
  ...[
    'ansible-vault decrypt',
    'gpg --export-secret-keys',
    'gpg --export-secret-subkeys',
    'terraform state pull',
  ],
  ...[
    'docker compose config',
    'docker-compose config',
    'dotenv get',
    'dotenv list',
    'dotenvx get',
    'npm token list',
  ],
];
/** `pass name`, a word of npm's settings that is a token, and helpers of docker and git. */
const PRINTS_BY_NAME =
  /^(pass (-c )?(?!init|insert|generate|ls|list|find|rm|mv|cp|git|help|version)\w|npm config get \S*(_auth|token)|yarn config get \S*(auth|token)|docker-credential-\S+ get|git-credential-\S+ get|ssh-keygen .*-y|python[\d.]* -m dotenv (get|list))/i;
/** Code that shows the whole environment, or reads it from a file. */
const SHOWS_ENVIRONMENT =
  /\bprocess\.env\b(?!\s*(\?\.|[.[]))|\bos\.environ\b(?!\s*(\[|\.get\b))|(?<![\w.$"'])ENV\b(?!\s*(\[|\.fetch))|%ENV\b|\bgetenv\(\s*\)|\bphpinfo\b|\b(Deno|Bun)\.env\b(?!\s*(\.get\b|\.[A-Z]|\[))|\bkeys\s*%?ENV|\bdotenv(_values)?\b/;
/** The variables that code names. */
const NAMED =
  /\b(?:process|Bun|import\.meta)\.env\??\.(\w+)|(?:env|environ|ENV|ENVIRON|getenv|fetch|get)\s*[[({]\s*["']?(\w+)|(?<![\w.])env\.(\w+)/g;
/** What a pattern for names may find. */
const EXAMPLES = ['.env', '.env.local', '.npmrc', '.netrc', 'id_rsa', 'server.pem', 'server.key'];
/** In doubt, a person looks at lines that assemble names, or speak of secrets. */
const SUSPICIOUS =
  /\benv\b|secret|credential|\.(pem|key)\b|ssh|aws|base(64|32)|xxd|\brev\b|\btr\b|printf|eval|environ|[$]\(|`|[$]\{!|[$]'|(^|[\s/])\.\w*[[?*]|\bfind\s+([.~/]\S*\s+)?(?!.*-i?(name|path|regex)).*(-exec|xargs)/i;

await guard((input) => (input.hook_event_name === 'PostToolUse' ? redactOutput(input) : judge(input)));

function judge(input) {
  const found = secretsIn(input.tool_input);
  if (found.length > 0)
    return deny(
      `The input contains a secret (${found.join(', ')}). Name a variable or a secret store instead.`,
    );
  const line = shellLineOf(input);
  if (line !== undefined && onlyNames(line, input.cwd)) return undefined;
  const shown = line === undefined ? undefined : variablesShown(line, input.cwd);
  if (shown !== undefined) return ask(`\`${line}\` may show ${shown}.`);
  const stored = line === undefined ? undefined : storedShown(line, input.cwd);
  if (stored !== undefined) return deny(`\`${stored}\` prints a secret. Continue without it.`);
  if (line !== undefined && readCommands(line, input.cwd).commands.some(takesIgnored))
    return ask(`\`${line}\` takes files that git ignores, such as .env.`);
  const match = matchRules(RULES, input) ?? carriedMatch(line, input);
  if (match === undefined) return undefined;
  if (match.certain) return deny(`${match.reason} That file may hold secrets. Continue without it.`);
  return isSuspicious(line ?? '') ? ask(`${match.reason} That file may hold secrets.`) : undefined;
}

/** `git add -f .` and `git grep --no-index` reach what .gitignore keeps away. */
function takesIgnored(command) {
  const { operands, args } = command;
  if (command.isCall('git add'))
    return (
      args.some((arg) => /^(-\w*f\w*|--force)$/.test(arg)) &&
      (command.has('-A', '--all') || /^(\.\/?|\*|:\/)$/.test(operands.at(-1)))
    );
  return command.isCall('git grep') && args.some((arg) => /^--no-(index|exclude-standard)$/.test(arg));
}

/** What stands behind other programs and in containers is a line of its own: `docker exec web cat .env`. */
function carriedMatch(line, input) {
  const { commands } = readCommands(line ?? '', input.cwd);
  for (const { behind, text } of commands) {
    const found = behind && matchRules(RULES, { ...input, tool_name: 'Bash', tool_input: { command: text } });
    if (found?.certain) return found;
  }
  return undefined;
}

/** Commands that tell which files there are, and show none: `ls -la .env || echo missing`. */
function onlyNames(line, cwd) {
  const { commands, unreadable } = readCommands(line, cwd);
  const isName = ({ program, args, operands, unknown, reads, writes, given, piped }) => {
    if (unknown || piped || [...reads, ...given].length > 0 || writes.some((file) => file !== '/dev/null'))
      return false;
    if (program === 'git') return /^(check-ignore|ls-files)$/.test(operands[0]);
    return /^(ls|echo|true|test|\[|stat|cd|pwd)$/.test(program) && !args.some((arg) => /[$`]/.test(arg));
  };
  return (
    unreadable === undefined &&
    commands.length > 0 &&
    commands.every(isName) &&
    !/[|<]\s*[^|\s]/.test(line.replaceAll('||', ''))
  );
}

/** Loops over files and lists of files are common; variables of unknown origin are not. */
function isSuspicious(line) {
  const known = ['HOME', 'PWD', 'OLDPWD', 'USER', 'LOGNAME', 'TMPDIR', 'UID', 'HOSTNAME', 'RANDOM'];
  const own = [...line.matchAll(/\bfor (\w+) in|\bread (?:-r )?(\w+)|\b(\w+)=/g)].flatMap((each) =>
    each.slice(1),
  );
  const used = [...line.matchAll(/[$]\{?(\w+)/g)].map(([, name]) => name);
  return (
    SUSPICIOUS.test(line) ||
    findsSecrets(line) ||
    used.some((name) => !own.includes(name) && !known.includes(name))
  );
}

/** `find -name '.e*'` names no file, but finds some. */
function findsSecrets(line) {
  const patterns = [...line.matchAll(/\s-i?name\s+(['"]?)([^\s'"]+)\1/g)].map(([, , pattern]) => pattern);
  return /\bfind\b/.test(line) && patterns.some((pattern) => EXAMPLES.some((name) => matches(name, pattern)));
}

function matches(name, pattern) {
  const wanted = pattern
    .replace(/[\\.+^$(){}|]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  try {
    return new RegExp(`^${wanted}$`, 'i').test(name);
  } catch {
    return true;
  }
}

function storedShown(line, cwd) {
  const isStored = (command) =>
    PRINTS_STORED.some((words) => command.isCall(words)) ||
    PRINTS_BY_NAME.test([command.program, ...command.args].join(' '));
  return readCommands(line, cwd).commands.find(isStored)?.text;
}

/** The variables of the environment that a line prints, if they may be secrets. */
function variablesShown(line, cwd) {
  const { commands, revealed } = readShellLine(line, { cwd });
  const read = readCommands(line, cwd).commands;
  const isAll = ({ program, args }) => {
    if (program === 'env') return args.every((arg) => /^(-0|-v|--null)$/.test(arg));
    if (program === 'set') return args.length === 0;
    return (
      /^(printenv|export|declare|typeset)$/.test(program) &&
      args.every((arg) => /^-[px0-]*(null)?$/.test(arg))
    );
  };
  const isOfProcesses = ({ program, args }) =>
    program === 'ps' && args.some((arg) => /^[a-df-z]*e[a-z]*$/.test(arg) || arg === '-E');
  if (read.some(isAll) || read.some(isOfProcesses)) return 'all variables of the environment';
  const code = read.flatMap((command) => [
    ...codeIn(command, line),
    ...(/^([gmn]?awk|jq)$/.test(command.program) ? command.args : []),
  ]);
  if (code.some((text) => SHOWS_ENVIRONMENT.test(text)) || read.some(showsAll))
    return 'all variables of the environment';
  const printed = commands.flatMap(({ words: [name, ...args], redirects }) => {
    const program = (name?.value ?? '').replace(/^.*\//, '');
    const texts = redirects.flatMap(({ operator, target }) =>
      operator.startsWith('<<') ? target.environment : [],
    );
    const isPrinting = /^(echo|printf|print|cat|tee|logger|wall|notify-send|base64|xxd|od|rev|xargs)$/.test(
      program,
    );
    if (program === 'printenv') return args.map(({ raw }) => raw);
    if (/^(declare|typeset|export)$/.test(program) && args.some(({ raw }) => /^-\w*[pn]/.test(raw)))
      return args.flatMap(({ raw }) => raw.split('='));
    return isPrinting ? [...args.flatMap(({ environment }) => environment), ...texts] : [];
  });
  const named = code.flatMap((text) => [...text.matchAll(NAMED)].flatMap((found) => found.slice(1)));
  const secret = [...printed, ...revealed, ...named].find(
    (name) => name !== undefined && SECRET_NAME.test(name),
  );
  return secret === undefined ? undefined : `the value of ${secret}`;
}

/** `jq -n env`, and loops over the environment in awk. */
function showsAll({ program, args }) {
  if (program === 'jq') return args.some((arg) => /(^|[|\s(])(env|\$ENV)(?!\.\w)\b/.test(arg));
  return /^[gmn]?awk$/.test(program) && args.some((arg) => /\bin\s+ENVIRON\b/.test(arg));
}

function redactOutput({ tool_response }) {
  const found = new Set();
  const updatedToolOutput = redact(tool_response, found);
  if (found.size === 0) return undefined;
  return {
    systemMessage: `Removed from the output of a tool: ${[...found].join(', ')}.`,
    hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput },
  };
}

/** The same value, with every secret in its texts replaced. */
function redact(value, found) {
  if (typeof value === 'string') {
    return SECRETS.reduce(
      (text, [pattern, name]) =>
        text.replaceAll(pattern, (_, kept) => {
          found.add(name);
          return `${typeof kept === 'string' ? `${kept}:` : ''}[${name} removed]`;
        }),
      value,
    );
  }
  if (Array.isArray(value)) return value.map((each) => redact(each, found));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redact(each, found)]));
}

function secretsIn(value) {
  const found = new Set();
  redact(value, found);
  return [...found];
}
