/** A Redis of our own, on a free port of this machine, for as long as the example runs. */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';

export interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRedis(directory: string): Promise<RedisServer> {
  const port = await findFreePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      isGone = true;
      resolve();
    };
    child.once('exit', end);
    child.once('error', end);
  });
  while (!(await answers(port))) {
    if (isGone) throw new Error('redis-server cannot be started; install it, or give --url redis://…');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const stop = async (): Promise<void> => {
    child.kill();
    await gone;
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const say = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', say(true)).once('error', say(false));
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
