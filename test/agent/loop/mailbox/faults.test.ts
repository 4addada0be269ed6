/** A mailbox that does not do what it should: nobody is held up, nothing is told twice. */
import { describe, expect, it } from 'vitest';
import { createMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import type { Lease, Mailbox } from '../../../../src/injection/port.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { watchLoop } from '../session/support.js';
import { makeLoop, readRun } from '../support/run-loop.js';

watchProcess();

/** A real mailbox, with one thing about it changed. */
function changed(mailbox: Mailbox, change: Partial<Mailbox>): Mailbox {
  return {
    put: (item) => mailbox.put(item),
    take: (request) => mailbox.take(request),
    pending: (agentId) => mailbox.pending(agentId),
    carryOver: (agentId) => mailbox.carryOver(agentId),
    status: (id) => mailbox.status(id),
    onChange: (listener) => mailbox.onChange(listener),
    close: () => mailbox.close(),
    ...change,
  };
}

describe('a mailbox', () => {
  it('LO-39: that cannot hear of a delivery is told about; the items are not told twice', async () => {
    const real = createMailbox();
    await real.put({ id: 'i1', content: 'once only' });
    const deaf = changed(real, {
      take: async (request): Promise<Lease> => {
        const lease = await real.take(request);
        return { ...lease, acknowledge: () => Promise.reject(new Error('the disk is gone')) };
      },
    });
    const { loop, requests } = await makeLoop({
      turns: [{ text: 'One.' }, { text: 'Two.' }],
      options: { mailbox: deaf, tools: [] },
    });
    const { result, messages } = await readRun(loop.run('Go.'));
    expect(result.result).toBe('One.');
    expect(JSON.stringify(messages)).toContain('the disk is gone');
    await readRun(loop.run('More.'));
    expect(JSON.stringify(requests[1]?.messages).split('once only')).toHaveLength(2);
  });

  it('LO-7 LO-39: that never answers holds up neither an abort nor the end, and gets its items back', async () => {
    const real = createMailbox();
    await real.put({ id: 'i1', content: 'late' });
    const asked = gate();
    const answer = gate();
    const slow = changed(real, {
      take: async (request) => {
        asked.open();
        await answer.passed;
        return real.take(request);
      },
    });
    const { loop, of } = await watchLoop({ turns: [{ text: 'One.' }], options: { mailbox: slow } });
    const controller = new AbortController();
    const reading = readRun(loop.run('Go.', { signal: controller.signal }));
    await asked.passed;
    controller.abort();
    expect((await reading).result.terminal_reason).toBe('aborted');
    expect(of('SessionEnd')).toHaveLength(1);
    answer.open();
    await expect.poll(() => real.status('i1')).toEqual({ main: 'queued' });
  });

  it('LO-38: a system message whose request failed is part of the next one', async () => {
    const { loop, requests } = await makeLoop({
      hooks: { UserPromptSubmit: [{ hooks: [({ prompt }) => ({ systemMessage: `about ${prompt}` })] }] },
      turns: [{ error: { code: 'overloaded', message: 'later' } }, { text: 'Done.' }],
      options: { tools: [] },
    });
    await readRun(loop.run('a'));
    await readRun(loop.run('b'));
    const sent = JSON.stringify(requests[1]?.messages);
    for (const said of ['about a', 'about b']) expect(sent.split(said)).toHaveLength(2);
  });
});
