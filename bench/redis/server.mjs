// A Redis of our own on a free port of this machine, in a folder of its own, ended by its process id.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'redis';

export async function startRedis(args) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-load-'));
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  let running;
  const begin = async () => {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    running = spawn('redis-server', [...own, ...args], { stdio: 'ignore' });
    await untilItAnswers(url);
  };
  const kill = async () => {
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  };
  await begin();
  return {
    url,
    begin,
    kill,
    fileBytes: () => sizeOf(folder),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Values of INFO, by name. */
export async function readInfo(client) {
  const info = await client.info();
  return Object.fromEntries([...info.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]));
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilItAnswers(url) {
  for (;;) {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.ping();
      return;
    } catch {
      await setTimeout(10);
    } finally {
      client.destroy();
    }
  }
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
