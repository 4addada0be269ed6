/** Agents that call `@anthropic-ai/sdk` themselves, and agents on its tool runner. */
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { ask, context, deny, Runner } from 'hookline';
import { type AnthropicHooks, createHooks, type Turn } from 'hookline/anthropic';
import { createMailbox, placeInjections } from 'hookline/injection';
import { z } from 'zod';
import { type End, type Extras, type Host, type HostTool, roles, type Setup } from '../host.js';
import { startModelServer } from '../model-server.js';

type Message = Anthropic.Beta.BetaMessageParam;
type Mode = 'loop' | 'stream' | 'runner';

const inputSchema = z.object({ what: z.string() });
const base = { model: 'test-model', max_tokens: 1024 };

const clientAt = (url: string) => new Anthropic({ apiKey: 'none', baseURL: url, maxRetries: 0 });

type Helper = typeof import('@anthropic-ai/sdk/helpers/beta/zod').betaZodTool;

/** What the helper makes, for the versions that have none. */
const makeTool = (({ name, description, inputSchema: schema, run }) => ({
  ...{ type: 'custom', name, description, run },
  input_schema: z.toJSONSchema(schema as z.ZodType),
  parse: (input: unknown) => (schema as z.ZodType).parse(input),
})) as Helper;

const betaZodTool: Helper = await import('@anthropic-ai/sdk/helpers/beta/zod').then(
  (helpers) => helpers.betaZodTool,
  () => makeTool,
);

const toolsOf = (list: readonly HostTool[]) =>
  list.map(({ name, run }) =>
    betaZodTool({ name, description: name, inputSchema, run: (input) => run(input) }),
  );

function open({ url, runner, mailbox, onProblem, subagent, tools }: Setup, mode: Mode) {
  const client = clientAt(url);
  const hooks = createHooks<Message>({ runner, mailbox, onProblem });
  const runOn = (
    of: AnthropicHooks<Message>,
    list: readonly HostTool[],
    prompt: string | Message[] | undefined,
    signal?: AbortSignal,
  ) => {
    const runnable = toolsOf(list);
    const options = { signal };
    if (mode === 'runner') {
      const hooked = of.tools(runnable);
      const make = (messages: Message[]) =>
        client.beta.messages.toolRunner({ ...base, messages, tools: hooked }, { ...(signal && { signal }) });
      return prompt === undefined ? of.resumeTools(make, options) : of.runTools(prompt, make, options);
    }
    const request = (turn: Turn<Message, (typeof runnable)[number]>) =>
      mode === 'stream'
        ? client.beta.messages.stream({ ...base, ...turn }, options).finalMessage()
        : client.beta.messages.create({ ...base, ...turn }, options);
    return prompt === undefined
      ? of.resume(runnable, request, options)
      : of.run(prompt, runnable, request, options);
  };
  const textOf = (message: { content: readonly { type: string }[] } | undefined): string =>
    (message?.content ?? []).map((block) => ('text' in block ? block.text : '')).join('');
  const scout: HostTool[] =
    subagent === undefined
      ? []
      : [
          {
            name: subagent.tool,
            run: async ({ what }) => {
              const inner = hooks.subagent({ type: subagent.type, id: `scout-${what}` });
              return textOf((await runOn(inner, tools, `You are a scout: ${what}`)).message);
            },
          },
        ];
  const shown = async (running: ReturnType<typeof runOn>): Promise<End> => {
    const end = await running;
    if (end.status === 'blocked' || end.status === 'halted') return { status: end.status, text: end.reason };
    return { status: end.status === 'completed' ? 'completed' : 'other', text: textOf(end.message) };
  };
  const all = [...tools, ...scout];
  return {
    run: (prompt: string, { signal }: { signal?: AbortSignal } = {}) =>
      shown(runOn(hooks, all, prompt, signal)),
    converse: (said: readonly string[]) => shown(runOn(hooks, all, roles(said))),
    retry: () => shown(runOn(hooks, all, undefined)),
    end: () => hooks.end(),
  };
}

