/**
 * What somebody does who has installed the package and nothing else: one small use of every entry. Given a way to load
 * an entry, answers with what came of each.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const request = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call-1' };

/** By the name of the entry in `exports`. `load` gives the module of another entry, `folder` is an empty directory. */
const USES = {
  '.': ({ Runner }) =>
    withRunner(Runner, async (runner) => {
      const { decision, reason } = await runner.fire('PreToolUse', request);
      return `${decision}: ${reason}`;
    }),
  './agent': async ({ AgentLoop, scriptedModel }) => {
    const loop = new AgentLoop({ model: scriptedModel([{ text: '42 m' }]), transcripts: false });
    let said;
    for await (const message of loop.run('How long is the bridge?'))
      if (message.type === 'result') said = message.result;
    await loop.close();
    return said;
  },
  './injection': async ({ createMailbox }) => firstItem(createMailbox()),
  './files': async ({ openFileMailbox }, { folder }) =>
    firstItem(await openFileMailbox({ directory: join(folder, 'mailbox') })),
  './hookless': async ({ createHookless }, { load }) => {
    const { createMailbox } = await load('./injection');
    const mailbox = createMailbox();
    await mailbox.put({ content: 'Metres, please.', to: 'ada' });
    const hookless = createHookless({ mailbox, agentId: 'ada' });
    const told = await hookless.runTurn(({ text }) => text);
    await hookless.end();
    await mailbox.close();
    return told.includes('Metres, please.') ? 'told' : told;
  },
  './claude-agent-sdk': async ({ toSdkHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const [{ hooks }] = toSdkHooks(runner).PreToolUse;
      const base = { hook_event_name: 'PreToolUse', session_id: 's', transcript_path: '', cwd: '/' };
      const signal = new AbortController().signal;
      const answer = await hooks[0]({ ...base, ...request }, 'call-1', { signal });
      return answer.hookSpecificOutput.permissionDecision;
    });
  },
  './mcp': async ({ wrapToolHandler }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const handler = wrapToolHandler(() => ({ content: [] }), runner, { serverName: 'notes' });
      const signal = new AbortController().signal;
      const call = { method: 'tools/call', params: { name: 'note' } };
      const { isError, content } = await handler(call, { signal });
      return isError && content[0].text.includes('switched off') ? 'refused' : content;
    });
  },
  './live': async ({ startLiveView }) => {
    const view = await startLiveView();
    try {
      const answer = await fetch(view.url);
      return `${answer.status} ${/<html/i.test(await answer.text()) ? 'page' : 'no page'}`;
    } finally {
      await view.close();
    }
  },
  './redis': ({ openRedisMailbox }) =>
    openRedisMailbox({ url: 'no address' }).then(() => 'opened', messageOf),
  './ai-sdk': async ({ createHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const { [request.tool_name]: tool } = createHooks({ runner }).tools({
        [request.tool_name]: { execute: () => 'ran' },
      });
      return tool.execute(request.tool_input, { toolCallId: 'call-1' }).catch(messageOf);
    });
  },
  './openai-agents': async ({ createHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const { execute } = createHooks({ runner }).tool({ name: request.tool_name, execute: () => 'ran' });
      return execute(request.tool_input);
    });
  },
  './langchain': async ({ createHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const { wrapToolCall } = createHooks({ runner }).middleware;
      const toolCall = { name: request.tool_name, args: request.tool_input, id: 'call-1' };
      return wrapToolCall({ toolCall }, ({ tool }) => tool.invoke());
    });
  },
  './anthropic': async ({ createHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const [tool] = createHooks({ runner }).tools([{ name: request.tool_name, run: () => 'ran' }]);
      return tool.run(request.tool_input).catch(messageOf);
    });
  },
  './mastra': async ({ createHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const { [request.tool_name]: tool } = createHooks({ runner }).tools({
        [request.tool_name]: { execute: () => 'ran' },
      });
      return tool.execute(request.tool_input).catch(messageOf);
    });
  },
  './strands': async ({ createHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const callbacks = new Map();
      const strands = { BeforeToolCallEvent: 'before a tool' };
      const agent = { addHook: (event, callback) => callbacks.set(event, callback) };
      createHooks({ runner }).plugin(strands).initAgent(agent);
      const { tool_name: name, tool_input: input } = request;
      const event = { agent, cancel: false, toolUse: { name, input, toolUseId: 'call-1' } };
      await callbacks.get(strands.BeforeToolCallEvent)(event);
      return event.cancel;
    });
  },
  './openai': async ({ createHooks }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const { tool_name: name, tool_input: input } = request;
      const call = { id: 'call-1', function: { name, arguments: JSON.stringify(input) } };
      const { messages } = await createHooks({ runner }).runChat(
        'Go.',
        [{ name, parameters: {}, run: () => 'ran' }],
        ({ messages: sent }) => ({ choices: [{ message: { tool_calls: sent.length === 1 ? [call] : [] } }] }),
      );
      return messages.find(({ role }) => role === 'tool').content;
    });
  },
  './session': async ({ createSession }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const { tool_name: name, tool_input: input, tool_use_id: id } = request;
      const { status } = await createSession({ runner }).run({ name, input, id, run: () => 'ran' });
      return status;
    });
  },
  './opentelemetry': async ({ instrument }, { load }) => {
    const { Runner } = await load('.');
    return withRunner(Runner, async (runner) => {
      const stop = await instrument(runner);
      const { decision } = await runner.fire('PreToolUse', request);
      stop();
      return `${decision}, telemetry ${stop.active ? 'on' : 'off'}`;
    });
  },
  './workspaces': async ({ openWorkspaces }, { folder }) => {
    await mkdir(join(folder, 'ada'));
    await writeFile(join(folder, 'ada', 'answer.txt'), '42');
    const workspaces = await openWorkspaces({ directory: join(folder, 'copies') });
    workspaces.add('ada', join(folder, 'ada'));
    await workspaces.snapshot('ada');
    const { path } = await workspaces.share('ada', 'ben');
    const content = await readFile(join(path, 'answer.txt'), 'utf8');
    await workspaces.clear();
    return content;
  },
  './team': async ({ wireMassgen }, { load }) => {
    const { loadMassgenConfig, Runner } = await load('.');
    const { createMailbox } = await load('./injection');
    const config = await loadMassgenConfig({ text: 'agent: { id: ada }', file: 'team.yaml' });
    return withRunner(Runner, (runner) => wireMassgen(config, runner, { mailbox: createMailbox() }).agent.id);
  },
  './guard': ({ readCommands }) => readCommands('sudo rm -rf build', '/').commands.at(-1).program,
  './testing': async ({ mailboxContract }, { load }) => {
    const { createMailbox } = await load('./injection');
    const contract = mailboxContract({ open: ({ now }) => createMailbox({ now }), has: ['clock'] });
    const failed = [];
    for (const { name, run } of contract.filter(({ rule }) => rule !== 'IJ-18'))
      await run().catch(() => failed.push(name));
    return failed;
  },
  './package.json': async (manifest) => (manifest.default ?? manifest).name,
};

