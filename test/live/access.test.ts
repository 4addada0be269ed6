/** Who may open the page and talk to it. */
import { request } from 'node:http';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMailbox } from '../../src/injection/index.js';
import { startLiveView } from '../../src/live/index.js';
import { listen, openView } from './support.js';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends exactly what is asked for; `fetch` would not send a Host of our own. */
function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const words = JSON.stringify({ text: 'hello', to: null });

describe('the server', () => {
  it('LV-1 listens on this machine only', async () => {
    const live = await openView();
    const { hostname, port } = new URL(live.url);
    expect(hostname).toBe('127.0.0.1');
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    for (const { address } of others)
      await expect(send(`http://${address}:${port}/`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('LV-1 takes the port that is given, and says when it cannot be had', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(startLiveView({ port })).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(`port ${port}`),
    });
    await new Promise((resolve) => taken.close(resolve));
    expect(new URL((await openView({ port })).url).port).toBe(String(port));
  });

  it.each([
    [{ token: 'short' }, 'token'],
    [{ token: 'sixteen letters/and more' }, 'token'],
    [{ port: 65_536 }, 'port'],
    [{ port: 1.5 }, 'port'],
    [{ maxEvents: 0 }, 'maxEvents'],
    [{ keepAliveMs: Number.NaN }, 'keepAliveMs'],
  ])('LV-1 refuses %j', async (options, what) => {
    await expect(startLiveView(options)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(what),
    });
  });

  it('LV-2 draws a token of its own for each view, and opens nothing without it', async () => {
    const live = await openView();
    const other = await openView();
    const { origin, pathname } = new URL(live.url);
    expect(pathname).toMatch(/^\/[\w-]{32}\/$/);
    expect(pathname).not.toBe(new URL(other.url).pathname);
    const token = pathname.slice(1, -1);
    const wrong = `${token.startsWith('a') ? 'b' : 'a'}${token.slice(1)}`;
    const paths = [
      '/',
      '/app.js',
      '/events',
      '/say',
      `/${wrong}/`,
      `/${wrong}/events`,
      `/${token}x/`,
      `/${token.slice(1)}/`,
      '//',
      '/%00/',
    ];
    for (const path of paths) {
      const { status, body } = await send(`${origin}${path}`);
      expect([path, status, body.includes(token)]).toEqual([path, 404, false]);
    }
    expect(
      (await send(`${origin}/${wrong}/say`, { method: 'POST', headers: JSON_HEADERS, body: words })).status,
    ).toBe(404);
    expect((await send(live.url)).status).toBe(200);
    expect((await send(`${live.url}nothing`)).status).toBe(404);
    expect((await send(`${live.url}../../package.json`)).status).toBe(404);
    const bare = await send(live.url.slice(0, -1));
    expect([bare.status, bare.headers['location']]).toEqual([303, pathname]);
  });

  it('LV-3 answers to its own name only', async () => {
    const live = await openView({ mailbox: createMailbox() });
    const { port } = new URL(live.url);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${port}`,
    ])
      for (const path of ['', 'events', 'app.js'])
        expect([host, (await send(`${live.url}${path}`, { headers: { host } })).status]).toEqual([host, 403]);
    const headers = { ...JSON_HEADERS, host: `evil.example:${port}` };
    expect((await send(`${live.url}say`, { method: 'POST', headers, body: words })).status).toBe(403);
    expect((await send(live.url, { headers: { host: `localhost:${port}` } })).status).toBe(200);
  });

  it('LV-4 takes words only as JSON from the page itself or from a program', async () => {
    const mailbox = createMailbox({ agents: ['ada'] });
    const live = await openView({ mailbox });
    const { origin } = new URL(live.url);
    const say = async (headers: Record<string, string>) =>
      (await send(`${live.url}say`, { method: 'POST', headers, body: words })).status;
    expect(await say({ ...JSON_HEADERS, origin: 'http://evil.example' })).toBe(403);
    expect(await say({ ...JSON_HEADERS, origin: 'null' })).toBe(403);
    expect(await say({ ...JSON_HEADERS, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await say({ ...JSON_HEADERS, 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await say({ 'content-type': 'text/plain' })).toBe(415);
    expect(await say({ 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
    expect(await mailbox.pending('ada')).toEqual([]);
    expect(await say({ ...JSON_HEADERS, origin, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await say(JSON_HEADERS)).toBe(200);
    expect(await mailbox.pending('ada')).toHaveLength(2);
    const asked = await send(`${live.url}say`, {
      method: 'OPTIONS',
      headers: { origin: 'http://evil.example' },
    });
    expect(asked.status).toBe(404);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await send(`${live.url}say`, { method })).status).toBe(404);
  });

  it('LV-40 the other address shows everything and changes nothing, and does not tell the token', async () => {
    const mailbox = createMailbox({ agents: ['ada'] });
    const live = await openView({ mailbox, token: 'a-token-that-is-long-enough' });
    const again = await openView({ token: 'a-token-that-is-long-enough' });
    expect(new URL(live.watchUrl).pathname).toMatch(/^\/[\w-]{32}\/$/);
    expect(new URL(again.watchUrl).pathname).toBe(new URL(live.watchUrl).pathname);
    for (const path of ['', 'app.js', 'hooks', 'fires.jsonl']) {
      const { status, body } = await send(`${live.watchUrl}${path}`);
      expect([path, status, body.includes('a-token-that')]).toEqual([path, 200, false]);
    }
    const watching = await listen(live.watchUrl);
    await expect.poll(() => watching.received[0]?.data).toContain('"canSay":true');
    expect(watching.received[0]?.data).not.toContain('a-token-that');
    const bare = await send(live.watchUrl.slice(0, -1));
    expect([bare.status, bare.headers['location']]).toEqual([303, new URL(live.watchUrl).pathname]);
    for (const name of ['say', 'answer', 'fire']) {
      const refused = await send(`${live.watchUrl}${name}`, {
        method: 'POST',
        headers: JSON_HEADERS,
        body: words,
      });
      expect([name, refused.status]).toEqual([name, 403]);
      expect(refused.body).toContain('only watches');
    }
    expect(await mailbox.pending('ada')).toEqual([]);
  });

  it('LV-5 lets the page load nothing else, and other pages read nothing', async () => {
    const live = await openView();
    for (const path of ['', 'app.js', 'style.css', 'nothing']) {
      const { headers } = await send(`${live.url}${path}`, { headers: { origin: 'http://evil.example' } });
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const { body } = await send(live.url);
    expect(body).not.toMatch(/https?:|\son\w+=|style=|<script>|<style/);
  });

  it('LV-6 an invitation opens the page once, and not for long', async () => {
    const live = await openView();
    const { pathname } = new URL(live.url);
    const once = live.invite();
    expect(once).not.toContain(pathname);
    const first = await send(once);
    expect([first.status, first.headers['location']]).toEqual([303, pathname]);
    expect((await send(once)).status).toBe(404);
    const late = live.invite();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 60_001);
    onTestFinished(() => void vi.restoreAllMocks());
    expect((await send(late)).status).toBe(404);
  });
});
