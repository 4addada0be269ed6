/** Access to the live view: requires the token, this machine, and the page's own origin. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HookError } from '../base/errors.js';

const MIN_TOKEN = 16;

/** Throws a HookError if the token could be guessed or needs encoding in a URL. */
export function checkToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(24).toString('base64url');
  if (typeof given === 'string' && given.length >= MIN_TOKEN && /^[\w-]+$/.test(given)) return given;
  throw new HookError(
    'invalid_option',
    `The token of a live view must have at least ${MIN_TOKEN} characters, only letters, digits, _ and -. Omit it to have one generated.`,
  );
}

/** The token of the address that only watches. It says nothing about the other one, and is the same for the same token. */
export function watchTokenOf(token: string): string {
  return createHash('sha256').update(`watch ${token}`).digest('base64url').slice(0, 32);
}

/** Compares in constant time, so that the token cannot be guessed letter by letter. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** Rejects other host names, which protects against DNS rebinding. */
export function isOwnHost({ headers }: IncomingMessage, port: number): boolean {
  return headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
}

/** Changes may come only from the page itself or from a program, never from another page in the same browser. */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}

/** The page may load and request only what this server sends, and cannot be framed. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
