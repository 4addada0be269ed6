import { describe, expect, it } from 'vitest';
import { AnswerBoard, type PeerUpdate } from '../../src/injection/answer-board.js';
import { createMidStreamInjection, type MidStreamOptions } from '../../src/injection/hooks/mid-stream.js';
import { RoundTimer } from '../../src/injection/hooks/round-timer.js';
import { PeerLabels } from '../../src/injection/peer-labels.js';
import type { InjectionItem } from '../../src/injection/port.js';
import { rewritePaths } from '../../src/injection/rewrite-paths.js';
import { gate, makeRunner, SAMPLES } from '../support/runner.js';
import { makeMailbox, testClock } from './support.js';

const AGENTS = ['anna', 'ben', 'cleo'];

function makePeers(options: Partial<MidStreamOptions> = {}, maxItems?: number) {
  const { runner } = makeRunner();
  const { mailbox, changes } = makeMailbox({ maxItems });
  const labels = options.workspaces?.labels ?? new PeerLabels({ agents: AGENTS, numbering: 'shared' });
  const board = new AnswerBoard({ labels });
  const policy = { firstUpdate: 'mid-stream' as const, ...options.policy };
  const midStream = createMidStreamInjection({ mailbox, board, ...options, policy });
  midStream.register(runner);
  return {
    board,
    mailbox,
    midStream,
    changes,
    tool: (agentId = 'anna') => runner.fire('PostToolUse', SAMPLES.PostToolUse, { agentId }),
    fail: (agentId = 'anna') => runner.fire('PostToolUseFailure', SAMPLES.PostToolUseFailure, { agentId }),
    subagentStop: (agent_id: string) => runner.fire('SubagentStop', { ...SAMPLES.SubagentStop, agent_id }),
    stop: (agentId = 'anna') => runner.fire('Stop', { stop_hook_active: false }, { agentId }),
    async received(agentId = 'anna'): Promise<readonly InjectionItem[]> {
      const lease = await mailbox.take({ agentId });
      await lease.acknowledge();
      return lease.items;
    },
  };
}

/** Shares files under a path that names the viewer and the author. */
const sharing = (
  path: (update: PeerUpdate, viewer: string) => Promise<string | undefined>,
): Pick<MidStreamOptions, 'workspaces'> => ({
  workspaces: {
    labels: new PeerLabels({ agents: AGENTS, numbering: 'shared' }),
    shareAnswer: async (update, viewer) => ({ content: update.content, path: await path(update, viewer) }),
  },
});

const fromPeers = (items: readonly InjectionItem[]): string[] =>
  items.flatMap(({ source, content }) => (source.kind === 'peer' ? [`${source.label}: ${content}`] : []));
const notices = (items: readonly InjectionItem[]): string[] =>
  items.flatMap(({ source, content }) => (source.kind === 'system' ? [content] : []));

