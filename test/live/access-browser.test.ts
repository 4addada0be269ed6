/** Who may change something, seen from real browsers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createMailbox } from '../../src/injection/index.js';
import { type Browser, missingBrowser, startBrowser } from './browser.js';
import { eventsOf, makeRunner, openView } from './support.js';

let own: Browser;
let other: Browser;

async function watched() {
  const runner = makeRunner();
  const mailbox = createMailbox({ agents: ['ada'] });
  const live = await openView({ mailbox, examples: ['! ls'] });
  live.watch(runner);
  let runs = 0;
  runner.on('PreToolUse', { name: 'guard' }, () => {
    runs += 1;
  });
  await runner.fire('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'a' });
  const fire = eventsOf(live, 'fire')[0]?.fire ?? '';
  return { live, mailbox, fire, runs: () => runs };
}

/** A page of another origin on this machine, as another program or user could serve it. */
async function foreignPage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>foreign</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(missingBrowser !== undefined)(
  `access in Chromium${missingBrowser ? ` (${missingBrowser})` : ''}`,
  () => {
    beforeAll(async () => {
      [own, other] = await Promise.all([startBrowser(), startBrowser()]);
    }, 60_000);
    afterAll(() => Promise.all([own?.close(), other?.close()]));

    it('LV-40 the address that a browser shows writes in that browser, and only watches in another one', async () => {
      const { live, fire, runs } = await watched();
      const { page, problems } = await own.open(`${live.url}#fire-${fire}`);
      await expect.poll(() => page.url()).toBe(`${live.watchUrl}#fire-${fire}`);
      await page.reload();
      await page.getByRole('button', { name: 'Fire again' }).click();
      await page.getByRole('link', { name: 'the first time' }).waitFor();
      expect(runs()).toBe(2);
      expect(await page.locator('#say').isVisible()).toBe(true);
      expect(problems).toEqual([]);

      const { page: watching } = await other.open(page.url());
      await watching.getByText('live, watching only').waitFor();
      await watching.getByRole('link', { name: 'the first time' }).waitFor();
      expect(await watching.getByRole('button', { name: 'Fire again' }).isVisible()).toBe(false);
      expect(await watching.locator('#say').isVisible()).toBe(false);
      const refused = await watching.evaluate<number>(`fetch('fire', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ fire: '${fire}' }),
      }).then(({ status }) => status)`);
      expect(refused).toBe(403);
      expect(runs()).toBe(2);
    });

    it('LV-40 who only watches sees a question, and cannot answer it', async () => {
      const { live } = await watched();
      const stop = new AbortController();
      const answer = live.canUseTool('ada')('Bash', { command: 'ls' }, {
        signal: stop.signal,
        toolUseID: 'b',
        agentID: 'ada',
      } as never);
      const { page } = await other.open(live.watchUrl);
      const question = page.getByRole('group', { name: 'ada wants to use Bash' });
      await question.waitFor();
      await expect.poll(() => question.getByRole('button').count()).toBe(0);
      stop.abort();
      await expect(answer).resolves.toMatchObject({ behavior: 'deny' });
    });

    it('LV-4 LV-5 another page in the same browser can neither read nor change anything, even if it knows the address', async () => {
      const { live, mailbox, fire, runs } = await watched();
      const { page } = await own.open(live.url);
      await expect.poll(() => page.url()).toBe(`${live.watchUrl}`);
      const { page: foreign } = await own.open(await foreignPage());
      const results = await foreign.evaluate<Record<string, string>>(`(async () => {
        const url = ${JSON.stringify(live.url)};
        const attempt = (promise) => promise.then((r) => r.type + ' ' + r.status, () => 'failed');
        const post = (name, body, options) => attempt(fetch(url + name, { method: 'POST', body, ...options }));
        const fire = JSON.stringify({ fire: '${fire}' });
        const json = { headers: { 'content-type': 'application/json' } };
        const form = document.createElement('form');
        const frame = document.createElement('iframe');
        frame.name = 'target';
        document.body.append(form, frame);
        Object.assign(form, { method: 'post', action: url + 'fire', enctype: 'text/plain', target: 'target' });
        form.innerHTML = '<input name=\\'{"fire":"${fire}","x":"\\' value=\\'"}\\'>';
        const loaded = new Promise((resolve) => { frame.onload = resolve; });
        form.submit();
        await loaded;
        const stream = new EventSource(url + 'events');
        const streamed = await new Promise((resolve) => {
          stream.addEventListener('hello', () => resolve('read'));
          stream.onerror = () => resolve('failed');
        });
        return {
          json: await post('fire', fire, json),
          plain: await post('fire', fire, { mode: 'no-cors' }),
          say: await post('say', JSON.stringify({ text: 'hi', to: null }), { mode: 'no-cors' }),
          read: await attempt(fetch(url + 'fires.jsonl')),
          opaque: await attempt(fetch(url + 'fires.jsonl', { mode: 'no-cors' })),
          beacon: String(navigator.sendBeacon(url + 'fire', new Blob([fire], { type: 'text/plain' }))),
          streamed,
        };
      })()`);
      expect(results).toMatchObject({ json: 'failed', read: 'failed', opaque: 'failed', streamed: 'failed' });
      expect(runs()).toBe(1);
      expect(await mailbox.pending('ada')).toEqual([]);
    });
  },
);
