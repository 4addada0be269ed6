/** The Messages API on this machine, answered by brains: one for each model name. Refuses what the real one refuses. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContentBlock, ModelRequest } from '../../../src/agent/models/port.js';
import { anthropicWire } from '../../agent/models/servers/anthropic.js';
import type { Turn } from './brains.js';

export type Think = (request: ModelRequest) => Turn | Promise<Turn>;

export interface BrainServer {
  readonly url: string;
  /** The bodies of all requests, by model. */
  readonly requests: ReadonlyMap<string, readonly ModelRequest[]>;
  /** The headers of all requests. */
  readonly headers: IncomingHttpHeaders[];
  close(): Promise<void>;
}

interface WireBody {
  readonly model: string;
  readonly system?: unknown;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: readonly ContentBlock[];
  }[];
  readonly tools?: readonly { readonly name: string; readonly input_schema: object }[];
  readonly stream?: boolean;
}

/** A brain that throws answers with status 400: a model that is not there. */
export async function startBrains(brains: Readonly<Record<string, Think>>): Promise<BrainServer> {
  const requests = new Map<string, ModelRequest[]>();
  const headers: IncomingHttpHeaders[] = [];
  let calls = 0;
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireBody;
    const refuse = (message: string): void => {
      response.writeHead(400, { 'content-type': 'application/json', 'x-should-retry': 'false' });
      response.end(JSON.stringify(anthropicWire.refusal(400, message)));
    };
    const wrong = anthropicWire.check(body as never);
    if (wrong !== undefined) return refuse(wrong);
    const asked: ModelRequest = {
      system: JSON.stringify(body.system ?? ''),
      messages: body.messages,
      tools: (body.tools ?? []).map(({ name, input_schema }) => ({
        name,
        description: '',
        inputSchema: input_schema as never,
      })),
      purpose: 'turn',
      signal: new AbortController().signal,
    };
    requests.set(body.model, [...(requests.get(body.model) ?? []), asked]);
    try {
      const think = brains[body.model];
      if (think === undefined) return refuse(`no such model: ${body.model}`);
      const { text, calls: tools = [] } = await think(asked);
      const events = anthropicWire.events({
        texts: text === undefined ? [] : [text],
        calls: tools.map(({ name, input }) => {
          calls += 1;
          return { id: `toolu_${calls}`, name, json: [JSON.stringify(input)] };
        }),
      });
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.end(events.join(''));
    } catch (error) {
      refuse(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
