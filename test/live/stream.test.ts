/** What pages are sent: everything once, and never more than they read. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventStream } from '../../src/live/event-stream.js';
import { History } from '../../src/live/history.js';
import type { LiveEvent } from '../../src/live/index.js';
import { until } from '../support/process-harness.js';
import { eventsIn, listen, makeLoop, makeRunner, openView } from './support.js';

const note = (text: string): LiveEvent => ({ type: 'note', agent: 'a', turn: 0, level: 'info', text, at: 0 });
const progress = (text: string): LiveEvent => ({ type: 'progress', hook: 'h', text, at: 0 });

const textsIn = (events: readonly LiveEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'note' || event.type === 'progress' ? [event.text] : []));

describe('history', () => {
  it('LV-13 keeps the latest, gives up output first, and knows what is gone', () => {
    const history = new History({ maxEvents: 8, maxSize: 1_000_000 });
    for (let i = 0; i < 4; i += 1) {
      history.add(note(`n${i}`));
      history.add(progress(`p${i}`));
    }
    expect([history.events.length, history.lost]).toEqual([8, 0]);
    history.add(note('n4'));
    expect(textsIn(history.events)).toEqual(['n0', 'n1', 'n2', 'p3', 'n3', 'n4'].toSorted(byFirst));
    expect(history.lost).toBe(0);
    for (let i = 5; i < 12; i += 1) history.add(note(`n${i}`));
    expect(textsIn(history.events).every((text) => text.startsWith('n'))).toBe(true);
    expect(textsIn(history.events).at(-1)).toBe('n11');
    expect(history.lost).toBeGreaterThan(0);
    expect(history.after(history.lost)?.event).toBe(history.events[0]);
    expect(history.after(history.lastId)).toBeUndefined();
  });

  it('LV-13 is bounded in size too, however large a single event is', () => {
    const history = new History({ maxEvents: 1000, maxSize: 10_000 });
    for (let i = 0; i < 100; i += 1) history.add(note('x'.repeat(1000)));
    expect(history.events.length).toBeLessThan(10);
    history.add(note('y'.repeat(50_000)));
    expect(history.events).toHaveLength(1);
  });
});

/** n0 p0 n1 p1 …: the order in which they were added. */
const byFirst = (a: string, b: string): number =>
  Number(a.slice(1)) - Number(b.slice(1)) || a.localeCompare(b, 'en');

describe('a page', () => {
  it('LV-13 that comes later, or comes back, is sent what it has not seen, once', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('Stop', { name: 'guard' }, () => undefined);
    const fire = () => runner.fire('Stop', { stop_hook_active: false });
    await fire();
    const first = await listen(live.url);
    const count = live.events.length;
    await until(() => eventsIn(first).length === count, 'the first events');
    expect(JSON.parse(first.received[0]?.data ?? '')).toMatchObject({ title: 'hookline', canSay: false });
    const last = first.received.at(-1)?.id;
    first.stop();
    await fire();
    const again = await listen(live.url, last);
    await until(() => eventsIn(again).length === live.events.length - count, 'what was missed');
    await fire();
    await until(() => eventsIn(again).length === live.events.length - count, 'what came then');
    expect([...eventsIn(first), ...eventsIn(again)]).toEqual(live.events);
    expect(again.received.some(({ name }) => name === 'gap')).toBe(false);
  });

  it('LV-13 is told when something is gone, and is not fooled by numbers of another server', async () => {
    const runner = makeRunner();
    const live = await openView({ maxEvents: 10 });
    live.watch(runner);
    runner.on('Stop', { name: 'guard' }, () => undefined);
    for (let i = 0; i < 20; i += 1) await runner.fire('Stop', { stop_hook_active: false });
    for (const id of [undefined, 'deadbeef-100000', 'nonsense', '-1']) {
      const page = await listen(live.url, id);
      await until(() => eventsIn(page).length === live.events.length, 'the events');
      expect(page.received.map(({ name }) => name).slice(0, 2)).toEqual(['hello', 'gap']);
    }
  });

  it('LV-14 is one of 32 at most', async () => {
    const live = await openView();
    const pages = await Promise.all(Array.from({ length: 32 }, () => listen(live.url)));
    expect(pages.map(({ status }) => status)).toEqual(Array(32).fill(200));
    expect((await listen(live.url)).status).toBe(503);
    pages[0]?.stop();
    // The server notices a little later that there is room again.
    let status = 503;
    while (status === 503) ({ status } = await listen(live.url));
    expect(status).toBe(200);
  });

  it('LV-14 that does not read is sent no more, and is let go; what it reads later is whole', async () => {
    const { response, incoming } = await connection();
    const history = new History({ maxEvents: 100_000, maxSize: 1_000_000_000 });
    const stream = new EventStream(response, { history, epoch: 'e', hello: {}, lastEventId: undefined });
    history.onAdd(() => stream.pump());
    incoming.pause();
    const total = 400;
    for (let i = 0; i < total; i += 1) history.add(note(`${i} ${'x'.repeat(50_000)}`));
    // Twenty megabytes have happened, and hardly any of it waits here.
    expect(response.writableLength).toBeLessThan(200_000);
    stream.keepAlive(60_000);
    expect(response.destroyed).toBe(false);
    let text = '';
    incoming.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    incoming.resume();
    await until(() => text.includes(`"${total - 1} x`) && text.endsWith('\n\n'), 'all of it');
    const texts = [...text.matchAll(/"text":"(\d+) /g)].map(([, number]) => Number(number));
    expect(texts).toEqual(Array.from({ length: total }, (_, i) => i));
    incoming.pause();
    for (let i = 0; i < total; i += 1) history.add(note('x'.repeat(50_000)));
    stream.keepAlive(0);
    expect(response.destroyed).toBe(true);
  });

  it('LV-15 has signs of life, and is told the end', async () => {
    const live = await openView({ keepAliveMs: 20 });
    const page = await listen(live.url);
    await until(() => page.comments >= 2, 'signs of life');
    await live.close();
    await page.ended;
    expect(page.received.at(-1)?.name).toBe('end');
  });

  it('LV-15 closing stops everything, twice is once, and nobody is waited for', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    const { loop } = makeLoop([{ text: 'Done.' }]);
    await listen(live.url);
    const idle = await fetch(live.url);
    const ask = live.canUseTool('ada');
    const answer = ask('Bash', {}, { signal: new AbortController().signal, toolUseID: 'x' });
    await Promise.all([live.close(), live.close()]);
    expect(await answer).toMatchObject({ behavior: 'deny' });
    expect(await ask('Bash', {}, { signal: new AbortController().signal, toolUseID: 'x' })).toMatchObject({
      behavior: 'deny',
    });
    expect(runner.messages.watched).toBe(false);
    await expect(fetch(live.url)).rejects.toThrow();
    await idle.body?.cancel();
    const before = live.events.length;
    for await (const _ of live.follow(loop.run('go')));
    expect(live.events).toHaveLength(before);
  });
});

/** Both ends of a real connection. */
async function connection(): Promise<{ response: ServerResponse; incoming: IncomingMessage }> {
  const server = createServer((_, response) => {
    response.writeHead(200).flushHeaders();
    server.emit('answering', response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const answering = once(server, 'answering') as Promise<[ServerResponse]>;
  const asked = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  asked.on('error', () => {});
  const [incoming] = (await once(asked, 'response')) as [IncomingMessage];
  incoming.on('error', () => {});
  const [response] = await answering;
  return { response, incoming };
}
