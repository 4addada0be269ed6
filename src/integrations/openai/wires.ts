/** How the two APIs write answers, calls and results. */
import type { Wire } from '../session/own-loop.js';
import { fieldOf, textOf as textOfParts } from '../tool-content.js';
import type { ChatReply, ChatTurn, HostMessage, OpenaiTool, ResponsesReply, ResponsesTurn } from './host.js';

/** What differs between the two APIs. */
export interface Api<Reply, Turn> {
  readonly wire: Wire<HostMessage, Reply>;
  readonly partType: 'text' | 'input_text';
  turn(messages: readonly HostMessage[], tools: readonly OpenaiTool[]): Turn;
  textOf(reply: Reply): string;
}

export const userMessage = (content: unknown): HostMessage => ({ role: 'user', content });

/** What was said in a message. */
export const textOf = ({ content }: HostMessage): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? textOfParts(content) : '';

/** The message of a user with texts behind it, which stay in the conversation with it. */
export const withTexts =
  (type: string) =>
  (message: HostMessage, texts: readonly string[]): HostMessage => {
    if (texts.length === 0) return message;
    const { content } = message;
    const own = Array.isArray(content) ? content : [{ type, text: String(content ?? '') }];
    return { ...message, content: [...own, ...texts.map((text) => ({ type, text }))] };
  };

const shown = (output: unknown): string =>
  typeof output === 'string' ? output : (JSON.stringify(output) ?? '');

const joined = (output: unknown, texts: readonly string[]): string =>
  [shown(output), ...texts].filter((text) => text !== '').join('\n\n');

const definition = ({ name, description, parameters }: OpenaiTool) => ({
  name,
  parameters,
  ...(description !== undefined && { description }),
});

export const chat: Api<ChatReply, ChatTurn<HostMessage>> = {
  partType: 'text',
  turn: (messages, tools) => ({
    messages: [...messages],
    tools: tools.map((tool) => ({
      type: 'function',
      function: { ...definition(tool), strict: tool.strict ?? false },
    })),
  }),
  textOf: ({ choices }) => choices[0]?.message.content ?? '',
  wire: {
    said: ({ choices }) => choices.slice(0, 1).map(({ message }) => saidIn(message)),
    callsOf: ({ choices }) =>
      (choices[0]?.message.tool_calls ?? []).flatMap((call) => {
        const { name, arguments: input } = (fieldOf(call, 'function') ?? {}) as Record<string, unknown>;
        return typeof name === 'string' ? [callOf(fieldOf(call, 'id'), name, input)] : [];
      }),
    resultsOf: (results) =>
      results.map(({ id, content }) => ({ role: 'tool', tool_call_id: id, content: shown(content) })),
    // A result is a text there.
    outputWith: joined,
    isPaused: () => false,
  },
};

export const responses: Api<ResponsesReply, ResponsesTurn<HostMessage>> = {
  partType: 'input_text',
  turn: (messages, tools) => ({
    input: [...messages],
    tools: tools.map((tool) => ({ type: 'function', ...definition(tool), strict: tool.strict ?? false })),
  }),
  textOf: ({ output }) =>
    output
      .filter(({ type }) => type === 'message')
      .map((item) => textOfParts((fieldOf(item, 'content') ?? []) as readonly unknown[]))
      .join('\n'),
  wire: {
    said: ({ output }) => output.map(asInput),
    callsOf: ({ output }) =>
      output
        .filter(({ type }) => type === 'function_call')
        .map((item) =>
          callOf(fieldOf(item, 'call_id'), String(fieldOf(item, 'name')), fieldOf(item, 'arguments')),
        ),
    resultsOf: (results) =>
      results.map(({ id, content }) => ({ type: 'function_call_output', call_id: id, output: content })),
    outputWith: (output, texts) =>
      isContent(output)
        ? [...output, ...texts.map((text) => ({ type: 'input_text', text }))]
        : joined(output, texts),
    isPaused: () => false,
  },
};

/** What the API refuses in a request is left out. */
function saidIn({ content, ...message }: ChatReply['choices'][number]['message']): HostMessage {
  const { role = 'assistant', tool_calls, refusal } = message as Record<string, unknown>;
  return {
    role: String(role),
    content: content ?? null,
    ...(Array.isArray(tool_calls) && tool_calls.length > 0 && { tool_calls }),
    ...(typeof refusal === 'string' && { refusal }),
  };
}

/** Helpers of the SDK add fields to what the API has sent. */
function asInput(item: object): HostMessage {
  const { parsed_arguments: _, ...plain } = item as Record<string, unknown>;
  return plain;
}

const callOf = (id: unknown, name: string, input: unknown) => ({
  id: String(id),
  name,
  readInput: () => JSON.parse(String(input || '{}')) as unknown,
});

/** Texts, images and files, as the Responses API takes them. */
const isContent = (output: unknown): output is readonly object[] =>
  Array.isArray(output) &&
  output.length > 0 &&
  output.every((part) => /^input_(text|image|file)$/.test(String(fieldOf(part, 'type'))));
