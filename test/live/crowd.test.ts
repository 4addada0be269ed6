/** Others who connect to the server and say nothing, or only half of something. */
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { History } from '../../src/live/history.js';
import { LiveServer } from '../../src/live/server.js';
import { until } from '../support/process-harness.js';
import { type Listener, listen, openView } from './support.js';

/** Many connections that have sent `text` and nothing else. */
async function crowd(url: string, count: number, text: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () =>
    connect(Number(port), hostname)
      .on('error', () => {})
      .resume(),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) if (text !== '') socket.write(text);
  // One that the server has closed meanwhile has no handle any more, and counts as pending.
  await until(() => sockets.every(({ pending, destroyed }) => destroyed || !pending), 'connected sockets');
  return sockets;
}

/** Whether the server has let a page go, as far as is known by now. */
function hasEnded({ ended }: Listener): Promise<boolean> {
  return Promise.race([
    ended.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);
}

describe('connections without a token', () => {
  it.each([
    ['say nothing', ''],
    ['begin a request', 'GET /'],
    ['do not end their headers', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['do not end their body', 'POST /x/say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n'],
  ])('LV-28 do not lock the page out when they %s', async (_, text) => {
    const live = await openView();
    await crowd(live.url, 200, text);
    const page = await fetch(live.url);
    expect(page.status).toBe(200);
    await page.text();
    const listener = await listen(live.url);
    expect(listener.status).toBe(200);
    await crowd(live.url, 200, text);
    expect((await fetch(live.url)).status).toBe(200);
    expect(await hasEnded(listener)).toBe(false);
  });

  it('LV-28 end when their request has not arrived in time; a page stays', async () => {
    const token = 'a-token-of-a-test';
    const server = new LiveServer({
      port: 0,
      token,
      title: 'test',
      history: new History({ maxEvents: 10, maxSize: 1000 }),
      page: new Map(),
      keepAliveMs: 1000,
      stallMs: 1000,
      requestMs: 100,
      say: undefined,
      answer: () => false,
      examples: [],
      lookUp: () => undefined,
      fireAgain: () => '',
    });
    const { url } = await server.listen();
    onTestFinished(() => server.close());
    const listener = await listen(url);
    const sockets = [...(await crowd(url, 5, '')), ...(await crowd(url, 5, 'GET / HTTP/1.1\r\n'))];
    await until(
      () => sockets.every(({ readableEnded, destroyed }) => readableEnded || destroyed),
      'ended sockets',
    );
    expect(await hasEnded(listener)).toBe(false);
  });

  it('LV-28 are told once that there is nothing, and then let go', async () => {
    const live = await openView();
    const answer = await fetch(new URL('/nothing', live.url));
    expect(answer.status).toBe(404);
    expect(answer.headers.get('connection')).toBe('close');
    expect((await fetch(live.url)).headers.get('connection')).not.toBe('close');
  });
});
