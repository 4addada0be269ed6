import { describe, expect, it } from 'vitest';
import { bash, gate, makeRunner, SAMPLES } from '../support/runner.js';
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
    const http = (url: string) =>
      ({ type: 'http', url, timeout: url.endsWith('/never') ? 0.2 : 15 }) as const;
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

  const PAGE = '<!DOCTYPE html><html><body>Please log in</body></html>';
  it.each([
    ['a web page', 'text/html', PAGE],
    ['a web page that is said to be text', 'text/plain', `\n${PAGE}`],
    ['a page without a beginning', 'text/html; charset=utf-8', 'Please log in'],
    ['a list', 'application/json', '[]'],
    ['a number', 'application/json', '7'],
    ['null', 'application/json', 'null'],
    ['a text in JSON', 'application/json', '"deny"'],
    ['half an answer', 'application/json', '{"decision":"bl'],
    ['a promise to answer later', 'application/json', '{"async":true}'],
    ['a promise with a time', 'application/json', '{\n  "async": true,\n  "asyncTimeout": 5\n}'],
    ['a misspelt decision', 'application/json', '{"descision":"block"}'],
  ])(
    'HT-18 %s is no answer: a guard that is set to block refuses, in both dialects',
    async (_, type, body) => {
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'content-type': type }).end(body),
      );
      for (const dialect of ['hookline', 'claude-code'] as const) {
        for (const event of ['PreToolUse', 'UserPromptSubmit'] as const) {
          const { runner } = makeRunner();
          runner.on(event, { dialect, onFailure: 'block' }, { type: 'http', url: server.origin });
          const outcome = await runner.fire(event, SAMPLES[event] as never);
          expect(outcome, `${dialect} ${event}`).toMatchObject({
            decision: 'deny',
            failures: [{ blocked: true }],
          });
          expect(outcome.additionalContext).toEqual([]);
        }
      }
    },
  );

  it('HT-18 text is no answer either, except where the dialect reads text', async () => {
    const server = await serve((_, response) => response.end('<note>Mind the step</note>'));
    const hook = { type: 'http', url: server.origin } as const;
    for (const [dialect, event, reads] of [
      ['hookline', 'PreToolUse', false],
      ['hookline', 'UserPromptSubmit', false],
      ['claude-code', 'PreToolUse', false],
      ['claude-code', 'UserPromptSubmit', true],
    ] as const) {
      const { runner } = makeRunner();
      runner.on(event, { dialect, onFailure: 'block' }, hook);
      const outcome = await runner.fire(event, SAMPLES[event] as never);
      expect(outcome.decision, `${dialect} ${event}`).toBe(reads ? undefined : 'deny');
      expect(outcome.additionalContext).toEqual(reads ? ['<note>Mind the step</note>'] : []);
    }
  });

  it('HT-2 HT-18 nothing, white space and 204 are no opinion', async () => {
    const server = await serve((request, response) =>
      request.url === '/204'
        ? response.writeHead(204).end()
        : response.end(request.url === '/space' ? ' \n' : ''),
    );
    for (const path of ['/', '/space', '/204']) {
      for (const dialect of ['hookline', 'claude-code'] as const) {
        const { runner } = makeRunner({ onFailure: 'block' });
        runner.on('PreToolUse', { dialect }, { type: 'http', url: server.origin + path });
        const outcome = await runner.fire('PreToolUse', bash());
        expect(outcome).toMatchObject({ failures: [], results: [{ outcome: 'success' }] });
        expect(outcome.decision).toBeUndefined();
      }
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
