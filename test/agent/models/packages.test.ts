import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadPackage } from '../../../src/agent/models/load-package.js';
import { listen } from './collect.js';
import { anthropicWire } from './servers/anthropic.js';
import { startLoopback } from './servers/loopback.js';
import { chatWire } from './servers/openai-chat.js';
import { responsesWire } from './servers/openai-responses.js';
import { request } from './servers/wire.js';

afterEach(() => vi.unstubAllEnvs());

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hookline-models-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

describe('optional packages', () => {
  it.each([
    ['anthropic.js', 'anthropicModel', '@anthropic-ai/sdk'],
    ['openai.js', 'openaiModel', 'openai'],
  ])('MO-20: in a place without packages, %s says what to install', async (file, maker, name) => {
    const place = folder();
    const source = fileURLToPath(new URL('../../../src/', import.meta.url));
    for (const part of ['agent/models', 'base'])
      cpSync(join(source, part), join(place, part), { recursive: true });
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(place, 'main.ts'),
      `import { ${maker} } from './agent/models/${file}';
       const model = ${maker}({ model: 'any', apiKey: 'key' });
       const request = { system: '', messages: [], tools: [], purpose: 'turn', signal: new AbortController().signal };
       try { for await (const _ of model.stream(request as never)); }
       catch (error) { const { name, code, message } = error as never; console.log(JSON.stringify({ name, code, message })); }`,
    );
    const tsx = import.meta.resolve('tsx');
    const { stdout } = await execaNode(join(place, 'main.ts'), {
      nodeOptions: ['--import', tsx],
      cwd: place,
    });
    expect(JSON.parse(stdout)).toEqual({
      name: 'ModelError',
      code: 'missing_package',
      message: `This model needs the package ${name}, which is not installed: npm install ${name}`,
    });
  });

  it('MO-20: a package that is there but broken says how', async () => {
    const broken = loadPackage('some-sdk', () => Promise.reject(new SyntaxError('Unexpected token')));
    await expect(broken).rejects.toMatchObject({
      code: 'missing_package',
      message:
        'This model needs the package some-sdk, which cannot be loaded (Unexpected token): npm install some-sdk',
    });
  });
});

describe.each([anthropicWire, chatWire, responsesWire])('credentials of $name', (wire) => {
  it('MO-21: without any, the first call is unauthorized and nothing is sent', async () => {
    for (const name of Object.keys(process.env).filter((each) => /^(ANTHROPIC|OPENAI)_/.test(each)))
      vi.stubEnv(name, undefined);
    vi.stubEnv('HOME', folder());
    vi.stubEnv('XDG_CONFIG_HOME', folder());
    const server = await startLoopback(wire, []);
    const model = wire.model(server.url, { apiKey: undefined as never, maxRetries: 0 });
    expect((await listen(model, request())).error).toMatchObject({ code: 'unauthorized', status: undefined });
    expect(server.received).toEqual([]);
  });
});
