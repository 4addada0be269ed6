/** Who may talk to the live view: whoever knows the token, on this machine, from the page itself. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HookError } from '../base/errors.js';

const MIN_TOKEN = 16;

/** Throws a HookError for a token that could be guessed, or that no URL could hold as it is. */
export function checkToken(given: string | undefined): string {
  if (given === undefined) return randomBytes(24).toString('base64url');
  if (typeof given === 'string' && given.length >= MIN_TOKEN && /^[\w-]+$/.test(given)) return given;
  throw new HookError(
    'invalid_option',
    `The token of a live view has at least ${MIN_TOKEN} letters, digits, _ and -; another one is given. Leave it out and one is drawn.`,
  );
}

/** Takes the same time whatever is given, so that nobody learns the token letter by letter. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** A page of another name that leads to this machine is not ours: its requests carry that name. */
export function isOwnHost({ headers }: IncomingMessage, port: number): boolean {
  return headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
}

/** What changes something comes from our own page, or from a program; never from another page in the same browser. */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}

/** Nothing but what this server itself sends is loaded, asked or framed. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
