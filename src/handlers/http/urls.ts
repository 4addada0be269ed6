/** The list of addresses that http hooks may be sent to. */
import { matchesWildcard } from '../../base/text/wildcard.js';

const PATTERN = /^([^:/]+):\/\/([^/?#]*)(.*)$/s;
const DEFAULT_PORT: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ };

/**
 * Whether an address is among the allowed ones. Undefined allows every address, an empty list none.
 * A `*` stands for any text, but one in the host never reaches into the path: `https://*.example.com/*` must not
 * be satisfied by `https://elsewhere.net/.example.com/`.
 */
export function isAllowedUrl(url: URL, patterns: readonly string[] | undefined): boolean {
  return patterns === undefined || patterns.some((pattern) => matchesUrl(pattern.trim(), url));
}

function matchesUrl(pattern: string, url: URL): boolean {
  if (pattern === '*') return true;
  const [, scheme = '', host = '', path = ''] = PATTERN.exec(pattern) ?? [];
  if (!matchesWildcard(scheme.toLowerCase(), url.protocol.slice(0, -1))) return false;
  if (!matchesWildcard(withoutDefaultPort(scheme, host.toLowerCase()), url.host)) return false;
  return matchesWildcard(path === '' ? impliedPath(host) : path, url.pathname + url.search);
}

function withoutDefaultPort(scheme: string, host: string): string {
  const port = DEFAULT_PORT[scheme.toLowerCase()];
  return port === undefined ? host : host.replace(port, '');
}

/** `http://localhost:*` goes on into the path, `https://hooks.example.com` is that one page. */
function impliedPath(host: string): string {
  return host.endsWith('*') ? '/*' : '/';
}
