/** Chat completions, the Responses API and the Messages API on this machine: planned answers, all requests kept; refuses what the real ones refuse. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlannedCall {
  readonly name: string;
  readonly input?: object;
}

/** What the model says (`broken`: the connection breaks), what it calls, or a status with which the request fails. */
export type Answer = string | number | readonly PlannedCall[];

/** An answer that breaks off. */
const BROKEN = 'broken';

/** Decides by the request; `said` is everything in it. */
export type Plan = (request: { readonly index: number; readonly said: string }) => Answer | Promise<Answer>;

export interface Request {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** In place of `messages`, in the Responses API. */
  readonly input?: Request['messages'];
  readonly system?: unknown;
  readonly stream?: boolean;
  /** The server holds the conversation up to that answer; the request has what is new. */
  readonly thread?: { readonly type: string; readonly previous_message_id?: string } | null;
}

export interface ModelServer {
  /** Without `/v1`. */
  readonly url: string;
  readonly requests: readonly Request[];
  /** Everything that the nth request says, as text; negative numbers count from the end. */
  said(index: number): string;
  close(): Promise<void>;
}

export async function startModelServer(plan: Plan): Promise<ModelServer> {
  const requests: Request[] = [];
  /** Conversations up to an answer, by its id. */
  const threads = new Map<string, Request['messages']>();
  const textOf = (request: Request | undefined): string =>
    texts(request?.messages).concat(texts(request?.system)).join('\n');
  const server = createServer(async (request, response) => {
    const sent = JSON.parse(await readBody(request)) as Request;
    const held = threads.get(sent.thread?.previous_message_id ?? '') ?? [];
    const body = { ...sent, messages: [...held, ...(sent.messages ?? sent.input)] };
    const wire = WIRES[request.url?.split('?')[0] ?? ''];
    if (wire === undefined)
      return send(response, 404, { error: { message: `no such path: ${request.url}` } });
    const wrong = wire.check(body);
    if (wrong !== undefined) return send(response, 400, wire.failure(wrong));
    const index = requests.push(body) - 1;
    const answer = await plan({ index, said: textOf(body) });
    if (response.destroyed) return;
    if (typeof answer === 'number') return send(response, answer, wire.failure('this request fails'));
    const reply = { role: 'assistant', content: contentOf(answer, index) };
    if (sent.thread) threads.set(`msg_${index}`, [...body.messages, reply]);
    const whole = JSON.stringify(wire.whole(answer, index));
    const pieces = body.stream === true ? wire.events(answer, index) : [whole.slice(0, 20), whole.slice(20)];
    const type = body.stream === true ? 'text/event-stream; charset=utf-8' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    if (answer !== BROKEN) return response.end(pieces.join(''));
    // The first piece arrives before the connection breaks.
    response.write(pieces[0], () => setImmediate(() => response.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    said: (index) => textOf(requests.at(index)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** All strings in a value; those that are JSON are read, since hosts put outputs of tools in JSON. */
function texts(value: unknown): string[] {
  const read = typeof value === 'string' ? parse(value) : undefined;
  if (read !== undefined) return texts(read);
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
}

function parse(text: string): unknown {
  if (!/^[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Wire {
  check(body: Request): string | undefined;
  failure(message: string): object;
  whole(answer: Exclude<Answer, number>, index: number): object;
  events(answer: Exclude<Answer, number>, index: number): string[];
}

const idOf = (index: number, at: number): string => `call_${index}_${at}`;
const event = (data: object | string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const callsOf = (answer: readonly PlannedCall[], index: number): object[] =>
  answer.map(({ name, input = {} }, at) => ({
    index: at,
    id: idOf(index, at),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));

const chat: Wire = {
  check({ messages }) {
    let waiting: unknown[] = [];
    for (const { role, tool_call_id, tool_calls = [] } of messages) {
      if (role === 'tool') {
        if (!waiting.includes(tool_call_id)) return `no call before the result of ${tool_call_id}`;
        waiting = waiting.filter((id) => id !== tool_call_id);
      } else {
        if (waiting.length > 0) return `calls without results: ${waiting.join(', ')}`;
        waiting = (tool_calls as { id: string }[]).map(({ id }) => id);
      }
    }
    return waiting.length > 0 ? `calls without results: ${waiting.join(', ')}` : undefined;
  },
  failure: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  whole: (answer, index) => ({
    id: `chatcmpl-${index}`,
    object: 'chat.completion',
    created: 1,
    model: 'test-model',
    choices: [
      {
        index: 0,
        message:
          typeof answer === 'string'
            ? { role: 'assistant', content: answer }
            : { role: 'assistant', content: null, tool_calls: callsOf(answer, index) },
        logprobs: null,
        finish_reason: typeof answer === 'string' ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  events(answer, index) {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      event({
        id: `chatcmpl-${index}`,
        object: 'chat.completion.chunk',
        created: 1,
        model: 'test-model',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      });
    return typeof answer === 'string'
      ? [chunk({ role: 'assistant', content: answer }), chunk({}, 'stop'), event('[DONE]')]
      : [
          chunk({ role: 'assistant', content: null, tool_calls: callsOf(answer, index) }),
          chunk({}, 'tool_calls'),
          event('[DONE]'),
        ];
  },
};

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

const blocksOf = (content: unknown): readonly Block[] => (Array.isArray(content) ? content : []);

const contentOf = (answer: Exclude<Answer, number>, index: number): object[] =>
  typeof answer === 'string'
    ? [{ type: 'text', text: answer }]
    : answer.map(({ name, input = {} }, at) => ({ type: 'tool_use', id: idOf(index, at), name, input }));

const anthropic: Wire = {
  check({ messages }) {
    let waiting: unknown[] = [];
    for (const { role, content } of messages) {
      const results = blocksOf(content).filter(({ type }) => type === 'tool_result');
      const lacking = waiting.filter((id) => !results.some(({ tool_use_id }) => tool_use_id === id));
      if (lacking.length > 0)
        return `tool_use ids without tool_result blocks immediately after: ${lacking.join(', ')}`;
      if (results.some(({ tool_use_id }) => !waiting.includes(tool_use_id)))
        return 'tool_result without tool_use';
      waiting =
        role === 'assistant'
          ? blocksOf(content)
              .filter(({ type }) => type === 'tool_use')
              .map(({ id }) => id)
          : [];
    }
    return waiting.length > 0 ? `tool_use ids without tool_result blocks: ${waiting.join(', ')}` : undefined;
  },
  failure: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  whole: (answer, index) => ({
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model: 'test-model',
    content: contentOf(answer, index),
    stop_reason: typeof answer === 'string' ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  events(answer, index) {
    const { content, stop_reason, ...message } = anthropic.whole(answer, index) as {
      content: { type: string; text?: string; input?: object }[];
      stop_reason: string;
    };
    const blocks = content.flatMap((block, at) => {
      const { type, text, input } = block;
      const start = type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
      const delta =
        type === 'text'
          ? { type: 'text_delta', text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(input) };
      return [
        { type: 'content_block_start', index: at, content_block: start },
        { type: 'content_block_delta', index: at, delta },
        { type: 'content_block_stop', index: at },
      ];
    });
    return [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ].map((data) => event(data, data.type));
  },
};

const outputOf = (answer: Exclude<Answer, number>, index: number): Readonly<Record<string, unknown>>[] =>
  typeof answer === 'string'
    ? [
        {
          type: 'message',
          id: `msg_${index}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: answer, annotations: [], logprobs: [] }],
        },
      ]
    : answer.map(({ name, input = {} }, at) => ({
        type: 'function_call',
        id: `fc_${index}_${at}`,
        call_id: idOf(index, at),
        name,
        arguments: JSON.stringify(input),
        status: 'completed',
      }));

const responses: Wire = {
  check({ messages }) {
    const idsOf = (type: string) =>
      messages.filter((item) => item['type'] === type).map((item) => item['call_id']);
    const [calls, results] = [idsOf('function_call'), idsOf('function_call_output')];
    const lacking = calls.filter((id) => !results.includes(id));
    if (lacking.length > 0) return `No tool output found for function call ${lacking.join(', ')}.`;
    const extra = results.filter((id) => !calls.includes(id));
    if (extra.length > 0)
      return `No tool call found for function call output with call_id ${extra.join(', ')}.`;
    const parts = messages.flatMap(({ content }) => blocksOf(content));
    const wrong = parts.find(({ type }) => !/^(input|output)_/.test(type));
    return (
      wrong && `Invalid value: '${wrong.type}'. Supported values are: 'input_text', 'output_text' and others.`
    );
  },
  failure: (message) => ({ error: { message, type: 'invalid_request_error', param: 'input', code: null } }),
  whole: (answer, index) => ({
    id: `resp_${index}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'test-model',
    error: null,
    incomplete_details: null,
    output: outputOf(answer, index),
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  }),
  events(answer, index) {
    const whole = responses.whole(answer, index);
    const items = outputOf(answer, index).flatMap((item, output_index) => {
      const at = { item_id: item['id'], output_index, content_index: 0 };
      const [part] = blocksOf(item['content']) as unknown as { text: string }[];
      const added = part === undefined ? { ...item, arguments: '' } : { ...item, content: [] };
      return [
        { type: 'response.output_item.added', output_index, item: { ...added, status: 'in_progress' } },
        ...(part === undefined
          ? [{ type: 'response.function_call_arguments.delta', ...at, delta: item['arguments'] }]
          : [
              { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
              { type: 'response.output_text.delta', ...at, delta: part.text, logprobs: [] },
            ]),
        { type: 'response.output_item.done', output_index, item },
      ];
    });
    return [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      ...items,
      { type: 'response.completed', response: whole },
    ].map((data, sequence_number) => event({ ...data, sequence_number }, data.type));
  },
};

const WIRES: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': chat,
  '/v1/responses': responses,
  '/v1/messages': anthropic,
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8') || '{}';
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' });
  response.end(JSON.stringify(body));
}
