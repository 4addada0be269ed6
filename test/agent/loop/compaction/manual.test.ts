import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { command } from '../../../../src/index.js';
import { watchProcess } from '../../../support/runner.js';
import { expectValid, lastSaid, story, textOf, watchLoop } from '../session/support.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';

watchProcess();

const summary = (text: string) => ({ when: 'summary' as const, text });
const context = (hookEventName: 'SessionStart' | 'PreCompact', additionalContext: string) => () => ({
  hookSpecificOutput: { hookEventName, additionalContext } as never,
});

describe('compact()', () => {
  it('LO-29: fires PreCompact, then SessionStart, and neither UserPromptSubmit nor Stop', async () => {
    const { loop, seen, of } = await watchLoop({
      turns: [
        { text: 'Seven.', usage: { inputTokens: 100, outputTokens: 20 } },
        summary('<summary>It is 7.</summary>'),
      ],
    });
    await readRun(loop.run('What is it?'));
    const { messages, result } = await readRun(loop.compact('keep the number'));
    expect(story(seen).slice(3)).toEqual(['PreCompact', 'SessionStart']);
    expect(of('PreCompact')[0]).toMatchObject({ trigger: 'manual', custom_instructions: 'keep the number' });
    expect(of('SessionStart')[1]).toMatchObject({ source: 'compact' });
    expect(result).toMatchObject({ terminal_reason: 'compacted', is_error: false });
    const told = messages.flatMap((each): unknown[] => {
      if (each.type !== 'system') return [];
      if (each.subtype === 'status') return [each.status];
      return each.subtype === 'compact_boundary' ? [each.compact_metadata] : [];
    });
    expect(told).toEqual(['compacting', null, { trigger: 'manual', pre_tokens: expect.any(Number) }]);
    expect((told[2] as { pre_tokens: number }).pre_tokens).toBeGreaterThanOrEqual(120);
  });

  it('LO-29: without instructions hooks read null', async () => {
    const { loop, of } = await watchLoop({ turns: [{ text: 'Seven.' }, summary('It is 7.')] });
    await readRun(loop.run('What is it?'));
    await readRun(loop.compact());
    expect(of('PreCompact')[0]).toMatchObject({ custom_instructions: null });
  });

  it('LO-29: what the caller and hooks want kept is part of the request, a plain text of a command too', async () => {
    const { loop, requests } = await watchLoop({
      hooks: {
        PreCompact: [
          { hooks: [context('PreCompact', 'keep the names')] },
          { dialect: 'claude-code', hooks: [command('echo keep the dates')] },
        ],
      },
      turns: [{ text: 'Seven.' }, summary('It is 7.')],
    });
    await readRun(loop.run('What is it?'));
    await readRun(loop.compact('keep the number'));
    expectValid(requests);
    expect(requests[1]?.purpose).toBe('summary');
    expect(requests[1]?.messages.slice(0, 2).map(textOf)).toEqual(['What is it?', 'Seven.']);
    for (const wish of ['keep the number', 'keep the names', 'keep the dates'])
      expect(lastSaid(requests)).toContain(wish);
  });

  it('LO-30: the summary replaces the conversation, without its tags; the transcript knows the rest', async () => {
    const { loop, requests } = await watchLoop({
      turns: [
        { text: 'Seven.' },
        summary('I think about it.\n<summary>\nIt is 7.\n</summary>\nBye.'),
        { text: 'As the summary says.' },
      ],
    });
    await readRun(loop.run('What is it?'));
    await readRun(loop.compact());
    const { transcriptPath } = await loop.session();
    const [only, ...others] = await loop.conversation();
    expect(others).toEqual([]);
    expect(textOf(only)).toContain('\n\nIt is 7.\n\n');
    expect(textOf(only)).toContain(transcriptPath);
    expect(textOf(only)).not.toMatch(/<\/?summary>|I think about it|Bye\.|Seven\./);
    await readRun(loop.run('And now?'));
    expectValid(requests);
    expect(lastSaid(requests)).toMatch(/It is 7\.[\s\S]*And now\?$/);
    await loop.close();
    expect(readFileSync(transcriptPath, 'utf8')).toContain('Seven.');
    const resumed = await makeLoop({ options: { resume: transcriptPath } });
    const after = await resumed.loop.conversation();
    expect(after.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(textOf(after[0])).toMatch(/It is 7\.[\s\S]*And now\?$/);
  });

  it('LO-30: a summary without tags counts as it is', async () => {
    const { loop } = await watchLoop({ turns: [{ text: 'Seven.' }, summary('It is 7.')] });
    await readRun(loop.run('What is it?'));
    await readRun(loop.compact());
    expect(textOf((await loop.conversation())[0])).toContain('It is 7.');
  });

  it('LO-30: context of SessionStart (compact) comes before what is said next, once', async () => {
    const { loop, requests } = await watchLoop({
      hooks: {
        SessionStart: [{ matcher: 'compact', hooks: [context('SessionStart', 'read the rules again')] }],
      },
      turns: [{ text: 'Seven.' }, summary('It is 7.'), { text: 'One.' }, { text: 'Two.' }],
    });
    await readRun(loop.run('What is it?'));
    await readRun(loop.compact());
    await readRun(loop.run('First'));
    await readRun(loop.run('Second'));
    expectValid(requests);
    expect(requests[0]?.messages.map(textOf).join()).not.toContain('read the rules again');
    expect(lastSaid(requests.slice(0, 3))).toMatch(/It is 7\.[\s\S]*read the rules again[\s\S]*First$/);
    expect(JSON.stringify(requests[3]?.messages).split('read the rules again')).toHaveLength(2);
  });

  it.each([
    ['blocks', () => ({ decision: 'block' as const, reason: 'the work is delicate' })],
    ['exits with 2', command('echo "the work is delicate" >&2; exit 2')],
    ['ends it', () => ({ continue: false, stopReason: 'the work is delicate' })],
  ])('LO-29: a hook that %s keeps the conversation as it is, and says why', async (_, hook) => {
    const { loop, seen, requests } = await watchLoop({
      hooks: { PreCompact: [{ hooks: [hook as never] }] },
      turns: [{ text: 'Seven.' }, { text: 'Still here.' }],
    });
    await readRun(loop.run('What is it?'));
    const before = await loop.conversation();
    const { messages, result } = await readRun(loop.compact());
    expect(result).toMatchObject({
      terminal_reason: 'compaction_blocked',
      is_error: false,
      result: expect.stringContaining('the work is delicate'),
    });
    expect(messages).toContainEqual(
      expect.objectContaining({
        subtype: 'status',
        status: null,
        compact_error: expect.stringContaining('delicate'),
      }),
    );
    expect(await loop.conversation()).toEqual(before);
    expect(story(seen).filter((event) => event === 'SessionStart')).toHaveLength(1);
    expect(requests.map(({ purpose }) => purpose)).toEqual(['turn']);
    await readRun(loop.run('And now?'));
    expectValid(requests);
  });

  it.each([
    ['fails', { error: { code: 'overloaded' as const, message: 'too busy' } }, 'too busy'],
    ['says nothing', {}, 'no summary'],
    ['wants a tool', { tools: [{ name: 'Note', input: { text: 'x' } }] }, 'no summary'],
    ['breaks off', { text: 'It', error: { code: 'broken_stream' as const, message: 'gone' } }, 'gone'],
  ])('LO-30: when the model %s, everything stays as it was', async (_, turn, message) => {
    const { tools, ran } = testTools();
    const { loop, requests, seen } = await watchLoop({
      turns: [{ text: 'Seven.' }, { ...turn, when: 'summary' }, { text: 'Still here.' }],
      options: { tools },
    });
    await readRun(loop.run('What is it?'));
    const before = await loop.conversation();
    const { messages, result } = await readRun(loop.compact());
    expect(result).toMatchObject({
      terminal_reason: 'model_error',
      is_error: true,
      errors: [expect.stringContaining(message)],
    });
    expect(await loop.conversation()).toEqual(before);
    expect(messages.filter((each) => each.type === 'system' && each.subtype === 'status')).toHaveLength(2);
    expect(story(seen).filter((event) => event === 'SessionStart')).toHaveLength(1);
    expect(ran).toEqual([]);
    expect((await readRun(loop.run('And now?'))).result.result).toBe('Still here.');
    expectValid(requests);
  });

  it('LO-29: of a conversation that is empty there is nothing to compact, and nobody is asked', async () => {
    const { loop, seen, requests } = await watchLoop();
    const { result } = await readRun(loop.compact());
    expect(result).toMatchObject({ is_error: false, result: 'There is nothing to compact.' });
    expect(story(seen)).toEqual(['SessionStart']);
    expect(requests).toEqual([]);
  });
});
