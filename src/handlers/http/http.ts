/** The hook that is a URL: the input is sent as a POST, and the response body is read like a command's stdout. */
import { beginning } from '../../base/json/read-json.js';
import { matchesWildcard } from '../../base/text/wildcard.js';
import { callOutside } from '../call-outside.js';
import type { Completion } from '../completion.js';
import type { RunHook } from '../hook.js';
import { type HttpOptions, isHeaderValue } from './options.js';
import type { PostEnd } from './request.js';
import { isGood } from './status.js';

type Answered = Extract<PostEnd, { kind: 'answered' }>;

const MAX_ANSWER = 1024 * 1024;

export interface HttpRuntime {
  /** The variables for headers. Default: the environment of the process, read at each run. */
  readonly env?: Variables | undefined;
}

/** Contract: `options` come from `checkHttpOptions`. */
export function httpHook(options: HttpOptions, runtime: HttpRuntime = {}): RunHook {
  const url = new URL(options.url);
  if (!isAllowedUrl(url, options.allowedUrls)) {
    const message = `${url.origin} is not among the addresses that http hooks may be sent to`;
    return () => ({ kind: 'failed-to-start', message });
  }
  return (run) =>
    callOutside(run, async (signal): Promise<Completion> => {
      const { headers, notes, unusable } = fillHeaders(options, runtime.env ?? process.env);
      if (unusable !== undefined) {
        const message = `the value of header ${unusable} contains characters that are not allowed in a header`;
        return { kind: 'failed-to-start', message };
      }
      // Loaded with the first request: most programs have no http hooks.
      const { post } = await import('./request.js');
      const end = await post({ url, headers, body: run.wire(), limit: MAX_ANSWER, signal });
      return toCompletion(end, url, notes);
    });
}

/** A URL may contain a secret in its path, so messages show only the origin. */
function toCompletion(end: PostEnd, { origin }: URL, notes: readonly string[]): Completion {
  switch (end.kind) {
    case 'answered':
      return readAnswered(end, notes);
    case 'cut':
      return failed([`HTTP ${end.status}: the answer of ${origin} broke off: ${end.why}`, ...notes]);
    case 'too-much':
      return { kind: 'too-much-output', message: end.why };
    case 'unreachable':
      return { kind: 'failed-to-start', message: `${origin} could not be asked: ${end.why}` };
  }
}

function readAnswered({ status, title, type, body }: Answered, notes: readonly string[]): Completion {
  if (!isGood(status)) return failed([describeStatus(status, title, body), ...notes]);
  if (isPage(type, body))
    return failed([`HTTP ${status}: a web page instead of an answer: ${beginning(body.trim())}`, ...notes]);
  const stderr = notes.join('\n');
  return { kind: 'exited', exitCode: 0, signal: undefined, stdout: body, stderr, answers: true };
}

/** HTML is what proxies and login pages send instead of the server's answer. */
function isPage(type: string, body: string): boolean {
  const text = body.trimStart();
  if (text === '' || text.startsWith('{')) return false;
  return /\bx?html\b/i.test(type) || /^<(?:!doctype|html|head|body|\?xml)\b/i.test(text);
}

function failed(lines: readonly string[]): Completion {
  return { kind: 'exited', exitCode: 1, signal: undefined, stdout: '', stderr: lines.join('\n') };
}

function describeStatus(status: number, title: string, body: string): string {
  const what = `HTTP ${status}${title === '' ? '' : ` ${title}`}`;
  if (status >= 300 && status < 400) return `${what}: redirects are not followed, give the final address`;
  return body.trim() === '' ? what : `${what}: ${beginning(body.trim())}`;
}

type Variables = Readonly<Record<string, string | undefined>>;

interface FilledHeaders {
  readonly headers: Record<string, string>;
  /** The variables that were left empty, without values. */
  readonly notes: readonly string[];
  /** The header whose expanded value cannot be sent. */
  readonly unusable?: string;
}

const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

function fillHeaders(options: HttpOptions, variables: Variables): FilledHeaders {
  const allowed = new Set(options.allowedEnvVars);
  const headers: Record<string, string> = {};
  const notes: string[] = [];
  for (const [name, template] of Object.entries(options.headers ?? {})) {
    const fill = (variable: string): string => {
      if (!allowed.has(variable)) {
        notes.push(`header ${name}: $${variable} is left empty, it is not in allowedEnvVars`);
        return '';
      }
      const value = variables[variable];
      if (value === undefined) notes.push(`header ${name}: $${variable} is left empty, it is not set`);
      return value ?? '';
    };
    const value = template.replaceAll(VARIABLE, (_, braced, bare) => fill(braced ?? bare)).trim();
    if (!isHeaderValue(value)) return { headers: {}, notes, unusable: name };
    headers[name] = value;
  }
  return { headers, notes };
}

const PATTERN = /^([^:/]+):\/\/([^/?#]*)(.*)$/s;
const DEFAULT_PORT: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ };

/**
 * Whether a URL is allowed. Undefined allows every URL, an empty list none. A `*` stands for any text, but one in the
 * host never matches into the path: `https://*.example.com/*` must not match `https://elsewhere.net/.example.com/`.
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

/** `http://localhost:*` also covers every path; `https://hooks.example.com` is that one page. */
function impliedPath(host: string): string {
  return host.endsWith('*') ? '/*' : '/';
}
