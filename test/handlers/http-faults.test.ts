import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answered, ask, exited, freePort, serve, serveBytes } from './support.js';

describe('no answer', () => {
  it('HT-6 no server listens: the hook has not started, and the message names the place', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`;
    expect(await ask({ origin })).toEqual({
      kind: 'failed-to-start',
      message: `${origin} could not be asked: ECONNREFUSED`,
    });
  });

  it('HT-6 a host that does not exist', async () => {
    const completion = await ask({ origin: 'http://no-such-host.invalid' });
    expect(completion).toMatchObject({
      kind: 'failed-to-start',
      message: expect.stringMatching(/^http:\/\/no-such-host\.invalid could not be asked: \w+$/),
    });
  });

  it('HT-6 a server that hangs up without a word', async () => {
    const server = await serveBytes((socket) => socket.once('data', () => socket.destroy()));
    expect(await ask(server)).toMatchObject({ kind: 'failed-to-start' });
  });

  it('HT-6 something that does not speak HTTP, or speaks it in the clear where TLS is expected', async () => {
    const server = await serveBytes((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    expect(await ask(server)).toMatchObject({
      kind: 'failed-to-start',
      message: expect.stringContaining('does not answer in HTTP'),
    });
    expect(await ask({ origin: server.origin.replace('http:', 'https:') })).toMatchObject({
      kind: 'failed-to-start',
    });
  });

  it('HT-6 an answer that wants to speak another protocol', async () => {
    const server = await serveBytes((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
      ),
    );
    expect(await ask(server)).toMatchObject({ kind: 'failed-to-start' });
    await server.allClosed();
  });

  it('HT-7 an answer that breaks off is a failure, even if what came looks whole', async () => {
    const server = await serveBytes((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"decision":"block"}'),
      ),
    );
    expect(await ask(server)).toEqual(exited(1, '', expect.stringMatching(/^HTTP 200: .*broke off/)));
  });

  it('HT-7 so does one whose connection is reset', async () => {
    const server = await serveBytes((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n', () =>
          socket.resetAndDestroy(),
        ),
      ),
    );
    expect(await ask(server)).toMatchObject({ kind: 'exited', exitCode: 1, stdout: '' });
  });
});

describe('too much of an answer', () => {
  it('HT-8 more than 1 MiB ends the connection', async () => {
    let sent = 0;
    const server = await serve((_, response) => {
      const chunk = 'x'.repeat(64 * 1024);
      const more = (): unknown => {
        sent += chunk.length;
        return response.write(chunk, (error) => error ?? more());
      };
      more();
    });
    expect(await ask(server)).toEqual({
      kind: 'too-much-output',
      message: 'its answer is longer than 1048576 bytes',
    });
    await server.allClosed();
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('HT-8 exactly 1 MiB is fine', async () => {
    const body = 'x'.repeat(1024 * 1024);
    const server = await serve((_, response) => response.end(body));
    expect(await ask(server)).toEqual(answered(body));
  });

  it('HT-8 what counts is the size after unpacking', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(bomb.length).toBeLessThan(100_000);
    expect(await ask(server)).toMatchObject({ kind: 'too-much-output' });
  });

  it('HT-8 headers have a limit as well', async () => {
    const server = await serveBytes((socket) =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)),
    );
    expect(await ask(server)).toEqual({ kind: 'too-much-output', message: 'its headers are too long' });
    await server.allClosed();
  });
});
