/** The Messages API as its documentation describes it: events, errors, and the rules for conversations with tools. */
import { anthropicModel } from '../../../../src/agent/models/anthropic.js';
import type { ModelUsage } from '../../../../src/agent/models/port.js';
import type { Body } from './loopback.js';
import { type Answer, Expectations, event, seal, USAGE, type Wire } from './wire.js';

interface Block {
  readonly type: string;
  readonly content?: string | readonly Block[];
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
  readonly name?: string;
  readonly is_error?: boolean;
  readonly source?: { readonly type: string; readonly data?: string };
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

const startUsage = (usage: ModelUsage): object => ({
  input_tokens: usage.inputTokens,
  cache_read_input_tokens: usage.cacheReadInputTokens ?? 0,
  cache_creation_input_tokens: usage.cacheCreationInputTokens ?? 0,
  output_tokens: 1,
});

const expected = new Expectations<readonly Block[]>();

function thoughtsOf({ thinking }: Answer): readonly Block[] {
  if (thinking === undefined) return [];
  const text = thinking.pieces.join('');
  const { redacted } = thinking;
  return [
    { type: 'thinking', thinking: text, signature: seal(text) },
    ...(redacted === undefined ? [] : [{ type: 'redacted_thinking', data: seal(redacted) + redacted }]),
  ];
}

const streamed = (index: number, thought: Block, pieces: readonly string[]): readonly string[] =>
  thought.type === 'redacted_thinking'
    ? block(index, thought, [])
    : block(index, { type: 'thinking', thinking: '', signature: '' }, [
        ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: thought.signature },
      ]);

export const anthropicWire: Wire = {
  name: 'anthropic',
  path: '/v1/messages',
  model: (url, options) =>
    anthropicModel({ model: 'claude-test', apiKey: 'test-key', baseURL: url, ...options }),
  events(answer: Answer) {
    const { texts = [], calls = [], stop, usage = USAGE } = answer;
    const thoughts = thoughtsOf(answer);
    expected.set(answer, thoughts.length === 0 ? undefined : thoughts);
    const at = thoughts.length;
    const first = at + (texts.length > 0 ? 1 : 0);
    const deltas = texts.map((text) => ({ type: 'text_delta', text }));
    return [
      messageStart(startUsage(usage)),
      named({ type: 'ping' }),
      ...thoughts.flatMap((thought, i) => streamed(i, thought, answer.thinking?.pieces ?? [])),
      ...(first > at ? block(at, { type: 'text', text: '' }, deltas) : []),
      ...calls.flatMap(({ id, name, json }, i) =>
        block(
          first + i,
          { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } },
          ['', ...json].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ),
      ),
      messageEnd(stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'), { output_tokens: usage.outputTokens }),
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
    const marks = [...JSON.stringify(body).matchAll(/"cache_control"/g)].length;
    if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
    if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
    const ids = messages.flatMap(({ content }) =>
      content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    );
    if (new Set(ids).size < ids.length) return 'messages: `tool_use` ids must be unique';
    return (
      wrongTools(body) ??
      wrongThinking(body, messages) ??
      messages
        .map((message, i) => wrongIn(message, messages[i - 1], messages[i + 1], i))
        .find((wrong) => wrong !== undefined)
    );
  },
};

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Names of tools, and a choice that thinking does not allow. */
function wrongTools(body: Body): string | undefined {
  const tools = (body['tools'] ?? []) as readonly { readonly type?: string; readonly name: string }[];
  const wrong = tools.findIndex(({ type, name }) => type === undefined && !NAME.test(name));
  if (wrong >= 0) return `tools.${wrong}.custom.name: String should match pattern '${NAME.source}'`;
  const choice = (body['tool_choice'] as { readonly type: string } | undefined)?.type;
  const thinking = (body['thinking'] as { readonly type: string } | undefined)?.type ?? 'disabled';
  if (thinking !== 'disabled' && (choice === 'any' || choice === 'tool'))
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  return undefined;
}

/** Ids and names of calls, failed results, images. */
function wrongBlock(block: Block, i: number): string | undefined {
  const { type, id = '', name = '', tool_use_id = '', is_error, content, source } = block;
  if (type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(id))
    return `messages.${i}: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  if (type === 'tool_result' && !/^[a-zA-Z0-9_-]+$/.test(tool_use_id))
    return `messages.${i}: tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  if (type === 'tool_use' && !NAME.test(name))
    return `messages.${i}: tool_use.name: String should match pattern '${NAME.source}'`;
  const parts = typeof content === 'object' ? content : [];
  if (is_error === true && parts.some((part) => part.type !== 'text'))
    return `messages.${i}: all content must be type \`text\` if \`is_error\` is true`;
  if (type === 'image' && source?.type === 'base64' && source.data === '')
    return `messages.${i}: image.source.base64: image cannot be empty`;
  return parts.map((part) => wrongBlock(part, i)).find((wrong) => wrong !== undefined);
}

const isThought = ({ type }: Block): boolean => type === 'thinking' || type === 'redacted_thinking';

/** Thinking comes back unchanged before the calls that it led to, and is not the last block of a message. */
function wrongThinking(body: Body, messages: readonly Message[]): string | undefined {
  const config = body['thinking'] as { type: string; budget_tokens?: number } | undefined;
  if (config?.type === 'enabled') {
    const { budget_tokens = 0 } = config;
    if (budget_tokens < 1024) return 'thinking.budget_tokens: must be at least 1024';
    if (budget_tokens >= (body['max_tokens'] as number))
      return '`max_tokens` must be greater than `thinking.budget_tokens`';
    const turn = messages.slice(1 + messages.findLastIndex(isPrompt));
    const answer = turn.find(({ role }) => role === 'assistant');
    if (answer?.content[0] !== undefined && !isThought(answer.content[0]))
      return `messages: Expected \`thinking\` or \`redacted_thinking\`, but found \`${answer.content[0].type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block`;
  }
  for (const [i, { role, content }] of messages.entries()) {
    const thoughts = content.filter(isThought);
    if (role === 'user' && thoughts.length > 0) return `messages.${i}: thinking is the assistant's`;
    if (content.some((each) => isThought(each) && !isSealed(each)))
      return `messages.${i}: Invalid \`signature\` in \`thinking\` block`;
    const last = content.at(-1);
    if (last !== undefined && isThought(last))
      return `messages.${i}: The final block in an assistant message cannot be \`thinking\`.`;
    const due = content.map(({ id }) => expected.of(id)).find((thought) => thought !== undefined);
    // Another model has not thought this, and must not be told.
    const wanted = body['model'] === 'claude-test' ? (due ?? []) : [];
    if (due !== undefined && JSON.stringify(thoughts) !== JSON.stringify(wanted))
      return `messages.${i}: \`thinking\` or \`redacted_thinking\` blocks in the assistant message cannot be modified. These blocks must remain as they were in the original response.`;
  }
  return undefined;
}

const isPrompt = ({ role, content }: Message): boolean =>
  role === 'user' && !content.some(({ type }) => type === 'tool_result');

function isSealed({ type, thinking = '', signature, data = '' }: Block): boolean {
  if (type === 'thinking') return signature === seal(thinking);
  return data.startsWith(seal(data.slice(seal('').length)));
}

function wrongIn(
  { role, content }: Message,
  before: Message | undefined,
  after: Message | undefined,
  i: number,
): string | undefined {
  if (content.length === 0) return `messages.${i}: content must not be empty`;
  const wrong = content.map((block) => wrongBlock(block, i)).find((each) => each !== undefined);
  if (wrong !== undefined) return wrong;
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
