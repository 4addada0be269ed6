/** The Messages API as its documentation describes it: events, errors, and the rules for conversations with tools. */
import { anthropicModel } from '../../../../src/agent/models/anthropic.js';
import type { Body } from './loopback.js';
import { type Answer, event, USAGE, type Wire } from './wire.js';

interface Block {
  readonly type: string;
  readonly content?: string | readonly Block[];
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}
interface Message {
  readonly role: string;
  readonly content: readonly Block[];
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** The version whose rules are kept here; another one in the SDK is a reason to read what has changed. */
export const API_VERSION = '2026-10-21';

/** That version has none of these, and refuses them. */
const REMOVED = ['temperature', 'top_p', 'top_k'];

const named = (data: { readonly type: string } & Body): string => event(data.type, data);

export const messageStart = (usage: object = { input_tokens: USAGE.inputTokens, output_tokens: 1 }): string =>
  named({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-test',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });

export const messageEnd = (stop: string, usage: object = { output_tokens: USAGE.outputTokens }): string =>
  named({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage }) +
  named({ type: 'message_stop' });

export const block = (index: number, content_block: object, deltas: readonly object[]): readonly string[] => [
  named({ type: 'content_block_start', index, content_block }),
  ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
  named({ type: 'content_block_stop', index }),
];

export const anthropicWire: Wire = {
  name: 'anthropic',
  path: '/v1/messages',
  model: (url, options) =>
    anthropicModel({ model: 'claude-test', apiKey: 'test-key', baseURL: url, ...options }),
  events({ texts = [], calls = [], stop }: Answer) {
    const first = texts.length > 0 ? 1 : 0;
    const deltas = texts.map((text) => ({ type: 'text_delta', text }));
    return [
      messageStart(),
      named({ type: 'ping' }),
      ...(first === 1 ? block(0, { type: 'text', text: '' }, deltas) : []),
      ...calls.flatMap(({ id, name, json }, i) =>
        block(
          first + i,
          { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } },
          ['', ...json].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ),
      ),
      messageEnd(stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn')),
    ];
  },
  overloadedEvent: (message) => named({ type: 'error', error: { type: 'overloaded_error', message } }),
  refusal: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
    request_id: 'req_1',
  }),
  check(body) {
    if (typeof body['model'] !== 'string' || typeof body['max_tokens'] !== 'number')
      return 'model and max_tokens: Field required';
    const removed = REMOVED.find((name) => name in body);
    if (removed) return `${removed}: Extra inputs are not permitted`;
    const messages = body['messages'] as readonly Message[];
    if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
    const ids = messages.flatMap(({ content }) =>
      content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    );
    if (new Set(ids).size < ids.length) return 'messages: `tool_use` ids must be unique';
    return messages
      .map((message, i) => wrongIn(message, messages[i - 1], messages[i + 1], i))
      .find((wrong) => wrong !== undefined);
  },
};

function wrongIn(
  { role, content }: Message,
  before: Message | undefined,
  after: Message | undefined,
  i: number,
): string | undefined {
  if (content.length === 0) return `messages.${i}: content must not be empty`;
  if (content.some(({ type, text }) => type === 'text' && text?.trim() === ''))
    return `messages.${i}: text content blocks must contain non-whitespace text`;
  const inner = content.flatMap((block) => (Array.isArray(block.content) ? (block.content as Block[]) : []));
  if (inner.some(({ type, text }) => type === 'text' && text?.trim() === ''))
    return `messages.${i}: text content blocks must contain non-whitespace text`;
  const results = content.filter(({ type }) => type === 'tool_result');
  const uses = content.filter(({ type }) => type === 'tool_use');
  if (role === 'user' && uses.length > 0) return `messages.${i}: tool_use blocks are the assistant's`;
  if (content.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
    return `messages.${i}: tool_result blocks must come first`;
  const asked = (before?.content ?? []).map(({ id }) => id);
  const stray = results.find(({ tool_use_id }) => !asked.includes(tool_use_id));
  if (stray) return `messages.${i}: unexpected tool_use_id in tool_result blocks: ${stray.tool_use_id}`;
  const given = (after?.content ?? []).map(({ tool_use_id }) => tool_use_id);
  const missing = uses.find(({ id }) => !given.includes(id));
  return missing && `messages.${i}: tool_use ids without tool_result blocks immediately after: ${missing.id}`;
}
