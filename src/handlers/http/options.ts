/** Checks an http hook when it is registered. */
import { HookError, show } from '../../base/errors.js';
import type { AnyEvent } from '../../events/types.js';

export interface HttpOptions {
  /** The URL that gets the input, with `http:` or `https:`. */
  readonly url: string;
  /** Additional headers. `$NAME` and `${NAME}` in a value stand for variables, if `allowedEnvVars` lists them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly allowedEnvVars?: readonly string[] | undefined;
  /** Patterns of which one must match the URL; `*` is any text. Absent: every URL; empty: none. */
  readonly allowedUrls?: readonly string[] | undefined;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what may not be in a header
const NOT_IN_A_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;
/** Headers that delimit the message or control the connection: the client writes them. */
const OURS = new Set([
  ...['connection', 'content-length', 'expect', 'keep-alive', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** Whether a text can be a header value. */
export function isHeaderValue(value: string): boolean {
  return !NOT_IN_A_VALUE.test(value);
}

/**
 * Reads the fields of an http hook. Throws a HookError, code `invalid_hook`. A URL can contain a password or a secret
 * path, so no message shows it.
 */
export function checkHttpOptions(event: AnyEvent, fields: Readonly<Record<string, unknown>>): HttpOptions {
  const { url, headers, allowedEnvVars, allowedUrls } = fields;
  const refuse = (what: string, wanted: string): HookError =>
    new HookError('invalid_hook', `The ${what} of an http hook for ${event} cannot be used: ${wanted}.`);
  const problem = describeUrl(url);
  if (problem !== undefined) throw refuse('url', problem);
  if (headers !== undefined) {
    if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
      throw refuse('headers', `they are ${show(headers)}, give an object of strings`);
    for (const [name, value] of Object.entries(headers)) {
      const fault = describeHeader(name, value);
      if (fault !== undefined) throw refuse(`header ${show(name)}`, fault);
    }
  }
  for (const [name, list] of Object.entries({ allowedEnvVars, allowedUrls })) {
    if (list !== undefined && !isList(list)) throw refuse(name, `give a list of strings, not ${show(list)}`);
  }
  return Object.freeze({
    url: url as string,
    headers: headers && { ...(headers as Record<string, string>) },
    allowedEnvVars: allowedEnvVars && [...(allowedEnvVars as string[])],
    allowedUrls: allowedUrls && [...(allowedUrls as string[])],
  } as HttpOptions);
}

function describeUrl(url: unknown): string | undefined {
  if (typeof url !== 'string') return `it is ${show(url)}, give a URL such as "http://localhost:8080/hook"`;
  if (!URL.canParse(url)) return 'it is not an absolute URL; give one such as "http://localhost:8080/hook"';
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    return `it begins with ${show(protocol)}; write "http://" or "https://" in front of the host`;
  if (username !== '' || password !== '')
    return 'it contains a user name or password; send it as a header, with a variable in allowedEnvVars';
  return undefined;
}

function describeHeader(name: string, value: unknown): string | undefined {
  if (!TOKEN.test(name)) return 'this is not a valid header name';
  if (OURS.has(name.toLowerCase())) return 'the connection sets it itself; leave it out';
  if (typeof value !== 'string') return 'its value is not a string';
  return isHeaderValue(value) ? undefined : 'its value contains characters that are not allowed in a header';
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