/** A runner that refuses every tool. */
async function withRunner(Runner, use) {
  const runner = new Runner();
  runner.on('PreToolUse', (input) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: `${input.tool_name} is switched off`,
    },
  }));
  try {
    return await use(runner);
  } finally {
    await runner.dispose();
  }
}

async function firstItem(mailbox) {
  await mailbox.put({ content: 'Metres, please.', to: 'ada' });
  const lease = await mailbox.take({ agentId: 'ada' });
  await lease.acknowledge();
  await mailbox.close();
  return lease.items[0].content;
}

const messageOf = ({ name, message }) => `${name}: ${message}`;

/** What the optional packages are needed for, where they are missing. */
async function askForPackages(load) {
  const { Runner } = await load('.');
  const { anthropicModel, openaiModel, connectMcpServers } = await load('./agent');
  const { instrument } = await load('./opentelemetry');
  const { openRedisMailbox } = await load('./redis');
  const signal = new AbortController().signal;
  const ask = async (model) => {
    const turn = { system: '', messages: [], tools: [], purpose: 'turn', signal };
    for await (const _ of model.stream(turn));
  };
  const said = (promise) => promise.then(() => 'nothing', messageOf);
  return {
    '@anthropic-ai/sdk': await said(ask(anthropicModel({ model: 'any', apiKey: 'key' }))),
    openai: await said(ask(openaiModel({ model: 'any', apiKey: 'key' }))),
    '@modelcontextprotocol/sdk': (await connectMcpServers({ notes: { command: 'notes' } })).failures[0]
      ?.message,
    '@opentelemetry/api': (await withRunner(Runner, instrument)).problem,
    redis: await said(openRedisMailbox({ url: 'redis://127.0.0.1:1' })),
  };
}

export async function tryEntries(loadSpecifier) {
  const load = (entry) => loadSpecifier(`hookline${entry.slice(1)}`);
  const folder = await mkdtemp(join(tmpdir(), 'hookline-consumer-'));
  const uses = {};
  try {
    for (const [entry, use] of Object.entries(USES)) {
      uses[entry] = await load(entry)
        .then((module) => use(module, { load, folder }))
        .catch(messageOf);
    }
    return { node: process.versions.node, uses, packages: await askForPackages(load) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
