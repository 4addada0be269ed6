import { describe, expect, it } from 'vitest';
import type { LoopMessage } from '../../../../src/agent/loop/messages.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { cuts, fails, sends, startLoopback } from '../../models/servers/loopback.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { WIRES } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';

const SOON = { 'retry-after-ms': '1' };
const retries = (messages: readonly LoopMessage[]) =>
  messages.filter((message) => message.type === 'system' && message.subtype === 'api_retry');

describe.each(['anthropic', 'chat', 'responses'] as const)('a service that is not ready, on %s', (name) => {
  const wire = WIRES[name];
  const done = sends(wire.events({ texts: ['Done.'] }));

  it('LM-8: each retry is a message of the run, and then the answer comes', async () => {
    const server = await startLoopback(wire, [
      fails(wire, 529, 'too many of you', SOON),
      fails(wire, 429, 'slowly', SOON),
      done,
    ]);
    const { loop } = await makeLoop({ options: { model: wire.model(server.url), tools: [] } });
    const { messages, result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ is_error: false, result: 'Done.', num_turns: 1 });
    expect(retries(messages)).toMatchObject([
      { attempt: 1, max_retries: 10, retry_delay_ms: 1, error_status: 529, error: 'overloaded' },
      { attempt: 2, max_retries: 10, retry_delay_ms: 1, error_status: 429, error: 'rate_limit' },
    ]);
  });

  it('LM-8: overload within a stream and a lost connection are tried again, before content only', async () => {
    const [beginning = ''] = wire.events({ texts: ['x'] });
    const server = await startLoopback(wire, [
      sends([beginning, wire.overloadedEvent('not now')]),
      cuts(beginning),
      done,
    ]);
    const { loop } = await makeLoop({ options: { model: wire.model(server.url), tools: [] } });
    const { messages, result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ is_error: false, result: 'Done.' });
    expect(retries(messages)).toMatchObject([
      { attempt: 1, error: 'overloaded', error_status: null },
      { attempt: 2, error: 'server_error' },
    ]);
  });

  it('LM-9: when the retries are used up, the other model takes over for the rest of the prompt', async () => {
    const server = await startLoopback(wire, [
      ...[1, 2].map(() => fails(wire, 529, 'too many of you', SOON)),
      sends(wire.events({ texts: ['Mine again.'] })),
    ]);
    const fallbackModel = scriptedModel(
      [{ tools: [{ name: 'Note', input: { text: 'a' } }] }, { text: 'Done.' }],
      { name: 'second' },
    );
    const { loop } = await makeLoop({
      options: { model: wire.model(server.url, { maxRetries: 1 }), fallbackModel, tools: testTools().tools },
    });
    const { messages, result } = await readRun(loop.run('Go.'));
    expect(result).toMatchObject({ is_error: false, result: 'Done.' });
    expect(fallbackModel.requests).toHaveLength(2);
    expect(JSON.stringify(messages)).toContain('second takes over for the rest of this prompt');
    expect((await readRun(loop.run('And now?'))).result.result).toBe('Mine again.');
  });
});

describe('another model', () => {
  it('LM-9: without retries that help, the error of the first is told', async () => {
    const { loop } = await makeLoop({
      turns: [{ error: { code: 'bad_request', message: 'wrong' } }],
      options: { fallbackModel: scriptedModel([{ text: 'x' }]) },
    });
    expect((await readRun(loop.run('Go.'))).result).toMatchObject({ errors: ['wrong'] });
  });

  it('LM-10: setModel takes effect with the next request; thinking of the first is not sent to it', async () => {
    const first = scriptedModel([{ thinking: 'Hm.', text: 'One.' }], { name: 'first' });
    const second = scriptedModel([{ text: 'Two.' }], { name: 'second' });
    const { loop } = await makeLoop({ options: { model: first } });
    await readRun(loop.run('One?'));
    await loop.setModel(second);
    const { messages, result } = await readRun(loop.run('Two?'));
    expect(result.result).toBe('Two.');
    expect(messages[0]).toMatchObject({ subtype: 'init', model: 'second' });
    await expect(loop.setModel({} as never)).rejects.toMatchObject({ code: 'invalid_option' });
  });

  it('LM-10: a budget needs the price of the new model', async () => {
    const { loop } = await makeLoop({
      turns: [{ text: 'One.' }],
      options: { maxBudgetUsd: 1, prices: { scripted: { input: 1, output: 1 } } },
    });
    await expect(loop.setModel(scriptedModel([], { name: 'dear' }))).rejects.toThrow(
      'price of the model "dear"',
    );
  });
});
