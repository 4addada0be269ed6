import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolRequest, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { parseFrames } from '../../src/injection/frame.js';
import { createMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import type { NewInjection } from '../../src/injection/port.js';
import {
  type CallExtra,
  type ServerHookOptions,
  withHooks,
  wrapToolHandler,
} from '../../src/integrations/mcp/index.js';
import { until } from '../support/process-harness.js';
import { gate, makeRunner, turns, watchProcess } from '../support/runner.js';
import { addTools, connect, makeServer, text, textsOf } from './support/mcp-bench.js';

watchProcess();

async function bench(options: Partial<ServerHookOptions> = {}) {
  const { runner } = makeRunner();
  const mailbox = createMailbox();
  const ran: unknown[] = [];
  const server = addTools(makeServer(), ran);
  withHooks(server, runner, { serverName: 'bench', agentId: 'ada', mailbox, ...options });
  return {
    runner,
    mailbox,
    ran,
    server,
    put: async (content: string, item: Partial<NewInjection> = {}) =>
      (await mailbox.put({ content, to: 'ada', ...item })).id,
    async state(id: string) {
      await turns();
      return (await mailbox.status(id))?.['ada'];
    },
    ...(await connect(server)),
  };
}

/** Lets a test decide what becomes of a response. */
function onSend(transport: Transport, decide: () => Promise<void>): void {
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage, options) => {
    if ('result' in message) await decide();
    await send(message, options);
  };
}

