import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modelFromEnvironment } from '../../../../src/agent/models/environment.js';
import { costOf, priceOf } from '../../../../src/agent/models/prices.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { toWireUsage } from '../../../../src/agent/models/usage.js';
import { agentTool } from '../../../../src/agent/tools/agent.js';
import { readUsage } from '../../../../src/agent/transcript/past-spending.js';
import { anthropicWire } from '../../models/servers/anthropic.js';
import { type Body, cuts, hangs, sends, startLoopback } from '../../models/servers/loopback.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { runOnWire, WIRES, withoutMarks } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';

const note = (id: string, text = id) => ({ id, name: 'Note', input: { text } });
const PRICES = { scripted: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 } };
const usage = {
  inputTokens: 1000,
  outputTokens: 100,
  cacheReadInputTokens: 5000,
  cacheCreationInputTokens: 200,
};
/** In dollars: 1000 * 1 + 100 * 10 + 5000 * 0.1 + 200 * 2, for a million each. */
const COST = 0.0029;

describe('what a session costs', () => {
  it('LM-3: each prompt has its tokens, the session its cost and its tokens by model', async () => {
    const { loop } = await makeLoop({
      turns: [
        { tools: [{ name: 'Note', input: { text: 'a' } }], usage },
        { text: 'One.', usage },
        { text: 'Two.', usage },
      ],
      options: { tools: testTools().tools, prices: PRICES },
    });
    const first = (await readRun(loop.run('One?'))).result;
    const second = (await readRun(loop.run('Two?'))).result;
    expect(first.usage).toEqual({
      input_tokens: 2000,
      cache_creation_input_tokens: 400,
      cache_read_input_tokens: 10_000,
      output_tokens: 200,
    });
    expect(second.usage).toMatchObject({ input_tokens: 1000, cache_read_input_tokens: 5000 });
    expect(first.total_cost_usd).toBeCloseTo(2 * COST, 10);
    expect(second.total_cost_usd).toBeCloseTo(3 * COST, 10);
    expect(second.modelUsage['scripted']).toEqual({
      inputTokens: 3000,
      outputTokens: 300,
      cacheReadInputTokens: 15_000,
      cacheCreationInputTokens: 600,
      costUSD: expect.closeTo(3 * COST, 10),
    });
    expect(second).not.toHaveProperty('unpriced_models');
  });

  it('LM-3: subagents and summaries are included, each model at its own price', async () => {
    const cheap = scriptedModel([{ text: 'Found.', usage }], { name: 'cheap' });
    const { loop } = await makeLoop({
      turns: [
        {
          tools: [{ name: 'Agent', input: { description: 'd', prompt: 'Look.', subagent_type: 'scout' } }],
          usage,
        },
        { text: 'Done.', usage },
        { text: '<summary>All is done.</summary>', usage, when: 'summary' },
      ],
      options: {
        tools: [agentTool],
        prices: { ...PRICES, cheap: { input: 0, output: 1 } },
        agents: { scout: { description: 'd', prompt: 'p', model: cheap } },
      },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result.usage.input_tokens).toBe(3000);
    expect(result.modelUsage).toMatchObject({
      scripted: { inputTokens: 2000 },
      cheap: { inputTokens: 1000 },
    });
    expect(result.total_cost_usd).toBeCloseTo(2 * COST + 0.0001, 10);
    const summed = (await readRun(loop.compact())).result;
    expect(summed.total_cost_usd).toBeCloseTo(3 * COST + 0.0001, 10);
  });

  it('LM-3: a model without a price is named', async () => {
    const { loop } = await makeLoop({ turns: [{ text: 'Done.', usage }] });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ total_cost_usd: 0, unpriced_models: ['scripted'] });
  });

  it('LM-3: prices go by the longest beginning of a name; those of the caller go first', () => {
    expect(priceOf('claude-sonnet-5-5')).toMatchObject({ input: 2, output: 10, cacheWrite: 2.5 });
    expect(priceOf('claude-haiku-4-5-20251001')).toMatchObject({ input: 1 });
    expect(priceOf('gpt-5-mini-2025-08-07')).toMatchObject({ input: 0.25 });
    expect(priceOf('gpt-5.4')).toMatchObject({ input: 2.5, output: 15 });
    expect(priceOf('gpt-5.4-mini')).toMatchObject({ input: 0.75 });
    // Another model, which may cost more.
    expect(priceOf('gpt-5.4-pro')).toBeUndefined();
    expect(priceOf('gpt-5.4-pro', { 'gpt-5.4': { input: 9, output: 9 } })).toMatchObject({ input: 9 });
    expect(priceOf('claude-sonnet-5-5', { claude: { input: 9, output: 9 } })).toEqual({
      input: 9,
      output: 9,
    });
    expect(costOf({ ...usage, inputTokens: 0, outputTokens: 0 }, { input: 1, output: 1 })).toBeCloseTo(
      0.0052,
      10,
    );
  });
});

