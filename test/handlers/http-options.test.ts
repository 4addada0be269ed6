import { describe, expect, it } from 'vitest';
import { httpHook, isAllowedUrl } from '../../src/handlers/http/http.js';
import { checkHttpOptions, type HttpOptions } from '../../src/handlers/http/options.js';
import { makeRun, serve } from './support.js';

const SECRET = 'hunter2';
const check = (fields: Record<string, unknown>): HttpOptions => checkHttpOptions('PreToolUse', fields);

/** Braces around a name, as an author writes them. */
const braced = (name: string): string => `$\{${name}}`;

describe('variables in headers', () => {
  async function sent(options: Partial<HttpOptions>, env: Record<string, string>) {
    const server = await serve((_, response) => response.end('{}'));
    const completion = await httpHook({ url: server.origin, ...options }, { env })(makeRun());
    return { headers: server.requests[0]?.message.headers, completion };
  }

  it('HT-13 are filled in where they are allowed, in both spellings', async () => {
    const { headers, completion } = await sent(
      {
        headers: { Authorization: 'Bearer $TOKEN', 'x-both': `${braced('A')}-$B.` },
        allowedEnvVars: ['TOKEN', 'A', 'B'],
      },
      { TOKEN: SECRET, A: 'a', B: 'b' },
    );
    expect(headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'x-both': 'a-b.' });
    expect(completion).toMatchObject({ stderr: '' });
  });

  it('HT-13 are empty where they are not allowed or not set, which is noted without any value', async () => {
    const { headers, completion } = await sent(
      {
        headers: { Authorization: 'Bearer $TOKEN', 'x-unset': `[${braced('NOWHERE')}]` },
        allowedEnvVars: ['NOWHERE'],
      },
      { TOKEN: SECRET },
    );
    expect(headers).toMatchObject({ authorization: 'Bearer', 'x-unset': '[]' });
    expect(completion).toMatchObject({
      kind: 'exited',
      exitCode: 0,
      stdout: '{}',
      stderr:
        'header Authorization: $TOKEN is left empty, it is not in allowedEnvVars\n' +
        'header x-unset: $NOWHERE is left empty, it is not set',
    });
    expect(JSON.stringify(completion)).not.toContain(SECRET);
  });

  it('HT-13 a value is not looked at again: a variable that holds `$NAME` sends it as it is', async () => {
    const { headers } = await sent(
      { headers: { x: '$A' }, allowedEnvVars: ['A', 'B'] },
      { A: '$B', B: SECRET },
    );
    expect(headers?.['x']).toBe('$B');
  });

  it('HT-13 come from the process when the caller gives none', async () => {
    const server = await serve((_, response) => response.end());
    await httpHook({ url: server.origin, headers: { x: '$PATH' }, allowedEnvVars: ['PATH'] })(makeRun());
    expect(server.requests[0]?.message.headers['x']).toBe(process.env['PATH']);
  });

  it('HT-14 a value that no header can carry is a failure that does not show it', async () => {
    const server = await serve((_, response) => response.end());
    const options = { url: server.origin, headers: { 'x-key': '$KEY' }, allowedEnvVars: ['KEY'] };
    const completion = await httpHook(options, { env: { KEY: `${SECRET}\r\nx-evil: 1` } })(makeRun());
    expect(completion).toMatchObject({ kind: 'failed-to-start', message: expect.stringContaining('x-key') });
    expect(JSON.stringify(completion)).not.toContain(SECRET);
    expect(server.requests).toEqual([]);
  });

  it('HT-14 white space around a value is not sent', async () => {
    const { headers } = await sent(
      { headers: { x: '$KEY' }, allowedEnvVars: ['KEY'] },
      { KEY: `${SECRET}\n` },
    );
    expect(headers?.['x']).toBe(SECRET);
  });

  it('HT-15 no message shows more of an address than where it leads', async () => {
    const server = await serve((_, response) => response.writeHead(500).end());
    const url = `${server.origin}/services/${SECRET}?key=${SECRET}`;
    const failures = [
      await httpHook({ url })(makeRun()),
      await httpHook({ url, allowedUrls: [] })(makeRun()),
      await httpHook({ url: `http://127.0.0.1:9/${SECRET}` })(makeRun()),
    ];
    expect(failures.map(({ kind }) => kind)).toEqual(['exited', 'failed-to-start', 'failed-to-start']);
    expect(JSON.stringify(failures)).not.toContain(SECRET);
  });
});

