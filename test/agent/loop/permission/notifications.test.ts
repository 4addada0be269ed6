import { describe, expect, it } from 'vitest';
import { command } from '../../../../src/index.js';
import { until } from '../../../support/process-harness.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { watchLoop } from '../session/support.js';
import { readRun } from '../support/run-loop.js';
import { testTools } from '../support/tools.js';
import { change } from './support.js';

watchProcess();

describe('notifications', () => {
  it('LO-28: hooks are notified while a question is open for long, once', async () => {
    const noticed = gate();
    const { of, ran } = await change(['a'], {
      hooks: { Notification: [{ matcher: 'permission_prompt', hooks: [() => noticed.open()] }] },
      notify: { permissionAfter: 0.02 },
      canUseTool: async () => {
        await noticed.passed;
        return { behavior: 'allow' };
      },
    });
    expect(ran).toHaveLength(1);
    expect(of('Notification')).toEqual([
      expect.objectContaining({
        notification_type: 'permission_prompt',
        message: 'Your permission is needed to use Change',
      }),
    ]);
  });

  it('LO-28: an answer that comes sooner is not notified', async () => {
    const { tools, ran } = testTools();
    const { loop, of } = await watchLoop({
      turns: [{ tools: [{ name: 'Change', input: { text: 'a' } }] }, { text: 'Done.', delayMs: 250 }],
      options: { tools, notify: { permissionAfter: 0.1 }, canUseTool: async () => ({ behavior: 'allow' }) },
    });
    await readRun(loop.run('Change it.'));
    expect(ran).toHaveLength(1);
    expect(of('Notification')).toEqual([]);
  });

  it('LO-28: what hooks do with a notification does not hold up the answer', async () => {
    const noticed = gate();
    const { ran, result } = await change(['a'], {
      hooks: {
        Notification: [
          {
            hooks: [
              () => {
                noticed.open();
                return new Promise(() => {});
              },
              command('exit 2'),
            ],
          },
        ],
      },
      notify: { permissionAfter: 0.01 },
      canUseTool: async () => {
        await noticed.passed;
        return { behavior: 'allow' };
      },
    });
    expect(ran).toHaveLength(1);
    expect(result.terminal_reason).toBe('completed');
  });

  it('LO-28: when no prompt comes for long, hooks are notified, once', async () => {
    const { loop, of } = await watchLoop({
      turns: [{ text: 'Done.' }],
      options: { notify: { idleAfter: 0.02 } },
    });
    await readRun(loop.run('Do it.'));
    expect(of('Notification')).toEqual([]);
    await until(() => of('Notification').length > 0, 'the notification');
    expect(of('Notification')).toEqual([
      expect.objectContaining({
        notification_type: 'idle_prompt',
        message: 'The agent is waiting for your input',
      }),
    ]);
  });

  it('LO-28: a prompt that comes sooner, and the end of the session, call it off', async () => {
    const { loop, of } = await watchLoop({
      turns: [{ text: 'One.' }, { text: 'Two.', delayMs: 250 }],
      options: { notify: { idleAfter: 0.1 } },
    });
    await readRun(loop.run('First.'));
    await readRun(loop.run('Second.'));
    expect(of('Notification')).toEqual([]);
    await loop.close();
    // Whoever began to wait later, and waits longer, is notified; by then the first would have been.
    const later = await watchLoop({ turns: [{ text: 'One.' }], options: { notify: { idleAfter: 0.15 } } });
    await readRun(later.loop.run('First.'));
    await until(() => later.of('Notification').length > 0, 'the notification');
    expect(of('Notification')).toEqual([]);
  });

  it('LO-28: without idleAfter nobody is ever notified of it; notify() tells hooks anything else', async () => {
    const { loop, of } = await watchLoop({ turns: [{ text: 'Done.' }] });
    await readRun(loop.run('Do it.'));
    await loop.notify('The build is green', 'build_done');
    await until(() => of('Notification').length > 0, 'the notification');
    expect(of('Notification')).toEqual([
      expect.objectContaining({ notification_type: 'build_done', message: 'The build is green' }),
    ]);
  });
});
