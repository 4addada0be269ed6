/** What people say on the page, and how they answer questions. */
import { describe, expect, it } from 'vitest';
import { createHumanInput, createMailbox } from '../../src/injection/index.js';
import { until } from '../support/process-harness.js';
import { eventsIn, eventsOf, listen, openView } from './support.js';

async function post(url: string, body: unknown): Promise<{ status: number; id?: string; error?: string }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

describe('saying something', () => {
  it('LV-16 goes through HumanInput, to one agent or to all', async () => {
    const mailbox = createMailbox({ agents: ['ada', 'ben'] });
    const live = await openView({ mailbox, human: createHumanInput({ mailbox, label: 'Eva' }) });
    const one = await post(`${live.url}say`, { text: 'Only you.', to: 'ada' });
    const all = await post(`${live.url}say`, { text: 'Everybody.', to: null });
    expect([one.status, all.status]).toEqual([200, 200]);
    const waiting = async (agent: string) =>
      (await mailbox.pending(agent)).map(({ id, content, source }) => [id, content, source]);
    const source = { kind: 'human', label: 'Eva' };
    expect(await waiting('ada')).toEqual([
      [one.id, 'Only you.', source],
      [all.id, 'Everybody.', source],
    ]);
    expect(await waiting('ben')).toEqual([[all.id, 'Everybody.', source]]);
    await until(() => eventsOf(live, 'item_text').length === 2, 'the texts');
    expect(eventsOf(live, 'item').map(({ item, to, state }) => [item, to, state])).toEqual([
      [one.id, 'ada', 'queued'],
      [all.id, 'ada', 'queued'],
      [all.id, 'ben', 'queued'],
    ]);
  });

  it('LV-16 refuses what cannot be said, and why', async () => {
    const mailbox = createMailbox({ agents: ['ada'], maxItems: 1 });
    const live = await openView({ mailbox });
    const say = (body: unknown) => post(`${live.url}say`, body);
    expect(await say({ text: '  \n', to: null })).toMatchObject({
      status: 400,
      error: expect.stringContaining('empty'),
    });
    expect(await say({ text: 'x'.repeat(10_001), to: null })).toMatchObject({ status: 400 });
    expect(await say({ text: 'hello' })).toMatchObject({ status: 400 });
    expect(await say({ text: 1, to: 'ada' })).toMatchObject({ status: 400 });
    expect(await say('{"text":')).toMatchObject({ status: 400, error: expect.stringContaining('JSON') });
    expect(await say({ text: 'hello', to: '*' })).toMatchObject({ status: 409 });
    expect(await say({ text: 'fits', to: 'ada' })).toMatchObject({ status: 200 });
    expect(await say({ text: 'hello', to: 'ada' })).toMatchObject({
      status: 409,
      error: expect.stringContaining('full'),
    });
    const large = await post(`${live.url}say`, `{"text":"${'x'.repeat(70_000)}","to":null}`).catch(
      () => undefined,
    );
    expect([undefined, 413]).toContain(large?.status);
    expect(await mailbox.pending('ada')).toHaveLength(1);
  });

  it('LV-16 is not offered without a mailbox', async () => {
    const live = await openView();
    expect(await post(`${live.url}say`, { text: 'hello', to: null })).toMatchObject({ status: 409 });
    const page = await listen(live.url);
    await until(() => page.received.length > 0, 'the first words');
    expect(JSON.parse(page.received[0]?.data ?? '')).toMatchObject({ canSay: false });
  });
});

describe('questions', () => {
  it('LV-17 are answered once, with yes, no or always, which says what it approves', async () => {
    const live = await openView();
    const ask = live.canUseTool('ada');
    const { signal } = new AbortController();
    const rule = {
      type: 'addRules' as const,
      rules: [{ toolName: 'Bash', ruleContent: 'git push' }],
      behavior: 'allow' as const,
      destination: 'session' as const,
    };
    const call = (suggestions: (typeof rule)[]) =>
      ask(
        'Bash',
        { command: 'git push' },
        { signal, toolUseID: 'x', suggestions, decisionReason: 'No rule allows it.' },
      );
    const [yes, always, no] = [call([]), call([rule]), call([rule])];
    const questions = eventsOf(live, 'question');
    expect(questions).toEqual([
      expect.objectContaining({
        agent: 'ada',
        name: 'Bash',
        input: '{"command":"git push"}',
        reason: 'No rule allows it.',
      }),
      expect.objectContaining({ always: 'allow Bash(git push)' }),
      expect.objectContaining({ always: 'allow Bash(git push)' }),
    ]);
    expect(questions[0]).not.toHaveProperty('always');
    const answer = (index: number, word: string) =>
      post(`${live.url}answer`, { question: questions[index]?.question, answer: word });
    expect(await answer(0, 'perhaps')).toMatchObject({ status: 400 });
    expect(await answer(0, 'yes')).toMatchObject({ status: 200 });
    expect(await answer(0, 'no')).toMatchObject({ status: 409 });
    await answer(1, 'always');
    await answer(2, 'no');
    expect(await Promise.all([yes, always, no])).toEqual([
      { behavior: 'allow' },
      { behavior: 'allow', updatedPermissions: [rule] },
      { behavior: 'deny', message: expect.stringContaining('a person denied it') },
    ]);
    expect(eventsOf(live, 'answered').map(({ answer: word }) => word)).toEqual(['yes', 'always', 'no']);
  });

  it('LV-17 take no time of the turn', async () => {
    const live = await openView();
    const { signal } = new AbortController();
    let duration_ms = 0;
    async function* run() {
      const asked = performance.now();
      const answers = ['x', 'y'].map((toolUseID) => live.canUseTool()('Bash', {}, { signal, toolUseID }));
      await until(() => performance.now() > asked + 100, 'some time');
      for (const { question } of eventsOf(live, 'question'))
        await post(`${live.url}answer`, { question, answer: 'yes' });
      await Promise.all(answers);
      const usage = {
        input_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 0,
      };
      duration_ms = performance.now() - asked + 1000;
      yield { type: 'result', terminal_reason: 'completed', duration_ms, usage, total_cost_usd: 0 };
      yield { type: 'result', terminal_reason: 'completed', duration_ms: 2000, usage, total_cost_usd: 0 };
    }
    for await (const _ of live.follow(run() as never));
    const [first, second] = eventsOf(live, 'turn_end').map(({ durationMs = 0 }) => durationMs);
    expect(first).toBeGreaterThanOrEqual(999);
    expect(first).toBeLessThanOrEqual(duration_ms - 99);
    expect(second).toBe(2000);
  });

  it('LV-17 go away with the run that asks them', async () => {
    const live = await openView();
    const page = await listen(live.url);
    const ending = new AbortController();
    const answer = live.canUseTool()('Bash', {}, { signal: ending.signal, toolUseID: 'x' });
    await until(() => eventsIn(page).some(({ type }) => type === 'question'), 'the question');
    ending.abort();
    expect(await answer).toMatchObject({ behavior: 'deny' });
    await until(() => eventsIn(page).some(({ type }) => type === 'answered'), 'the end of the question');
    const [question] = eventsOf(live, 'question');
    expect(await post(`${live.url}answer`, { question: question?.question, answer: 'yes' })).toMatchObject({
      status: 409,
    });
  });
});
