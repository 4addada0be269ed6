import { describe, expect, it } from 'vitest';
import type { ModelError, ModelEvent } from '../../../../src/agent/models/port.js';
import { watchProcess } from '../../../support/runner.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { expectValid, lastSaid, story, watchLoop } from './support.js';

watchProcess();

const CODES: readonly ModelError['code'][] = [
  'missing_package',
  'unauthorized',
  'rate_limited',
  'overloaded',
  'bad_request',
  'unavailable',
  'script_exhausted',
];
const note = (text: string) => ({ tools: [{ name: 'Note', id: text, input: { text } }] });

describe('the limit of turns', () => {
  it('LO-6: ends the prompt after so many answers, without Stop; their tools have run', async () => {
    const { tools, ran } = testTools();
    const { loop, seen, requests } = await watchLoop({
      turns: [note('a'), note('b'), { text: 'On we go.' }],
      options: { tools, maxTurns: 2 },
    });
    const { result } = await readRun(loop.run('Count.'));
    expect(result).toMatchObject({
      terminal_reason: 'max_turns',
      subtype: 'error_max_turns',
      is_error: true,
      num_turns: 2,
      errors: ['The limit of 2 turns was reached.'],
    });
    expect(ran.map(({ text }) => text)).toEqual(['a', 'b']);
    expect(story(seen)).not.toContain('Stop');
    const next = await readRun(loop.run('And on.'));
    expect(next.result).toMatchObject({ terminal_reason: 'completed', result: 'On we go.' });
    expectValid(requests);
  });

  it('LO-6: counts also the answers that hooks ask for, and counts anew with each prompt', async () => {
    const { loop } = await watchLoop({
      hooks: { Stop: [{ hooks: [() => ({ decision: 'block', reason: 'more' })] }] },
      turns: [{ text: 'Done.', repeat: true }],
      options: { maxTurns: 3 },
    });
    for (const prompt of ['One', 'Two'])
      expect((await readRun(loop.run(prompt))).result).toMatchObject({
        terminal_reason: 'max_turns',
        num_turns: 3,
      });
  });
});

describe('a model that fails', () => {
  it.each(CODES)(
    'LO-6: ends the prompt when it says %s, without Stop, and the next prompt works',
    async (code) => {
      const { loop, seen, requests } = await watchLoop({
        turns: [
          note('a'),
          { text: 'I beg', error: { code, message: `no: ${code}` } },
          { text: 'Back again.' },
        ],
        options: { tools: testTools().tools },
      });
      const { messages, result } = await readRun(loop.run('Begin.'));
      expect(result).toMatchObject({
        terminal_reason: 'model_error',
        subtype: 'error_during_execution',
        is_error: true,
        result: '',
        errors: [`no: ${code}`],
        num_turns: 2,
      });
      expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
      expect(story(seen)).not.toContain('Stop');
      expect((await readRun(loop.run('Again?'))).result.result).toBe('Back again.');
      expectValid(requests);
      expect(lastSaid(requests)).toMatch(/Note: a[\s\S]*Again\?$/);
    },
  );

  it('LM-15: an answer that breaks off is asked for again; the third in a row ends the prompt', async () => {
    const broken = { text: 'I beg', error: { code: 'broken_stream', message: 'no more' } } as const;
    const { ran, tools } = testTools();
    const { loop, requests } = await watchLoop({
      turns: [broken, broken, note('a'), broken, broken, broken, { text: 'Back again.' }],
      options: { tools },
    });
    const { messages, result } = await readRun(loop.run('Begin.'));
    expect(ran.map(({ text }) => text)).toEqual(['a']);
    expect(result).toMatchObject({ terminal_reason: 'model_error', errors: ['no more'] });
    expect(JSON.stringify(messages).match(/no more The model is asked again\./g)).toHaveLength(4);
    expect((await readRun(loop.run('Again?'))).result.result).toBe('Back again.');
    expectValid(requests);
    expect(JSON.stringify(requests)).not.toContain('I beg');
  });

  const throwing = (what: () => AsyncIterable<ModelEvent>) => ({ name: 'own', stream: what });
  it.each([
    [
      'throws something of its own',
      throwing(() => {
        throw new TypeError('fetch failed');
      }),
      'fetch failed',
    ],
    [
      'breaks off in the middle',
      throwing(async function* () {
        yield { type: 'text', text: 'I be' };
        throw new Error('socket hang up');
      }),
      'socket hang up',
    ],
    [
      'never ends its answer',
      throwing(async function* () {
        yield { type: 'text', text: 'I be' };
      }),
      'without an end',
    ],
  ])('LO-6: one that %s has failed like any other', async (_, model, message) => {
    const { loop } = await watchLoop({ options: { model } });
    const { result } = await readRun(loop.run('Begin.'));
    expect(result).toMatchObject({
      terminal_reason: 'model_error',
      errors: [expect.stringContaining(message)],
    });
  });
});
