/** A Messages API on this machine for the real command line of the Agent SDK: planned answers, all requests kept. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicWire } from '../../agent/models/servers/anthropic.js';
import type { Answer } from '../../agent/models/servers/wire.js';

/** Either what the model says, or what it calls; the next request of the conversation gets the next one. */
export type Turn = string | readonly { readonly id: string; readonly name: string; readonly input: object }[];

export interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
  readonly model: string;
}

export interface MessagesServer {
  readonly url: string;
  /** The requests of the conversation, in order; what the host asks beside it (titles, topics) is not among them. */
  readonly requests: readonly Request[];
  /** Everything that the nth request says, as text. */
  said(index: number): string;
  /** The same of its last message only. */
  lastSaid(index: number): string;
  close(): Promise<void>;
}

/** `before` is awaited before the nth answer (from 0) is begun. */
export async function startMessagesServer(
  turns: readonly Turn[],
  before: (index: number) => void | Promise<void> = () => {},
): Promise<MessagesServer> {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    // What is not streamed, or has no tools, is not a turn of the agent: the host counts, and finds titles.
    const isTurn = body.stream === true && (body.tools ?? []).length > 0;
    if (request.url?.split('?')[0] !== '/v1/messages') refuse(response, 404, 'no such path');
    else if (!isTurn) answer(response, body, 'aside', 'a remark');
    else {
      const index = requests.push(body) - 1;
      await before(index);
      answer(response, body, `msg_${index}`, turns[index] ?? 'The plan is over.');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    said: (index) => JSON.stringify(requests[index]?.messages ?? []),
    lastSaid: (index) => JSON.stringify(requests[index]?.messages.at(-1) ?? {}),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Request;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' });
  response.end(JSON.stringify(anthropicWire.refusal(status, message)));
}

function answer(response: ServerResponse, body: Request, id: string, turn: Turn): void {
  if (body.stream === true) answerInEvents(response, id, turn);
  else answerWhole(response, body, id, turn);
}

function answerInEvents(response: ServerResponse, id: string, turn: Turn): void {
  const planned: Answer =
    typeof turn === 'string'
      ? { texts: [turn] }
      : { calls: turn.map(({ id, name, input }) => ({ id, name, json: [JSON.stringify(input)] })) };
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  // Every message has an id of its own: hosts tell messages apart by it.
  for (const event of anthropicWire.events(planned)) response.write(event.replace('"msg_1"', `"${id}"`));
  response.end();
}

function answerWhole(response: ServerResponse, body: Request, id: string, turn: Turn): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id,
      type: 'message',
      role: 'assistant',
      model: body.model,
      content: [{ type: 'text', text: String(turn) }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
}