describe('peers', () => {
  it('IJ-44: an agent is told of answers that it has not seen, after its next tool, and of none twice', async () => {
    const { board, tool, received } = makePeers();
    await tool();
    expect(await received()).toEqual([]);
    board.publish('ben', { content: 'Use a heap' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: Use a heap']);
    await tool();
    expect(await received()).toEqual([]);
    board.publish('ben', { content: 'Use two heaps' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: Use two heaps']);
  });

  it('IJ-44: never of its own answer; of several revisions only of the latest; the newest first', async () => {
    const { board, tool, received } = makePeers();
    board.publish('anna', { content: 'mine' });
    board.publish('ben', { content: 'first try' });
    board.publish('cleo', { content: 'another' });
    board.publish('ben', { content: 'second try' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: second try', 'agent3: another']);
    await tool('ben');
    expect(fromPeers(await received('ben'))).toEqual(['agent3: another', 'agent1: mine']);
  });

  it('IJ-44: it is distinguished from which label to which an answer has moved', async () => {
    const { board, tool, received } = makePeers({ policy: { maxPerRound: 9 } });
    expect(board.publish('ben', { content: 'a' })).toBe(1);
    await tool();
    expect(notices(await received())[0]).toContain('- agent2: agent2.1 (its first one that you see)');
    board.publish('ben', { content: 'b' });
    expect(board.publish('ben', { content: 'c' })).toBe(3);
    board.publish('cleo', { content: 'd' });
    await tool();
    const [notice] = notices(await received());
    expect(notice).toContain(
      '- agent3: agent3.1 (its first one that you see)\n- agent2: agent2.1 -> agent2.3',
    );
  });

  it('IJ-45: the notice comes from us, each answer from its author; mid-stream they go with a tool result', async () => {
    const { board, tool, received } = makePeers();
    board.publish('ben', { content: 'x' });
    board.publish('cleo', { content: 'y' });
    await tool();
    const items = await received();
    expect(items.map(({ source, strategy, to }) => [source.kind, source.label, strategy, to])).toEqual([
      ['system', 'mid-stream-injection', 'tool_result', 'anna'],
      ['peer', 'agent3', 'tool_result', 'anna'],
      ['peer', 'agent2', 'tool_result', 'anna'],
    ]);
    expect(items[0]?.content).not.toContain('x\n');
  });

  it('IJ-45: what an agent should do about it is said for each way of working together', async () => {
    const said = async (options: Partial<MidStreamOptions>): Promise<string> => {
      const { board, tool, received } = makePeers(options);
      board.publish('ben', { content: 'x' });
      await tool();
      return notices(await received()).join();
    };
    expect(await said({})).toContain('compare each answer with your own work');
    expect(await said({ guidance: 'voting' })).toContain('vote for an answer that is complete and right');
    expect(await said({ guidance: 'decomposition' })).toContain('Your part remains your part');
    for (const guidance of ['voting', 'decomposition'] as const) {
      expect(await said({ guidance })).not.toContain('submit_checklist');
      expect(await said({ guidance, checklistSubmitted: () => false })).toContain('submit_checklist');
    }
  });

  it('IJ-45: mid-stream a long answer is cut and says so; as a message of its own it is whole', async () => {
    const { board, tool, stop, received } = makePeers({ maxAnswerLength: 200 });
    board.publish('ben', { content: 'x'.repeat(5000) });
    await tool();
    expect(fromPeers(await received())[0]).toMatch(/x\n\[cut: 5000 characters in all\]$/);
    board.publish('ben', { content: 'y'.repeat(5000) });
    await stop();
    const items = await received();
    expect(fromPeers(items)).toEqual([`agent2: ${'y'.repeat(5000)}`]);
    expect(items.map(({ strategy }) => strategy)).toEqual(['user_message', 'user_message']);
  });

  it('IJ-43: a tool that failed is a safe point as well, and so is the end of a turn', async () => {
    const { board, fail, stop, subagentStop, received } = makePeers();
    board.publish('ben', { content: 'x' });
    await subagentStop('cleo');
    expect(fromPeers(await received('cleo'))).toEqual(['agent2: x']);
    await fail();
    expect(fromPeers(await received())).toEqual(['agent2: x']);
    board.publish('ben', { content: 'y' });
    await stop();
    expect(fromPeers(await received())).toEqual(['agent2: y']);
  });

  it('IJ-46: tools that end at once do not fetch the same answer twice', async () => {
    const { board, tool, received } = makePeers(sharing(async () => undefined));
    board.publish('ben', { content: 'x' });
    await Promise.all([tool(), tool(), tool()]);
    expect(fromPeers(await received())).toEqual(['agent2: x']);
  });

  it('IJ-46: an answer that found no room in the mailbox is offered again', async () => {
    const { board, mailbox, tool, received } = makePeers({}, 1);
    const blocking = await mailbox.put({ content: 'in the way', to: 'somebody' });
    board.publish('ben', { content: 'x' });
    expect((await tool()).failures).toMatchObject([{ name: 'mid-stream-injection', kind: 'threw' }]);
    mailbox.withdraw(blocking.id);
    // One place is enough for the notice, then for the answer.
    await tool();
    expect(notices(await received())).toHaveLength(1);
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: x']);
    await tool();
    expect(await received()).toEqual([]);
  });

  it('IJ-47: the notice says where the reader finds the files, and the answer is as the reader can use it', async () => {
    const { board, tool, received } = makePeers(
      sharing(async ({ label }, viewer) => `/shared/${viewer}/${label}`),
    );
    board.publish('ben', { content: 'See out.ts', workspace: '/work/ben' });
    await tool();
    const items = await received();
    expect(fromPeers(items)).toEqual(['agent2: See out.ts']);
    expect(notices(items)[0]).toContain('the files of agent2 can be read in /shared/anna/agent2.1');
  });

  it('IJ-47: without shared workspaces, folders and names of agents are hidden', async () => {
    const { board, tool, received } = makePeers();
    board.publish('cleo', { content: 'x', workspace: '/work/cleo' });
    await tool();
    await received();
    const content = 'ben took /work/cleo/a.ts from cleo for anna: /work/ben/out.ts, /work/ben2, /work/anna/x';
    board.publish('anna', { content: 'y', workspace: '/work/anna' });
    board.publish('ben', { content, workspace: '/work/ben' });
    await tool();
    expect(fromPeers(await received())).toEqual([
      'agent2: agent2 took (agent3)/a.ts from agent3 for agent1: (agent2)/out.ts, /work/ben2, /work/anna/x',
    ]);
  });

  it('IJ-45: a number of updates per round that is no count is refused', () => {
    for (const maxPerRound of [0.5, -1, Number.NaN])
      expect(() => makePeers({ policy: { maxPerRound } })).toThrow(
        `maxPerRound of a timing policy is ${maxPerRound}; give a whole number`,
      );
    for (const maxPerRound of [0, 3, Number.POSITIVE_INFINITY]) makePeers({ policy: { maxPerRound } });
  });

  it('IJ-47: board and workspaces with different labels are refused', () => {
    const { workspaces } = sharing(async () => undefined);
    const { mailbox } = makeMailbox();
    expect(() => createMidStreamInjection({ mailbox, board: new AnswerBoard(), workspaces })).toThrow(
      'new AnswerBoard({ labels: workspaces.labels })',
    );
  });

  it('IJ-55: an agent that restarts with an empty conversation is shown again what it has seen', async () => {
    const { board, midStream, tool, received } = makePeers();
    board.publish('ben', { content: 'x' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: x']);
    expect(board.seenBy('anna').map(({ label }) => label)).toEqual(['agent2.1']);
    board.publish('cleo', { content: 'y' });
    await midStream.beginRound('anna', { isFresh: true });
    expect(fromPeers(await received())).toEqual(['agent2: x', 'agent3: y']);
    await midStream.beginRound('anna', { isFresh: true });
    expect(fromPeers(await received())).toEqual(['agent3: y', 'agent2: x']);
    await midStream.beginRound('anna');
    expect(await received()).toEqual([]);
  });

  it('IJ-47: a folder counts where its name ends, the longer one first, and nothing is replaced twice', () => {
    const folders = [
      { from: '/ws/agent_1', to: '/t/agent1' },
      { from: '/ws/agent_10/', to: '/ws/agent_1' },
      { from: '/ws/agent_1/sub', to: '/t/sub' },
      { from: '', to: '/nowhere' },
    ];
    expect(rewritePaths('/ws/agent_1/a (/ws/agent_10/b) "/ws/agent_1/sub/c" /ws/agent_1.', folders)).toBe(
      '/t/agent1/a (/ws/agent_1/b) "/t/sub/c" /t/agent1.',
    );
    for (const text of [
      '/ws/agent_1.bak',
      '/ws/agent_1-old',
      '/home/ws/agent_1',
      '/ws/agent_12',
      '/ws/agent_1é',
      '/ws/agent_1@2',
      '/ws/agent_1+1',
    ]) {
      expect(rewritePaths(text, folders)).toBe(text);
    }
    expect(rewritePaths('/ws/agent_1', [])).toBe('/ws/agent_1');
  });

  it('IJ-61: the first update waits for the end of the turn, the next one comes mid-stream', async () => {
    const { board, tool, stop, received } = makePeers({ policy: { firstUpdate: 'full-message' } });
    board.publish('ben', { content: 'x' });
    await tool();
    expect(await received()).toEqual([]);
    await stop();
    expect(fromPeers(await received())).toEqual(['agent2: x']);
    board.publish('ben', { content: 'y' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: y']);
  });

  it('IJ-62: an agent that is protected is reported after it has given its own answer', async () => {
    const { board, tool, received } = makePeers({ policy: { protectFirstAnswer: true } });
    board.publish('ben', { content: 'x' });
    await tool();
    expect(await received()).toEqual([]);
    board.publish('anna', { content: 'mine' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: x']);
  });

  it('IJ-60: what exceeds the bound of a round comes with the next round, as messages', async () => {
    const { board, midStream, tool, received } = makePeers({ policy: { maxPerRound: 1 } });
    board.publish('ben', { content: 'x' });
    board.publish('cleo', { content: 'y' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent3: y']);
    await tool();
    expect(await received()).toEqual([]);
    expect(midStream.judge('anna', 'mid-stream')).toMatchObject({
      room: 0,
      reason: expect.stringContaining('1 updates'),
    });
    await midStream.beginRound('anna');
    const items = await received();
    expect(fromPeers(items)).toEqual(['agent2: x']);
    expect(items[0]?.strategy).toBe('user_message');
    board.publish('ben', { content: 'z' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: z']);
  });

  it('IJ-63: who can only vote is reported at the next round', async () => {
    let isVoteOnly = true;
    const { board, midStream, tool, stop, received } = makePeers({ isVoteOnly: () => isVoteOnly });
    board.publish('ben', { content: 'x' });
    await tool();
    await stop();
    expect(await received()).toEqual([]);
    await midStream.beginRound('anna');
    expect(fromPeers(await received())).toEqual(['agent2: x']);
    isVoteOnly = false;
    board.publish('ben', { content: 'y' });
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: y']);
  });

  it('IJ-65: shortly before the limit of its round an agent is not told', async () => {
    const now = testClock();
    const timer = new RoundTimer({ initialSeconds: 100, graceSeconds: 30, now });
    timer.resetForNewRound('anna');
    const { board, tool, received } = makePeers({ timer });
    now.pass(71_000);
    board.publish('ben', { content: 'x' });
    await tool();
    expect(await received()).toEqual([]);
    timer.resetForNewRound('anna', 0);
    await tool();
    expect(fromPeers(await received())).toEqual(['agent2: x']);
  });

  it('IJ-42: what a slow source hands over after the deadline is put in anyway', async () => {
    const slow = gate<string>();
    const { runner } = makeRunner();
    const { mailbox } = makeMailbox();
    const { workspaces } = sharing(() => slow.passed);
    const board = new AnswerBoard({ labels: workspaces?.labels });
    const controller = new AbortController();
    createMidStreamInjection({
      mailbox,
      board,
      policy: { firstUpdate: 'mid-stream' },
      workspaces,
    }).register(runner);
    board.publish('ben', { content: 'x' });
    const fire = runner.fire('PostToolUse', SAMPLES.PostToolUse, {
      agentId: 'anna',
      signal: controller.signal,
    });
    controller.abort();
    expect((await fire).aborted).toBe(true);
    const arrived = new Promise<void>((resolve) => {
      mailbox.onChange(({ source }) => source.kind === 'peer' && resolve());
    });
    slow.open('/shared');
    await arrived;
    expect(fromPeers(await mailbox.pending('anna'))).toEqual(['agent2: x']);
  });
});
