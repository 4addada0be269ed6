/** Faults that injection is known to have elsewhere, and that the other tests here leave open. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { AnswerBoard } from '../../src/injection/answer-board.js';
import { type CanonicalMessage, placeInjections } from '../../src/injection/format.js';
import { createMidStreamInjection } from '../../src/injection/hooks/mid-stream.js';
import { createSubagentComplete } from '../../src/injection/hooks/subagent-complete.js';
import { createTaskReminder } from '../../src/injection/hooks/task-reminder.js';
import { createMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import { PeerLabels } from '../../src/injection/peer-labels.js';
import type { InjectionItem } from '../../src/injection/port.js';
import { SdkBridge } from '../../src/integrations/claude-agent-sdk/index.js';
import { withHooks } from '../../src/integrations/mcp/index.js';
import { connect, makeServer, text, textsOf } from '../integrations/support/mcp-bench.js';
import { hostOf } from '../integrations/support/sdk-host.js';
import { makeRunner, SAMPLES, watchProcess } from '../support/runner.js';
import { makeFileMailbox } from './mailboxes/files/support.js';
import { ids, item } from './support.js';

watchProcess();

const IMAGE = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
const CODE = '0'.repeat(24);
const NOTES = { system_notes: [{ from: 'system', id: 'x', content: 'Hello' }] };

describe('what a tool has returned', () => {
  type Part = Extract<CanonicalMessage['content'][number], { type: 'tool_result' }>;
  const RETURNED: readonly (readonly [string, Part['content']])[] = [
    ['a text', 'ENOENT'],
    ['an empty text', ''],
    ['no block', []],
    ['an image', [IMAGE]],
    ['a text and an image', [text('look'), IMAGE]],
    ['data as text', '{"rows":3}'],
  ];
  const cases = RETURNED.flatMap(([what, content]) =>
    ([undefined, true, false] as const).map((is_error) => ({ what, content, is_error })),
  );

  it.each(cases)('IJ-28: $what, is_error $is_error, comes first and as it was', ({ content, is_error }) => {
    const part: Part = {
      type: 'tool_result',
      tool_use_id: 'c1',
      content,
      ...(is_error !== undefined && { is_error }),
    };
    const [placed] = placeInjections({ role: 'user', content: [part] }, [item()], {
      nonce: () => CODE,
    }).content;
    const blocks = typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content;
    expect(placed).toEqual({
      ...part,
      content: [...blocks, text(expect.stringContaining('│ Hello') as unknown as string)],
    });
  });

  it.each(cases)('IJ-29: structured: $what, is_error $is_error, loses nothing', ({ content, is_error }) => {
    const part: Part = {
      type: 'tool_result',
      tool_use_id: 'c1',
      content,
      ...(is_error !== undefined && { is_error }),
    };
    const options = { style: 'structured' as const };
    const [placed] = placeInjections({ role: 'user', content: [part] }, [item()], options).content;
    const { content: shown, ...rest } = placed as Part;
    const { content: _, ...before } = part;
    expect(rest).toEqual(before);
    const parts = typeof content === 'string' ? [text(content)] : content;
    const output = parts.flatMap((each) => ('text' in each ? [each.text] : [])).join('\n');
    const [json, ...others] = typeof shown === 'string' ? [text(shown)] : shown;
    expect(JSON.parse((json as { text: string }).text)).toEqual({ output, ...NOTES });
    expect(others).toEqual(parts.filter((each) => !('text' in each)));
  });

  const RESULTS: readonly (readonly [string, CallToolResult])[] = [
    ['an image', { content: [IMAGE] }],
    ['nothing', { content: [] }],
    ['data alone', { content: [], structuredContent: { rows: 3 } }],
    ['a failure without a word', { content: [], isError: true }],
    ['a failure with an image', { content: [text('it broke'), IMAGE], isError: true }],
    [
      'data, blocks and fields of its own',
      { content: [text('3 rows')], structuredContent: { rows: 3 }, _meta: { took: 5 } },
    ],
  ];
  it.each(RESULTS)(
    'AD-27: of a server: %s stays as it is, and the item is a block behind it',
    async (_, result) => {
      const { runner } = makeRunner();
      const mailbox = createMailbox();
      const server = makeServer();
      server.registerTool('make', {}, async () => result);
      const render = () => 'news';
      const { call } = await connect(
        withHooks(server, runner, { serverName: 's', agentId: 'ada', mailbox, render }),
      );
      const { id } = await mailbox.put({ content: 'news', to: 'ada' });
      expect(await call('make')).toEqual({ ...result, content: [...result.content, text('news')] });
      await expect.poll(() => mailbox.status(id)).toEqual({ ada: 'delivered' });
      expect(await call('make')).toEqual(result);
    },
  );
});

describe('an item that cannot be shown', () => {
  const render = ([shown]: readonly { readonly content: string }[]): string => {
    if (shown?.content === 'poison') throw new Error('no way to show it');
    return shown?.content ?? '';
  };

  it('AD-19: waits, is told of, and holds up no other item', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    const problems: string[] = [];
    const onProblem = ({ message }: Error): void => void problems.push(message);
    const host = hostOf(new SdkBridge(runner, { agentId: 'ada', mailbox, render, onProblem }).hooks);
    for (const content of ['poison', 'one', 'two']) await mailbox.put({ id: content, content, to: 'ada' });
    const answer = await host.ask('PostToolUse');
    expect(answer).toMatchObject({ hookSpecificOutput: { additionalContext: 'one\n\ntwo' } });
    expect(ids(await mailbox.pending('ada'))).toEqual(['poison']);
    expect(problems).toEqual(['no way to show it']);
  });

  it('AD-12: because it fits into no answer at all holds up no other item either', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    const problems: string[] = [];
    const onProblem = ({ message }: Error): void => void problems.push(message);
    const host = hostOf(
      new SdkBridge(runner, { agentId: 'ada', mailbox, maxContext: 1000, onProblem }).hooks,
    );
    // Written out, such a name is longer than all that may be said.
    const endless = await mailbox.put({ id: '☃'.repeat(256), content: 'x'.repeat(5000), to: 'ada' });
    const { id } = await mailbox.put({ content: 'short', to: 'ada' });
    expect(JSON.stringify(await host.ask('PostToolUse'))).toContain('│ short');
    expect(ids(await mailbox.pending('ada'))).toEqual([endless.id]);
    await host.ask('Stop');
    await expect.poll(() => mailbox.status(id)).toEqual({ ada: 'delivered' });
    expect(problems[0]).toContain('more than `maxContext` (1000)');
  });

  it('AD-27: of a server: so it is there', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    const problems: string[] = [];
    const server = makeServer();
    server.registerTool('make', {}, async () => ({ content: [text('made')] }));
    withHooks(server, runner, {
      serverName: 's',
      agentId: 'ada',
      mailbox,
      render,
      onProblem: ({ message }) => void problems.push(message),
    });
    const { call } = await connect(server);
    for (const content of ['poison', 'one']) await mailbox.put({ id: content, content, to: 'ada' });
    expect(textsOf(await call('make'))).toEqual(['made', 'one']);
    await expect.poll(() => mailbox.status('one')).toEqual({ ada: 'delivered' });
    expect(ids(await mailbox.pending('ada'))).toEqual(['poison']);
    expect(problems).toEqual(['no way to show it']);
  });
});

describe('a full mailbox', () => {
  /** Mid-stream there is room for one item: the notice. Where the turn ends both come whole, as messages. */
  it.each([
    [1, ['agent2']],
    [2, ['agent2', 'agent3']],
  ])(
    'IJ-46: mid-stream there was room for %i: where the turn ends the rest comes, and nothing twice',
    async (room, authors) => {
      const { runner } = makeRunner();
      const mailbox = createMailbox({ maxItems: room });
      const board = new AnswerBoard({
        labels: new PeerLabels({ agents: ['anna', 'ben', 'cleo'], numbering: 'shared' }),
      });
      const policy = { firstUpdate: 'mid-stream' as const };
      createMidStreamInjection({ mailbox, board, policy }).register(runner);
      const told: InjectionItem[] = [];
      const receive = async (): Promise<void> => {
        const lease = await mailbox.take({ agentId: 'anna' });
        told.push(...lease.items);
        await lease.acknowledge();
      };
      for (const author of ['cleo', 'ben'].slice(2 - room))
        board.publish(author, { content: `by ${author}` });
      const tool = await runner.fire('PostToolUse', SAMPLES.PostToolUse, { agentId: 'anna' });
      expect(tool.failures).toMatchObject([{ name: 'mid-stream-injection' }]);
      for (let i = 0; i < 4; i++) {
        await receive();
        await runner.fire('Stop', { stop_hook_active: false }, { agentId: 'anna' });
      }
      await receive();
      const answers = told.filter(({ source }) => source.kind === 'peer');
      expect(answers.map(({ source }) => source.label).sort()).toEqual(authors);
    },
  );
});

