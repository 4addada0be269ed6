/** Agents on `@openai/agents`. */
import assert from 'node:assert/strict';
import {
  Agent,
  type AgentInputItem,
  handoff,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import { context, deny, Runner, rewrite } from 'hookline';
import { createMailbox } from 'hookline/injection';
import { createHooks, type OpenaiAgentsHooks, type RunEnd, type TurnOptions } from 'hookline/openai-agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { type End, type Extras, type Host, type HostTool, roles, type Setup } from '../host.js';
import { startModelServer } from '../model-server.js';

setTracingDisabled(true);

type Hooks = OpenaiAgentsHooks<AgentInputItem>;

const itemOf = ({ role, content }: ReturnType<typeof roles>[number]): AgentInputItem =>
  role === 'user'
    ? { role, content }
    : { role, status: 'completed', content: [{ type: 'output_text', text: content }] };

const parameters = z.object({ what: z.string() });

const modelAt = (url: string) =>
  new OpenAIChatCompletionsModel(
    new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, maxRetries: 0 }) as never,
    'test-model',
  );

const toolsOf = (list: readonly HostTool[], hooks: Hooks) =>
  list.map(({ name, run: execute }) =>
    tool(
      hooks.tool({
        name,
        description: name,
        parameters,
        execute: (input: { what: string }) => execute(input),
        errorFunction: (_: unknown, error: unknown) => String(error),
      }),
    ),
  );

function open(setup: Setup, isStreamed: boolean) {
  const { url, runner, mailbox, onProblem, subagent } = setup;
  const model = modelAt(url);
  const hooks: Hooks = createHooks<AgentInputItem>({ runner, mailbox, onProblem });
  const scout: HostTool[] =
    subagent === undefined
      ? []
      : [
          {
            name: subagent.tool,
            run: async ({ what }) => {
              const inner = hooks.subagent({ type: subagent.type, id: `scout-${what}` });
              const worker = new Agent({ name: 'Scout', model, tools: toolsOf(setup.tools, inner) });
              const { result } = await inner.run(worker, `You are a scout: ${what}`, (...turn) =>
                run(...turn),
              );
              return String(result?.finalOutput ?? '');
            },
          },
        ];
  const agent = new Agent({ name: 'Main', model, tools: toolsOf([...setup.tools, ...scout], hooks) });
  const call = async (
    current: typeof agent,
    input: AgentInputItem[],
    options: TurnOptions<AgentInputItem>,
  ) => {
    if (!isStreamed) return run(current, input, options);
    const stream = await run(current, input, { ...options, stream: true });
    for await (const _ of stream);
    return stream;
  };
  let last: Awaited<ReturnType<typeof call>> | undefined;
  const shown = async (running: Promise<RunEnd<NonNullable<typeof last>, AgentInputItem>>): Promise<End> => {
    const end = await running;
    last = end.result;
    if (end.status === 'blocked' || end.status === 'halted') return { status: end.status, text: end.reason };
    if (end.status === 'waiting') return { status: 'waiting', text: '' };
    return {
      status: end.status === 'completed' ? 'completed' : 'other',
      text: String(end.result?.finalOutput ?? ''),
    };
  };
  return {
    run: (prompt: string, { signal }: { signal?: AbortSignal } = {}) =>
      shown(hooks.run(agent, prompt, call, { signal })),
    converse: (said: readonly string[]) => shown(hooks.run(agent, roles(said).map(itemOf), call)),
    decide: (approved: boolean) => {
      assert.ok(last);
      for (const item of last.interruptions) approved ? last.state.approve(item) : last.state.reject(item);
      return shown(hooks.resume(agent, call, { state: last.state }));
    },
    retry: () => shown(hooks.resume(agent, call)),
    end: () => hooks.end(),
  };
}

export const hosts: readonly Host[] = [
  { title: 'OpenAI Agents', package: '@openai/agents', cannot: {}, open: (setup) => open(setup, false) },
  {
    title: 'OpenAI Agents, streamed',
    package: '@openai/agents',
    cannot: {},
    open: (setup) => open(setup, true),
  },
];

