/** The HTTP server of the live view: local only, and protected by a token. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HookError, messageOf } from '../base/errors.js';
import { Connections } from './connections.js';
import { EventStream } from './event-stream.js';
import { isOwnHost, isOwnOrigin, isToken, SAFE_HEADERS, watchTokenOf } from './guard.js';
import type { History } from './history.js';
import type { PageFile } from './page.js';
import { answerBody, fireBody, messageBody, Refusal, readBody } from './requests.js';

export interface ServerOptions {
  readonly port: number;
  readonly token: string;
  readonly title: string;
  readonly history: History;
  readonly page: ReadonlyMap<string, PageFile>;
  readonly keepAliveMs: number;
  /** How long a page may stop reading before it is disconnected. */
  readonly stallMs: number;
  /** How long a request may take to arrive. */
  readonly requestMs: number;
  /** Undefined if nothing can receive messages. */
  readonly say: ((text: string, to: string | null) => Promise<string>) | undefined;
  answer(question: string, answer: 'yes' | 'always' | 'no'): boolean;
  /** Prompts that a page suggests when nothing has happened yet. */
  readonly examples: readonly string[];
  /** Details that pages ask for: their names, which may end with an id, and what to send. Undefined: there is no such thing. */
  lookUp(name: string): Answer | undefined;
  /** Fires something again and returns the id of the new fire. Throws a HookError if that is not possible. */
  fireAgain(fire: string): string;
}

/** A response to a page that asked for something. */
export interface Answer {
  readonly type: 'application/json' | 'application/jsonl' | 'application/yaml';
  readonly content: string;
  /** The file name under which a browser saves it. */
  readonly fileName?: string;
}

const HOST = '127.0.0.1';
const MAX_PAGES = 32;
/** How often request timeouts are checked. */
const CHECK_INTERVAL_MS = 1000;
const INVITATION_MS = 60_000;

