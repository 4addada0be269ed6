/** Who gets the user's key: a file may name an address, and never sends the key there by itself. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { modelOfAgent } from '../../../src/cli/massgen/agent-model.js';
import type { MassgenAgent } from '../../../src/dialects/loaders.js';
import { startBrains } from '../../team/support/brain-server.js';
import { thinkAnswerThenVote } from '../../team/support/brains.js';
import { folder } from '../support.js';

const SECRETS = {
  ANTHROPIC_API_KEY: 'secret-a',
  ANTHROPIC_AUTH_TOKEN: 'secret-b',
  ANTHROPIC_CUSTOM_HEADERS: 'x-proxy-auth: secret-c',
  OPENAI_API_KEY: 'secret-d',
  OPENAI_ORG_ID: 'secret-e',
  OPENAI_PROJECT_ID: 'secret-f',
  OPENAI_CUSTOM_HEADERS: 'x-other-auth: secret-g',
  OTHER_KEY: 'secret-h',
};

/** Refuses everything, and keeps the headers. */
async function startRecorder() {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { headers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Depending on its version, an SDK sends the key in one header or the other. */
const keyOf = (headers: IncomingHttpHeaders | undefined): string | undefined =>
  String(headers?.['x-api-key'] ?? headers?.authorization).replace('Bearer ', '');

const agentWith = (own: Partial<MassgenAgent>): MassgenAgent => ({
  id: 'ada',
  model: 'm',
  commandLine: false,
  peerUpdates: {},
  ...own,
});

/** The headers of one request of the agent's model, and what was said. */
async function ask(
  own: Partial<MassgenAgent>,
  sendKeyTo: readonly string[] = [],
  env: object = {},
  customHeaders = '',
) {
  const { headers, url } = await startRecorder();
  const said: string[] = [];
  for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
  if (customHeaders !== '')
    for (const name of ['ANTHROPIC_CUSTOM_HEADERS', 'OPENAI_CUSTOM_HEADERS']) vi.stubEnv(name, customHeaders);
  const at = (text: string): string => text.replace('HERE', url);
  const model = modelOfAgent(agentWith({ ...own, baseUrl: at(own.baseUrl ?? 'HERE') }), {
    env: {
      ...SECRETS,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, at(String(value))])),
    },
    sendKeyTo: sendKeyTo.map(at),
    tell: (text) => said.push(text),
  });
  const request = {
    system: '',
    messages: [],
    purpose: 'turn',
    signal: new AbortController().signal,
  } as const;
  await (async () => {
    for await (const _event of model?.stream({ ...request, tools: [] }) ?? []);
  })().catch(() => {});
  expect(headers).toHaveLength(1);
  return { all: JSON.stringify(headers), headers: headers[0] ?? {}, said, url };
}

