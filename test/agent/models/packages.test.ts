import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execaNode } from 'execa';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { missingPackage } from '../../../src/agent/models/service-error.js';
import { loadOptional } from '../../../src/base/optional-package.js';
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

/** What a request comes to in a place of its own that has the models, and of packages only what is given. */
async function askIn(file: string, maker: string, packages: Readonly<Record<string, string>> = {}) {
  const place = folder();
  const source = fileURLToPath(new URL('../../../src/', import.meta.url));
  for (const part of ['agent/models', 'base'])
    cpSync(join(source, part), join(place, part), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  for (const [name, version] of Object.entries(packages)) {
    const target = join(place, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ name, version, main: 'index.cjs' }));
    writeFileSync(
      join(target, 'index.cjs'),
      `exports.OpenAI = class { constructor() { throw Error('v${version}'); } };`,
    );
  }
  writeFileSync(
    join(place, 'main.ts'),
    `import { ${maker} } from './agent/models/${file}';
     const model = ${maker}({ model: 'any', apiKey: 'key' });
     const request = { system: '', messages: [], tools: [], purpose: 'turn', signal: new AbortController().signal };
     try { for await (const _ of model.stream(request as never)); }
     catch (error) { const { name, code, message } = error as never; console.log(JSON.stringify({ name, code, message })); }`,
  );
  const nodeOptions = ['--import', import.meta.resolve('tsx')];
  const { stdout } = await execaNode(join(place, 'main.ts'), { nodeOptions, cwd: place });
  return JSON.parse(stdout) as unknown;
}

describe('optional packages', () => {
  it.each([
    ['anthropic.js', 'anthropicModel', '@anthropic-ai/sdk'],
    ['openai.js', 'openaiModel', 'openai'],
  ])('MO-20: in a place without packages, %s says what to install', async (file, maker, name) => {
    expect(await askIn(file, maker)).toEqual({
      name: 'ModelError',
      code: 'missing_package',
      message: `This model needs the package ${name}, which is not installed: npm install ${name}`,
    });
  });

  it.each(['4.104.0', '5.0.0', '8.1.0'])(
    'PK-19: with openai %s, an old version is refused and a new one is tried',
    async (version) => {
      const refusal =
        'This model needs the package openai in version 5.0.0 or newer, and 4.104.0 is installed: npm install openai@latest';
      expect(await askIn('openai.js', 'openaiModel', { openai: version })).toEqual(
        version.startsWith('4')
          ? { name: 'ModelError', code: 'missing_package', message: refusal }
          : { name: 'ModelError', code: 'unauthorized', message: `openai any: v${version}` },
      );
    },
  );

  it('MO-20: a package that is there but broken says how', async () => {
    const load = () => Promise.reject(new SyntaxError('Unexpected token'));
    const broken = loadOptional('openai', 'This model needs', load, missingPackage);
    await expect(broken).rejects.toMatchObject({
      code: 'missing_package',
      message:
        'This model needs the package openai, which cannot be loaded (Unexpected token): npm install openai',
    });
  });

  it('PK-25: a package that needs `require` in a bundle without one is not said to be missing', async () => {
    const said = 'Dynamic require of "node:crypto" is not supported';
    const load = () => Promise.reject(new Error(said));
    await expect(loadOptional('redis', 'A mailbox needs', load, missingPackage)).rejects.toMatchObject({
      message: `A mailbox needs the package redis, which cannot be loaded (${said}): leave it external in the bundle`,
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
