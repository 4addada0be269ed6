import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTranscript } from '../../../../src/agent/transcript/read-transcript.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { expectValid, lastSaid, story, textOf, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { kind, note, start } from './support.js';

watchProcess();

describe('an agent that is waited for', () => {
  it('LO-32: starts, takes its turns, stops, and its last text is the result of the tool', async () => {
    const scout = kind([{ text: 'I look', tools: [note('look')] }, { text: 'Nothing there.' }]);
    const { loop, seen, requests } = await watchLoop({
      turns: [{ tools: [{ ...start('scout'), id: 'use-1' }] }, { text: 'All clear.' }],
      options: { agents: { scout: scout.definition } },
    });
    const { messages, result } = await readRun(loop.run('Is it safe?'));
    expect(story(seen)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse:Agent',
      'SubagentStart',
      'PreToolUse:TaskCreate',
      'PostToolUse:TaskCreate',
      'SubagentStop',
      'PostToolUse:Agent',
      'Stop',
    ]);
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'All clear.' });
    expect(lastSaid(requests)).toContain('Nothing there.');
    expectValid([...requests, ...scout.requests]);
    expect(scout.requests[0]?.messages.map(textOf)).toEqual(['Work, scout.']);
    expect(scout.requests[0]?.system).toContain('You work.');
    expect(messages).toContainEqual(
      expect.objectContaining({
        subtype: 'task_started',
        tool_use_id: 'use-1',
        description: 'Let scout work',
        subagent_type: 'scout',
        is_backgrounded: false,
      }),
    );
    const inner = messages.filter(
      (each) => 'parent_tool_use_id' in each && each.parent_tool_use_id === 'use-1',
    );
    expect(inner.map(({ type }) => type)).toEqual(['assistant', 'user', 'assistant']);
  });

  it('LO-32: has a transcript of its own, whose lines are a sidechain; the main one has none of them', async () => {
    const scout = kind([{ tools: [note('look')] }, { text: 'Nothing there.' }]);
    const { loop, of } = await watchLoop({
      turns: [{ tools: [start('scout')] }, { text: 'All clear.' }],
      options: { agents: { scout: scout.definition }, sessionId: 'session-1' },
    });
    await readRun(loop.run('Is it safe?'));
    const { transcriptPath } = await loop.session();
    await loop.close();
    const [stop] = of('SubagentStop');
    const path = String(stop?.['agent_transcript_path']);
    expect(path).toBe(`${dirname(transcriptPath)}/session-1/subagents/agent-${stop?.['agent_id']}.jsonl`);
    const lines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(4);
    for (const line of lines)
      expect(line).toMatchObject({ isSidechain: true, agentId: stop?.['agent_id'], sessionId: 'session-1' });
    expect(readFileSync(transcriptPath, 'utf8')).not.toMatch(/"isSidechain":true|Work, scout\.","uuid/);
    const own = await readTranscript(path, { agentId: String(stop?.['agent_id']) });
    expect(own.problems).toEqual([]);
    expect(own.messages.map(textOf).at(-1)).toBe('Nothing there.');
  });

  it('LO-32: context of SubagentStart is what it reads before its prompt', async () => {
    const scout = kind([{ text: 'Nothing there.' }]);
    const { loop, requests } = await watchLoop({
      hooks: {
        SubagentStart: [
          {
            matcher: 'scout',
            hooks: [
              ({ agent_type }) => ({
                hookSpecificOutput: {
                  hookEventName: 'SubagentStart',
                  additionalContext: `a ${agent_type} walks softly`,
                },
              }),
            ],
          },
        ],
      },
      turns: [{ tools: [start('scout')] }, { text: 'All clear.' }],
      options: { agents: { scout: scout.definition } },
    });
    await readRun(loop.run('Is it safe?'));
    expect(textOf(scout.requests[0]?.messages[0])).toMatch(/a scout walks softly[\s\S]*Work, scout\.$/);
    expect(JSON.stringify(requests)).not.toContain('walks softly');
  });

  it('LO-32: has the tools of its kind, and never the one that starts agents', async () => {
    const narrow = kind([{ tools: [start('wide')] }, { text: 'Done.' }], { tools: ['Read', 'Agent'] });
    const wide = kind([{ text: 'Done.' }]);
    const { loop, of, requests } = await watchLoop({
      turns: [{ tools: [start('narrow')] }, { tools: [start('wide')] }, { text: 'Done.' }],
      options: { agents: { narrow: narrow.definition, wide: wide.definition } },
    });
    await readRun(loop.run('Go.'));
    const names = (request: (typeof requests)[number] | undefined) => request?.tools.map(({ name }) => name);
    expect(names(narrow.requests[0])).toEqual(['Read']);
    expect(names(wide.requests[0])).toEqual(names(requests[0])?.filter((name) => name !== 'Agent'));
    expect(lastSaid(narrow.requests)).toContain('There is no tool Agent');
    expect(of('SubagentStart')).toHaveLength(2);
  });

  it('LO-32: without a kind it is a general-purpose agent, with the model and the system prompt of the session', async () => {
    const { loop, requests, of } = await watchLoop({
      turns: [
        { tools: [{ name: 'Task', input: { description: 'd', prompt: 'Look around.' } }] },
        { text: 'Nothing there.', when: ({ messages }) => textOf(messages[0]) === 'Look around.' },
        { text: 'All clear.' },
      ],
      options: { systemPrompt: 'Be careful.' },
    });
    const { result } = await readRun(loop.run('Is it safe?'));
    expect(result.result).toBe('All clear.');
    expect(of('SubagentStart')[0]).toMatchObject({ agent_type: 'general-purpose' });
    expect(requests[1]?.system).toContain('Be careful.');
    expect(of('PreToolUse')[0]).toMatchObject({ tool_name: 'Agent' });
  });

  it('LO-32: an unknown kind is refused with the kinds there are', async () => {
    const { loop, requests, of } = await watchLoop({
      turns: [{ tools: [start('wizard')] }, { text: 'Pity.' }],
      options: { agents: { scout: kind([]).definition } },
    });
    await readRun(loop.run('Go.'));
    expect(lastSaid(requests)).toContain(
      'There is no agent type "wizard". Available: general-purpose, scout.',
    );
    expect(of('SubagentStart')).toEqual([]);
    expect(of('PostToolUseFailure')).toHaveLength(1);
  });

  it('LO-32: two work side by side, and their results are in the order of the calls', async () => {
    const both = gate();
    let working = 0;
    const meet = async (): Promise<void> => {
      working += 1;
      if (working === 2) both.open();
      await both.passed;
    };
    const slow = kind([{ text: 'Slow.', delayMs: 30 }]);
    const quick = kind([{ text: 'Quick.' }]);
    const { loop, requests } = await watchLoop({
      hooks: { SubagentStart: [{ hooks: [meet] }] },
      turns: [{ tools: [start('slow'), start('quick')] }, { text: 'Done.' }],
      options: { agents: { slow: slow.definition, quick: quick.definition } },
    });
    await readRun(loop.run('Go.'));
    expectValid(requests);
    expect(lastSaid(requests)).toMatch(/Slow\.[\s\S]*Quick\./);
  });

  it('LO-32: one that fails is a tool that failed, and its starter goes on', async () => {
    const weak = kind([{ error: { code: 'overloaded', message: 'too busy' } }]);
    const { loop, requests, of } = await watchLoop({
      turns: [{ tools: [start('weak')] }, { text: 'I do it myself.' }],
      options: { agents: { weak: weak.definition } },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'I do it myself.' });
    expect(of('PostToolUseFailure')[0]).toMatchObject({
      tool_name: 'Agent',
      error: expect.stringContaining('too busy'),
    });
    expect(of('SubagentStop')).toEqual([]);
    expectValid(requests);
  });

  it('LO-32: one that says nothing has an answer that says so', async () => {
    const { loop, requests } = await watchLoop({
      turns: [{ tools: [start('mute')] }, { text: 'Hm.' }],
      options: { agents: { mute: kind([{}]).definition } },
    });
    await readRun(loop.run('Go.'));
    expectValid(requests);
    expect(lastSaid(requests)).toContain('without any text');
  });

  it('LO-32: moves in a directory of its own: cd in it does not move its starter', async () => {
    const mover = kind([
      { tools: [{ name: 'Bash', input: { command: 'mkdir deep && cd deep' } }] },
      { tools: [{ name: 'Bash', input: { command: 'pwd' } }] },
      { text: 'Moved.' },
    ]);
    const { loop, of, cwd } = await watchLoop({
      turns: [
        { tools: [start('mover')] },
        { tools: [{ name: 'Bash', input: { command: 'pwd' } }] },
        { text: 'Done.' },
      ],
      options: { agents: { mover: mover.definition }, permissions: { mode: 'bypassPermissions' } },
    });
    await readRun(loop.run('Go.'));
    const outputs = of('PostToolUse')
      .filter((input) => input['tool_name'] === 'Bash')
      .map((input) => (input['tool_response'] as { stdout: string }).stdout);
    expect(outputs).toEqual(['', `${cwd}/deep`, cwd]);
  });
});