describe('the reminder', () => {
  const DONE = { task: { priority: 'high', status: 'completed' } };

  it('IJ-42: that found no room is put in when there is some', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox({ maxItems: 1 });
    createTaskReminder({ mailbox, text: 'Write it down' }).register(runner);
    const update = (tool_use_id: string, tool_response: unknown) =>
      runner.fire(
        'PostToolUse',
        { ...SAMPLES.PostToolUse, tool_name: 'update_task_status', tool_use_id, tool_response },
        { agentId: 'a' },
      );
    const { id } = await mailbox.put({ content: 'in the way', to: 'b' });
    expect((await update('u1', DONE)).failures).toHaveLength(1);
    mailbox.withdraw(id);
    expect((await update('u2', { task: { status: 'in_progress' } })).failures).toEqual([]);
    expect((await mailbox.pending('a')).map(({ content }) => content)).toEqual(['Write it down']);
  });

  it('IJ-50: comes once per call, however long the name of the agent is', async () => {
    const { runner } = makeRunner();
    const mailbox = createMailbox();
    createTaskReminder({ mailbox }).register(runner);
    const agentId = 'x'.repeat(256);
    for (const tool_use_id of ['u1', 'u2', 'u2']) {
      const call = {
        ...SAMPLES.PostToolUse,
        tool_name: 'update_task_status',
        tool_use_id,
        tool_response: DONE,
      };
      await runner.fire('PostToolUse', call, { agentId, toolUseID: tool_use_id });
    }
    expect(await mailbox.pending(agentId)).toHaveLength(2);
  });
});

describe('what a source has given away', () => {
  it('IJ-42: is kept while the mailbox cannot be used, and put in when it can', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    const { runner } = makeRunner();
    const waiting = [{ id: 's', status: 'completed', answer: 'found' }];
    createSubagentComplete({ mailbox, pending: () => waiting.splice(0) }).register(runner);
    const tool = () => runner.fire('PostToolUse', SAMPLES.PostToolUse, { agentId: 'a' });
    const folder = `${directory}/ids`;
    renameSync(folder, `${folder}.away`);
    mkdirSync(`${directory}-elsewhere`);
    symlinkSync(`${directory}-elsewhere`, folder);
    expect((await tool()).failures).toMatchObject([{ name: 'subagent-complete', kind: 'threw' }]);
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    expect((await tool()).failures).toEqual([]);
    expect((await mailbox.pending('a')).map(({ source }) => source.label)).toEqual(['s']);
  });
});
