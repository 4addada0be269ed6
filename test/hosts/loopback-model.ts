/** A model on loopback for real hosts: its answers call the shell one after another, the last one ends. Three wire formats. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Json = Record<string, unknown>;

export interface LoopbackModel {
  readonly url: string;
  /** The bodies of the requests that asked for an answer. */
  readonly requests: Json[];
  close(): Promise<void>;
}

/** `tool` is the name that the host has for its shell; `inputs` are what the model calls it with, one after another. */
export async function startModel(tool: string, inputs: readonly Json[]): Promise<LoopbackModel> {
  const requests: Json[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const format = FORMATS.find((each) => path.includes(each.path));
    if (request.method !== 'POST' || format === undefined) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"message":"no such route"}}');
      return;
    }
    const body = (await json(request)) as Json;
    // Side requests, such as a title for the session, have no tools.
    const main = format.hasTools(body);
    if (main) requests.push(body);
    const id = requests.length;
    const input = main ? inputs[id - 1] : undefined;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [event, data] of format.events(input && { tool, input, id }))
      response.write(
        `${event === '' ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      );
    response.end();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Call {
  readonly tool: string;
  readonly input: Json;
  readonly id: number;
}

interface Format {
  readonly path: string;
  hasTools(body: Json): boolean;
  events(call: Call | undefined): readonly (readonly [event: string, data: unknown])[];
}

const DONE = 'done now';
const listed = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const gemini: Format = {
  path: ':streamGenerateContent',
  hasTools: ({ tools }) => listed(tools),
  events: (call) => {
    const part =
      call === undefined
        ? { text: DONE }
        : { functionCall: { id: `fc_${call.id}`, name: call.tool, args: call.input } };
    const candidate = { index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } };
    return [
      [
        '',
        {
          candidates: [candidate],
          usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
        },
      ],
    ];
  },
};

const responses: Format = {
  path: '/responses',
  hasTools: ({ tools }) => listed(tools),
  events: (call) => {
    const item =
      call === undefined
        ? {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: DONE, annotations: [] }],
          }
        : {
            type: 'function_call',
            id: `fc_${call.id}`,
            call_id: `call_${call.id}`,
            name: call.tool,
            arguments: JSON.stringify(call.input),
            status: 'completed',
          };
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
    return [
      [
        'response.created',
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ],
      ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
      ['response.completed', { type: 'response.completed', response }],
    ];
  },
};

const chat: Format = {
  path: '/chat/completions',
  hasTools: ({ tools }) => listed(tools),
  events: (call) => {
    const head = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'loopback' };
    const delta =
      call === undefined
        ? { role: 'assistant', content: DONE }
        : {
            role: 'assistant',
            tool_calls: [
              {
                index: 0,
                id: `call_${call.id}`,
                type: 'function',
                function: { name: call.tool, arguments: JSON.stringify(call.input) },
              },
            ],
          };
    const ends = call === undefined ? 'stop' : 'tool_calls';
    return [
      ['', { ...head, choices: [{ index: 0, delta, finish_reason: null }] }],
      [
        '',
        {
          ...head,
          choices: [{ index: 0, delta: {}, finish_reason: ends }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        },
      ],
      ['', '[DONE]'],
    ];
  },
};

const FORMATS: readonly Format[] = [gemini, responses, chat];
