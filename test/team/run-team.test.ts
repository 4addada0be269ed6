/** A team end to end: agents in parallel, answers, votes, restarts, limits, and the winner's presentation. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Model } from '../../src/agent/models/port.js';
import { loadMassgenConfig } from '../../src/dialects/massgen/load.js';
import { runTeam, type TeamEvent, type TeamOptions, type TeamResult } from '../../src/team/index.js';
import { answersThenVotes, authorOf, brainModel, call, saidIn, toolsIn } from './support/brains.js';

const THREE = `
agents:
  - { id: alice, backend: { type: claude } }
  - { id: bob, backend: { type: claude } }
  - { id: carol, backend: { type: claude } }
`;

interface Ran extends TeamResult {
  readonly events: readonly TeamEvent[];
  readonly directory: string;
}

function temporary(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-team-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function team(
  text: string,
  models: Readonly<Record<string, Model>>,
  options: Partial<TeamOptions> = {},
): Promise<Ran> {
  const directory = temporary();
  const config = await loadMassgenConfig({ text, file: join(directory, 'team.yaml') });
  onTestFinished(() => config.dispose());
  const events: TeamEvent[] = [];
  const result = await runTeam(config, 'How many legs has a spider?', {
    directory: join(directory, 'shared'),
    modelFor: ({ id }) => models[id] as Model,
    session: 'test',
    pollMs: 20,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { ...result, events, directory };
}

const of = <T extends TeamEvent['type']>(events: readonly TeamEvent[], type: T) =>
  events.filter((event): event is Extract<TeamEvent, { type: T }> => event.type === type);

describe('runTeam', () => {
  it('TM-4 agents answer, vote for the best answer, and its author presents it', async () => {
    const { status, reason, winner, final, votes, answers, left } = await team(THREE, {
      alice: answersThenVotes('six legs', 'eight legs'),
      bob: answersThenVotes('eight legs', 'eight legs'),
      carol: answersThenVotes('ten legs', 'eight legs'),
    });
    expect({ status, reason, left, final }).toEqual({
      status: 'decided',
      reason: 'votes',
      left: {},
      final: 'Final: eight legs',
    });
    expect(winner).toMatchObject({ agentId: 'bob', revision: 1, content: 'eight legs', votes: 3 });
    expect(votes.map(({ for: choice }) => choice)).toEqual(Array(3).fill({ agentId: 'bob', revision: 1 }));
    expect(answers.map(({ agentId }) => agentId).sort()).toEqual(['alice', 'bob', 'carol']);
  });

  it('TM-4 with as many votes, the agent that comes first in the file wins', async () => {
    const own = (answer: string) => answersThenVotes(answer, answer);
    const { winner } = await team(THREE, { alice: own('six'), bob: own('eight'), carol: own('ten') });
    expect(winner).toMatchObject({ agentId: 'alice', votes: 1 });
  });

  it('TM-4 the presentation can be left out', async () => {
    const one = answersThenVotes('eight legs', 'eight legs');
    const { final } = await team('agent: { id: alice }', { alice: one }, { presentation: false });
    expect(final).toBe('eight legs');
    expect(one.requests.every((request) => toolsIn(request).includes('vote'))).toBe(true);
  });

  it('TM-5 a new answer makes votes void that did not know of it, and the voters start again with all answers', async () => {
    let voted = (): void => {};
    const aliceVoted = new Promise<void>((resolve) => {
      voted = resolve;
    });
    const early = brainModel((request, turn) => {
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      if (turn === 1) return call('new_answer', { content: 'six legs' });
      const best = authorOf(request, 'eight legs') ?? authorOf(request, 'six legs') ?? '';
      return call('vote', { agent_id: best, reason: 'best so far' });
    });
    const bob = brainModel(async (request) => {
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      await aliceVoted;
      if (!saidIn(request).includes('Your own answer')) return call('new_answer', { content: 'eight legs' });
      return call('vote', { agent_id: authorOf(request, 'eight legs') ?? '', reason: 'mine' });
    });
    const { winner, votes, events } = await team(
      'agents: [{ id: alice }, { id: bob }]',
      { alice: early, bob },
      {
        onEvent: (event) => {
          if (event.type === 'vote') voted();
        },
      },
    );
    expect(winner).toMatchObject({ agentId: 'bob', votes: 2 });
    expect(votes).toHaveLength(2);
    expect(events).toEqual([]);
    // Its last round began with an empty conversation that has both answers.
    const last = early.requests.at(-1);
    expect(last?.messages).toHaveLength(1);
    expect(saidIn(last as never)).toMatch(/The answers so far: agent\d\.1, agent\d\.1 \(your own\)/);
    expect(saidIn(last as never)).toContain('eight legs');
  });

  it('TM-6 an agent that has handed in all its answers can only vote, for the answers that there are', async () => {
    const alice = brainModel((request, turn) => {
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      if (turn <= 2) return call('new_answer', { content: `legs, take ${turn}` });
      return call('vote', { agent_id: 'agent1', reason: 'mine' });
    });
    const { winner, events } = await team(
      'agent: { id: alice }\norchestrator: { max_new_answers_per_agent: 2 }',
      { alice },
    );
    expect(winner).toMatchObject({ revision: 2, content: 'legs, take 2' });
    expect(of(events, 'round').map(({ isVoteOnly }) => isVoteOnly)).toEqual([false, false, true]);
    const third = alice.requests[2];
    expect(toolsIn(third as never)).not.toContain('new_answer');
    const vote = third?.tools.find(({ name }) => name === 'vote');
    expect(JSON.stringify(vote?.inputSchema)).toContain('"enum":["agent1"]');
  });

  it('TM-6 a round that can only vote starts again when there is a new answer', async () => {
    const state = { isThinking: () => {}, hasAnswered: () => {} };
    const thinking = new Promise<void>((resolve) => {
      state.isThinking = resolve;
    });
    const alice = brainModel(async (request) => {
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      if (toolsIn(request).includes('new_answer')) return call('new_answer', { content: 'six legs' });
      const best = authorOf(request, 'eight legs');
      if (best !== undefined) return call('vote', { agent_id: best, reason: '' });
      state.isThinking();
      // Thinks until it is interrupted.
      await new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
      });
      return {};
    });
    const bob = brainModel(async (request) => {
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      await thinking;
      const own = authorOf(request, 'eight legs');
      return own === undefined
        ? call('new_answer', { content: 'eight legs' })
        : call('vote', { agent_id: own, reason: '' });
    });
    const { winner } = await team('agents: [{ id: alice }, { id: bob }]', { alice, bob }, { maxAnswers: 1 });
    expect(winner).toMatchObject({ agentId: 'bob', votes: 2 });
  });

  it('TM-7 an agent that only talks is reminded, and its text is its answer in the end', async () => {
    const talker = brainModel((request) =>
      toolsIn(request).includes('vote') && saidIn(request).includes('Your own answer')
        ? call('vote', { agent_id: 'agent1', reason: '' })
        : { text: 'Eight, I think.' },
    );
    const { winner } = await team('agent: { id: alice }', { alice: talker });
    expect(winner?.content).toBe('Eight, I think.');
    expect(saidIn(talker.requests[3] as never).match(/Your round is not over/g)).toHaveLength(3);
  });

  it('TM-7 an agent that ends its round with neither is not waited for', async () => {
    const silent = brainModel(() => ({ text: 'Hm.' }));
    const { winner, events, left } = await team(
      'agents: [{ id: alice }, { id: bob }]',
      { alice: silent, bob: answersThenVotes('eight legs', 'eight legs') },
      { maxAnswers: 1 },
    );
    expect(winner).toMatchObject({ agentId: 'bob' });
    expect(of(events, 'passed').map(({ agentId }) => agentId)).toContain('alice');
    expect(left).toEqual({});
  });

  it('TM-7 votes for unknown names and old answers, and the same answer twice, are refused with what to do', async () => {
    const errors: string[] = [];
    const alice = brainModel((request, turn) => {
      const last = request.messages.at(-1)?.content.find(({ type }) => type === 'tool_result');
      if (last !== undefined) errors.push(JSON.stringify(last));
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      const turns = [
        call('vote', { agent_id: 'agent7', reason: '' }),
        call('new_answer', { content: 'eight' }),
        call('new_answer', { content: 'eight' }),
        call('vote', { agent_id: 'agent1.9', reason: '' }),
        call('new_answer', { content: 'x'.repeat(60_000) }),
        call('vote', { agent_id: 'agent1.1', reason: '' }),
      ];
      return turns[turn - 1] ?? { text: '' };
    });
    const { winner } = await team('agent: { id: alice }', { alice });
    expect(winner?.votes).toBe(1);
    expect(errors).toEqual([
      expect.stringContaining('There is no answer of agent7. Answers you know: none yet.'),
      expect.stringContaining('exactly this answer before'),
      expect.stringContaining('is not the newest answer of its author. Vote for agent1.1'),
      expect.stringContaining('the limit is 50000. Put the details into files'),
    ]);
  });

  it('TM-8 an agent whose model fails leaves, and the others decide', async () => {
    const broken = brainModel(() => {
      throw new Error('no model today');
    });
    const { winner, left, status } = await team(THREE, {
      alice: broken,
      bob: answersThenVotes('eight legs', 'eight legs'),
      carol: answersThenVotes('ten legs', 'eight legs'),
    });
    expect({ status, winner: winner?.agentId }).toEqual({ status: 'decided', winner: 'bob' });
    expect(left['alice']).toContain('no model today');
  });

  it('TM-8 a team in which everybody fails ends without an answer', async () => {
    const broken = brainModel(() => {
      throw new Error('no model today');
    });
    const { status, reason, final, winner } = await team('agent: { id: alice }', { alice: broken });
    expect({ status, reason, final, winner }).toEqual({
      status: 'no_answer',
      reason: 'nobody_left',
      final: '',
      winner: undefined,
    });
  });

  it('TM-8 when the time is over, the best answer so far wins', async () => {
    const sleeper = brainModel(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const { winner, reason } = await team(
      'agents: [{ id: alice }, { id: bob }]\ntimeout_settings: { orchestrator_timeout_seconds: 1 }',
      { alice: sleeper, bob: answersThenVotes('eight legs', 'eight legs') },
    );
    expect({ reason, winner: winner?.agentId }).toEqual({ reason: 'timeout', winner: 'bob' });
  });

  it('TM-8 an aborted team ends at once, and says so', async () => {
    const controller = new AbortController();
    const sleeper = brainModel(({ signal }) => {
      controller.abort(new Error('enough'));
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason as Error);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    const { status } = await team('agent: { id: alice }', { alice: sleeper }, { signal: controller.signal });
    expect(status).toBe('interrupted');
  });

  it('TM-9 files of an answer reach the others as a copy that they can read', async () => {
    const alice = brainModel((request, turn) => {
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      if (turn === 1) return call('Write', { file_path: 'legs.txt', content: 'eight\n' });
      if (turn === 2) return call('new_answer', { content: 'See legs.txt.' });
      return call('vote', { agent_id: authorOf(request, 'See legs.txt.') ?? '', reason: '' });
    });
    let read: string | undefined;
    const bob = brainModel((request) => {
      if (!toolsIn(request).includes('vote')) return { text: 'Final' };
      const said = saidIn(request);
      const [, folder] = /can be read in (\S+?)(?:\\n|")/.exec(said) ?? [];
      if (folder === undefined) return { text: 'I wait.' };
      if (!said.includes('tool_result')) return call('Read', { file_path: join(folder, 'legs.txt') });
      read = JSON.stringify(request.messages.at(-1));
      return call('vote', { agent_id: authorOf(request, 'See legs.txt.') ?? '', reason: '' });
    });
    const { winner } = await team('agents: [{ id: alice }, { id: bob }]', { alice, bob }, { maxAnswers: 1 });
    expect(read).toContain('eight');
    expect(readFileSync(join(winner?.files ?? '', 'legs.txt'), 'utf8')).toBe('eight\n');
  });

  it('TM-9 agents have Bash only with enable_mcp_command_line', async () => {
    const one = () => answersThenVotes('eight legs', 'eight legs');
    const models = { alice: one(), bob: one() };
    await team('agents: [{ id: alice, backend: { enable_mcp_command_line: true } }, { id: bob }]', models);
    expect(toolsIn(models.alice.requests[0] as never)).toContain('Bash');
    expect(toolsIn(models.bob.requests[0] as never)).not.toContain('Bash');
  });

  it('TM-13 what happens is reported in order, each thing once', async () => {
    const { events } = await team('agent: { id: alice }', {
      alice: answersThenVotes('eight legs', 'eight legs'),
    });
    const kinds = events.filter(({ type }) => type !== 'message').map(({ type }) => type);
    expect(kinds).toEqual(['started', 'joined', 'round', 'answer', 'round', 'vote', 'decided', 'presented']);
    expect(of(events, 'message').length).toBeGreaterThan(3);
  });

  it('TM-13 what an agent is told is reported for this agent only, once', async () => {
    const { events } = await team(THREE, {
      alice: answersThenVotes('six legs', 'eight legs'),
      bob: answersThenVotes('eight legs', 'eight legs'),
      carol: answersThenVotes('ten legs', 'eight legs'),
    });
    const told = of(events, 'message').flatMap(({ agentId, message }) =>
      message.type === 'system' && message.subtype === 'injection' && message.state === 'delivered'
        ? [{ agentId, of: message.agent_id, id: `${message.agent_id} ${message.injection_id}` }]
        : [],
    );
    expect(told.length).toBeGreaterThan(3);
    expect(told.filter((each) => each.agentId !== each.of)).toEqual([]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  });

  it('TM-4 ids may be words of JavaScript, paths and labels of others', async () => {
    for (const [one, two] of [
      ['constructor', 'toString'],
      ['../../etc', 'a/b'],
      ['agent2', 'agent1'],
    ] as const) {
      const models = {
        [one]: answersThenVotes('six legs', 'eight legs'),
        [two]: answersThenVotes('eight legs', 'eight legs'),
      };
      const text = JSON.stringify({ agents: [{ id: one }, { id: two }] });
      const { winner, reason, left } = await team(text, models);
      expect({ winner: winner?.agentId, votes: winner?.votes, reason, left }).toEqual({
        winner: two,
        votes: 2,
        reason: 'votes',
        left: {},
      });
    }
  });

  it('TM-3 refuses an empty question, unknown agents, options and limits', async () => {
    const refused = (text: string, options: object) =>
      expect(team(text, {}, options as Partial<TeamOptions>)).rejects;
    await refused('agents: []', {}).toThrow('The file has no agents');
    await refused('agents: [{ id: a }, { id: b }, { id: a }]', {}).toThrow(
      /^Settings of the file are wrong:\n {2}\S+:1:9: Two agents have the id "a"/,
    );
    await refused(THREE, { agents: ['eve'] }).toThrow('There is no agent "eve"');
    await refused(THREE, { directory: 'here' }).toThrow('give an absolute path');
    await refused(THREE, { maxAnswers: 0 }).toThrow('`maxAnswers` is 0');
    await refused(THREE, { session: 'x'.repeat(101) }).toThrow('give a name of 1 to 100 characters');
    await refused(THREE, { maxAnswers: 1.5 }).toThrow('`maxAnswers` is 1.5; give a whole number');
    await refused(THREE, { lostSeconds: Number.NaN }).toThrow('`lostSeconds` is NaN');
    await refused(THREE, { timeoutSeconds: 1e9 }).toThrow('`timeoutSeconds` is 1000000000; give at most');
    await refused(`${THREE}\norchestrator: { max_midstream_injections_per_round: 0.5 }`, {}).toThrow(
      /:\d+:53: `orchestrator.max_midstream_injections_per_round` is 0.5/,
    );
    await refused(THREE, { sesion: 'x' }).toThrow('session');
  });
});
