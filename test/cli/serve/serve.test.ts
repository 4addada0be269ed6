/** `hookline serve` as a process: a page, an agent behind it, and somebody who talks to it. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LiveEvent } from '../../../src/live/index.js';
import { eventsIn, type Listener, listen } from '../../live/support.js';
import { isRunning, until } from '../../support/process-harness.js';
import { logging, type Place, place } from '../run/support.js';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });
const says = (words: string) => ({ text: words });

function start(where: Place, args: readonly string[], env: Record<string, string> = {}) {
  const home = join(where.workspace, '..', 'home');
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    cwd: where.workspace,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      HOOKLINE_HOME: join(home, '.hookline'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece;
  });
  const err = text(child.stderr);
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    interrupt: () => child.kill('SIGINT'),
    lines: () => out.split('\n').slice(0, -1),
    err,
    code,
    url: async (): Promise<string> => {
      await until(() => out.includes('\n'), 'the address');
      return out.split('\n')[0] ?? '';
    },
  };
}

async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

type Kind<T extends LiveEvent['type']> = Extract<LiveEvent, { type: T }>;
const all = <T extends LiveEvent['type']>(page: Listener, type: T): Kind<T>[] =>
  eventsIn(page).filter((event): event is Kind<T> => event.type === type);

describe('serve', () => {
  it('LV-22 prints the address, works on a prompt, then on what is typed, and ends with Ctrl-C', async () => {
    const where = place();
    const settings = where.write('hooks.json', logging('Stop', 'SessionEnd'));
    where.write('turns.json', [says('One.'), says('Two.')]);
    const served = start(where, ['first', '--script', 'turns.json', '--settings', settings]);
    const url = await served.url();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    const page = await listen(url);
    await until(() => all(page, 'turn_end').length === 1, 'the first answer');
    expect(await post(`${url}say`, { text: 'second', to: 'main' })).toBe(200);
    await until(() => all(page, 'turn_end').length === 2, 'the second answer');
    expect(all(page, 'turn').map(({ prompt }) => prompt)).toEqual(['first', 'second']);
    expect(all(page, 'hook').map(({ event, turn }) => [event, turn])).toEqual([
      ['Stop', 1],
      ['Stop', 2],
    ]);
    expect(all(page, 'item').map(({ state }) => state)).toEqual(['queued', 'delivered']);
    await until(() => served.lines().length === 3, 'the answers');
    expect(served.lines().slice(1)).toEqual(['One.', 'Two.']);
    served.interrupt();
    expect([await served.code, await served.err]).toEqual([130, '']);
    await page.ended;
    expect(page.received.at(-1)?.name).toBe('end');
    expect(where.read('log.txt')).toBe('Stop\nStop\nSessionEnd\n');
  });

  it('RU-5 says on the page and on standard error which hooks do not run', async () => {
    const where = place();
    where.write('.claude/settings.json', { ...logging('Stop'), permissions: { allow: ['Bash'] } });
    where.write('turns.json', [says('One.')]);
    const served = start(where, ['--script', 'turns.json']);
    const page = await listen(await served.url());
    await until(() => all(page, 'note').length === 2, 'the notices');
    expect(all(page, 'note')).toMatchObject([
      {
        agent: 'main',
        level: 'warning',
        text: expect.stringContaining('Not run, because it is not approved'),
      },
      { agent: 'main', level: 'warning', text: expect.stringContaining('.claude/settings.json allows') },
    ]);
    served.interrupt();
    expect(await served.code).toBe(130);
    expect(await served.err).toContain('hookline trust approve');
  });

  it('LV-22 what is typed while the agent works reaches it in the middle of its work', async () => {
    const where = place();
    where.write('turns.json', [bash('touch begun; while ! test -e go; do sleep 0.05; done'), says('Done.')]);
    const served = start(where, ['go', '--script', 'turns.json', '--permission-mode', 'bypassPermissions']);
    const page = await listen(await served.url());
    await until(() => where.has('begun'), 'the tool');
    expect(await post(`${await served.url()}say`, { text: 'Hurry.', to: null })).toBe(200);
    where.write('go', '');
    await until(() => all(page, 'turn_end').length === 1, 'the end');
    expect(all(page, 'item').map(({ state, turn }) => [state, turn])).toEqual([
      ['queued', undefined],
      ['delivered', 1],
    ]);
    expect(all(page, 'turn').filter(({ turn }) => turn > 0)).toHaveLength(1);
    served.interrupt();
    expect(await served.code).toBe(130);
  });

  it('LV-22 asks on the page whether a tool may run', async () => {
    const where = place();
    where.write('turns.json', [bash('touch yes'), bash('touch no'), says('Done.')]);
    const served = start(where, ['go', '--script', 'turns.json']);
    const url = await served.url();
    const page = await listen(url);
    for (const [i, answer] of ['yes', 'no'].entries()) {
      await until(() => all(page, 'question').length === i + 1, 'the question');
      const question = all(page, 'question')[i]?.question;
      expect(await post(`${url}answer`, { question, answer })).toBe(200);
    }
    await until(() => all(page, 'turn_end').length === 1, 'the end');
    expect([where.has('yes'), where.has('no')]).toEqual([true, false]);
    served.interrupt();
    expect(await served.code).toBe(130);
  });

  it('LV-22 Ctrl-C ends a tool that runs', async () => {
    const where = place();
    where.write('turns.json', [bash('echo $$ > pid; sleep 100'), says('Never.')]);
    const served = start(where, ['go', '--script', 'turns.json', '--permission-mode', 'bypassPermissions']);
    await until(() => where.has('pid') && where.read('pid').trim() !== '', 'the tool');
    served.interrupt();
    expect(await served.code).toBe(130);
    await until(() => !isRunning(Number(where.read('pid'))), 'the end of the tool');
  });

  it('LV-39 lists the fires of recordings, and says which lines it cannot read', async () => {
    const where = place();
    where.write('turns.json', [says('One.')]);
    const fire = {
      version: 1,
      at: '2026-01-05T10:00:00Z',
      event: 'Stop',
      input: { stop_hook_active: false },
    };
    where.write('monday.jsonl', `${JSON.stringify(fire)}\nhalf a li`);
    const served = start(where, ['--script', 'turns.json', '--recording', 'monday.jsonl']);
    const page = await listen(await served.url());
    await until(() => all(page, 'earlier').length === 1, 'the fire');
    expect(all(page, 'earlier')).toMatchObject([
      { agent: 'monday.jsonl', event: 'Stop', at: Date.parse(fire.at) },
    ]);
    await until(
      () => all(page, 'note').some(({ text: said }) => said.includes('monday.jsonl:2')),
      'the notice',
    );
    served.interrupt();
    expect(await served.code).toBe(130);
    expect(await served.err).toContain('monday.jsonl:2: This is not valid JSON');
  });

  it('LV-23 takes the port that is given; what is wrong with a call is said before anything runs', async () => {
    const where = place();
    where.write('turns.json', [says('One.')]);
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = String(typeof address === 'object' ? address?.port : 0);
    const script = ['--script', 'turns.json'];
    const wrong: readonly (readonly [args: readonly string[], words: string])[] = [
      [[...script, '--port', port], `port ${port}`],
      [[...script, '--port', 'http'], '--port'],
      [[...script, '--port', '70000'], '--port'],
      [['--script', 'missing.json'], 'missing.json'],
      [[...script, '--recording', 'missing.jsonl'], 'missing.jsonl'],
      [[...script, '--output-format', 'json'], '--output-format'],
    ];
    for (const [args, words] of wrong) {
      const served = start(where, args);
      expect([await served.code, served.lines()]).toEqual([64, []]);
      expect(await served.err).toContain(words);
    }
    await new Promise((resolve) => taken.close(resolve));
    const served = start(where, [...script, '--port', port]);
    expect(new URL(await served.url()).port).toBe(port);
    served.interrupt();
    expect(await served.code).toBe(130);
  });

  it('LV-23 --open hands the browser an address that others cannot use after it; without a browser it is said', async () => {
    const where = place();
    where.write('turns.json', [says('One.')]);
    const opener = where.write('bin/xdg-open', '#!/bin/sh\necho "$1" > opened\n');
    const PATH = `${dirname(opener)}${delimiter}${process.env['PATH']}`;
    const served = start(where, ['--script', 'turns.json', '--open'], { PATH });
    const url = await served.url();
    await until(() => where.has('opened') && where.read('opened').includes('\n'), 'the browser');
    const opened = where.read('opened').trim();
    expect(opened).not.toContain(new URL(url).pathname);
    expect((await fetch(opened)).url).toBe(url);
    expect((await fetch(opened)).status).toBe(404);
    served.interrupt();
    expect(await served.code).toBe(130);

    const without = start(where, ['--script', 'turns.json', '--open'], {
      PATH: join(where.workspace, 'nothing'),
    });
    await without.url();
    expect((await fetch(await without.url())).status).toBe(200);
    without.interrupt();
    expect(await without.code).toBe(130);
    expect(await without.err).toContain('browser');
  });
});
