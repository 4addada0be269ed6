/** Commands that wake an agent from the background, and what people see while a hook runs. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { command } from '../../src/index.js';
import { bash, makeRunner, refusalOf, SAMPLES, untyped, watchProcess } from '../support/runner.js';

watchProcess();

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hookline-rewake-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Lasts until the file is there. */
const waitFor = (file: string): string => `until [ -e '${file}' ]; do sleep 0.02; done;`;

describe('a command with asyncRewake', () => {
  it.each([
    ['hookline', 'PostToolUse'],
    ['claude-code', 'PostToolUse'],
    ['claude-code', 'Stop'],
  ] as const)('CO-32 (%s, %s) runs in the background and wakes with its stderr', async (dialect, event) => {
    const { runner } = makeRunner();
    const go = join(folder(), 'go');
    const woken = new Promise((resolve) => runner.onRewake(resolve));
    const options = { asyncRewake: true, rewakeMessage: 'The review says:', rewakeSummary: 'Findings' };
    runner.on(event, { dialect }, command(`${waitFor(go)} echo out; echo two findings >&2; exit 2`, options));
    const outcome = await runner.fire(event, SAMPLES[event] as never);
    expect(outcome).toMatchObject({ failures: [], pending: [{}] });
    expect(outcome.decision).toBeUndefined();
    writeFileSync(go, '');
    expect(await woken).toMatchObject({
      event,
      message: 'The review says:\ntwo findings',
      summary: 'Findings',
    });
    await runner.drain();
    expect(runner.takeLate()).toEqual([]);
  });

  it.each([
    ['echo only out; exit 2', ['only out']],
    ['exit 2', ['It exited with code 2 and printed nothing.']],
    ['echo nothing to say; exit 0', []],
    ['echo broken >&2; exit 1', []],
  ])('CO-32 says what it printed, and only with exit code 2: %s', async (line, messages) => {
    const { runner } = makeRunner();
    const said: string[] = [];
    runner.onRewake(({ message, summary }) => said.push(message, summary));
    runner.on('PostToolUse', { dialect: 'claude-code' }, command(line, { asyncRewake: true }));
    await runner.fire('PostToolUse', SAMPLES.PostToolUse);
    await runner.drain();
    expect(said).toEqual(messages.flatMap((message) => [message, 'PostToolUse hook feedback']));
  });

  it('CO-33 is awaited if nobody can wake the agent: it objects as any other', async () => {
    const { runner } = makeRunner();
    const stop = runner.onRewake(() => {});
    stop();
    const dir = folder();
    const line = `echo ran > '${dir}/ran'; echo no >&2; exit 2`;
    runner.on('PreToolUse', { dialect: 'claude-code' }, command(line, { asyncRewake: true }));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(existsSync(join(dir, 'ran'))).toBe(true);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'no', pending: [] });
  });

  it('CO-32 a listener that throws ends nothing', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    const { runner } = makeRunner();
    let calls = 0;
    runner.onRewake(() => {
      calls += 1;
      throw new Error('no');
    });
    runner.onRewake(() => (calls += 1));
    runner.on('Stop', command('exit 2', { asyncRewake: true }));
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.drain();
    expect([calls, warned.mock.calls.length]).toEqual([2, 1]);
  });

  it('CO-32 cannot be set to block where it would refuse, and its texts are texts', async () => {
    const { runner } = makeRunner();
    const guard = command('exit 2', { asyncRewake: true, onFailure: 'block' });
    const refusal = await refusalOf(() => runner.on('PreToolUse', { dialect: 'claude-code' }, guard));
    expect(refusal.message).toContain('Remove `asyncRewake` or `onFailure`');
    const odd = { type: 'command', command: 'true', rewakeMessage: 7 };
    expect((await refusalOf(() => untyped(runner).on('Stop', odd))).message).toContain('rewakeMessage');
  });
});

describe('a status message', () => {
  it('MS-16 is the first progress of its hook, of every kind', async () => {
    const { runner, record } = makeRunner();
    runner.on('Stop', command('true', { statusMessage: 'Looking around' }));
    runner.on('Stop', { type: 'callback', callback: () => ({}), statusMessage: 'Thinking' });
    runner.on('Stop', () => ({}));
    await runner.fire('Stop', SAMPLES.Stop);
    const seen = record.messages.map((message) =>
      message.subtype === 'hook_progress' ? [message.output, message.stdout] : message.subtype,
    );
    const quiet = ['hook_started', 'hook_response'];
    expect(seen).toEqual([
      'hook_started',
      ['Looking around', ''],
      'hook_response',
      'hook_started',
      ['Thinking', ''],
      'hook_response',
      ...quiet,
    ]);
  });
});