describe('prices', () => {
  it('LM-3: the models that the command uses by default have one', () => {
    const keys = [{ ANTHROPIC_API_KEY: 'k' }, { OPENAI_API_KEY: 'k' }];
    for (const env of keys) expect(priceOf(modelFromEnvironment(env)?.name ?? '')).toBeDefined();
  });

  it('LM-3: what is written to the cache for an hour has its own price, also after a resume', async () => {
    const hour = { ...usage, cacheCreation1hInputTokens: 150 };
    const price = priceOf('claude-sonnet-5-5') ?? expect.fail();
    const more = costOf(hour, price) - costOf(usage, price);
    expect(more).toBeCloseTo((150 * 2 * (2 - 1.25)) / 1_000_000, 12);
    // A price without one for an hour: that of any writing.
    expect(costOf(hour, PRICES.scripted)).toBeCloseTo(COST, 12);
    expect(toWireUsage(hour)).toMatchObject({
      cache_creation_input_tokens: 200,
      cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 150 },
    });
    expect(readUsage(toWireUsage(hour))).toEqual(hour);
  });

  it('LM-3: a long request costs more, where the service says so', () => {
    const price = priceOf('gpt-5.4') ?? expect.fail();
    const short = { inputTokens: 200_000, outputTokens: 0, cacheReadInputTokens: 72_000 };
    expect(costOf(short, price)).toBeCloseTo(0.2 * 2.5 + 0.072 * 0.25, 10);
    expect(costOf({ ...short, cacheReadInputTokens: 72_001 }, price)).toBeCloseTo(0.2 * 5 + 0.072 * 0.5, 5);
  });
});

describe('a session that is resumed', () => {
  const spent = (turns: number) => ({
    turns: Array.from({ length: turns }, () => ({ text: 'Done.', usage })),
    options: { prices: PRICES },
  });

  it('LM-3: counts on: usage and cost of all before, summaries and subagents included; a fork too', async () => {
    const { loop, transcripts, cwd } = await makeLoop({
      ...spent(1),
      turns: [
        { text: 'One.', usage },
        { text: '<summary>All.</summary>', usage, when: 'summary' },
      ],
    });
    await readRun(loop.run('One?'));
    await readRun(loop.compact());
    const { transcriptPath } = await loop.session();
    await loop.close();
    for (const forkSession of [true, false]) {
      const again = await makeLoop({
        ...spent(1),
        options: { prices: PRICES, transcripts, cwd, resume: transcriptPath, forkSession },
      });
      const { result } = await readRun(again.loop.run('Two?'));
      expect(result.usage.input_tokens).toBe(1000);
      expect(result.total_cost_usd).toBeCloseTo(3 * COST, 10);
      expect(result.modelUsage['scripted']).toMatchObject({
        inputTokens: 3000,
        cacheReadInputTokens: 15_000,
      });
      await again.loop.close();
    }
    const third = await makeLoop({
      ...spent(1),
      options: { prices: PRICES, transcripts, cwd, resume: transcriptPath },
    });
    expect((await readRun(third.loop.run('Three?'))).result.total_cost_usd).toBeCloseTo(4 * COST, 10);
  });

  it('LM-3: without a record, as after a crash or from another program, each answer counts once', async () => {
    const { transcripts, cwd } = await makeLoop({});
    const path = join(cwd, 'other.jsonl');
    const line = (uuid: string, id: string, text: string) => ({
      type: 'assistant',
      sessionId: 's-1',
      uuid,
      message: {
        id,
        role: 'assistant',
        model: 'scripted',
        content: [{ type: 'text', text }],
        usage: toWireUsage(usage),
      },
    });
    const lines = [
      { type: 'user', sessionId: 's-1', uuid: 'u0', message: { role: 'user', content: 'Go.' } },
      line('u1', 'msg_1', 'One,'),
      line('u2', 'msg_1', 'two.'),
    ];
    writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const { loop } = await makeLoop({
      ...spent(1),
      options: { prices: PRICES, transcripts, cwd, resume: path },
    });
    expect((await readRun(loop.run('Go.'))).result.total_cost_usd).toBeCloseTo(2 * COST, 10);
  });

  it('LM-4: has no more than what is left of its budget', async () => {
    const { loop, transcripts, cwd } = await makeLoop(spent(1));
    await readRun(loop.run('One?'));
    const { transcriptPath } = await loop.session();
    await loop.close();
    const again = await makeLoop({
      ...spent(1),
      options: { prices: PRICES, transcripts, cwd, resume: transcriptPath, maxBudgetUsd: COST },
    });
    expect((await readRun(again.loop.run('Two?'))).result.terminal_reason).toBe('max_budget_usd');
    expect(again.requests).toEqual([]);
  });
});