export class LiveServer {
  readonly #options: ServerOptions;
  readonly #server: Server;
  readonly #connections = new Connections();
  readonly #streams = new Set<EventStream>();
  /** Identifies this server, so that pages notice a restart. */
  readonly #epoch = randomBytes(4).toString('hex');
  /** One-time codes that open the page, with their expiry. */
  readonly #invitations = new Map<string, number>();
  readonly #watchToken: string;
  #port = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => {};

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#watchToken = watchTokenOf(options.token);
    const { requestMs } = options;
    this.#server = createServer(
      {
        headersTimeout: requestMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: Math.min(requestMs, CHECK_INTERVAL_MS),
      },
      (request, response) => void this.#handle(request, response),
    );
    this.#connections.watch(this.#server);
  }

  /** Resolves with the URLs of the page. Rejects with a HookError if the port is not available. */
  async listen(): Promise<{ readonly url: string; readonly watchUrl: string }> {
    const { port, history, keepAliveMs, stallMs, token } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen({ host: HOST, port }, resolve);
    }).catch((error: unknown) => {
      throw new HookError(
        'invalid_option',
        `The live view cannot listen on port ${port}: ${messageOf(error)}. Choose another port, or omit it.`,
        { cause: error },
      );
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#stopListening = history.onAdd(() => {
      for (const stream of this.#streams) stream.pump();
    });
    this.#timer = setInterval(() => {
      for (const stream of this.#streams) stream.keepAlive(stallMs);
    }, keepAliveMs);
    this.#timer.unref();
    const base = `http://${HOST}:${this.#port}`;
    return { url: `${base}/${token}/`, watchUrl: `${base}/${this.#watchToken}/` };
  }

  /** A URL that opens the page once, for a short time. */
  invite(): string {
    const code = randomBytes(18).toString('base64url');
    this.#invitations.set(code, Date.now() + INVITATION_MS);
    return `http://${HOST}:${this.#port}/open/${code}`;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening();
    for (const stream of this.#streams) stream.end();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // Flushes pending writes, then closes all connections without waiting.
    setImmediate(() => this.#server.closeAllConnections());
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SAFE_HEADERS)) response.setHeader(name, value);
    try {
      await this.#route(request, response);
    } catch (error) {
      const [status, message] =
        error instanceof Refusal
          ? [error.status, error.message]
          : error instanceof HookError
            ? [409, error.message]
            : [500, 'Something went wrong in the live view.'];
      // Do not read the rest of a rejected request, or further requests without the token.
      if (!request.complete || !this.#connections.isAdmitted(request.socket))
        response.setHeader('connection', 'close');
      sendJson(response, status, { error: message });
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, page } = this.#options;
    if (!isOwnHost(request, this.#port)) throw new Refusal(403, 'This host name is not allowed.');
    const [, given, name] = /^\/([^/?]*)(?:\/([^?]*))?(?:\?.*)?$/.exec(request.url ?? '') ?? [];
    const isInvited = given === 'open' && this.#accepts(name ?? '');
    const canWrite = isToken(given ?? '', token);
    if (!isInvited && !canWrite && !isToken(given ?? '', this.#watchToken))
      throw new Refusal(404, 'There is nothing here.');
    if (!this.#connections.admit(request.socket)) throw new Refusal(503, 'Too many connections are open.');
    if (isInvited || (request.method === 'GET' && name === undefined)) {
      response.writeHead(303, { location: `/${isInvited ? token : given}/` }).end();
      return;
    }
    const file = page.get(name ?? '');
    if (request.method === 'GET' && file !== undefined) {
      response.writeHead(200, { 'content-type': file.type }).end(file.content);
      return;
    }
    if (request.method === 'GET' && name === 'events') {
      this.#stream(request, response, canWrite);
      return;
    }
    const found = request.method === 'GET' ? this.#options.lookUp(name ?? '') : undefined;
    if (found !== undefined) sendAnswer(response, found);
    else sendJson(response, 200, await this.#change(request, name, canWrite));
  }

  /** What a page wants to have done, by its name. */
  async #change(request: IncomingMessage, name: string | undefined, canWrite: boolean): Promise<object> {
    const { say, answer, fireAgain } = this.#options;
    if (request.method !== 'POST' || !['say', 'answer', 'fire'].includes(name ?? ''))
      throw new Refusal(404, 'There is nothing here.');
    if (!canWrite)
      throw new Refusal(403, 'This address only watches. Open the address that was printed at the start.');
    if (!isOwnOrigin(request)) throw new Refusal(403, 'Only the page itself may send requests.');
    if (name === 'fire') return { fire: fireAgain((await readBody(request, fireBody)).fire) };
    if (name === 'answer') {
      const body = await readBody(request, answerBody);
      if (!answer(body.question, body.answer)) throw new Refusal(409, 'The question is no longer open.');
      return {};
    }
    const { text, to } = await readBody(request, messageBody);
    if (say === undefined) throw new Refusal(409, 'There is no mailbox, so no messages can be sent.');
    return { id: await say(text, to) };
  }

  #accepts(code: string): boolean {
    const end = this.#invitations.get(code) ?? 0;
    this.#invitations.delete(code);
    return Date.now() < end;
  }

  #stream(request: IncomingMessage, response: ServerResponse, canWrite: boolean): void {
    if (this.#streams.size >= MAX_PAGES) throw new Refusal(503, `More than ${MAX_PAGES} pages are open.`);
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    const { history, title, say, examples } = this.#options;
    const hello = {
      title,
      epoch: this.#epoch,
      now: Date.now(),
      canSay: say !== undefined,
      examples,
      // A page that may write shows the other address, which people can pass on.
      ...(canWrite && { watch: this.#watchToken }),
    };
    const lastEventId = request.headers['last-event-id']?.toString();
    const stream = new EventStream(response, { history, epoch: this.#epoch, hello, lastEventId });
    this.#streams.add(stream);
    response.on('close', () => this.#streams.delete(stream)).on('error', () => response.destroy());
  }
}

function sendAnswer(response: ServerResponse, { type, content, fileName }: Answer): void {
  if (fileName !== undefined) response.setHeader('content-disposition', `attachment; filename="${fileName}"`);
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content);
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}
