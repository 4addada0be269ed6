import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { until } from '../../../support/process-harness.js';
import { watchProcess } from '../../../support/runner.js';
import { expectValid, lastSaid, textOf, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { kind, start } from './support.js';

watchProcess();

const send = (to: string, message: string) => ({ name: 'SendMessage', input: { to, message } });
const heard = { text: 'Heard.', repeat: true };

describe('a member of a team', () => {
  it('LO-34: works in the background, asks to be idle, and its lead is told what it said', async () => {
    const ada = kind([{ text: 'All quiet.' }]);
    const { loop, of, requests } = await watchLoop({
      turns: [{ tools: [start('guard', { name: 'ada' })] }, heard],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(of('TeammateIdle')).toEqual([
      expect.objectContaining({ teammate_name: 'ada', team_name: 'engine', agent_type: 'guard' }),
    ]);
    expect(of('SubagentStop')).toHaveLength(1);
    expect(JSON.stringify(requests.at(-1)?.messages)).toMatch(/teammate_id=\\"ada\\"[\s\S]*All quiet\./);
    expectValid(requests);
  });

  it('LO-34: a refusal is the next thing it reads; then it may be idle', async () => {
    const ada = kind([{ text: 'All quiet.' }, { text: 'The door is locked.' }]);
    let asked = 0;
    const { loop, of, requests } = await watchLoop({
      hooks: {
        TeammateIdle: [
          {
            hooks: [
              () => (asked++ === 0 ? { decision: 'block' as const, reason: 'lock the door' } : undefined),
            ],
          },
        ],
      },
      turns: [{ tools: [start('guard', { name: 'ada' })] }, heard],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(of('TeammateIdle')).toHaveLength(2);
    expectValid(ada.requests);
    expect(lastSaid(ada.requests)).toBe('TeammateIdle hook feedback:\nlock the door');
    expect(JSON.stringify(requests)).toContain('The door is locked.');
    expect(JSON.stringify(requests)).not.toContain('All quiet.');
  });

  it('LO-34: `continue: false` lets it be idle, whatever another hook wants', async () => {
    const ada = kind([{ text: 'All quiet.' }]);
    const { loop, of } = await watchLoop({
      hooks: {
        TeammateIdle: [
          { hooks: [() => ({ decision: 'block', reason: 'go on' })] },
          { hooks: [() => ({ continue: false })] },
        ],
      },
      turns: [{ tools: [start('guard', { name: 'ada' })] }, heard],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(of('TeammateIdle')).toHaveLength(1);
    expect(ada.requests).toHaveLength(1);
  });

  it('LO-34: a message wakes one that is idle, in the same conversation; its answer reaches the lead', async () => {
    const ada = kind([{ text: 'All quiet.' }, { text: 'The gate is open.' }]);
    const { loop, of, requests } = await watchLoop({
      turns: [
        { tools: [start('guard', { name: 'ada' })] },
        { text: 'Waiting.' },
        {
          tools: [send('ada', 'Open the gate.')],
          when: ({ messages }) => textOf(messages.at(-1)).includes('All quiet.'),
        },
        heard,
      ],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(of('TeammateIdle')).toHaveLength(2);
    expectValid([...requests, ...ada.requests]);
    expect(ada.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(lastSaid(ada.requests)).toMatch(/teammate_id="team-lead"[\s\S]*Open the gate\./);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('The gate is open.');
  });

  it('LO-34: a prompt later it is still there, and can be woken', async () => {
    const ada = kind([{ text: 'All quiet.' }, { text: 'The gate is open.' }]);
    const { loop, requests } = await watchLoop({
      turns: [
        { tools: [start('guard', { name: 'ada' })] },
        { text: 'Waiting.' },
        { text: 'Heard of it.' },
        { tools: [send('ada', 'Open the gate.')] },
        heard,
      ],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(ada.requests).toHaveLength(1);
    await readRun(loop.run('Let them in.'));
    expect(ada.requests).toHaveLength(2);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('The gate is open.');
  });

  it('LO-34: a message to one at work is read behind its next tool results', async () => {
    const { tools } = testTools((_, text) =>
      text === 'ada works' ? until(() => made.of('PostToolUse').some(isSent), 'the message') : undefined,
    );
    const ada = kind([{ tools: [{ name: 'Note', input: { text: 'ada works' } }] }, { text: 'All quiet.' }]);
    const made = await watchLoop({
      turns: [{ tools: [start('guard', { name: 'ada' })] }, { tools: [send('ada', 'Hurry up.')] }, heard],
      options: { team: 'engine', tools: [...builtInTools(), ...tools], agents: { guard: ada.definition } },
    });
    await readRun(made.loop.run('Go.'));
    expectValid(ada.requests);
    expect(lastSaid(ada.requests)).toMatch(/^Note: ada works\n<system-reminder>[\s\S]*Hurry up\./);
    expect(made.of('TeammateIdle')).toHaveLength(1);
  });

  it('LO-34: members write to their lead, which reads it as a prompt that hooks have seen', async () => {
    const ada = kind([{ tools: [send('team-lead', 'Who are they?')] }, { text: 'All quiet.' }]);
    const { loop, of, requests } = await watchLoop({
      turns: [{ tools: [start('guard', { name: 'ada' })] }, heard],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(textOf(ada.requests[1]?.messages.at(-1))).toContain('Sent to team-lead.');
    expect(of('UserPromptSubmit').some(({ prompt }) => String(prompt).includes('Who are they?'))).toBe(true);
    expect(JSON.stringify(requests.at(-1)?.messages).split('Who are they?')).toHaveLength(2);
  });

  it('LO-34: a message to all reaches everybody but its sender', async () => {
    const kinds = ['ada', 'bob'].map((name) =>
      kind([{ text: `${name} is ready.` }, { text: `${name} runs.` }]),
    );
    const [ada, bob] = kinds;
    const { loop, of, requests } = await watchLoop({
      turns: [
        { tools: [start('a', { name: 'ada' }), start('b', { name: 'bob' })] },
        {
          tools: [send('*', 'Run!')],
          when: ({ messages }) =>
            ['ada', 'bob'].every((name) => JSON.stringify(messages).includes(`${name} is ready.`)),
        },
        heard,
      ],
      options: { team: 'engine', agents: { a: ada?.definition as never, b: bob?.definition as never } },
    });
    await readRun(loop.run('Go.'));
    for (const { requests: own } of kinds) expect(lastSaid(own)).toContain('Run!');
    const sent = of('PostToolUse').find(isSent)?.['tool_response'] as { recipients: string[] };
    expect(sent.recipients.sort()).toEqual(['ada', 'bob']);
    expect(JSON.stringify(requests.at(-1)?.messages)).toMatch(
      /ada runs\.[\s\S]*bob runs\.|bob runs\.[\s\S]*ada runs\./,
    );
  });

  it('LO-34: an unknown name is refused with the names there are, a name that is taken too', async () => {
    const ada = kind([{ text: 'All quiet.' }]);
    const { loop, requests } = await watchLoop({
      turns: [
        { tools: [start('guard', { name: 'ada' })] },
        { tools: [send('eve', 'Hello?'), start('guard', { name: 'ada' })] },
        heard,
      ],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    const said = JSON.stringify(await loop.conversation());
    expect(said).toContain('There is no agent named \\"eve\\". Available: ada.');
    expect(said).toContain('The name \\"ada\\" is taken');
    expect(ada.requests).toHaveLength(1);
    expectValid(requests);
  });

  it('LO-34: one whose model fails tells its lead, is not asked whether it may be idle, and can be woken', async () => {
    const ada = kind([{ error: { code: 'overloaded', message: 'too busy' } }, { text: 'Here I am.' }]);
    const { loop, of, requests } = await watchLoop({
      turns: [
        { tools: [start('guard', { name: 'ada' })] },
        { text: 'Waiting.' },
        {
          tools: [send('ada', 'Try again.')],
          when: ({ messages }) => textOf(messages.at(-1)).includes('too busy'),
        },
        heard,
      ],
      options: { team: 'engine', agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(of('TeammateIdle')).toHaveLength(1);
    expectValid(ada.requests);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('Here I am.');
  });

  it('LO-34: without a team a name means nothing: the agent is waited for', async () => {
    const ada = kind([{ text: 'All quiet.' }]);
    const { loop, of, requests } = await watchLoop({
      turns: [{ tools: [start('guard', { name: 'ada' })] }, { text: 'Done.' }],
      options: { agents: { guard: ada.definition } },
    });
    await readRun(loop.run('Go.'));
    expect(of('TeammateIdle')).toEqual([]);
    expect(lastSaid(requests)).toContain('All quiet.');
  });
});

const isSent = (input: Readonly<Record<string, unknown>>): boolean => input['tool_name'] === 'SendMessage';
