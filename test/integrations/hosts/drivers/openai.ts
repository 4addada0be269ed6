/** Agents that call the package `openai` themselves. */
import assert from 'node:assert/strict';
import { context, Runner } from 'hookline';
import { createMailbox, placeInjections } from 'hookline/injection';
import { type ChatTurn, createHooks, type OpenaiHooks, type ResponsesTurn } from 'hookline/openai';
import OpenAI from 'openai';
import { z } from 'zod';
import { type End, type Extras, type Host, type HostTool, roles, type Setup } from '../host.js';
import { startModelServer } from '../model-server.js';

type ChatMessage = OpenAI.ChatCompletionMessageParam;
type Item = OpenAI.Responses.ResponseInputItem;
type Mode = 'chat' | 'responses';

const inputSchema = z.object({ what: z.string() });
const parameters = z.toJSONSchema(inputSchema);
const model = 'test-model';

const clientAt = (url: string) => new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 });

const toolsOf = (list: readonly HostTool[]) =>
  list.map(({ name, run }) => ({
    name,
    parameters,
    parse: (input: unknown) => inputSchema.parse(input),
    run,
  }));

function open({ url, runner, mailbox, onProblem, subagent, tools }: Setup, mode: Mode, isStreamed: boolean) {
  const client = clientAt(url);
  const hooks = createHooks<never>({ runner, mailbox, onProblem });
  const runOn = (
    of: OpenaiHooks,
    list: readonly HostTool[],
    prompt?: string | never[],
    signal?: AbortSignal,
  ) => {
    const runnable = toolsOf(list);
    const options = { signal };
    if (mode === 'chat') {
      const request = (turn: ChatTurn<ChatMessage>) =>
        isStreamed
          ? client.chat.completions.stream({ model, ...turn }, options).finalChatCompletion()
          : client.chat.completions.create({ model, ...turn }, options);
      return prompt === undefined
        ? of.resumeChat(runnable, request, options)
        : of.runChat(prompt, runnable, request, options);
    }
    const request = (turn: ResponsesTurn<Item>) =>
      isStreamed
        ? client.responses.stream({ model, ...turn }, options).finalResponse()
        : client.responses.create({ model, ...turn }, options);
    return prompt === undefined
      ? of.resumeResponses(runnable, request, options)
      : of.runResponses(prompt, runnable, request, options);
  };
  const scout: HostTool[] =
    subagent === undefined
      ? []
      : [
          {
            name: subagent.tool,
            run: async ({ what }) => {
              const inner = hooks.subagent({ type: subagent.type, id: `scout-${what}` });
              return (await runOn(inner, tools, `You are a scout: ${what}`)).text;
            },
          },
        ];
  const shown = async (running: ReturnType<typeof runOn>): Promise<End> => {
    const end = await running;
    if (end.status === 'blocked' || end.status === 'halted') return { status: end.status, text: end.reason };
    return { status: end.status === 'completed' ? 'completed' : 'other', text: end.text };
  };
  const all = [...tools, ...scout];
  return {
    run: (prompt: string, { signal }: { signal?: AbortSignal } = {}) =>
      shown(runOn(hooks, all, prompt, signal)),
    converse: (said: readonly string[]) => shown(runOn(hooks, all, roles(said) as never[])),
    retry: () => shown(runOn(hooks, all)),
    end: () => hooks.end(),
  };
}

const NO_APPROVAL =
  'The SDK has no approval of tool calls. Pass a function as `ask`; without one the call is refused.';

const host = (title: string, mode: Mode, isStreamed = false): Host => ({
  title,
  package: 'openai',
  cannot: { ask: NO_APPROVAL, 'ask-parallel': NO_APPROVAL },
  open: (setup) => open(setup, mode, isStreamed),
});

export const hosts: readonly Host[] = [
  host('OpenAI SDK, chat', 'chat'),
  host('OpenAI SDK, chat, streamed', 'chat', true),
  host('OpenAI SDK, responses', 'responses'),
  host('OpenAI SDK, responses, streamed', 'responses', true),
];

export const extras: Extras = {
  'a tool of the Responses API returns an image; arguments that are no JSON do not reach it': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0 ? [{ name: 'draw', input: { what: 'bridge' } }] : 'Done.',
    );
    const runner = new Runner();
    runner.on('PostToolUse', () => context('PostToolUse', 'the scale is new'));
    const client = clientAt(server.url);
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' };
    const draw = { name: 'draw', parameters, run: () => [image] };
    const { input } = await (async () => {
      const hooks = createHooks<Item>({ runner });
      await hooks.runResponses('Draw.', [draw], (turn) => client.responses.create({ model, ...turn }));
      return { input: server.requests[1]?.messages.at(-1) };
    })();
    assert.deepEqual(input?.['output'], [image, { type: 'input_text', text: 'the scale is new' }]);
    const hooks = createHooks<ChatMessage>({ runner });
    let calls = 0;
    const broken = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'draw', arguments: '{"what"' },
    };
    const end = await hooks.runChat('Draw.', [{ ...draw, run: () => assert.fail('it ran') }], () => ({
      choices: [{ message: { content: 'Done.', tool_calls: calls++ === 0 ? [broken] : [] } }],
    }));
    assert.match(JSON.stringify(end.messages), /"role":"tool".*JSON/);
    await server.close();
  },
  'items are placed into messages of the SDK, of both APIs': async () => {
    const mailbox = createMailbox({ agents: ['main'] });
    await mailbox.put({ content: 'In metres, please.', source: { kind: 'human', label: 'Eva' } });
    const { items } = await mailbox.take({ agentId: 'main' });
    const chat: ChatMessage[] = [
      placeInjections<OpenAI.ChatCompletionUserMessageParam>({ role: 'user', content: 'Hello.' }, items),
      placeInjections<OpenAI.ChatCompletionToolMessageParam>(
        { role: 'tool', tool_call_id: 'call-1', content: '42' },
        items,
      ),
    ];
    const input: Item[] = [
      placeInjections<OpenAI.Responses.ResponseInputItem.Message>(
        { role: 'user', content: [{ type: 'input_text', text: 'Hello.' }] },
        items,
      ),
      placeInjections<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>(
        { type: 'function_call_output', call_id: 'call-1', output: '42' },
        items,
      ),
    ];
    for (const message of [...chat, ...input]) assert.match(JSON.stringify(message), /In metres, please\./);
    assert.deepEqual(
      (input[0] as OpenAI.Responses.ResponseInputItem.Message).content.map(({ type }) => type),
      ['input_text', 'input_text'],
    );
  },
};
