import { describe, expect, it } from 'vitest';
import { modelFromEnvironment } from '../../../src/agent/models/environment.js';
import { listen } from './collect.js';
import { anthropicWire } from './servers/anthropic.js';
import { sends, startLoopback } from './servers/loopback.js';
import { chatWire } from './servers/openai-chat.js';
import { request } from './servers/wire.js';

const ANTHROPIC = { ANTHROPIC_API_KEY: 'a', ANTHROPIC_MODEL: 'claude-x' };
const OPENAI = { OPENAI_API_KEY: 'o', OPENAI_MODEL: 'gpt-x' };

describe('modelFromEnvironment', () => {
  it.each([
    [{}, undefined],
    [{ ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '' }, undefined],
    [{ ANTHROPIC_MODEL: 'claude-x', OPENAI_BASE_URL: 'http://127.0.0.1' }, undefined],
    [ANTHROPIC, 'claude-x'],
    [OPENAI, 'gpt-x'],
    [{ ...OPENAI, ...ANTHROPIC }, 'claude-x'],
  ])('MO-30: %j gives %s', (env, name) => {
    expect(modelFromEnvironment(env)?.name).toBe(name);
  });

  it('MO-30: a model is chosen where none is named', () => {
    expect(modelFromEnvironment({ ANTHROPIC_API_KEY: 'a' })?.name).toMatch(/^claude-/);
    expect(modelFromEnvironment({ OPENAI_API_KEY: 'o' })?.name).toMatch(/^gpt-/);
  });

  it.each([
    ['anthropic', anthropicWire, 'ANTHROPIC', 'claude-y'],
    ['openai', chatWire, 'OPENAI', 'gpt-y'],
  ])(
    'MO-30: %s is asked at its own address, for the model that was given',
    async (_, wire, vendor, model) => {
      const server = await startLoopback(wire, [sends(wire.events({ texts: ['Here.'] }))]);
      const env = { ...ANTHROPIC, ...OPENAI, [`${vendor}_BASE_URL`]: server.url };
      const chosen = modelFromEnvironment(env, { model });
      if (chosen === undefined) throw new Error('no model');
      expect((await listen(chosen, request())).text).toBe('Here.');
      expect(server.received[0]?.body['model']).toBe(model);
      expect(server.received[0]?.headers.authorization ?? server.received[0]?.headers['x-api-key']).toMatch(
        new RegExp(`${env[`${vendor}_API_KEY` as 'OPENAI_API_KEY']}$`),
      );
    },
  );
});
