/** Approves all hooks in Codex as its own interface does: with the keys and hashes that its program reports. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Folder } from './support.js';

interface ListedHook {
  readonly key: string;
  readonly currentHash: string;
}

interface Reply {
  readonly id?: number;
  readonly result?: { readonly data?: readonly { readonly hooks: readonly ListedHook[] }[] };
}

export async function approveInCodex(program: string, { home, project }: Folder): Promise<void> {
  const hooks = await listedHooks(program, home, project);
  const tables = hooks.map(
    ({ key, currentHash }) =>
      `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`,
  );
  appendFileSync(join(home, '.codex', 'config.toml'), tables.join(''));
}

async function listedHooks(program: string, home: string, project: string): Promise<ListedHook[]> {
  const server = spawn(program, ['app-server'], {
    cwd: project,
    env: { ...process.env, HOME: home, LOOPBACK_KEY: 'none' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const send = (message: object): void => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  try {
    const clientInfo = { name: 'test', title: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { clientInfo } });
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line) as Reply;
      if (id === 1) {
        send({ method: 'initialized' });
        send({ id: 2, method: 'hooks/list', params: { cwds: [project] } });
      }
      if (id === 2) return (result?.data ?? []).flatMap((each) => each.hooks);
    }
    return [];
  } finally {
    server.kill();
  }
}
