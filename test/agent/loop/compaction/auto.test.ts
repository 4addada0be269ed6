import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { watchProcess } from '../../../support/runner.js';
import { expectValid, lastSaid, story, textOf, watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';

watchProcess();

const note = (text: string, inputTokens: number) => ({
  tools: [{ name: 'Note', id: text, input: { text } }],
  usage: { inputTokens, outputTokens: 0 },
});
const summary = { when: 'summary' as const, text: '<summary>The note was seven.</summary>' };

describe('a conversation that comes close to the window', () => {
  it('LO-29: is compacted in the middle of a turn; the prompt and the result that has just come stay', async () => {
    const { loop, seen, of, requests } = await watchLoop({
      turns: [note('seven', 950), summary, { text: 'Done.' }],
      options: { tools: testTools().tools, contextWindow: 1000 },
    });
    const { messages, result } = await readRun(loop.run('Note it.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    expect(story(seen)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse:Note',
      'PostToolUse:Note',
      'PreCompact',
      'SessionStart',
      'Stop',
    ]);
    expect(of('PreCompact')[0]).toMatchObject({ trigger: 'auto', custom_instructions: null });
    expectValid(requests);
    expect(requests.map(({ purpose }) => purpose)).toEqual(['turn', 'summary', 'turn']);
    expect(textOf(requests[1]?.messages.at(-1))).toMatch(/^Note: seven\n[\s\S]*summary/);
    const [start, call, answer] = requests[2]?.messages ?? [];
    expect(textOf(start)).toContain('The note was seven.');
    expect(textOf(start)).toMatch(/word for word:\nNote it\.$/);
    expect(call?.content).toMatchObject([{ type: 'tool_use', name: 'Note' }]);
    expect(textOf(answer)).toBe('Note: seven');
    expect(messages).toContainEqual(
      expect.objectContaining({
        subtype: 'compact_boundary',
        compact_metadata: { trigger: 'auto', pre_tokens: expect.any(Number) },
      }),
    );
  });

  it('LO-29: nothing happens below the limit', async () => {
    const { loop, of } = await watchLoop({
      turns: [note('seven', 800), { text: 'Done.' }],
      options: { tools: testTools().tools, contextWindow: 1000 },
    });
    await readRun(loop.run('Note it.'));
    expect(of('PreCompact')).toEqual([]);
  });

  it('LO-29: what no model has counted yet counts too: a large result', async () => {
    const { loop, of } = await watchLoop({
      turns: [note('x'.repeat(3300), 100), summary, { text: 'Done.' }],
      options: { tools: testTools().tools, contextWindow: 1000 },
    });
    await readRun(loop.run('Note it.'));
    expect(of('PreCompact')).toHaveLength(1);
  });

  it('LO-30: the context of the new start is part of the very next request', async () => {
    const { loop, requests } = await watchLoop({
      hooks: {
        SessionStart: [
          {
            matcher: 'compact',
            hooks: [
              () => ({
                hookSpecificOutput: {
                  hookEventName: 'SessionStart',
                  additionalContext: 'read the rules again',
                },
              }),
            ],
          },
        ],
      },
      turns: [note('seven', 950), summary, { text: 'Done.' }],
      options: { tools: testTools().tools, contextWindow: 1000 },
    });
    await readRun(loop.run('Note it.'));
    expectValid(requests);
    expect(textOf(requests[2]?.messages[0])).toContain('The note was seven.');
    expect(lastSaid(requests)).toContain('read the rules again');
  });

  it('LO-29: a block lets the turn go on as it is; hooks are asked again before each further request, once', async () => {
    const { loop, of, requests } = await watchLoop({
      hooks: { PreCompact: [{ hooks: [() => ({ decision: 'block', reason: 'not now' })] }] },
      turns: [note('a', 950), note('b', 960), { text: 'Done.' }],
      options: { tools: testTools().tools, contextWindow: 1000 },
    });
    const { messages, result } = await readRun(loop.run('Note it.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    expectValid(requests);
    expect(requests.map(({ messages: said }) => said.length)).toEqual([1, 3, 5]);
    expect(of('PreCompact')).toHaveLength(2);
    expect(of('SessionStart')).toHaveLength(1);
    expect(messages.filter((each) => 'compact_error' in each)).toHaveLength(2);
  });

  it('LO-30: a summary that fails is told about, and the work goes on with everything as it was', async () => {
    const { loop, of, requests } = await watchLoop({
      turns: [
        note('a', 950),
        { when: 'summary', error: { code: 'overloaded', message: 'too busy' } },
        { text: 'Done.' },
      ],
      options: { tools: testTools().tools, contextWindow: 1000 },
    });
    const { result, messages } = await readRun(loop.run('Note it.'));
    expect(result).toMatchObject({ terminal_reason: 'completed', result: 'Done.' });
    expect(of('Stop')).toHaveLength(1);
    expect(JSON.stringify(messages)).toContain('could not be compacted: too busy');
    expect((await loop.conversation()).map(textOf)).toEqual(['Note it.', '{"text":"a"}', 'Note: a', 'Done.']);
    expectValid(requests);
  });

  it('LO-29: a subagent has a conversation of its own to compact, and no session that starts', async () => {
    const model = scriptedModel([
      { tools: [{ name: 'TaskList' }], usage: { inputTokens: 950, outputTokens: 0 } },
      summary,
      { text: 'Found it.' },
    ]);
    const { loop, of, requests } = await watchLoop({
      turns: [
        { tools: [{ name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'digger' } }] },
        { text: 'Done.' },
      ],
      options: { contextWindow: 1000, agents: { digger: { description: '', prompt: '', model } } },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result.result).toBe('Done.');
    expect(of('PreCompact')).toEqual([expect.objectContaining({ trigger: 'auto', agent_type: 'digger' })]);
    expect(of('SessionStart')).toHaveLength(1);
    expectValid([...requests, ...model.requests]);
    expect(model.requests.map(({ purpose }) => purpose)).toEqual(['turn', 'summary', 'turn']);
  });
});
