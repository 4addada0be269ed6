// Keeps secrets away from the agent: refuses to read or change files that hold them, refuses to write a secret into any
// file, and replaces secrets in the output of tools. This file is yours: change the two lists.
import { ask, deny, guard, matchRules, readShellLine, shellLineOf } from 'hookline/guard';

/** Files that hold secrets, as in permission rules. Templates such as .env.example are not among them. */
const FILES = [
  ...['.env', '.env.local', '.env.*.local', '.env.dev*', '.env.prod*', '.env.stag*', '.env.test', '.envrc'],
  ...[
    '*.pem',
    '*.key',
    '*.p12',
    '*.pfx',
    '*.jks',
    '*.keystore',
    '*.kdbx',
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ed25519',
  ],
  ...['.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.htpasswd', '.git-credentials', 'credentials'],
  ...['credentials.json', 'service-account*.json', 'secrets.yaml', 'secrets.yml', 'secrets.json'],
  ...['*.tfstate', 'terraform.tfvars'],
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
  ...FOLDERS.map((folder) => `${folder}/**`),
].flatMap((path) => [`Read(${path})`, `Edit(${path})`]);

/** Names of variables that hold secrets. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|_PAT$|DSN$/i;
/** Commands that print what is stored. */
const PRINTS_STORED =
  /^(git( -[cC] \S+| -\S+)* credential(-[\w-]+)?( \S+)* (fill|get)|docker-credential-\S+ get|gh auth token|gcloud auth print-|security find-\S+-password|secret-tool lookup|pass show|op read|aws ecr get-login-password|kubectl get secrets?)\b/;
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
  const shown = line === undefined ? undefined : variablesShown(line, input.cwd);
  if (shown !== undefined) return ask(`\`${line}\` may show ${shown}.`);
  const stored = line === undefined ? undefined : storedShown(line, input.cwd);
  if (stored !== undefined) return deny(`\`${stored}\` prints a secret. Continue without it.`);
  const match = matchRules(RULES, input);
  if (match === undefined) return undefined;
  if (match.certain) return deny(`${match.reason} That file may hold secrets. Continue without it.`);
  return isSuspicious(line ?? '') ? ask(`${match.reason} That file may hold secrets.`) : undefined;
}

/** Loops over files and lists of files are common; variables of unknown origin are not. */
function isSuspicious(line) {
  const own = [...line.matchAll(/\bfor (\w+) in|\bread (?:-r )?(\w+)|\b(\w+)=/g)].flatMap((each) =>
    each.slice(1),
  );
  const used = [...line.matchAll(/[$]\{?(\w+)/g)].map(([, name]) => name);
  return SUSPICIOUS.test(line) || findsSecrets(line) || used.some((name) => !own.includes(name));
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
  const texts = readShellLine(line, { cwd }).commands.map(({ words }) =>
    words
      .map(({ value, raw }, at) => (at === 0 ? (value ?? raw).replace(/^.*\//, '') : (value ?? raw)))
      .join(' '),
  );
  return texts.find((text) => PRINTS_STORED.test(text));
}

/** The variables of the environment that a line prints, if they may be secrets. */
function variablesShown(line, cwd) {
  const { commands, revealed } = readShellLine(line, { cwd });
  const isAll = ({ words: [name, ...args] }) =>
    /^(printenv|env|set|export|declare|typeset)$/.test(name?.value ?? '') &&
    args.every(({ raw }) => /^-/.test(raw)) &&
    !args.some(({ raw }) => /^-.*[euox]/.test(raw));
  if (commands.some(isAll)) return 'all variables of the environment';
  const printed = commands.flatMap(({ words: [name, ...args] }) => {
    if (name?.value === 'printenv') return args.map(({ raw }) => raw);
    return /^(echo|printf|print|cat|tee|logger)$/.test(name?.value ?? '')
      ? args.flatMap(({ environment }) => environment)
      : [];
  });
  const secret = [...printed, ...revealed].find((name) => SECRET_NAME.test(name));
  return secret === undefined ? undefined : `the value of ${secret}`;
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
