/** What people who watch see of a command. */
import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { HookProgressMessage, HookResponseMessage } from '../../../src/index.js';
import { commandTest } from '../../support/command-harness.js';
import type { MessageRecord } from '../../support/messages.js';

function progressOf(record: MessageRecord): HookProgressMessage[] {
  return record.messages.filter((message) => message.subtype === 'hook_progress');
}

function responseOf(record: MessageRecord): HookResponseMessage {
  const responses = record.messages.filter((message) => message.subtype === 'hook_response');
  expect(responses).toHaveLength(1);
  return responses[0] as HookResponseMessage;
}

commandTest(
  'CO-22 stdout and stderr are distinguished and arrive while it runs',
  async ({ runner, fire, line, dir }) => {
    const seen = new Promise<HookProgressMessage>((resolve) => {
      runner.messages.on('hook_progress', resolve);
    });
    const fired = fire(line(`echo working >&2; until [ -e ${dir}/go ]; do sleep 0.01; done; echo '{}'`));
    expect(await seen).toMatchObject({ stdout: '', stderr: 'working\n', output: 'working\n' });
    writeFileSync(`${dir}/go`, '');
    expect((await fired).failures).toEqual([]);
  },
);

commandTest('CO-22 half a character is never shown', async ({ fire, fixture, record }) => {
  await fire(fixture('split-emoji.sh'));
  const shown = progressOf(record).map((message) => message.stdout);
  expect(shown.join('')).toBe('a\u{1f600}b');
  expect(shown.some((text) => text.includes('\ufffd'))).toBe(false);
});

commandTest('CO-22 a flood becomes few and short messages', async ({ fire, line, record }) => {
  await fire(line('i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done >&2'));
  const progress = progressOf(record);
  expect(progress.length).toBeGreaterThan(0);
  expect(progress.length).toBeLessThan(200);
  for (const { stderr } of progress) expect(stderr.length).toBeLessThanOrEqual(4096);
  expect(progress.at(-1)?.stderr.endsWith('line 19999\n')).toBe(true);
});

commandTest('CO-23 the response has everything that was printed', async ({ fire, line, record }) => {
  await fire(line('echo \'{"reason":"r"}\'; echo note >&2'));
  expect(responseOf(record)).toMatchObject({
    stdout: '{"reason":"r"}\n',
    stderr: 'note\n',
    output: '{"reason":"r"}\nnote\n',
    exit_code: 0,
    outcome: 'success',
  });
});

commandTest('CO-23 FA-7 a refusal and a timeout have their own outcomes', async ({ fire, line, record }) => {
  await fire(line('echo no >&2; exit 2'));
  await fire(line('echo partly; sleep 100', { timeout: 2 }));
  const responses = record.messages.filter((message) => message.subtype === 'hook_response');
  expect(responses[0]).toMatchObject({ exit_code: 2, outcome: 'error', stderr: 'no\n' });
  expect(responses[1]).toMatchObject({ outcome: 'cancelled', stdout: 'partly\n' });
  expect(responses[1]).not.toHaveProperty('exit_code');
});

commandTest(
  'CO-23 a program that cannot be started says so in its response',
  async ({ fire, line, record, dir }) => {
    await fire(line(`${dir}/missing`, { args: [] }));
    expect(responseOf(record).stderr).toContain('missing');
  },
);
