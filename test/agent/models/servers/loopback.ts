/** A server on this machine that answers each request with the next step of a plan, and keeps what it was sent. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

export type Body = Readonly<Record<string, unknown>>;
export type Step = (response: ServerResponse) => void | Promise<void>;

/** How one API judges a request, and refuses what its rules do not allow. */
export interface Rules {
  readonly path: string;
  /** What is wrong with a request; undefined when it may be answered. */
  check(body: Body): string | undefined;
  /** The body of an error with this status. */
  refusal(status: number, message: string): object;
}

export interface Loopback {
  readonly url: string;
  readonly received: readonly Received[];
  /** What was wrong with the requests that broke the rules. */
  readonly refused: readonly string[];
  /** Resolves when the plan's nth step has begun its answer. */
  answered(count: number): Promise<void>;
  /**
   * Resolves when every connection that carries an answer is closed, or has carried it to its end. Node's `fetch` may
   * open a spare one after an abort; it carries nothing, and keeps no process alive.
   */
  idle(): Promise<void>;
}

export async function startLoopback(rules: Rules, steps: readonly Step[]): Promise<Loopback> {
  const received: Received[] = [];
  const refused: string[] = [];
  const changes = new EventEmitter();
  let answers = 0;
  let open = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
      changes.emit('change');
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    const step = steps[received.length - 1];
    await judged(rules, request.url, request.headers, body, step, refused)(response);
    answers += 1;
    changes.emit('change');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await once(changes, 'change');
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refused,
    answered: (count) => until(() => answers >= count),
    idle: () => until(() => open === 0),
  };
}

function judged(
  rules: Rules,
  url: string | undefined,
  headers: IncomingHttpHeaders,
  body: Body,
  step: Step | undefined,
  refused: string[],
): Step {
  const refuse = (status: number, message: string): Step => {
    refused.push(message);
    return fails(rules, status, message);
  };
  if (url !== rules.path) return refuse(404, `no such path: ${url}`);
  if (headers['x-api-key'] === undefined && headers.authorization === undefined)
    return refuse(401, 'no credentials');
  const wrong = body['stream'] === true ? rules.check(body) : 'the plan has streams only';
  if (wrong !== undefined) return refuse(400, wrong);
  return step ?? refuse(500, 'the plan has no more steps');
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

/** The whole answer, event by event. */
export const sends =
  (events: readonly string[]): Step =>
  (response) => {
    response.writeHead(200, STREAM);
    for (const event of events) response.write(event);
    response.end();
  };

/** The whole answer in slices of a few bytes, which end within characters and within events. */
export const sendsInSlices =
  (events: readonly string[], size = 5): Step =>
  async (response) => {
    response.writeHead(200, STREAM);
    const bytes = Buffer.from(events.join(''), 'utf8');
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      await new Promise(setImmediate);
    }
    response.end();
  };

/** The beginning of an answer, then the connection is gone. */
export const cuts =
  (beginning: string): Step =>
  async (response) => {
    response.writeHead(200, STREAM);
    await new Promise<void>((written) => response.write(beginning, () => written()));
    response.destroy();
  };

/** The beginning of an answer, and nothing after it. */
export const hangs =
  (beginning: string): Step =>
  async (response) => {
    response.writeHead(200, STREAM);
    await new Promise<void>((written) => response.write(beginning, () => written()));
  };

/** No answer at all; the connection stays open. */
export const isSilent: Step = () => {};

export function fails(
  rules: Pick<Rules, 'refusal'>,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(rules.refusal(status, message)));
  };
}
