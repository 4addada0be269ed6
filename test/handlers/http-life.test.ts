import { describe, expect, it } from 'vitest';
import { CANCELLED } from '../../src/handlers/cancellation.js';
import { httpHook } from '../../src/handlers/http/http.js';
import { gate } from '../support/runner.js';
import { heldResources, makeRun, serve, serveBytes } from './support.js';

describe('the deadline', () => {
  it.each([
    ['the headers', () => {}],
    ['the rest of the headers', (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\nx: y\r\n')],
    [
      'the rest of the body',
      (write: (text: string) => void) => write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"'),
    ],
  ])('HT-9 ends a hook that waits for %s, and its connection', async (_, begin) => {
    const server = await serveBytes((socket) =>
      socket.once('data', () => begin((text) => socket.write(text))),
    );
    const started = performance.now();
    const completion = await httpHook({ url: server.origin })(makeRun({}, { timeoutMs: 80 }));
    expect(completion).toEqual({ kind: 'timed-out', timeoutMs: 80 });
    expect(performance.now() - started).toBeLessThan(15_000);
    await server.allClosed();
    expect(await server.connections()).toBe(0);
  });

  it('HT-9 ends a hook whose input is not read', async () => {
    const server = await serveBytes((socket) => socket.pause());
    const run = makeRun({ text: 'x'.repeat(30_000_000) }, { timeoutMs: 80 });
    expect(await httpHook({ url: server.origin })(run)).toEqual({ kind: 'timed-out', timeoutMs: 80 });
  });

  it('HT-9 ends a hook whose body trickles in for ever', async () => {
    const server = await serve((_, response) => {
      const trickle = (): void => {
        if (!response.destroyed) response.write('.', () => setImmediate(trickle));
      };
      trickle();
    });
    const completion = await httpHook({ url: server.origin })(makeRun({}, { timeoutMs: 80 }));
    expect(completion.kind).toBe('timed-out');
    await server.allClosed();
  });
});

describe('the end of a fire', () => {
  it('HT-10 aborts the request and closes its connection', async () => {
    const arrived = gate();
    const server = await serve(() => arrived.open());
    const run = makeRun();
    const completion = httpHook({ url: server.origin })(run);
    await arrived.passed;
    run.cancellation.cancel();
    expect(await completion).toEqual({ kind: 'aborted' });
    await server.allClosed();
  });

  it('HT-10 before it has begun: nothing is sent', async () => {
    const server = await serve((_, response) => response.end());
    const run = makeRun({}, { cancellation: CANCELLED });
    expect(await httpHook({ url: server.origin })(run)).toEqual({ kind: 'aborted' });
    expect(server.requests).toEqual([]);
  });

  it('HT-10 after the answer it changes nothing', async () => {
    const server = await serve((_, response) => response.end('{}'));
    const run = makeRun();
    const completion = await httpHook({ url: server.origin })(run);
    run.cancellation.cancel();
    expect(completion).toMatchObject({ kind: 'exited', stdout: '{}' });
  });
});

describe('connections', () => {
  it('HT-11 each run has its own, and none is left after the answer', async () => {
    const before = heldResources().length;
    const server = await serve((_, response) => response.end('{}'));
    const hook = httpHook({ url: server.origin });
    const completions = await Promise.all(Array.from({ length: 20 }, () => hook(makeRun())));
    expect(completions.every(({ kind }) => kind === 'exited')).toBe(true);
    await server.allClosed();
    expect(await server.connections()).toBe(0);
    expect(server.requests).toHaveLength(20);
    await expect.poll(() => heldResources().length).toBeLessThanOrEqual(before);
  });

  it('HT-11 nor after failures of every kind', async () => {
    const before = heldResources().length;
    const server = await serve((request, response) => {
      if (request.url === '/500') response.writeHead(500).end('x');
      else if (request.url === '/302') response.writeHead(302, { location: '/' }).end();
      else if (request.url === '/cut')
        response.writeHead(200, { 'content-length': 9 }).write('x', () => request.destroy());
      else if (request.url === '/big') response.end('x'.repeat(2_000_000));
    });
    const paths = ['/500', '/302', '/cut', '/big', '/never'];
    const completions = await Promise.all(
      paths.map((path) =>
        httpHook({ url: server.origin + path })(makeRun({}, { timeoutMs: path === '/never' ? 150 : 15_000 })),
      ),
    );
    expect(completions.map(({ kind }) => kind)).toEqual([
      'exited',
      'exited',
      'exited',
      'too-much-output',
      'timed-out',
    ]);
    await server.allClosed();
    await expect.poll(() => heldResources().length).toBeLessThanOrEqual(before);
  });

  it('HT-12 nothing is thrown: an input that cannot be written is a value too', async () => {
    const wire = (): Uint8Array => {
      throw new Error('not JSON');
    };
    const completion = await httpHook({ url: 'http://127.0.0.1:9' })(makeRun({}, { wire }));
    expect(completion).toMatchObject({ kind: 'threw', error: { message: 'not JSON' } });
  });
});