describe('items of a server', () => {
  it('AD-27: are added to every result, each as a text block of its own, never to the data', async () => {
    const { call, put, runner } = await bench();
    runner.on('PreToolUse', { matcher: 'mcp__bench__wait' }, () => ({ decision: 'block', reason: 'no' }));
    for (const tool of ['data', 'fail', 'throw', 'wait']) {
      await put('one', { source: { kind: 'peer', label: 'Bob' } });
      await put('two');
      const { content, structuredContent } = await call(tool);
      expect(content, tool).toHaveLength(3);
      const framed = content
        .slice(1)
        .flatMap((block) => parseFrames(block.type === 'text' ? block.text : ''));
      expect(framed, tool).toMatchObject([
        { content: 'one', source: { kind: 'peer', label: 'Bob' } },
        { content: 'two' },
      ]);
      expect(structuredContent).toEqual(tool === 'data' ? { rows: 3 } : undefined);
    }
  });

  it('AD-27: are told once, to the agent and with the tools that they are meant for, as the host wants', async () => {
    const { call, put } = await bench({ render: (items) => `! ${items.map(({ content }) => content)}` });
    await put('for data', { matcher: 'mcp__bench__data' });
    await put('for Bob', { to: 'bob' });
    expect(textsOf(await call('echo', { text: 'a' }))).toEqual(['echo a']);
    expect(textsOf(await call('data'))).toEqual(['3 rows', '! for data']);
    expect(textsOf(await call('data'))).toEqual(['3 rows']);
  });

  it('AD-27: go to the agent of the session, where a server works for several', async () => {
    let agent: string | undefined;
    const { call, put } = await bench({ agentId: () => agent, render: ([item]) => item?.content ?? '' });
    await put('for Ada');
    expect(textsOf(await call('echo', { text: 'a' }))).toEqual(['echo a']);
    agent = 'ada';
    expect(textsOf(await call('echo', { text: 'a' }))).toEqual(['echo a', 'for Ada']);
  });

  it('AD-28: count as sent when the transport has taken the result, not before', async () => {
    const { call, put, state, transport } = await bench();
    const [reached, sent] = [gate(), gate()];
    onSend(transport, () => {
      reached.open();
      return sent.passed;
    });
    const id = await put('news');
    const answer = call('echo', { text: 'a' });
    await reached.passed;
    expect(await state(id)).toBe('queued');
    sent.open();
    await answer;
    expect(await state(id)).toBe('delivered');
  });

  it('AD-28: are put back when sending fails, and told with the next result', async () => {
    const { call, put, state, mailbox, transport, server } = await bench();
    let broken = true;
    const failed = gate();
    server.server.onerror = () => failed.open();
    onSend(transport, async () => {
      if (broken) throw new Error('the wire is cut');
    });
    const id = await put('news');
    const controller = new AbortController();
    const lost = call('echo', { text: 'a' }, controller.signal).catch((error: unknown) => error);
    await failed.passed;
    controller.abort();
    expect(await state(id)).toBe('queued');
    expect(await mailbox.pending('ada')).toHaveLength(1);
    broken = false;
    expect(textsOf(await call('echo', { text: 'b' })).join()).toContain('news');
    expect(await state(id)).toBe('delivered');
    expect(await lost).toBeInstanceOf(Error);
  });

  it('AD-28: are put back when the call was cancelled before its result could be sent', async () => {
    const { call, put, state, mailbox, ran } = await bench();
    const id = await put('news');
    const controller = new AbortController();
    const cancelled = call('wait', {}, controller.signal).catch((error: unknown) => error);
    await until(() => ran.length > 0, 'the call to begin');
    controller.abort();
    await cancelled;
    expect(await state(id)).toBe('queued');
    expect((await mailbox.take({ agentId: 'ada' })).items).toHaveLength(1);
  });

  it('AD-28: are put back when the connection closes while the result is on its way', async () => {
    const { call, put, mailbox, transport, server } = await bench();
    const [reached, sent] = [gate(), gate()];
    onSend(transport, () => {
      reached.open();
      return sent.passed;
    });
    await put('news');
    const lost = call('echo', { text: 'a' }).catch((error: unknown) => error);
    await reached.passed;
    await server.close();
    expect(await lost).toBeInstanceOf(Error);
    await turns();
    expect((await mailbox.take({ agentId: 'ada' })).items).toHaveLength(1);
    sent.open();
  });

  it('AD-28: are put back when an error is sent in place of the result', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    const server = makeServer();
    // What is wrapped last comes first: it spoils what the inner one has made.
    withHooks(server, runner, { serverName: 'inner', agentId: 'ada', mailbox });
    addTools(server);
    const handlers = Reflect.get(server.server, '_requestHandlers') as Map<
      string,
      (...args: unknown[]) => unknown
    >;
    const handler = handlers.get('tools/call');
    handlers.set('tools/call', async (...args) => {
      await handler?.(...args);
      throw new Error('spoiled');
    });
    const { call } = await connect(server);
    await mailbox.put({ content: 'news', to: 'ada' });
    await expect(call('echo', { text: 'a' })).rejects.toThrow('spoiled');
    await turns();
    expect((await mailbox.take({ agentId: 'ada' })).items).toHaveLength(1);
  });

  it('AD-28: two layers of hooks each know what became of their own', async () => {
    const outer = createMailbox();
    const { server, call, put, state, runner } = await bench();
    withHooks(server, runner, { serverName: 'bench', agentId: 'ada', mailbox: outer });
    const [mine, theirs] = [await put('mine'), (await outer.put({ content: 'theirs' })).id];
    const texts = textsOf(await call('echo', { text: 'a' })).join();
    expect(texts).toContain('mine');
    expect(texts).toContain('theirs');
    expect(await state(mine)).toBe('delivered');
    expect(await outer.status(theirs)).toEqual({ ada: 'delivered' });
  });

  it('AD-27: are not added to the beginning of a task, whose result goes other ways', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    await mailbox.put({ content: 'news', to: 'ada' });
    const handler = wrapToolHandler(() => ({ content: [text('result')] }), runner, {
      serverName: 's',
      agentId: 'ada',
      mailbox,
      server: { transport: undefined } as never,
    });
    const extra = { signal: new AbortController().signal, requestId: 1 } as unknown as CallExtra;
    const request: CallToolRequest = { method: 'tools/call', params: { name: 'echo', task: {} } };
    expect(await handler(request, extra)).toEqual({ content: [text('result')] });
    const plain: CallToolRequest = { method: 'tools/call', params: { name: 'echo' } };
    expect(await handler(plain, { ...extra, taskId: 't' })).toEqual({ content: [text('result')] });
    expect(await mailbox.pending('ada')).toHaveLength(1);
  });

  it('AD-27: a mailbox that fails holds no result up, and is told', async () => {
    const problems: string[] = [];
    const { call, mailbox } = await bench({ onProblem: ({ message }) => problems.push(message) });
    await mailbox.close();
    expect(textsOf(await call('echo', { text: 'a' }))).toEqual(['echo a']);
    expect(problems).toEqual([expect.stringContaining('closed')]);
  });

  it('AD-27: need the server, where a handler is wrapped alone', () => {
    const { runner } = makeRunner();
    const options = { serverName: 's', agentId: 'ada', mailbox: createMailbox() };
    expect(() => wrapToolHandler(() => ({}), runner, options)).toThrow(/needs `server`/);
  });
});
