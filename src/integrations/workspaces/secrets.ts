/** The names of files that hold secrets, and of bulky folders: left out unless included explicitly. */
import { matchesWildcard } from '../../base/text/wildcard.js';

/** In lower case; `*` matches any text. */
const SECRETS: readonly string[] = [
  ...['.env', '.env.*', '*.env', '.envrc'],
  ...['*.pem', '*.key', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.kdbx', '*.ppk'],
  ...['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.netrc', '_netrc', '.pgpass', '.my.cnf', '.pypirc'],
  ...['.git-credentials', '.htpasswd', '.dockercfg', '.s3cfg', '.boto', '.terraformrc', '.vault-token'],
  ...['credentials*', '.credentials*', '*-credentials.json', '*_credentials.json', 'auth.json'],
  ...['service-account*.json', 'service_account*.json', '*.tfstate', '*.tfstate.*'],
  ...['token', 'tokens', 'token.json', 'tokens.json', 'token.txt', 'tokens.txt', '*.token', '.token*'],
  ...['.secrets', 'secrets', '*.secret', '*.secrets'],
  ...['json', 'yaml', 'yml', 'toml', 'ini', 'txt'].flatMap((kind) => [`secret.${kind}`, `secrets.${kind}`]),
  ...['.aws', '.ssh', '.gnupg', '.kube', '.azure', '.docker', '.gcloud', 'gcloud', '.password-store'],
];

/** Their names look like secrets, but they are meant to be public. */
const SHOWN: readonly string[] = ['*.pub', '.env.example', '.env.sample', '.env.template', '.env.dist'];

/** Version history, and packages that can be installed again. */
const BULKY: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** The start of a private key, whatever the file's name is. */
const PRIVATE_KEY = /^\s{0,100}-----BEGIN [A-Z ]{0,50}PRIVATE KEY-----/;

export function namesSecret(name: string, isFile: boolean): boolean {
  const lower = name.toLowerCase();
  if (SHOWN.some((pattern) => matchesWildcard(pattern, lower))) return false;
  // A key has a plain name: `id_deploy` is one, `id_map.ts` is not.
  if (isFile && /^id_[^.]*$/.test(lower)) return true;
  return SECRETS.some((pattern) => matchesWildcard(pattern, lower));
}

export function isBulky(name: string): boolean {
  return BULKY.has(name.toLowerCase());
}

/** Checks the start of a file. */
export function beginsWithKey(start: Buffer): boolean {
  return PRIVATE_KEY.test(start.toString('latin1', 0, 256));
}
