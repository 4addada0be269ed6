/** Items that are longer than the loop's limit, and a loop that lacks the mailbox of its hooks. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import { registerBuiltInHooks } from '../../../../src/injection/hooks/register.js';
import { createMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import { Runner } from '../../../../src/runner/runner.js';

const LONG = `${'x'.repeat(39_990)} the end`;

async function readBy(maxItemLength?: number): Promise<string> {
  const mailbox = createMailbox({ maxContentLength: 60_000 });
  await mailbox.put({ id: 'long', content: LONG, to: 'main' });
  const model = scriptedModel([{ text: 'Done.' }]);
  const loop = new AgentLoop({ model, mailbox, transcripts: false, ...(maxItemLength && { maxItemLength }) });
  for await (const _ of loop.run('go'));
  await loop.close();
  expect(await mailbox.status('long')).toEqual({ main: 'delivered' });
  return JSON.stringify(model.requests[0]?.messages);
}

describe('a long item', () => {
  it('LO-18: reaches the model as a preview that names the file with the whole text', async () => {
    const read = await readBy();
    expect(read).not.toContain('the end');
    expect(read.length).toBeLessThan(4000);
    const [, path = ''] = /all 39998 characters are in ([^\]]+)\]/.exec(read) ?? [];
    expect(readFileSync(path, 'utf8')).toBe(LONG);
  });

  it('LO-18: names the file however small the limit is', async () => {
    const [, path = ''] = /all 39998 characters are in ([^\]]+)\]/.exec(await readBy(1)) ?? [];
    expect(readFileSync(path, 'utf8')).toBe(LONG);
  });

  it('LO-18: is whole if the loop allows its length', async () => {
    expect(await readBy(60_000)).toContain('the end');
  });
});

describe('a loop without the mailbox of its built-in hooks', () => {
  it('LO-18: warns once, and says what to add', async () => {
    const warnings = async (given: boolean): Promise<readonly string[]> => {
      const runner = new Runner();
      const mailbox = createMailbox();
      registerBuiltInHooks(runner, { mailbox });
      const model = scriptedModel([{ text: 'Done.' }]);
      const loop = new AgentLoop({ model, hooks: runner, transcripts: false, ...(given && { mailbox }) });
      const said: string[] = [];
      for await (const message of loop.run('go'))
        if (message.type === 'system' && message.subtype === 'informational') said.push(message.content);
      await loop.close();
      await runner.dispose();
      return said;
    };
    expect(await warnings(false)).toEqual([expect.stringContaining('Give the loop the same `mailbox`')]);
    expect(await warnings(true)).toEqual([]);
  });
});
