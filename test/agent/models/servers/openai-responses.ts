/** The responses API as its documentation describes it: typed events with numbers, and items that refer to each other. */
import { openaiModel } from '../../../../src/agent/models/openai.js';
import type { Body } from './loopback.js';
import { openaiErrors } from './openai-chat.js';
import { type Answer, event, USAGE, type Wire } from './wire.js';

interface Item {
  readonly type?: string;
  readonly call_id?: string;
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

export const responsesWire: Wire = {
  name: 'openai responses',
  path: '/responses',
  model: (url, options) =>
    openaiModel({ model: 'gpt-test', api: 'responses', apiKey: 'test-key', baseURL: url, ...options }),
  events({ texts = [], calls = [], stop }: Answer) {
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
        ? named('response.completed', response('completed'))
        : named('response.incomplete', response('incomplete', { incomplete_details: { reason: stop } })),
    ];
  },
  overloadedEvent: (text) => named('error', { code: 'server_is_overloaded', message: text, param: null }),
  refusal: openaiErrors,
  check(body) {
    const items = body['input'] as readonly Item[];
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
