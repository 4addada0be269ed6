import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Completion } from '../../src/hooks/completion.js';
import { httpHook } from '../../src/hooks/http.js';
import type { HttpOptions } from '../../src/hooks/http-options.js';
import { freePort, interpret, type Loopback, makeRun, serve, serveBytes } from './support.js';

const ask = async (
  server: Pick<Loopback, 'origin'>,
  options: Partial<HttpOptions> = {},
  run = makeRun(),
): Promise<Completion> => httpHook({ url: `${server.origin}/hook`, ...options })(run);

const exited = (exitCode: number, stdout: string, stderr: unknown = '') => ({
  kind: 'exited',
  exitCode,
  signal: undefined,
  stdout,
  stderr,
});

describe('the request', () => {
  it('HT-1 is a POST of the input as JSON, ended by a line feed, with its length', async () => {
    const server = await serve((_, response) => response.end());
    const run = makeRun({ tool_name: 'Bash', text: 'žluť 日本 🙂 "quoted" \\ \u0000' });
    await ask(server, {}, run);
    expect(server.requests).toHaveLength(1);
    const [{ message, body } = {}] = server.requests;
    expect(message).toMatchObject({ method: 'POST', url: '/hook' });
    expect(message?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(run.wire().byteLength),
      connection: 'close',
    });
    expect(await body).toBe(`${JSON.stringify(run.input)}\n`);
  });

  it('HT-1 keeps the query of its address', async () => {
    const server = await serve((_, response) => response.end());
    await ask(server, { url: `${server.origin}/a/b?c=d%20e` });
    expect(server.requests[0]?.message.url).toBe('/a/b?c=d%20e');
  });

  it('HT-1 carries a large input', async () => {
    const server = await serve((request, response) => {
      request.on('end', () => response.end());
    });
    const run = makeRun({ text: 'x'.repeat(3_000_000) });
    expect(await ask(server, {}, run)).toEqual(exited(0, ''));
    expect(await server.requests[0]?.body).toHaveLength(run.wire().byteLength);
  });
});

describe('a good answer', () => {
  it.each([
    ['JSON', 200, '{"decision":"block","reason":"no"}'],
    ['plain text', 200, 'remember the tests'],
    ['nothing', 200, ''],
    ['nothing, said with 204', 204, ''],
    ['JSON with another good status', 201, '{}'],
    ['text in many scripts', 200, 'žluť 日本 🙂'],
  ])('HT-2 %s is what a command would have printed with exit code 0', async (_, status, body) => {
    const server = await serve((_request, response) => response.writeHead(status).end(body));
    expect(await ask(server)).toEqual(exited(0, body));
  });

  it('HT-2 is read by the dialect: JSON decides, text is context where the event takes it', async () => {
    const server = await serve((request, response) =>
      response.end(request.url === '/deny' ? '{"decision":"block","reason":"not here"}' : 'some context'),
    );
    const deny = await ask(server, { url: `${server.origin}/deny` });
    expect(interpret('PreToolUse', deny)).toMatchObject({ decision: 'deny', reason: 'not here' });
    const text = await ask(server);
    expect(interpret('UserPromptSubmit', text).additionalContext).toBe('some context');
    expect(interpret('PreToolUse', text)).toEqual({ outcome: 'success' });
  });

  it('HT-2 does not depend on the content type, and comes as UTF-8', async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=latin1' }).end('{"reason":"é"}'),
    );
    expect(await ask(server)).toEqual(exited(0, '{"reason":"é"}'));
  });

  it('HT-2 may come in pieces that cut a character in two', async () => {
    const bytes = Buffer.from('{"reason":"日本"}');
    const server = await serve((_, response) => {
      response.write(bytes.subarray(0, 12), () => response.end(bytes.subarray(12)));
    });
    expect(await ask(server)).toEqual(exited(0, '{"reason":"日本"}'));
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('HT-3 is unpacked when it comes as %s', async (encoding, pack) => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('{"continue":false}')),
    );
    expect(await ask(server)).toEqual(exited(0, '{"continue":false}'));
  });

  it('HT-3 that is packed in a way nobody knows, or badly, is a failure', async () => {
    const server = await serve((request, response) => {
      const encoding = request.url === '/zip' ? 'gzip' : 'fancy';
      response.writeHead(200, { 'content-encoding': encoding }).end('{"decision":"block"}');
    });
    expect(await ask(server)).toEqual(exited(1, '', expect.stringContaining('compressed')));
    const broken = await ask(server, { url: `${server.origin}/zip` });
    expect(broken).toEqual(exited(1, '', expect.stringContaining('broke off')));
  });
});

describe('an answer that is not good', () => {
  it.each([
    [500, 'Internal Server Error'],
    [404, 'Not Found'],
    [400, 'Bad Request'],
    [403, 'Forbidden'],
  ])(
    'HT-4 status %d is a failure with the status in it, and its body decides nothing',
    async (status, title) => {
      const server = await serve((_, response) =>
        response.writeHead(status).end('{"decision":"block","reason":"no"}'),
      );
      const completion = await ask(server);
      expect(completion).toEqual(
        exited(1, '', expect.stringMatching(`^HTTP ${status} ${title}: .*decision`)),
      );
      const verdict = interpret('PreToolUse', completion);
      expect(verdict.decision).toBeUndefined();
      expect(verdict.failure).toMatchObject({
        kind: 'exit-code',
        message: expect.stringContaining(`HTTP ${status}`),
      });
    },
  );

  it('HT-4 of an endless error page only the beginning is read', async () => {
    const server = await serve((_, response) => {
      response.writeHead(502);
      const more = (): unknown => response.write('e'.repeat(10_000), (error) => error ?? more());
      more();
    });
    expect(await ask(server)).toEqual(
      exited(1, '', expect.stringMatching(/^HTTP 502 Bad Gateway: "e+"\.\.\.$/)),
    );
    await server.allClosed();
  });

  it.each([301, 302, 303, 307, 308])('HT-5 a redirect (%d) is not followed, and says so', async (status) => {
    const server = await serve((_, response) =>
      response.writeHead(status, { location: '/elsewhere' }).end('{"decision":"block"}'),
    );
    expect(await ask(server)).toEqual(exited(1, '', expect.stringMatching(`^HTTP ${status} .*not followed`)));
    expect(server.requests).toHaveLength(1);
  });
});

describe('no answer', () => {
  it('HT-6 nobody listens: the hook has not started, and the message names the place', async () => {
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
      message: 'its answer has more than 1048576 bytes',
    });
    await server.allClosed();
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('HT-8 exactly 1 MiB is fine', async () => {
    const body = 'x'.repeat(1024 * 1024);
    const server = await serve((_, response) => response.end(body));
    expect(await ask(server)).toEqual(exited(0, body));
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
