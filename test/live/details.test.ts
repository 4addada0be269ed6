/** What pages ask for: details of a fire, the loaded hooks, a recording; and fires that are repeated. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadHooklineConfig, rewrite } from '../../src/index.js';
import type { LiveView } from '../../src/live/index.js';
import { loadTests } from '../../src/testing/hook-tests/load.js';
import { readRecording } from '../../src/testing/recording/read.js';
import { until } from '../support/process-harness.js';
import { bash } from '../support/runner.js';
import { eventsOf, makeGate, makeLoop, makeRunner, openView } from './support.js';

function tempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const get = async (live: LiveView, name: string) => {
  const response = await fetch(new URL(name, live.url));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const detailsOf = async (live: LiveView, fire: string | undefined) =>
  JSON.parse((await get(live, `fires/${fire}`)).text);

const post = (live: LiveView, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL('fire', live.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function guarded() {
  const runner = makeRunner();
  const live = await openView();
  live.watch(runner);
  let runs = 0;
  runner.on('PreToolUse', { name: 'guard', matcher: 'Bash' }, (input) => {
    runs += 1;
    return String(input.tool_input['command']).includes('rm')
      ? { decision: 'block', reason: 'no deleting' }
      : undefined;
  });
  const fire = async (command: string): Promise<string> => {
    await runner.fire('PreToolUse', { ...bash(), tool_input: { command }, tool_use_id: 'call' });
    return eventsOf(live, 'fire').at(-1)?.fire ?? '';
  };
  return { runner, live, fire, runs: () => runs };
}

describe('details of a fire', () => {
  it('LV-33 has its input, and which hooks of the event do not run and why', async () => {
    const { runner, live, fire } = await guarded();
    runner.on('PreToolUse', { name: 'formatter', matcher: 'Write' }, () => undefined);
    const details = await detailsOf(live, await fire('rm -rf build'));
    expect(details.input).toContain('command: rm -rf build');
    expect(details.left).toEqual([{ name: 'formatter', why: 'its matcher is "Write"' }]);
    expect(details.rewrites).toEqual([]);
    expect((await get(live, 'fires/nothing')).status).toBe(404);
  });

  it('LV-33 compares what hooks rewrote, line by line', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('PreToolUse', { name: 'rewriter' }, () =>
      rewrite({ file_path: 'a', content: 'one\n2\nthree' }),
    );
    await runner.fire('PreToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: 'a', content: 'one\ntwo\nthree' },
      tool_use_id: 'call',
    });
    const { rewrites } = await detailsOf(live, eventsOf(live, 'fire')[0]?.fire);
    expect(rewrites).toHaveLength(1);
    expect(rewrites[0].field).toBe('tool_input');
    expect(rewrites[0].hunks[0].lines.filter((line: string) => !line.startsWith(' '))).toEqual([
      '-  two',
      '+  2',
    ]);
  });

  it('LV-33 shows a fire in which no hook ran, if its event has hooks', async () => {
    const { runner, live } = await guarded();
    await runner.fire('PreToolUse', { tool_name: 'Read', tool_input: {}, tool_use_id: 'call' });
    await runner.fire('Stop', { stop_hook_active: false });
    const passed = eventsOf(live, 'passed');
    expect(passed.map(({ event, subject }) => [event, subject])).toEqual([['PreToolUse', 'Read']]);
    expect((await detailsOf(live, passed[0]?.fire)).left).toMatchObject([{ name: 'guard' }]);
  });

  it('LV-32 knows where a hook is defined, and calls it by its command line', async () => {
    const folder = tempDir();
    writeFileSync(
      join(folder, 'hookline.yaml'),
      'hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: "true"\n',
    );
    const runner = makeRunner();
    const live = await openView({ cwd: folder });
    live.watch(runner);
    runner.use(await loadHooklineConfig({ cwd: folder, configDir: folder, trust: 'workspace' }));
    await runner.fire('Stop', { stop_hook_active: false });
    expect(eventsOf(live, 'hook')).toMatchObject([{ name: 'true', place: 'hookline.yaml:4' }]);
    expect(JSON.parse((await get(live, 'hooks')).text)).toEqual([
      { event: 'Stop', name: 'true', place: 'hookline.yaml:4' },
    ]);
  });

  it('LV-38 reports what a turn has used and what the session has cost', async () => {
    const runner = makeRunner();
    const live = await openView();
    const { loop } = makeLoop([{ text: 'hi', usage: { inputTokens: 10, outputTokens: 5 } }], {
      hooks: runner,
    });
    for await (const _ of live.follow(loop.run('hello')));
    expect(eventsOf(live, 'turn_end')[0]?.spent).toEqual({ inputTokens: 10, outputTokens: 5, sessionUsd: 0 });
  });
});

describe('saving', () => {
  it('LV-35 gives all fires as a recording that replay reads', async () => {
    const { live, fire } = await guarded();
    await fire('rm -rf build');
    await fire('ls');
    const { text, headers } = await get(live, 'fires.jsonl');
    expect(headers.get('content-disposition')).toBe('attachment; filename="fires.jsonl"');
    const file = join(tempDir(), 'fires.jsonl');
    writeFileSync(file, text);
    const { fires, problems } = await readRecording(file);
    expect(problems).toEqual([]);
    expect(fires.map(({ event, outcome }) => [event, outcome?.decision, outcome?.reason])).toEqual([
      ['PreToolUse', 'deny', 'no deleting'],
      ['PreToolUse', undefined, undefined],
    ]);
  });

  it('LV-35 gives a fire as a hook test that can be read', async () => {
    const { live, fire } = await guarded();
    const { text } = await get(live, `fires/${await fire('rm -rf build')}.yaml`);
    const file = join(tempDir(), 'hookline.test.yaml');
    writeFileSync(file, text);
    expect(await loadTests(file)).toMatchObject([
      {
        name: 'PreToolUse Bash deny',
        test: {
          event: 'PreToolUse',
          input: { tool_name: 'Bash', tool_input: { command: 'rm -rf build' } },
          expect: { decision: 'deny', reason: 'no deleting' },
        },
      },
    ]);
    expect(text).not.toContain('tool_use_id');
  });
});

describe('earlier sessions', () => {
  it('LV-39 are listed from a recording, with their differences, and can be fired again at the hooks of today', async () => {
    const first = await guarded();
    await first.fire('rm -rf build');
    const file = join(tempDir(), 'monday.jsonl');
    writeFileSync(file, `${(await get(first.live, 'fires.jsonl')).text}not a fire\n`);
    const { live, runs } = await guarded();
    expect(await live.showRecording(file)).toMatchObject([{ line: 2 }]);
    const [earlier] = eventsOf(live, 'earlier');
    expect(earlier).toMatchObject({
      agent: 'monday.jsonl',
      event: 'PreToolUse',
      subject: 'Bash',
      decision: 'deny',
      reason: 'no deleting',
      failures: [],
    });
    expect((await detailsOf(live, earlier?.fire)).canFire).toBe(true);
    expect((await post(live, { fire: earlier?.fire })).status).toBe(200);
    await until(() => eventsOf(live, 'fire_end').length === 1, 'the fire');
    expect(runs()).toBe(1);
    await expect(live.showRecording(join(tempDir(), 'nothing'))).rejects.toMatchObject({
      code: 'invalid_option',
    });
  });
});

describe('firing again', () => {
  it('LV-34 runs the hooks with the same input, and says which fire is repeated', async () => {
    const { live, fire, runs } = await guarded();
    const first = await fire('rm -rf build');
    const response = await post(live, { fire: first });
    const { fire: id } = (await response.json()) as { fire: string };
    await until(() => eventsOf(live, 'fire_end').length === 2, 'the second fire');
    expect(runs()).toBe(2);
    expect(eventsOf(live, 'fire').at(-1)).toMatchObject({ fire: id, again: first });
    expect(eventsOf(live, 'fire_end').at(-1)).toMatchObject({ fire: id, decision: 'deny' });
  });

  it('LV-34 does not start a turn, and needs a fire that was seen', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('UserPromptSubmit', { name: 'greets' }, () => undefined);
    await runner.fire('UserPromptSubmit', { prompt: 'hello' });
    const [first] = eventsOf(live, 'fire');
    await post(live, { fire: first?.fire });
    await until(() => eventsOf(live, 'fire_end').length === 2, 'the second fire');
    expect(eventsOf(live, 'turn').map(({ turn }) => turn)).toEqual([1]);
    for (const body of [{ fire: 'nothing' }, { event: 'Stop', input: {} }, {}])
      expect((await post(live, body)).status).toBeGreaterThanOrEqual(400);
    expect(eventsOf(live, 'fire')).toHaveLength(2);
  });

  it('LV-34 is for the page itself only, and for someone with the token', async () => {
    const { live, fire, runs } = await guarded();
    const id = await fire('ls');
    const other = new URL(live.url);
    other.pathname = `/${'x'.repeat(32)}/`;
    const attempts = [
      await post(live, { fire: id }, { origin: 'http://evil.example' }),
      await post(live, { fire: id }, { 'sec-fetch-site': 'cross-site' }),
      await post(live, { fire: id }, { 'content-type': 'text/plain' }),
      await post({ ...live, url: other.href }, { fire: id }),
      await fetch(new URL('fire', live.url)),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 415, 404, 404]);
    for (const name of ['fires.jsonl', `fires/${id}`, `fires/${id}.yaml`, 'hooks'])
      expect((await get({ ...live, url: other.href }, name)).status).toBe(404);
    expect(runs()).toBe(1);
  });

  it('LV-34 refuses when too many run, and ends them when the view is closed', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    const gate = makeGate();
    let isFirst = true;
    const signals: AbortSignal[] = [];
    runner.on('Stop', { name: 'slow' }, async (_input, _id, { signal }) => {
      if (isFirst) {
        isFirst = false;
        return;
      }
      signals.push(signal);
      await gate.opened;
    });
    await runner.fire('Stop', { stop_hook_active: false });
    const fire = eventsOf(live, 'fire')[0]?.fire;
    const statuses = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await post(live, { fire })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 409]);
    await live.close();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    gate.open();
  });

  it('LV-34 is not possible on a runner that is no longer watched', async () => {
    const runner = makeRunner();
    const live = await openView();
    const stop = live.watch(runner);
    runner.on('Stop', { name: 'guard' }, () => undefined);
    await runner.fire('Stop', { stop_hook_active: false });
    const fire = eventsOf(live, 'fire')[0]?.fire;
    stop();
    expect((await detailsOf(live, fire)).canFire).toBe(false);
    expect((await post(live, { fire })).status).toBe(409);
  });
});
