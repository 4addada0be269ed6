/**
 * What somebody does who has installed the package beside one that is optional: one use of everything that needs it.
 * Says what came of it, as JSON. Arguments: the package, then the addresses of the servers to use.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [name, ...urls] = process.argv.slice(2);

const deny = (Runner, reason) => {
  const runner = new Runner();
  runner.on('PreToolUse', () => ({ decision: 'deny', reason }));
  return runner;
};

/** A round with a tool that a hook denies: two requests, of which the second has the call and its result. */
async function askModel(model) {
  const [{ Runner }, { AgentLoop }] = [await import('hookline'), await import('hookline/agent')];
  const loop = new AgentLoop({ model, hooks: deny(Runner, 'switched off'), transcripts: false });
  let said;
  for await (const message of loop.run('Go.')) if (message.type === 'result') said = message.result;
  await loop.close();
  return said;
}

const USES = {
  openai: async () => {
    const { openaiModel } = await import('hookline/agent');
    const options = { model: 'gpt-test', apiKey: 'test-key', maxRetries: 0 };
    return [
      await askModel(openaiModel({ ...options, baseURL: urls[0] })),
      await askModel(openaiModel({ ...options, baseURL: urls[1], api: 'responses' })),
    ];
  },
  '@anthropic-ai/sdk': async () => {
    const { anthropicModel } = await import('hookline/agent');
    const options = { model: 'claude-test', apiKey: 'test-key', maxRetries: 0 };
    return [await askModel(anthropicModel({ ...options, baseURL: urls[0] }))];
  },
  redis: async () => {
    const { openRedisMailbox } = await import('hookline/redis');
    const { createClient } = await import('redis');
    const own = await openRedisMailbox({ url: urls[0], watch: true });
    const client = createClient({ url: urls[0] });
    await client.connect();
    const theirs = await openRedisMailbox({ client, watch: true });
    const heard = new Promise((resolve) => theirs.onChange(resolve));
    await own.put({ id: 'news', content: 'Metres, please.', to: 'ada' });
    const change = await heard;
    const lease = await theirs.take({ agentId: 'ada' });
    await lease.acknowledge();
    const status = await own.status('news');
    await Promise.all([own.close(), theirs.close()]);
    await (client.close ?? client.quit).call(client);
    return [change.id, lease.items[0].content, status.ada];
  },
  '@modelcontextprotocol/sdk': async () => {
    const [{ Runner }, { guardClient }, { connectMcpServers }] = [
      await import('hookline'),
      await import('hookline/mcp'),
      await import('hookline/agent'),
    ];
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js');
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = await notesServer();
    await server.connect(theirs);
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(ours);
    const call = async (on, input) =>
      (await on.callTool({ name: 'add', arguments: input })).content.map(({ text }) => text).join(' ');
    const kept = [await call(client, { n: 1 }), (await call(client, { n: 0 })).includes('n')];
    const guarded = guardClient(client, deny(Runner, 'not from here'), { serverName: 'notes' });
    kept.push((await call(guarded, { n: 1 })).includes('not from here'));
    await client.close();
    const command = process.execPath;
    const connections = await connectMcpServers({
      notes: { type: 'stdio', command, args: [import.meta.filename, 'mcp-server'] },
    });
    kept.push(connections.tools.map((tool) => tool.name).join(), connections.failures.length);
    await connections.close();
    return kept;
  },
  'mcp-server': async () => {
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
    await (await notesServer()).connect(new StdioServerTransport());
  },
  '@opentelemetry/api': async () => {
    const [{ Runner }, { instrument }] = [await import('hookline'), await import('hookline/opentelemetry')];
    const { trace } = await import('@opentelemetry/api');
    const names = [];
    const span = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 });
    const startSpan = (spanName) => {
      names.push(spanName);
      return span;
    };
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: () => {} }) });
    const runner = deny(Runner, 'switched off');
    const { active, problem } = await instrument(runner);
    const input = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call-1' };
    const { decision } = await runner.fire('PreToolUse', input);
    await runner.dispose();
    return [problem ?? active, decision, names.length];
  },
  '@anthropic-ai/claude-agent-sdk': async () => {
    const [{ ALL_EVENTS, Runner }, { SdkBridge }] = [
      await import('hookline'),
      await import('hookline/claude-agent-sdk'),
    ];
    const { query } = await import('@anthropic-ai/claude-agent-sdk');
    const home = mkdtempSync(join(tmpdir(), 'hookline-peer-'));
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ANTHROPIC_BASE_URL: urls[0],
      ANTHROPIC_API_KEY: 'test-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    };
    const permission = { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true };
    const runner = deny(Runner, 'not on my watch');
    const [fired, problems] = [[], []];
    for (const event of ALL_EVENTS) runner.on(event, () => void fired.push(event));
    const bridge = new SdkBridge(runner, { onProblem: ({ message }) => problems.push(message) });
    const options = { ...permission, cwd: home, env, hooks: bridge.hooks };
    let said;
    for await (const message of bridge.follow(query({ prompt: 'Go.', options })))
      if (message.type === 'result') said = message.result;
    rmSync(home, { recursive: true, force: true });
    // Newer versions fire more, and the oldest starts agents of its own.
    const everywhere = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'SessionEnd'];
    return [said, fired.filter((event) => everywhere.includes(event)), problems];
  },
};

/** A server whose hooks rewrite 0 to text, which its schema does not allow. */
async function notesServer() {
  const [{ Runner }, { wrapToolHandler }] = [await import('hookline'), await import('hookline/mcp')];
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const runner = new Runner();
  runner.on('PreToolUse', ({ tool_input }) => {
    const updatedInput = { n: tool_input.n === 0 ? 'zero' : tool_input.n + 1 };
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } };
  });
  const server = new Server({ name: 'notes', version: '1.0.0' }, { capabilities: { tools: {} } });
  const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const tools = [{ name: 'add', inputSchema }];
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools }));
  const add = ({ params }) => ({ content: [{ type: 'text', text: `sum ${params.arguments.n}` }] });
  server.setRequestHandler(
    types.CallToolRequestSchema,
    wrapToolHandler(add, runner, { serverName: 'notes', tools: () => tools }),
  );
  return server;
}

const result = await USES[name]();
if (result) console.log(JSON.stringify(result));