describe('registration', () => {
  it('HT-16 keeps a copy of what it was given', () => {
    const headers: Record<string, string> = { x: '1' };
    const allowedEnvVars = ['A'];
    const options = check({ type: 'http', url: 'https://example.com/h', headers, allowedEnvVars });
    headers['x'] = '2';
    allowedEnvVars.push('B');
    expect(options).toMatchObject({
      url: 'https://example.com/h',
      headers: { x: '1' },
      allowedEnvVars: ['A'],
    });
  });

  it.each([
    ['no url', {}, 'url'],
    ['a url that is no text', { url: 7 }, 'url'],
    ['a path', { url: '/hook' }, 'absolute'],
    ['another protocol', { url: 'file:///etc/passwd' }, '"file:"'],
    ['a password in the url', { url: `https://me:${SECRET}@example.com/` }, 'password'],
    ['a user in the url', { url: `https://${SECRET}@example.com/` }, 'user name'],
    ['headers that are a list', { url: 'http://x', headers: ['a'] }, 'headers'],
    ['a header that is no text', { url: 'http://x', headers: { a: 1 } }, '"a"'],
    ['a bad name of a header', { url: 'http://x', headers: { 'a b': '1' } }, '"a b"'],
    ['a header that splits', { url: 'http://x', headers: { a: `${SECRET}\r\nb: 1` } }, '"a"'],
    ['a header that is ours', { url: 'http://x', headers: { 'Content-Length': '1' } }, 'Content-Length'],
    ['a header that is ours', { url: 'http://x', headers: { 'transfer-encoding': 'chunked' } }, 'transfer'],
    ['variables that are no list', { url: 'http://x', allowedEnvVars: 'A' }, 'allowedEnvVars'],
    ['addresses that are no list', { url: 'http://x', allowedUrls: [1] }, 'allowedUrls'],
  ])('HT-16 refuses %s, and does not repeat secrets', (_, fields, named) => {
    expect(() => check(fields)).toThrow(
      expect.objectContaining({ code: 'invalid_hook', message: expect.stringContaining(named) }),
    );
    expect(() => check(fields)).not.toThrow(SECRET);
    expect(() => check(fields)).toThrow('PreToolUse');
  });

  it('HT-16 the author may say what the content is', async () => {
    const server = await serve((_, response) => response.end());
    await httpHook({ url: server.origin, headers: { 'Content-Type': 'application/x-hook+json' } })(makeRun());
    expect(server.requests[0]?.message.headers['content-type']).toBe('application/x-hook+json');
  });
});

describe('the list of allowed addresses', () => {
  it.each([
    ['https://hooks.example.com/*', 'https://hooks.example.com/a/b?c=d', true],
    ['https://hooks.example.com/*', 'https://hooks.example.com/', true],
    ['https://hooks.example.com/*', 'http://hooks.example.com/a', false],
    ['https://hooks.example.com/*', 'https://hooks.example.com.evil.net/a', false],
    ['https://hooks.example.com/*', 'https://hooks.example.com:8443/a', false],
    ['https://hooks.example.com/a', 'https://hooks.example.com/a', true],
    ['https://hooks.example.com/a', 'https://hooks.example.com/ab', false],
    ['https://hooks.example.com/a/*', 'https://hooks.example.com/a/../b', false],
    ['https://*.example.com/*', 'https://a.b.example.com/x', true],
    ['https://*.example.com/*', 'https://elsewhere.net/.example.com/x', false],
    ['https://*.example.com/*', 'https://elsewhere.net?.example.com/x', false],
    ['http://localhost:*', 'http://localhost:8080/hooks', true],
    ['http://localhost:8080', 'http://localhost:8080/', true],
    ['http://localhost:8080', 'http://localhost:8080/hooks', false],
    ['https://EXAMPLE.com:443/*', 'https://example.com/x', true],
    ['*', 'http://anything.example/x', true],
    ['*://127.0.0.1:9/*', 'http://127.0.0.1:9/x', true],
    ['no pattern', 'http://example.com/', false],
  ])('HT-17 %s and %s: %s', (pattern, url, allowed) => {
    expect(isAllowedUrl(new URL(url), ['http://other.example/', pattern])).toBe(allowed);
  });

  it('HT-17 absent allows all, empty allows none, and what is not allowed is never asked', async () => {
    const server = await serve((_, response) => response.end());
    const url = `${server.origin}/hook`;
    expect(await httpHook({ url, allowedUrls: [] })(makeRun())).toMatchObject({
      kind: 'failed-to-start',
      message: expect.stringContaining('not among'),
    });
    expect(server.requests).toHaveLength(0);
    expect(await httpHook({ url, allowedUrls: [`${server.origin}/*`] })(makeRun())).toMatchObject({
      exitCode: 0,
    });
    expect(await httpHook({ url })(makeRun())).toMatchObject({ exitCode: 0 });
    expect(server.requests).toHaveLength(2);
  });
});