export const extras: Extras = {
  'an agent that is handed the conversation works as a subagent': async () => {
    const server = await startModelServer(({ index }) => {
      if (index === 0) return [{ name: 'transfer_to_Scout', input: {} }];
      return index === 1 ? [{ name: 'measure', input: { what: 'bridge' } }] : '42 m.';
    });
    const runner = new Runner();
    const fired: string[] = [];
    runner.observe(
      ({ event, input }) => void fired.push([event, input['agent_type']].filter(Boolean).join(' ')),
    );
    runner.on('SubagentStart', () => context('SubagentStart', 'scouts use metres'));
    const hooks = createHooks<AgentInputItem>({ runner });
    const model = modelAt(server.url);
    const scout = new Agent({
      name: 'Scout',
      model,
      tools: toolsOf([{ name: 'measure', run: () => 'the bridge is 42 m' }], hooks),
    });
    const main = Agent.create({ name: 'Main', model, handoffs: [handoff(scout)] });
    const end = await hooks.run(main, 'Measure the bridge.', (...turn) => run(...turn));
    assert.equal(end.result?.finalOutput, '42 m.');
    assert.deepEqual(fired, [
      'SessionStart',
      'UserPromptSubmit',
      'SubagentStart Scout',
      'PreToolUse Scout',
      'PostToolUse Scout',
      'SubagentStop Scout',
      'Stop',
    ]);
    // What its start has added stays in the conversation.
    for (const index of [1, 2]) assert.match(server.said(index), /scouts use metres/);
    assert.match(JSON.stringify(end.history), /scouts use metres/);
    await hooks.end();
    await server.close();
  },
  'an agent that hands the conversation back is no longer the one that calls': async () => {
    const server = await startModelServer(({ index }) => {
      if (index < 2) return [{ name: `transfer_to_${index === 0 ? 'Scout' : 'Main'}`, input: {} }];
      return index === 2 ? [{ name: 'measure', input: { what: 'bridge' } }] : '42 m.';
    });
    const runner = new Runner();
    const fired: string[] = [];
    runner.observe(
      ({ event, input }) => void fired.push([event, input['agent_type']].filter(Boolean).join(' ')),
    );
    const hooks = createHooks<AgentInputItem>({ runner });
    const model = modelAt(server.url);
    const tools = toolsOf([{ name: 'measure', run: () => 'the bridge is 42 m' }], hooks);
    const scout = new Agent({ name: 'Scout', model });
    const main = Agent.create({ name: 'Main', model, tools, handoffs: [handoff(scout)] });
    scout.handoffs = [handoff(main)];
    const end = await hooks.run(main, 'Measure the bridge.', (...turn) => run(...turn));
    assert.equal(end.result?.finalOutput, '42 m.');
    assert.deepEqual(fired.slice(2), [
      'SubagentStart Scout',
      'PreToolUse',
      'PostToolUse',
      'SubagentStop Scout',
      'Stop',
    ]);
    await server.close();
  },
  'tools that exist already have hooks too': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0 ? [{ name: 'measure', input: { what: 'bridge' } }] : 'Then not.',
    );
    const runner = new Runner();
    runner.on('PreToolUse', () => deny('the bridge is closed'));
    const hooks = createHooks<AgentInputItem>({ runner });
    const measure = tool({
      name: 'measure',
      description: 'measures',
      parameters,
      execute: () => assert.fail('it ran'),
    });
    const agent = new Agent({ name: 'Main', model: modelAt(server.url), tools: hooks.tools([measure]) });
    const end = await hooks.run(agent, 'Measure the bridge.', (...turn) => run(...turn));
    assert.equal(end.result?.finalOutput, 'Then not.');
    assert.match(server.said(1), /the bridge is closed/);
    await server.close();
  },
  'tools that exist already are rewritten, fail and ask as others do': async () => {
    const server = await startModelServer(({ index }) =>
      index === 0 || index === 2 ? [{ name: 'measure', input: { what: 'bridge' } }] : 'Done.',
    );
    const runner = new Runner();
    const fired: string[] = [];
    runner.observe(({ event }) => void fired.push(event));
    runner.on('PreToolUse', () => rewrite({ what: 'tower' }));
    const hooks = createHooks<AgentInputItem>({ runner });
    const ran: string[] = [];
    const measure = tool({
      name: 'measure',
      description: 'measures',
      parameters,
      needsApproval: async () => ran.length > 0,
      execute: ({ what }) => {
        ran.push(what);
        throw new Error('the tape is torn');
      },
    });
    const agent = new Agent({ name: 'Main', model: modelAt(server.url), tools: hooks.tools([measure]) });
    const first = await hooks.run(agent, 'Measure the bridge.', (...turn) => run(...turn));
    assert.equal(first.status, 'completed');
    assert.deepEqual(ran, ['tower']);
    assert.ok(fired.includes('PostToolUseFailure') && !fired.includes('PostToolUse'), String(fired));
    // The tool itself asks the second time.
    const second = await hooks.run(agent, 'Again.', (...turn) => run(...turn));
    assert.equal(second.status, 'waiting');
    assert.deepEqual(ran, ['tower']);
    await server.close();
  },
  'messages reach the agent that was handed the conversation; the next prompt is of the first agent':
    async () => {
      const server = await startModelServer(({ index }) => {
        if (index === 0) return [{ name: 'transfer_to_Scout', input: {} }];
        return index === 1 || index === 3 ? [{ name: 'measure', input: { what: 'bridge' } }] : 'Done.';
      });
      const runner = new Runner();
      const mailbox = createMailbox({ agents: ['main'] });
      const callers: unknown[] = [];
      runner.on('PreToolUse', async ({ agent_type }) => {
        if (callers.push(agent_type) > 1) return;
        await mailbox.put({ id: 'eva-1', content: 'In metres, please.', source: { kind: 'human' } });
      });
      const hooks = createHooks<AgentInputItem>({ runner, mailbox });
      const model = modelAt(server.url);
      const tools = toolsOf([{ name: 'measure', run: () => '42 m' }], hooks);
      const scout = new Agent({ name: 'Scout', model, tools });
      const main = Agent.create({ name: 'Main', model, tools, handoffs: [handoff(scout)] });
      await hooks.run(main, 'Measure the bridge.', (...turn) => run(...turn));
      assert.match(server.said(2), /In metres, please\./);
      assert.equal((await mailbox.status('eva-1'))?.['main'], 'delivered');
      await hooks.run(main, 'Measure it yourself.', (...turn) => run(...turn));
      assert.deepEqual(callers, ['Scout', undefined]);
      await server.close();
    },
};
