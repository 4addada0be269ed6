import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answered, ask, exited, interpret, makeRun, serve } from './support.js';

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
    expect(await ask(server, {}, run)).toEqual(answered(''));
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
    expect(await ask(server)).toEqual(answered(body));
  });

  it('HT-2 HT-18 is read by the dialect: JSON decides, text is context where the event takes it', async () => {
    const server = await serve((request, response) =>
      response.end(request.url === '/deny' ? '{"decision":"block","reason":"not here"}' : 'some context'),
    );
    const deny = await ask(server, { url: `${server.origin}/deny` });
    expect(interpret('PreToolUse', deny)).toMatchObject({ decision: 'deny', reason: 'not here' });
    const text = await ask(server);
    expect(interpret('UserPromptSubmit', text).additionalContext).toBe('some context');
    expect(interpret('PreToolUse', text).failure?.kind).toBe('invalid-output');
  });

  it('HT-2 does not depend on the content type, and comes as UTF-8', async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=latin1' }).end('{"reason":"é"}'),
    );
    expect(await ask(server)).toEqual(answered('{"reason":"é"}'));
  });

  it('HT-2 may come in pieces that cut a character in two', async () => {
    const bytes = Buffer.from('{"reason":"日本"}');
    const server = await serve((_, response) => {
      response.write(bytes.subarray(0, 12), () => response.end(bytes.subarray(12)));
    });
    expect(await ask(server)).toEqual(answered('{"reason":"日本"}'));
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('HT-3 is unpacked when it comes as %s', async (encoding, pack) => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('{"continue":false}')),
    );
    expect(await ask(server)).toEqual(answered('{"continue":false}'));
  });

  it('HT-3 that is packed in an unknown way, or badly, is a failure', async () => {
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
