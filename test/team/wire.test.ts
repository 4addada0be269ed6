/** One call wires what a MassGen file says about an agent; every key of the file shows in what the agent does. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentLoop } from '../../src/agent/loop/agent-loop.js';
import { scriptedModel } from '../../src/agent/models/scripted.js';
import { loadMassgenConfig } from '../../src/dialects/massgen/load.js';
import { AnswerBoard } from '../../src/injection/answer-board.js';
import { createMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import { Runner } from '../../src/runner/runner.js';
import { wireMassgen } from '../../src/team/wire.js';
import { SAMPLES } from '../support/runner.js';

async function wire(text: string, agentId?: string, board?: AnswerBoard) {
  const config = await loadMassgenConfig({ text, file: join(import.meta.dirname, 'team.yaml') });
  expect(config.diagnostics).toEqual([]);
  const runner = new Runner({ onWarning: () => {} });
  const mailbox = createMailbox();
  const wired = wireMassgen(config, runner, { agentId, mailbox, peers: board && { board } });
  onTestFinished(async () => {
    await runner.dispose();
    await config.dispose();
  });
  const { id } = wired.agent;
  return {
    config,
    runner,
    mailbox,
    wired,
    tool: (tool_name = 'Read') =>
      runner.fire('PostToolUse', { ...SAMPLES.PostToolUse, tool_name }, { agentId: id }),
    preTool: (tool_name: string) =>
      runner.fire('PreToolUse', { ...SAMPLES.PreToolUse, tool_name }, { agentId: id }),
    stop: () => runner.fire('Stop', { stop_hook_active: false }, { agentId: id }),
    received: async () => {
      const lease = await mailbox.take({ agentId: id });
      await lease.acknowledge();
      return lease.items.map(({ source, content }) => ({ kind: source.kind, content }));
    },
  };
}

const TWO = `
agents:
  - { id: ada, backend: { type: claude } }
  - { id: ben, backend: { type: claude, debug_delay_seconds: 0.05, debug_delay_after_n_tools: 2 } }
`;
const boardOf = (): AnswerBoard => new AnswerBoard({ agents: ['ada', 'ben', 'cyd'] });
const peersIn = (items: readonly { kind: string }[]): number =>
  items.filter(({ kind }) => kind === 'peer').length;

describe('wireMassgen', () => {
  it('TM-1 registers the built-in hooks in the documented order, then those of the file', async () => {
    const { wired, tool } = await wire(
      `${TWO}timeout_settings: { initial_round_timeout_seconds: 60 }
hooks: { PostToolUse: [{ type: command, handler: "true", matcher: Read }] }
orchestrator: { coordination: { enable_agent_task_planning: true } }`,
      'ben',
      boardOf(),
    );
    expect(wired.order).toEqual([
      'round-timeout-pre',
      'debug-delay',
      'mid-stream-injection',
      'high-priority-task-reminder',
      'human-input',
      'subagent-complete',
      'background-tool-complete',
      'round-timeout-post',
    ]);
    const ran = (await tool()).results.map(({ name }) => name);
    expect(ran).toEqual(['debug-delay', 'mid-stream-injection', 'round-timeout-post', 'true']);
  });

  it('TM-1 gives an AgentLoop its hooks, mailbox, id, folder and prompt', async () => {
    const { wired, mailbox, received } = await wire(
      'agent: { id: solo, system_message: Be brief., backend: { type: claude, cwd: "." } }',
    );
    await mailbox.put({ content: 'Metres, please.', to: 'solo', source: { kind: 'human' } });
    const model = scriptedModel([{ text: 'Done.' }]);
    const loop = new AgentLoop({ model, transcripts: false, ...wired.loop });
    for await (const _ of loop.run('go'));
    await loop.close();
    expect(model.requests[0]?.system).toContain('Be brief.');
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Metres, please.');
    expect(await received()).toEqual([]);
    expect(wired.loop.cwd).toBe(import.meta.dirname);
  });

  it('TM-2 debug_delay_seconds and debug_delay_after_n_tools delay an agent once', async () => {
    const { tool } = await wire(TWO, 'ben');
    const took: boolean[] = [];
    for (let i = 0; i < 3; i++) {
      const [delay] = (await tool()).results;
      took.push((delay?.durationMs ?? 0) >= 45);
    }
    expect(took).toEqual([false, true, false]);
  });

  it('TM-2 defer_peer_updates_until_restart holds answers back until the next round', async () => {
    const board = boardOf();
    const { tool, stop, received, wired } = await wire(
      `${TWO}orchestrator: { defer_peer_updates_until_restart: true }`,
      'ben',
      board,
    );
    board.publish('ada', { content: 'x' });
    await tool();
    await stop();
    expect(await received()).toEqual([]);
    await wired.beginRound('ben');
    expect(peersIn(await received())).toBe(1);
  });

  it('TM-2 max_midstream_injections_per_round limits updates in the middle of the work', async () => {
    const board = boardOf();
    const { tool, received } = await wire(
      `${TWO}orchestrator: { max_midstream_injections_per_round: 1 }`,
      'ben',
      board,
    );
    for (const peer of ['ada', 'cyd']) board.publish(peer, { content: 'x' });
    await tool();
    await tool();
    expect(peersIn(await received())).toBe(1);
  });

  it('TM-2 allow_midstream_peer_updates_before_checklist_submit decides until a checklist is accepted', async () => {
    const said =
      'defer_peer_updates_until_restart: true, allow_midstream_peer_updates_before_checklist_submit: true';
    const config = await loadMassgenConfig({
      text: `${TWO}orchestrator: { coordination: { ${said} } }`,
      file: 'x.yaml',
    });
    const board = boardOf();
    let checklistSubmitted = false;
    const runner = new Runner();
    const { midStream } = wireMassgen(config, runner, {
      agentId: 'ben',
      mailbox: createMailbox(),
      peers: { board, checklistSubmitted: () => checklistSubmitted },
    });
    expect(midStream?.judge('ben', 'mid-stream').room).toBe(2);
    checklistSubmitted = true;
    expect(midStream?.judge('ben', 'mid-stream')).toMatchObject({ room: 0 });
    await runner.dispose();
  });

  it('TM-2 timeout_settings warn, then refuse everything that does not end the round', async () => {
    const { tool, preTool, received, wired } = await wire(
      `${TWO}timeout_settings: { initial_round_timeout_seconds: 0, round_timeout_grace_seconds: 0 }`,
      'ada',
    );
    await tool();
    expect((await received())[0]?.content).toContain('The time of this round is over');
    expect((await preTool('Read')).decision).toBe('deny');
    expect((await preTool('vote')).decision).toBeUndefined();
    // Later rounds have a limit of their own, and here none.
    await wired.beginRound('ada');
    await tool();
    expect(await received()).toEqual([]);
  });

  it('TM-2 the first update is a message of its own, unless a delay is there to watch it arrive', async () => {
    const board = boardOf();
    const slow = await wire(TWO, 'ben', board);
    const plain = await wire(TWO, 'ada', board);
    board.publish('cyd', { content: 'x' });
    await slow.tool();
    await plain.tool();
    expect([peersIn(await slow.received()), peersIn(await plain.received())]).toEqual([1, 0]);
    await plain.stop();
    expect(peersIn(await plain.received())).toBe(1);
  });

  it('TM-3 refuses an agent that the file does not have, and a runner that is wired already', async () => {
    const { config, runner, mailbox, wired } = await wire(TWO, 'ada');
    const again = (agentId?: string) => () => wireMassgen(config, runner, { agentId, mailbox });
    expect(again('eve')).toThrow('There is no agent "eve"');
    expect(again()).toThrow('Say which agent');
    expect(again('ben')).toThrow('Create a runner for each agent');
    wired.dispose();
    expect(again('ben')).not.toThrow();
  });
});
