/** A real Redis for the tests: on a free port of this machine, with a folder of its own, ended by its process id. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) console.warn('There is no redis-server here: tests of the mailbox in Redis are skipped.');

export interface RedisOptions {
  /** Further arguments: `['--appendonly', 'yes']`. */
  readonly args?: readonly string[];
}

export class RedisServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'hookline-redis-'));
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  port = 0;

  private constructor({ args = [] }: RedisOptions) {
    this.#args = args;
  }

  static async start(options: RedisOptions = {}): Promise<RedisServer> {
    const server = new RedisServer(options);
    server.port = await findFreePort();
    await server.begin();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Starts it, again on the same port and in the same folder; resolves when it answers. */
  async begin(): Promise<void> {
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    const started = spawn('redis-server', [...own, ...this.#args], { stdio: 'ignore' });
    this.#process = started;
    const ended = new Promise<never>((_, reject) => {
      started.once('error', reject);
      started.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)));
    });
    ended.catch(() => {});
    await Promise.race([untilItAnswers(this.port), ended]);
  }

  /** Resolves when it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await gone;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

/** While it reads its files it answers `-LOADING`. */
async function untilItAnswers(port: number): Promise<void> {
  for (;;) {
    if ((await ask(port)).startsWith('+PONG')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function ask(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.once('error', () => resolve(''));
    socket.once('close', () => resolve(''));
  });
}