const NO_APPROVAL =
  'The SDK has no approval of tool calls. Pass a function as `ask`; without one the call is refused.';
const cannot = { ask: NO_APPROVAL, 'ask-parallel': NO_APPROVAL };

export const hosts: readonly Host[] = [
  { title: 'Anthropic SDK', package: '@anthropic-ai/sdk', cannot, open: (setup) => open(setup, 'loop') },
  {
    title: 'Anthropic SDK, streamed',
    package: '@anthropic-ai/sdk',
    cannot,
    open: (setup) => open(setup, 'stream'),
  },
  {
    title: 'Anthropic tool runner',
    package: '@anthropic-ai/sdk',
    cannot,
    open: (setup) => open(setup, 'runner'),
  },
];

export const extras: Extras = {
  'a function decides when a hook asks': async () => {
    const server = await startModelServer(({ index }) =>
      index % 2 === 0 ? [{ name: 'measure', input: { what: 'bridge' } }] : 'Done.',
    );
    const runner = new Runner();
    runner.on('PreToolUse', () => ask('is it safe?'));
    const ran: string[] = [];
    const tools = toolsOf([{ name: 'measure', run: ({ what }) => `${ran.push(what)}` }]);
    for (const answer of [true, false]) {
      const hooks = createHooks<Message>({ runner, ask: ({ reason }) => answer && reason === 'is it safe?' });
      const client = clientAt(server.url);
      await hooks.run('Measure.', tools, (turn) => client.beta.messages.create({ ...base, ...turn }));
    }
    assert.deepEqual(ran, ['bridge']);
    await server.close();
  },
  'a result of a refused call is marked as an error; content blocks stay blocks': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0
        ? [
            { name: 'measure', input: { what: 'cellar' } },
            { name: 'measure', input: { what: 'bridge' } },
          ]
        : 'Done.',
    );
    const runner = new Runner();
    runner.on('PreToolUse', ({ tool_input }) =>
      (tool_input as { what: string }).what === 'cellar' ? deny('it is closed') : undefined,
    );
    runner.on('PostToolUse', () => context('PostToolUse', 'the scale is new'));
    const [measure] = toolsOf([{ name: 'measure', run: () => '' }]);
    const tools = [{ ...measure, run: () => [{ type: 'text' as const, text: '42 m' }] }];
    const hooks = createHooks<Message>({ runner });
    const client = clientAt(server.url);
    await hooks.run('Measure.', tools as never, (turn) =>
      client.beta.messages.create({ ...base, ...(turn as { messages: Message[] }) }),
    );
    const { content } = hooks.messages[2] as { content: unknown };
    const results = content as { is_error?: boolean; content: unknown }[];
    assert.deepEqual(
      results.map(({ is_error = false, content: shown }) => [is_error, shown]),
      [
        [true, 'it is closed'],
        [
          false,
          [
            { type: 'text', text: '42 m' },
            { type: 'text', text: 'the scale is new' },
          ],
        ],
      ],
    );
    await server.close();
  },
  'items are placed into messages of the SDK, of both kinds': async () => {
    const mailbox = createMailbox({ agents: ['main'] });
    await mailbox.put({ content: 'In metres, please.', source: { kind: 'human', label: 'Eva' } });
    const { items } = await mailbox.take({ agentId: 'main' });
    const plain: Anthropic.MessageParam = placeInjections<Anthropic.MessageParam>(
      { role: 'user', content: 'Hello.' },
      items,
    );
    const results: Anthropic.ToolResultBlockParam[] = [{ type: 'tool_result', tool_use_id: 'call-1' }];
    const beta: Anthropic.Beta.BetaMessageParam = placeInjections<Anthropic.Beta.BetaMessageParam>(
      { role: 'user', content: results },
      items,
    );
    for (const { content } of [plain, beta]) assert.match(JSON.stringify(content), /In metres, please\./);
  },
};