describe('the key of the user', () => {
  it.each(['claude', 'openai', 'gemini', undefined])(
    'CL-52 is not sent to an address that only the file names (%s), nor any other secret',
    async (backend) => {
      const { all, said, url } = await ask({ backend });
      expect(all).not.toContain('secret');
      // Whoever uses a proxy has the key in such a header.
      const proxy = 'Authorization: secret-i\nx-api-key: secret-j';
      const own = await ask({ backend, apiKey: 'own' }, [], {}, proxy);
      expect(own.all).not.toContain('secret');
      expect(keyOf(own.headers)).toBe('own');
      const name = backend === 'claude' ? 'ANTHROPIC_API_KEY' : 'OPENAI_API_KEY';
      expect(said).toEqual([
        `ada: the file names the address ${url}, so it does not get your ${name}. If it should, give --send-key-to ${url}.`,
      ]);
    },
  );

  it('CL-52 is sent where the user says so: with --send-key-to, or in the environment', async () => {
    const named = await ask({ backend: 'claude', baseUrl: 'HERE/v1' }, ['HERE/']);
    expect(keyOf(named.headers)).toBe('secret-a');
    expect(named.said).toEqual([]);
    const chat = await ask({ backend: 'openai' }, ['HERE']);
    expect(keyOf(chat.headers)).toBe('secret-d');
    const env = await ask({ backend: 'claude', baseUrl: 'HERE/other' }, [], { ANTHROPIC_BASE_URL: 'HERE' });
    expect(keyOf(env.headers)).toBe('secret-a');
    // The address of one service is not that of the other.
    const crossed = await ask({ backend: 'claude' }, [], { OPENAI_BASE_URL: 'HERE' });
    expect(crossed.all).not.toContain('secret');
  });

  it('CL-52 a key of the file goes to its address; a variable that the file names does not', async () => {
    const own = await ask({ backend: 'claude', apiKey: 'of-the-file' });
    expect(keyOf(own.headers)).toBe('of-the-file');
    expect(own.all).not.toContain('secret');
    expect(own.said).toEqual([]);
    for (const apiKey of ['$OTHER_KEY', `\${OTHER_KEY}`]) {
      const other = await ask({ backend: 'openai', apiKey });
      expect(other.all).not.toContain('secret');
      expect(other.said.join()).toContain('does not get your OTHER_KEY');
      expect(keyOf((await ask({ backend: 'openai', apiKey }, ['HERE'])).headers)).toBe('secret-h');
    }
  });

  it('CL-52 api_key of the file is the key of its agent, and a variable in it is read', async () => {
    const { call, write } = folder();
    const server = await startBrains({ brain: thinkAnswerThenVote('eight', 'eight') });
    onTestFinished(() => server.close());
    vi.stubEnv('OWN_KEY', 'from-the-environment');
    const backend = { type: 'claude', model: 'brain', base_url: server.url };
    for (const [api_key, args, sent] of [
      ['of-the-file', [], 'of-the-file'],
      [`\${OWN_KEY}`, ['--send-key-to', server.url], 'from-the-environment'],
    ] as const) {
      write('team.yaml', JSON.stringify({ agents: [{ id: 'ada', backend: { ...backend, api_key } }] }));
      server.headers.splice(0);
      expect((await call(['team', 'team.yaml', 'Legs?', ...args])).code).toBe(0);
      expect(new Set(server.headers.map(keyOf))).toEqual(new Set([sent]));
    }
  });

  it('CL-52 an address that is none, and one without a model, are refused', () => {
    const find =
      (own: Partial<MassgenAgent>, sendKeyTo: readonly string[] = []) =>
      () =>
        modelOfAgent(agentWith(own), { env: SECRETS, sendKeyTo, tell: () => {} });
    expect(find({ baseUrl: 'file:///etc' })).toThrow('`base_url` of ada is "file:///etc"');
    expect(find({ baseUrl: 'host' })).toThrow('give an address like https://host/v1');
    expect(find({ baseUrl: 'https://host', model: undefined })).toThrow('has no `model`');
    expect(find({ baseUrl: 'https://host' }, ['host'])).toThrow('--send-key-to is "host"');
    // Names that only look like the vendor's.
    for (const baseUrl of ['http://api.anthropic.com', 'https://api.anthropic.com@127.0.0.1:9/']) {
      const said: string[] = [];
      modelOfAgent(agentWith({ backend: 'claude', baseUrl }), {
        env: SECRETS,
        sendKeyTo: [],
        tell: (text) => said.push(text),
      });
      expect(said).toHaveLength(1);
    }
  });

  it('CL-52 RU-15 team and run keep to it', async () => {
    const { call, write } = folder();
    const server = await startBrains({ brain: thinkAnswerThenVote('eight', 'eight') });
    onTestFinished(() => server.close());
    for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
    write(
      'team.yaml',
      `agents: [{ id: ada, backend: { type: claude, model: brain, base_url: "${server.url}" } }]`,
    );
    for (const args of [
      ['team', 'team.yaml', 'Legs?'],
      ['run', '-p', 'Legs?', '--massgen', 'team.yaml'],
    ]) {
      server.headers.splice(0);
      const { code, err } = await call(args);
      expect(code).toBe(0);
      expect(err).toContain(`give --send-key-to ${server.url}`);
      expect(JSON.stringify(server.headers)).not.toContain('secret');
      server.headers.splice(0);
      expect((await call([...args, '--send-key-to', server.url])).code).toBe(0);
      expect(keyOf(server.headers[0])).toBe('secret-a');
    }
  });
});