describe('an answer that does not end', () => {
  it.each(['is interrupted', 'breaks off'])(
    'LM-3 MO-39: counts what the service has said if it %s',
    async (how) => {
      const events = anthropicWire.events({ texts: ['I was about to'], usage });
      const half = events.slice(0, 1 + events.findIndex((each) => each.includes('about'))).join('');
      const step = how === 'breaks off' ? cuts(half) : hangs(half);
      const server = await startLoopback(anthropicWire, [step, step, step]);
      const { loop } = await makeLoop({
        options: { model: anthropicWire.model(server.url), tools: [], includePartialMessages: true },
      });
      const run = loop.run('Go.');
      for (;;) {
        const { done, value } = await run.next();
        if (value?.type === 'stream_event' && how === 'is interrupted') loop.interrupt();
        if (done !== true) continue;
        const times = server.received.length;
        expect(times).toBe(how === 'breaks off' ? 3 : 1);
        expect(value.usage).toEqual({
          ...toWireUsage(usage),
          input_tokens: 1000 * times,
          output_tokens: times,
          cache_read_input_tokens: 5000 * times,
          cache_creation_input_tokens: 200 * times,
        });
        return;
      }
    },
  );
});

describe('a budget', () => {
  it('LM-4: ends the prompt before the next request, with its own reason', async () => {
    const { loop, requests } = await makeLoop({
      turns: [1, 2, 3].map((n) => ({ tools: [{ name: 'Note', input: { text: `${n}` } }], usage })),
      options: { tools: testTools().tools, prices: PRICES, maxBudgetUsd: 1.5 * COST },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({
      subtype: 'error_max_budget_usd',
      is_error: true,
      terminal_reason: 'max_budget_usd',
      errors: [expect.stringContaining('The budget of')],
    });
    expect(requests).toHaveLength(2);
    const next = (await readRun(loop.run('Go on.'))).result;
    expect(next.terminal_reason).toBe('max_budget_usd');
    expect(requests).toHaveLength(2);
  });

  it('LM-4: holds for subagents too', async () => {
    const greedy = scriptedModel([{ tools: [{ name: 'Note', input: { text: 'x' } }], usage, repeat: true }], {
      name: 'scripted-greedy',
    });
    const { loop } = await makeLoop({
      turns: [
        {
          tools: [{ name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'greedy' } }],
          usage,
        },
        { text: 'Done.', usage },
      ],
      options: {
        tools: [agentTool, ...testTools().tools],
        prices: PRICES,
        maxBudgetUsd: 4.5 * COST,
        agents: { greedy: { description: 'd', prompt: 'p', model: greedy } },
      },
    });
    const { result } = await readRun(loop.run('Go.'));
    expect(result.terminal_reason).toBe('max_budget_usd');
    expect(greedy.requests).toHaveLength(4);
  });

  it.each([
    [{ maxBudgetUsd: 0 }, 'above 0'],
    [{ maxBudgetUsd: Number.NaN }, 'above 0'],
    [{ maxBudgetUsd: 1 }, 'the price of the model "scripted" is not known'],
  ])('LM-4: %j cannot be kept, and is refused at the start', async (options, why) => {
    const { loop } = await makeLoop({ turns: [{ text: 'x' }], options });
    await expect(readRun(loop.run('Go.'))).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(why),
    });
  });
});

describe.each(['anthropic', 'chat', 'responses'] as const)('the prefix of requests on %s', (name) => {
  it('LM-2: stays the same from request to request, whatever hooks say', async () => {
    const wire = WIRES[name];
    const answers = [[note('c1')], [note('c2'), note('c3')], []];
    const twice = [...answers, ...answers.map((calls) => calls.map(({ id }) => note(`${id}b`)))];
    const server = await startLoopback(
      wire,
      twice.map((calls) =>
        sends(
          wire.events({
            thinking: { pieces: ['Hm.'] },
            texts: ['So.'],
            calls: calls.map(({ id, name: tool, input }) => ({
              id,
              name: tool,
              json: [JSON.stringify(input)],
            })),
          }),
        ),
      ),
    );
    await runOnWire(name, {
      answers: [],
      prompts: ['First.', 'Second.'],
      hooks: {
        UserPromptSubmit: [{ hooks: [() => ({ systemMessage: 'at the prompt' })] }],
        PreToolUse: [{ hooks: [() => ({ systemMessage: 'before a tool' })] }],
        PostToolUse: [{ hooks: [({ tool_use_id }) => ({ systemMessage: `after ${tool_use_id}` })] }],
      },
      options: { tools: testTools().tools, model: wire.model(server.url) },
    });
    expect(server.received).toHaveLength(6);
    const bodies = server.received.map(({ body }) => withoutMarks(body) as Body);
    for (const [i, body] of bodies.slice(1).entries()) {
      const before = bodies[i] ?? {};
      const list = name === 'responses' ? 'input' : 'messages';
      const { [list]: earlier, ...rest } = before;
      const { [list]: later, ...same } = body;
      expect(JSON.stringify(same)).toBe(JSON.stringify(rest));
      const length = (earlier as unknown[]).length;
      expect(JSON.stringify((later as unknown[]).slice(0, length))).toBe(JSON.stringify(earlier));
    }
  });
});
