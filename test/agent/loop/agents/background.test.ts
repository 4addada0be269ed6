import { describe, expect, it } from 'vitest';
import type { LoopMessage } from '../../../../src/agent/loop/messages.js';
import { builtInTools } from '../../../../src/agent/tools/built-in.js';
import { until } from '../../../support/process-harness.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { expectValid, lastSaid, story, textOf, watchLoop } from '../session/support.js';
import { testTools } from '../support/tools.js';
import { kind, start } from './support.js';

watchProcess();

const background = { run_in_background: true };
const isEnd = (message: LoopMessage): boolean =>
  message.type === 'system' && message.subtype === 'task_notification';

/** Reads a run into a list that can be looked at meanwhile. */
async function follow(run: AsyncIterable<LoopMessage>, messages: LoopMessage[]): Promise<void> {
  for await (const message of run) messages.push(message);
}

const reasons = (messages: readonly LoopMessage[]): string[] =>
  messages.flatMap((each) => (each.type === 'result' ? [each.terminal_reason] : []));

describe('an agent in the background', () => {
  it('LO-33: its starter goes on at once, and reads of its end behind the next tool results', async () => {
    const messages: LoopMessage[] = [];
    const digging = gate();
    const { tools } = testTools(async () => {
      digging.open();
      await until(() => messages.some(isEnd), 'the end of the agent');
    });
    const digger = kind([{ text: 'Found water.' }]);
    const { loop, requests, of, seen } = await watchLoop({
      hooks: { SubagentStart: [{ hooks: [() => digging.passed] }] },
      turns: [
        { tools: [{ ...start('digger', background), id: 'use-1' }] },
        { tools: [{ name: 'Note', input: { text: 'meanwhile' } }] },
        { text: 'We have water.' },
      ],
      options: { tools: [...builtInTools(), ...tools], agents: { digger: digger.definition } },
    });
    await follow(loop.run('Dig.'), messages);
    expect(reasons(messages)).toEqual(['completed']);
    expectValid([...requests, ...digger.requests]);
    const id = of('SubagentStart')[0]?.['agent_id'];
    expect(textOf(requests[1]?.messages.at(-1))).toContain(`${id} is working in the background`);
    expect(lastSaid(requests)).toMatch(
      /^Note: meanwhile\n<system-reminder>[\s\S]*Found water\.[\s\S]*<\/system-reminder>$/,
    );
    expect(lastSaid(requests)).toContain(`<task-id>${id}</task-id>\n<tool-use-id>use-1</tool-use-id>`);
    expect(messages.find(isEnd)).toMatchObject({ task_id: id, status: 'completed', summary: 'Found water.' });
    expect(
      of('PostToolUse').find((input) => input['tool_use_id'] === 'use-1')?.['tool_response'],
    ).toMatchObject({
      status: 'async_launched',
      isAsync: true,
      agentId: id,
      outputFile: expect.stringContaining(String(id)),
    });
    expect(of('UserPromptSubmit')[1]?.['prompt']).toContain('Found water.');
    expect(story(seen).at(-1)).toBe('Stop');
  });

  it('LO-33: when its starter had stopped, that is a prompt of its own, with a result of its own', async () => {
    const stopped = gate();
    const digger = kind([{ text: 'Found water.' }]);
    const { loop, requests, of, seen } = await watchLoop({
      hooks: {
        SubagentStart: [{ hooks: [() => stopped.passed] }],
        Stop: [{ hooks: [() => stopped.open()] }],
      },
      turns: [{ tools: [start('digger', background)] }, { text: 'Digging.' }, { text: 'We have water.' }],
      options: { agents: { digger: digger.definition } },
    });
    const messages: LoopMessage[] = [];
    await follow(loop.run('Dig.'), messages);
    expect(reasons(messages)).toEqual(['completed', 'completed']);
    expect(messages.at(-1)).toMatchObject({ result: 'We have water.', num_turns: 1 });
    expect(story(seen)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse:Agent',
      'SubagentStart',
      'PostToolUse:Agent',
      'Stop',
      'SubagentStop',
      'UserPromptSubmit',
      'Stop',
    ]);
    const [asked, told] = of('UserPromptSubmit');
    expect(told?.['prompt_id']).not.toBe(asked?.['prompt_id']);
    expect(told?.['prompt']).toContain('Found water.');
    expect(of('Stop')[0]?.['background_tasks']).toEqual([
      {
        id: of('SubagentStart')[0]?.['agent_id'],
        type: 'subagent',
        status: 'running',
        description: 'Let digger work',
        agent_type: 'digger',
      },
    ]);
    expect(of('Stop')[1]?.['background_tasks']).toEqual([]);
    expectValid(requests);
    expect(JSON.stringify(requests.at(-1)).split('Found water.')).toHaveLength(2);
  });

  it('LO-33: its failure is told like its success', async () => {
    const weak = kind([{ error: { code: 'overloaded', message: 'too busy' } }]);
    const { loop, requests } = await watchLoop({
      turns: [{ tools: [start('weak', background)] }, { text: 'Waiting.' }, { text: 'Pity.' }],
      options: { agents: { weak: weak.definition } },
    });
    const messages: LoopMessage[] = [];
    await follow(loop.run('Dig.'), messages);
    expect(messages.find(isEnd)).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('too busy'),
    });
    expect(lastSaid(requests)).toMatch(/<status>failed<\/status>[\s\S]*too busy/);
  });

  it('LO-33: a hook on prompts can keep it from the agent, and that is told to those who watch', async () => {
    const digger = kind([{ text: 'Found oil.' }]);
    const { loop, requests, of } = await watchLoop({
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              ({ prompt }) =>
                prompt.includes('oil') ? { decision: 'block' as const, reason: 'no oil talk' } : undefined,
            ],
          },
        ],
      },
      turns: [{ tools: [start('digger', background)] }, { text: 'Waiting.' }],
      options: { agents: { digger: digger.definition } },
    });
    const messages: LoopMessage[] = [];
    await follow(loop.run('Dig.'), messages);
    expect(reasons(messages)).toEqual(['completed']);
    expect(requests).toHaveLength(2);
    expect(of('UserPromptSubmit')).toHaveLength(2);
    expect(JSON.stringify(await loop.conversation())).not.toContain('oil');
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'informational', content: expect.stringContaining('no oil talk') }),
    );
  });

  it('LO-33: context that a hook adds to the news is read with it', async () => {
    const digger = kind([{ text: 'Found water.' }]);
    const { loop, requests } = await watchLoop({
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              ({ prompt }) => ({
                hookSpecificOutput: {
                  hookEventName: 'UserPromptSubmit',
                  additionalContext: prompt.includes('water') ? 'boil it first' : 'be brief',
                },
              }),
            ],
          },
        ],
      },
      turns: [{ tools: [start('digger', background)] }, { text: 'Waiting.' }, { text: 'Good.' }],
      options: { agents: { digger: digger.definition } },
    });
    await follow(loop.run('Dig.'), []);
    expect(lastSaid(requests)).toMatch(/boil it first[\s\S]*Found water\./);
  });

  it('LO-33: a run lasts until all have ended, and tells of each once', async () => {
    const kinds = Object.fromEntries(
      ['one', 'two', 'three'].map((name, i) => [
        name,
        kind([{ text: `I am ${name}.`, delayMs: 10 * i }]).definition,
      ]),
    );
    const { loop, requests, of } = await watchLoop({
      turns: [
        { tools: Object.keys(kinds).map((name) => start(name, background)) },
        { text: 'Heard.', repeat: true },
      ],
      options: { agents: kinds },
    });
    await follow(loop.run('Dig.'), []);
    expect(of('SubagentStop')).toHaveLength(3);
    expectValid(requests);
    const said = JSON.stringify(await loop.conversation());
    for (const name of Object.keys(kinds)) expect(said.split(`I am ${name}.`), name).toHaveLength(2);
  });

  it.each([
    ['the loop says so', true, {}, true],
    ['the model says otherwise', true, { run_in_background: false }, false],
    ['nobody says anything', undefined, {}, false],
  ])('LO-33: where agents work when %s', async (_, backgroundAgents, more, inBackground) => {
    const { loop } = await watchLoop({
      turns: [{ tools: [start('digger', more)] }, { text: 'Done.', repeat: true }],
      options: {
        agents: { digger: kind([{ text: 'Found water.' }]).definition },
        ...(backgroundAgents !== undefined && { backgroundAgents }),
      },
    });
    const messages: LoopMessage[] = [];
    await follow(loop.run('Dig.'), messages);
    expect(messages).toContainEqual(
      expect.objectContaining({ subtype: 'task_started', is_backgrounded: inBackground }),
    );
    expect(messages.some(isEnd)).toBe(inBackground);
  });
});
