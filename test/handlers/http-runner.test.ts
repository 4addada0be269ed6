import { describe, expect, it } from 'vitest';
import { bash, gate, makeRunner } from '../support/runner.js';
import { freePort, serve } from './support.js';

/** Answers by path; `/never` does not. */
const answers = () =>
  serve((request, response) => {
    if (request.url === '/deny') response.end('{"decision":"block","reason":"not on Fridays"}');
    else if (request.url === '/silent') response.writeHead(204).end();
    else if (request.url === '/text') response.end('just words');
    else if (request.url === '/500') response.writeHead(500).end('{"decision":"block"}');
  });

describe('http hooks under a runner', () => {
  it('HT-2 HT-4 HT-6 HT-9 each has one result and one response, in order', async () => {
    const server = await answers();
    const closed = `http://127.0.0.1:${await freePort()}`;
    const http = (url: string) => ({ type: 'http', url, timeout: 0.2 }) as const;
    const urls = ['/silent', '/deny', '/500', '/text', '/never'].map((path) => server.origin + path);
    const { runner, record } = makeRunner({
      hooks: { PreToolUse: [{ parallel: true, hooks: [...urls, closed].map(http) }] },
    });
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'not on Fridays' });
    expect(outcome.results.map(({ failure }) => failure?.kind)).toEqual([
      undefined,
      undefined,
      'exit-code',
      'invalid-output',
      'timed-out',
      'failed-to-start',
    ]);
    expect(record.messages.filter(({ subtype }) => subtype === 'hook_response')).toHaveLength(6);
    await server.allClosed();
  });

  it('HT-4 HT-6 a guard that cannot be asked blocks, if it is set to', async () => {
    const server = await answers();
    for (const url of [`${server.origin}/500`, `http://127.0.0.1:${await freePort()}`]) {
      const { runner } = makeRunner({
        hooks: { PreToolUse: [{ hooks: [{ type: 'http', url, onFailure: 'block' }] }] },
      });
      expect((await runner.fire('PreToolUse', bash())).decision).toBe('deny');
    }
  });

  it('HT-10 HT-11 disposing the runner closes what is open', async () => {
    const arrived = gate();
    const server = await serve(() => arrived.open());
    const { runner } = makeRunner({ hooks: { Stop: [{ hooks: [{ type: 'http', url: server.origin }] }] } });
    const outcome = runner.fire('Stop', { stop_hook_active: false });
    await arrived.passed;
    await runner.dispose();
    expect((await outcome).failures).toMatchObject([{ kind: 'aborted' }]);
    await server.allClosed();
    expect(await server.connections()).toBe(0);
  });
});
