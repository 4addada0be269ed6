/** Chat completions as their documentation describes them: chunks, `[DONE]`, errors, and the rules for tool messages. */
import { openaiModel } from '../../../../src/agent/models/openai.js';
import type { ModelUsage } from '../../../../src/agent/models/port.js';
import type { Body } from './loopback.js';
import { type Answer, Expectations, event, USAGE, type Wire } from './wire.js';

interface Part {
  readonly type: string;
}

interface Message {
  readonly role: string;
  readonly content?: string | null | readonly Part[];
  readonly reasoning_content?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string } }[];
}

export const chunk = (delta: object, finish_reason: string | null = null): string =>
  event(undefined, { ...HEAD, choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null });

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-test' };

const usageChunk = ({ inputTokens, outputTokens, cacheReadInputTokens = 0 }: ModelUsage): string =>
  event(undefined, {
    ...HEAD,
    choices: [],
    usage: {
      prompt_tokens: inputTokens + cacheReadInputTokens,
      completion_tokens: outputTokens,
      total_tokens: 28,
      prompt_tokens_details: { cached_tokens: cacheReadInputTokens },
    },
  });

export const DONE = event(undefined, '[DONE]');

export const openaiErrors = (status: number, message: string): object => ({
  error: {
    message,
    type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: status === 429 ? 'rate_limit_exceeded' : status === 401 ? 'invalid_api_key' : null,
  },
});

const expected = new Expectations<string>();

/** As servers that are compatible with the format send reasoning; the service itself keeps it. */
function eventsOf(answer: Answer): readonly string[] {
  const { thinking, texts = [], calls = [], stop, usage = USAGE } = answer;
  expected.set(answer, thinking?.pieces.join(''));
  return [
    chunk({ role: 'assistant', content: calls.length > 0 ? null : '' }),
    ...(thinking?.pieces ?? []).map((reasoning_content) => chunk({ reasoning_content, content: null })),
    ...texts.map((content) => chunk({ content })),
    ...calls.map(({ id, name }, index) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ),
    // The pieces of all calls take turns: only the index tells them apart.
    ...[0, 1, 2, 3].flatMap((at) =>
      calls.flatMap(({ json }, index) =>
        json[at] === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: json[at] } }] })],
      ),
    ),
    chunk({}, stop ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    usageChunk(usage),
    DONE,
  ];
}

export const chatWire: Wire = {
  name: 'openai chat',
  path: '/chat/completions',
  model: (url, options) => openaiModel({ model: 'gpt-test', apiKey: 'test-key', baseURL: url, ...options }),
  events: (answer: Answer) => eventsOf(answer),
  overloadedEvent: (message) =>
    event(undefined, { error: { message, type: 'server_error', code: 'engine_overloaded', param: null } }),
  refusal: openaiErrors,
  check: (body: Body) => {
    if ((body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage !== true)
      return 'the plan wants usage';
    const messages = body['messages'] as readonly Message[];
    return (
      wrongNames(body, messages) ??
      wrongReasoning(body, messages) ??
      wrongParts(messages) ??
      wrongOrder(messages)
    );
  },
};

export const OPENAI_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** OpenAI limits names and ids; compatible servers accept the ids that they give. */
function wrongNames(body: Body, messages: readonly Message[]): string | undefined {
  const tools = (body['tools'] ?? []) as readonly { readonly function: { readonly name: string } }[];
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  const wrong = [...tools, ...calls].find((each) => !OPENAI_NAME.test(each.function.name));
  if (wrong) return `Invalid name: string does not match pattern: ${wrong.function.name}`;
  const long = [...calls.map(({ id }) => id), ...messages.map(({ tool_call_id = '' }) => tool_call_id)].find(
    (id) => id.length > 40,
  );
  if (long)
    return `Invalid 'tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length ${long.length} instead.`;
  return undefined;
}

/** Reasoning comes back with the calls that it led to, and with nothing else. */
function wrongReasoning(body: Body, messages: readonly Message[]): string | undefined {
  for (const [i, { tool_calls = [], reasoning_content }] of messages.entries()) {
    const due = tool_calls.map(({ id }) => expected.of(id)).find((each) => each !== undefined);
    const wanted = body['model'] === 'gpt-test' ? due : undefined;
    if (tool_calls.length === 0 && reasoning_content !== undefined)
      return `messages.${i}: The reasoning_content is an intermediate result for display purposes only`;
    if (due !== undefined && reasoning_content !== wanted)
      return `messages.${i}: Missing \`reasoning_content\` field in the assistant message`;
  }
  return undefined;
}

const USER_PARTS = ['text', 'image_url', 'file'];

/** Only a user can show images and files. */
function wrongParts(messages: readonly Message[]): string | undefined {
  for (const [i, { role, content }] of messages.entries()) {
    if (typeof content !== 'object' || content === null) continue;
    const allowed = role === 'user' ? USER_PARTS : ['text'];
    const wrong = content.find(({ type }) => !allowed.includes(type));
    if (wrong) return `messages.${i}: Invalid content part of type ${wrong.type} for the role ${role}`;
  }
  return undefined;
}

/** Every call is answered by a tool message with its id, before anything else is said. */
function wrongOrder(messages: readonly Message[]): string | undefined {
  let waiting: readonly string[] = [];
  for (const { role, tool_call_id, tool_calls = [] } of messages) {
    if (role === 'tool') {
      if (tool_call_id === undefined || !waiting.includes(tool_call_id))
        return `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${tool_call_id}`;
      waiting = waiting.filter((id) => id !== tool_call_id);
      continue;
    }
    if (waiting.length > 0) break;
    waiting = tool_calls.map(({ id }) => id);
  }
  if (waiting.length === 0) return undefined;
  return `these tool_call_ids did not have response messages: ${waiting.join(', ')}`;
}
