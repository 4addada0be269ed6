/** The responses API as its documentation describes it: typed events with numbers, and items that refer to each other. */
import { openaiModel } from '../../../../src/agent/models/openai.js';
import type { ModelUsage } from '../../../../src/agent/models/port.js';
import type { Body } from './loopback.js';
import { OPENAI_NAME, openaiErrors } from './openai-chat.js';
import { type Answer, Expectations, event, seal, USAGE, type Wire } from './wire.js';

interface Item {
  readonly type?: string;
  readonly call_id?: string;
  readonly role?: string;
  readonly name?: string;
  readonly id?: string;
  readonly summary?: readonly { readonly text: string }[];
  readonly encrypted_content?: string;
}

export const named = (type: string, data: Body): string => event(type, { type, sequence_number: 0, ...data });

export const response = (status: string, more: Body = {}): Body => ({
  response: {
    id: 'resp_1',
    object: 'response',
    status,
    error: null,
    incomplete_details: null,
    output: [],
    usage: { input_tokens: USAGE.inputTokens, output_tokens: USAGE.outputTokens, total_tokens: 28 },
    ...more,
  },
});

const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] };

const counted = ({ inputTokens, outputTokens, cacheReadInputTokens = 0 }: ModelUsage): Body => ({
  usage: {
    input_tokens: inputTokens + cacheReadInputTokens,
    output_tokens: outputTokens,
    total_tokens: 28,
    input_tokens_details: { cached_tokens: cacheReadInputTokens, cache_write_tokens: 0 },
  },
});

const expected = new Expectations<string>();

const reasoningItem = (pieces: readonly string[]) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: pieces.join('') }],
  encrypted_content: seal(pieces.join('')),
});

const reasoned = (item: ReturnType<typeof reasoningItem>, pieces: readonly string[]): readonly string[] => [
  named('response.output_item.added', { output_index: 0, item: { ...item, summary: [] } }),
  named('response.reasoning_summary_part.added', { item_id: item.id, output_index: 0, summary_index: 0 }),
  ...pieces.map((delta) =>
    named('response.reasoning_summary_text.delta', { item_id: item.id, summary_index: 0, delta }),
  ),
  named('response.output_item.done', { output_index: 0, item }),
];

export const responsesWire: Wire = {
  name: 'openai responses',
  path: '/responses',
  model: (url, options) =>
    openaiModel({ model: 'gpt-test', api: 'responses', apiKey: 'test-key', baseURL: url, ...options }),
  events(answer: Answer) {
    const { thinking, texts = [], calls = [], stop, usage = USAGE } = answer;
    const reasoning = thinking && reasoningItem(thinking.pieces);
    expected.set(answer, reasoning?.encrypted_content);
    const items = calls.map(({ id, name, json }, i) => ({
      type: 'function_call',
      id: `fc_${i}`,
      call_id: id,
      name,
      arguments: json.join(''),
      status: 'completed',
    }));
    return [
      named('response.created', response('in_progress')),
      ...(reasoning === undefined ? [] : reasoned(reasoning, thinking?.pieces ?? [])),
      named('response.output_item.added', { output_index: 0, item: message }),
      ...texts.map((delta) =>
        named('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
      ),
      named('response.output_text.done', { item_id: 'msg_1', output_index: 0, text: texts.join('') }),
      named('response.output_item.done', { output_index: 0, item: { ...message, status: 'completed' } }),
      ...items.flatMap((item, i) => [
        named('response.output_item.added', { output_index: i + 1, item: { ...item, arguments: '' } }),
        ...(calls[i]?.json ?? []).map((delta) =>
          named('response.function_call_arguments.delta', { item_id: item.id, output_index: i + 1, delta }),
        ),
        named('response.function_call_arguments.done', { item_id: item.id, arguments: item.arguments }),
        named('response.output_item.done', { output_index: i + 1, item }),
      ]),
      stop === undefined
        ? named('response.completed', response('completed', counted(usage)))
        : named(
            'response.incomplete',
            response('incomplete', { incomplete_details: { reason: stop }, ...counted(usage) }),
          ),
    ];
  },
  overloadedEvent: (text) => named('error', { code: 'server_is_overloaded', message: text, param: null }),
  refusal: openaiErrors,
  check(body) {
    const items = body['input'] as readonly Item[];
    const wrong = wrongReasoning(body, items);
    if (wrong !== undefined) return wrong;
    const tools = (body['tools'] ?? []) as readonly Item[];
    const named = [...tools, ...items].filter(({ type = '' }) => /^function(_call)?$/.test(type));
    const odd = named.find(({ name = '' }) => !OPENAI_NAME.test(name));
    if (odd) return `Invalid name: string does not match pattern: ${odd.name}`;
    const long = items.find(({ call_id = '' }) => call_id.length > 64);
    if (long) return `Invalid 'input[0].call_id': string too long. Expected a maximum length 64.`;
    const idsOf = (type: string) => items.filter((item) => item.type === type).map(({ call_id }) => call_id);
    const [calls, outputs] = [idsOf('function_call'), idsOf('function_call_output')];
    if (new Set(calls).size < calls.length) return 'Duplicate call_id among the function calls.';
    const unanswered = calls.find((id) => !outputs.includes(id));
    if (unanswered) return `No tool output found for function call ${unanswered}.`;
    const stray = outputs.find((id) => !calls.includes(id));
    if (stray) return `No tool call found for function call output with call_id ${stray}.`;
    return undefined;
  },
};

/** Reasoning comes back sealed, before what it led to: nothing is stored here. */
function wrongReasoning(body: Body, items: readonly Item[]): string | undefined {
  if (body['store'] !== false) return 'the plan stores nothing';
  if (!(body['include'] as string[] | undefined)?.includes('reasoning.encrypted_content'))
    return 'the plan wants encrypted reasoning';
  let thought: string | undefined;
  for (const [i, item] of items.entries()) {
    if (item.type === 'reasoning') {
      const { encrypted_content, summary = [], id } = item;
      if (encrypted_content === undefined)
        return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`;
      if (encrypted_content !== seal(summary.map(({ text }) => text).join('')))
        return 'The encrypted content could not be verified.';
      const next = items[i + 1];
      if (next === undefined || next.role === 'user' || next.type === 'function_call_output')
        return `Item '${id}' of type 'reasoning' was provided without its required following item.`;
      thought = encrypted_content;
    }
    // Calls beside each other share their reasoning.
    if (item.type === 'function_call_output' || item.role === 'user') thought = undefined;
    const due = item.type === 'function_call' ? expected.of(item.call_id) : undefined;
    const wanted = body['model'] === 'gpt-test' ? due : undefined;
    if (due !== undefined && thought !== wanted)
      return `Item '${item.call_id}' of type 'function_call' was provided without its required 'reasoning' item.`;
  }
  return undefined;
}
