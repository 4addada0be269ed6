import { describe, expect, it } from 'vitest';
import { watchProcess } from '../../../support/runner.js';
import { expectValid, lastSaid, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { kind, note, start } from './support.js';

watchProcess();

const deny = (reason: string) => () => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse' as const,
    permissionDecision: 'deny' as const,
    permissionDecisionReason: reason,
  },
});

describe('hooks inside another agent', () => {
  it('LO-3, LO-32: hear which agent it is, by id and kind; those of the main one do not', async () => {
    const scout = kind([{ tools: [note('a')] }, { text: 'Done.' }]);
    const { loop, of } = await watchLoop({
      turns: [{ tools: [start('scout')] }, { tools: [note('b')] }, { text: 'Done.' }],
      options: { agents: { scout: scout.definition } },
    });
    await readRun(loop.run('Go.'));
    const id = of('SubagentStart')[0]?.['agent_id'];
    const who = (event: 'PreToolUse' | 'PostToolUse') =>
      of(event).map(({ tool_name, agent_id, agent_type }) => [tool_name, agent_id, agent_type]);
    expect(who('PreToolUse')).toEqual([
      ['Agent', undefined, undefined],
      ['TaskCreate', id, 'scout'],
      ['TaskCreate', undefined, undefined],
    ]);
    expect(who('PostToolUse').map(([, agent]) => agent)).toEqual([id, undefined, undefined]);
    expect(of('Stop')[0]).not.toHaveProperty('agent_id');
  });

  it('LO-9, LO-32: its tools go the one way: a deny is what it reads, and its starter goes on', async () => {
    const scout = kind([{ tools: [note('a')] }, { text: 'I was not allowed to.' }]);
    const { loop, requests, of } = await watchLoop({
      hooks: { PreToolUse: [{ matcher: 'TaskCreate', hooks: [deny('no notes')] }] },
      turns: [{ tools: [start('scout')] }, { text: 'Fine.' }],
      options: { agents: { scout: scout.definition } },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(lastSaid(scout.requests)).toContain('no notes');
    expect(lastSaid(requests)).toContain('I was not allowed to.');
    expect(of('PostToolUse').map(({ tool_name }) => tool_name)).toEqual(['Agent']);
    expect(result.permission_denials).toEqual([expect.objectContaining({ tool_name: 'TaskCreate' })]);
  });

  it('LO-21, LO-32: one that ends the run ends that agent alone', async () => {
    const scout = kind([{ text: 'I begin.', tools: [note('a')] }, { text: 'Unsaid.' }]);
    const { loop, requests, of } = await watchLoop({
      hooks: {
        PreToolUse: [{ matcher: 'TaskCreate', hooks: [() => ({ continue: false, stopReason: 'enough' })] }],
      },
      turns: [{ tools: [start('scout')] }, { text: 'I go on.' }],
      options: { agents: { scout: scout.definition } },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'I go on.' });
    expect(scout.requests).toHaveLength(1);
    expect(of('SubagentStop')).toEqual([]);
    expectValid(requests);
  });

  it('LO-23, LO-32: a SubagentStop that blocks makes it go on with the reason; stop_hook_active says that it did', async () => {
    const scout = kind([{ text: 'Done.' }, { text: 'Really done.' }]);
    const { loop, requests, of } = await watchLoop({
      hooks: {
        SubagentStop: [
          {
            matcher: 'scout',
            hooks: [
              ({ stop_hook_active }) =>
                stop_hook_active ? undefined : { decision: 'block' as const, reason: 'look behind the tree' },
            ],
          },
        ],
      },
      turns: [{ tools: [start('scout')] }, { text: 'Fine.' }],
      options: { agents: { scout: scout.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(
      of('SubagentStop').map(({ stop_hook_active, last_assistant_message }) => [
        stop_hook_active,
        last_assistant_message,
      ]),
    ).toEqual([
      [false, 'Done.'],
      [true, 'Really done.'],
    ]);
    expectValid([...requests, ...scout.requests]);
    expect(lastSaid(scout.requests)).toContain('look behind the tree');
    expect(lastSaid(requests)).toContain('Really done.');
    expect(lastSaid(requests)).not.toContain('look behind the tree');
  });

  it('LO-23, LO-32: one that always blocks is stopped by the cap, and its starter has its last answer', async () => {
    const scout = kind([{ text: 'Done.', repeat: true }]);
    const { loop, of } = await watchLoop({
      hooks: { SubagentStop: [{ hooks: [() => ({ decision: 'block', reason: 'more' })] }] },
      turns: [{ tools: [start('scout')] }, { text: 'Fine.' }],
      options: { agents: { scout: scout.definition }, stopCap: 2 },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result.result).toBe('Fine.');
    expect(of('SubagentStop')).toHaveLength(3);
  });

  it('LO-32: hooks of one member by its name see its events and nobody else, also in place of the global ones', async () => {
    const seenByAda: string[] = [];
    const global: (string | undefined)[] = [];
    const ada = kind([{ tools: [note('a')] }, { text: 'Done.' }]);
    const bob = kind([{ tools: [note('b')] }, { text: 'Done.' }]);
    const { loop } = await watchLoop({
      prepare: ({ runner }) => {
        runner.on('PreToolUse', { matcher: 'TaskCreate' }, (input) => void global.push(input.agent_type));
        runner.forAgent('ada').on('PreToolUse', { override: true }, ({ agent_type, tool_name }) => {
          seenByAda.push(`${agent_type} ${tool_name}`);
          return deny('not ada')();
        });
      },
      turns: [
        { tools: [start('a', { name: 'ada' }), start('b', { name: 'bob' })] },
        { tools: [note('lead')] },
        { text: 'Done.', repeat: true },
      ],
      options: { team: 'engine', members: ['ada'], agents: { a: ada.definition, b: bob.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(seenByAda).toEqual(['a TaskCreate']);
    expect(global.sort()).toEqual(['b', undefined]);
    expect(lastSaid(ada.requests)).toContain('not ada');
    expect(lastSaid(bob.requests)).not.toContain('not ada');
  });

  it('LO-32: a name that only the model knows gives a member no hooks of that name', async () => {
    const global: unknown[] = [];
    const eve = kind([{ tools: [note('e')] }, { text: 'Done.' }]);
    const { loop } = await watchLoop({
      prepare: ({ runner }) => {
        runner.on('PreToolUse', { matcher: 'TaskCreate' }, (input) => void global.push(input.agent_type));
        runner.forAgent('admin').on('PreToolUse', { override: true }, []);
      },
      turns: [{ tools: [start('e', { name: 'admin' })] }, { text: 'Done.', repeat: true }],
      options: { team: 'engine', agents: { e: eve.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(global).toEqual(['e']);
  });

  it('LO-32: the main agent has hooks of its own by the id that the loop is given', async () => {
    const own: unknown[] = [];
    const { loop, of } = await watchLoop({
      prepare: ({ runner }) => {
        runner.forAgent('lead').on('Stop', ({ agent_id }) => void own.push(agent_id));
        runner.forAgent('other').on('Stop', () => void own.push('wrong'));
      },
      turns: [{ text: 'Done.' }],
      options: { agentId: 'lead' },
    });
    await readRun(loop.run('Go.'));
    expect(own).toEqual(['lead']);
    expect(of('Stop')[0]).toMatchObject({ agent_id: 'lead' });
  });
});
