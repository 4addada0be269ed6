import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Runs a program as it would run where neither of the two packages is installed. */
const runWithout = (program: string) =>
  execa(
    process.execPath,
    [
      '--import',
      'tsx',
      '--import',
      here('./support/without-packages.mjs'),
      '--input-type=module',
      '-e',
      program,
    ],
    { cwd: here('../..') },
  );

it('AD-30: both adapters load where neither package is installed', { timeout: 60_000 }, async () => {
  const { stdout } = await runWithout(`
    import { toSdkHooks } from './src/integrations/claude-agent-sdk/index.ts';
    import { guardClient, withHooks, wrapToolHandler } from './src/integrations/mcp/index.ts';
    import { NoopRunner } from './src/index.ts';
    const sdk = await import('@anthropic-ai/claude-agent-sdk').catch(({ code }) => code);
    const hooks = Object.keys(toSdkHooks(new NoopRunner())).length;
    const handler = wrapToolHandler(() => ({ content: [] }), new NoopRunner(), { serverName: 's' });
    const extra = { signal: new AbortController().signal };
    const result = await handler({ method: 'tools/call', params: { name: 't' } }, extra);
    console.log(JSON.stringify([sdk, hooks, result, typeof guardClient, typeof withHooks]));
  `);
  expect(JSON.parse(stdout)).toEqual(['ERR_MODULE_NOT_FOUND', 15, { content: [] }, 'function', 'function']);
});

it('AD-30: where one is needed after all, one sentence says what to install', {
  timeout: 60_000,
}, async () => {
  const { stdout } = await runWithout(`
    import { checkAgainstSchema } from './src/integrations/mcp/check-input.ts';
    const tools = [{ name: 't', inputSchema: { type: 'object' } }];
    console.log(await checkAgainstSchema(tools, 't', {}).catch(({ message }) => message));
  `);
  expect(stdout).toMatch(
    /needs the package @modelcontextprotocol\/sdk.*npm install @modelcontextprotocol\/sdk$/,
  );
});
