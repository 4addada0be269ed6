import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { type HookEvent, type HookRunner, NoopRunner } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { checkConversation } from './support.js';

watchProcess();

const note = (text: string) => ({ tools: [{ name: 'Note', id: text, input: { text } }] });

describe('a mistake in the program around the loop', () => {
  it('LO-8: a runner that is disposed in the middle ends the prompt, and no tool runs unseen', async () => {
    const { tools, ran } = testTools((_, text) => text === 'a' && runner.dispose());
    const made = await makeLoop({
      turns: [{ tools: ['a', 'b'].map((text) => ({ name: 'Note', id: text, input: { text } })) }, note('c')],
      options: { tools },
    });
    const { runner, loop } = made;
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ terminal_reason: 'internal_error', is_error: true });
    expect(result.errors?.[0]).toContain('disposed');
    expect(ran.map(({ text }) => text)).toEqual(['a']);
    const conversation = await loop.conversation();
    checkConversation(conversation);
    expect(
      conversation.at(-1)?.content.map((block) => block.type === 'tool_result' && block.is_error),
    ).toEqual([true, true]);
  });

  it('LO-8: one that is disposed while a hook judges a call leaves the tool alone', async () => {
    const { tools, ran } = testTools();
    const { loop, runner } = await makeLoop({
      hooks: {
        PreToolUse: [
          {
            hooks: [
              () => {
                void runner.dispose();
                return new Promise(() => {});
              },
            ],
          },
        ],
      },
      turns: [note('a'), { text: 'Unsaid.' }],
      options: { tools },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ terminal_reason: 'internal_error', is_error: true });
  });

  it('LO-8: so does one that was disposed before the session began, and every later prompt says the same', async () => {
    const { loop, runner, requests } = await makeLoop({ turns: [{ text: 'Unseen.' }] });
    await runner.dispose();
    for (const prompt of ['One', 'Two']) {
      const { messages, result } = await readRun(loop.run(prompt));
      expect(result).toMatchObject({ terminal_reason: 'internal_error', is_error: true });
      expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
    }
    expect(requests).toEqual([]);
    await loop.close();
  });

  /** A runner of somebody else, which has no hooks and fails for one event. */
  class Failing extends NoopRunner {
    constructor(readonly event: HookEvent) {
      super();
    }
    override readonly fire: HookRunner['fire'] = (event, ...rest) =>
      event === this.event
        ? Promise.reject(new Error(`${event} is out of order`))
        : super.fire(event, ...rest);
  }

  it.each([
    'Setup',
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PostToolUseFailure',
    'Stop',
  ] as const)(
    'LO-8: a runner that rejects on %s ends the prompt, and the conversation stays valid',
    async (event) => {
      const { tools, ran } = testTools();
      const calls = ['Note', 'Fail', 'Change'].map((name) => ({ name, id: name, input: { text: 'x' } }));
      const { loop } = await makeLoop({
        turns: [{ tools: calls }, { text: 'Done.' }],
        options: { tools, hooks: new Failing(event), setup: 'init' },
      });
      const { messages, result } = await readRun(loop.run('Go.'));
      expect(result).toMatchObject({
        terminal_reason: 'internal_error',
        is_error: true,
        errors: [`${event} is out of order`],
      });
      expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
      if (event === 'PreToolUse') expect(ran).toEqual([]);
      checkConversation(
        (await loop.conversation()).filter(({ role }, i, all) => role === 'user' || i < all.length - 1),
      );
      await loop.close();
    },
  );

  it.each([
    'SubagentStart',
    'SubagentStop',
    'TeammateIdle',
    'TaskCompleted',
    'Notification',
    'SessionEnd',
  ] as const)('LO-8: a runner that rejects on %s does not keep the session from its end', async (event) => {
    const { loop } = await makeLoop({
      turns: [
        { tools: [{ name: 'TaskCreate', input: { subject: 'Dig' } }] },
        { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
        {
          tools: [
            { name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'scout', name: 'ada' } },
          ],
        },
        { text: 'Done.' },
        { text: 'Heard.' },
      ],
      options: {
        hooks: new Failing(event),
        team: 'engine',
        agents: { scout: { description: '', prompt: '', model: scriptedModel([{ text: 'Quiet' }]) } },
      },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result.terminal_reason).toBe('completed');
    await loop.notify('Look!', 'custom');
    await loop.close();
  });

  it('LO-8: one that rejects on PreCompact ends the compaction, and the conversation stays as it was', async () => {
    const { loop } = await makeLoop({
      turns: [{ text: 'Hello.' }],
      options: { hooks: new Failing('PreCompact') },
    });
    await readRun(loop.run('Hi.'));
    const before = await loop.conversation();
    expect((await readRun(loop.compact())).result).toMatchObject({ terminal_reason: 'internal_error' });
    expect(await loop.conversation()).toEqual(before);
  });

  it('LO-8: a runner that is disposed while an agent works in the background ends the prompt that tells of it', async () => {
    const { loop, runner } = await makeLoop({
      turns: [
        {
          tools: [
            {
              name: 'Agent',
              input: { description: 'd', prompt: 'p', subagent_type: 'scout', run_in_background: true },
            },
          ],
        },
        { text: 'Waiting.' },
      ],
      hooks: { Stop: [{ hooks: [() => void setImmediate(() => void runner.dispose())] }] },
      options: {
        agents: {
          scout: { description: '', prompt: '', model: scriptedModel([{ text: 'Quiet', delayMs: 100 }]) },
        },
      },
    });
    const { messages, result } = await readRun(loop.run('Go.'));
    expect(messages.flatMap((each) => (each.type === 'result' ? [each.terminal_reason] : []))).toEqual([
      'completed',
      'internal_error',
    ]);
    expect(result.terminal_reason).toBe('internal_error');
  });
});
