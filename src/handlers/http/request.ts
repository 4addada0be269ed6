/**
 * One POST and its response, over a connection of its own.
 *
 * Not `fetch`: that gives up after 300 s without headers, long before a hook's deadline of 600 s (a person who
 * approves by http takes longer), and keeps connections open. Here only the signal ends the request, and the
 * connection is closed when the response is complete.
 */
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isGood } from './status.js';

export interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The size limit of a successful response, in bytes after decompression. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type PostEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly title: string;
      readonly type: string;
      readonly body: string;
    }
  /** The headers arrived, but not the whole body. */
  | { readonly kind: 'cut'; readonly status: number; readonly why: string }
  | { readonly kind: 'too-much'; readonly why: string }
  /** Nothing arrived that could be read as a response. */
  | { readonly kind: 'unreachable'; readonly why: string };

/** How much of an error page is kept. */
const ERROR_PAGE_BYTES = 4096;
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Contract: never rejects, and the connection is closed when it resolves or the signal aborts. */
export function post({ url, headers, body, limit, signal }: PostRequest): Promise<PostEnd> {
  return new Promise((resolve) => {
    const finish = (end: PostEnd): void => {
      request.destroy();
      resolve(end);
    };
    const request = (url.protocol === 'https:' ? requestSecurely : requestPlainly)(url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/plain',
        'accept-encoding': 'identity',
        ...lowerCased(headers),
        'content-length': String(body.byteLength),
      },
      signal,
    });
    // Once headers have arrived, the body decides how the request ends.
    let hasResponse = false;
    const end = (fault: PostEnd): void => {
      if (!hasResponse) finish(fault);
    };
    request.on('response', (response) => {
      hasResponse = true;
      readBody(response, limit, finish);
    });
    // Never removed: a connection that is being closed may still emit an error.
    request.on('error', (error: NodeJS.ErrnoException) => end(describeFault(error)));
    // After an unrequested protocol upgrade there is neither a response nor an error.
    request.on('close', () => end({ kind: 'unreachable', why: 'the connection was closed' }));
    request.end(body);
  });
}

function readBody(response: IncomingMessage, limit: number, finish: (end: PostEnd) => void): void {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let size = 0;
  const answered = (): void => {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks));
    const type = response.headers['content-type'] ?? '';
    finish({ kind: 'answered', status, title: response.statusMessage ?? '', type, body: text });
  };
  const cut = (why: string): void => finish({ kind: 'cut', status, why });
  const decoded = decode(response);
  if (decoded === undefined) {
    cut('its body is compressed in a way that is not understood');
    return;
  }
  decoded.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= (isGood(status) ? limit : ERROR_PAGE_BYTES)) chunks.push(chunk);
    else if (isGood(status)) finish({ kind: 'too-much', why: `its answer is longer than ${limit} bytes` });
    else {
      chunks.push(chunk.subarray(0, ERROR_PAGE_BYTES));
      answered();
    }
  });
  decoded.on('end', answered);
  decoded.on('error', (error: NodeJS.ErrnoException) => cut(error.code ?? error.message));
  decoded.on('close', () => cut('the connection was closed'));
}

function decode(response: IncomingMessage): Readable | undefined {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return response;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
  // Errors arrive through the decoder's own `error` event.
  return decoder && pipeline(response, decoder, () => {});
}

/** Messages of TLS and DNS errors contain names and codes, never headers. */
function describeFault(error: NodeJS.ErrnoException): PostEnd {
  if (error.code === 'HPE_HEADER_OVERFLOW') return { kind: 'too-much', why: 'its headers are too long' };
  if (error.code?.startsWith('HPE_') === true)
    return { kind: 'unreachable', why: `it does not answer in HTTP (${error.code})` };
  return { kind: 'unreachable', why: error.code ?? error.message };
}

/** Names are compared without regard to case, so that the author's `Content-Type` replaces the default. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
