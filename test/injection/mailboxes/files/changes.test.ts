import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FileMailbox } from '../../../../src/injection/mailboxes/files/options.js';
import { currentOwner } from '../../../../src/process/owner.js';
import { compileProgram } from '../../../support/compile-program.js';
import { until } from '../../../support/process-harness.js';
import { watchProcess } from '../../../support/runner.js';
import { boxOf, deadOwner, drain, makeFileMailbox, newDirectory } from './support.js';

watchProcess();

function listen(mailbox: FileMailbox): string[] {
  const told: string[] = [];
  mailbox.onChange(({ agentId, id, state, reason }) =>
    told.push([agentId, id, state, ...(reason === undefined ? [] : [`(${reason})`])].join(' ')),
  );
  return told;
}

describe('changes', () => {
  it('FI-21: of what others do they are told when it is found, each change once; what was before is no news', async () => {
    const { mailbox, open } = await makeFileMailbox();
    await mailbox.put({ id: 'old', content: 'x', to: 'a' });
    const watcher = await open();
    const told = listen(watcher);
    await watcher.refresh();
    await mailbox.put({ id: 'slow', content: 'x', to: 'a', source: { kind: 'peer' } });
    await watcher.refresh();
    expect(told).toEqual(['a slow queued']);
    await mailbox.put({ id: 'quick', content: 'x', to: 'b' });
    await drain(mailbox, 'b');
    await drain(mailbox, 'a');
    await mailbox.leave('gone');
    await mailbox.put({ id: 'lost', content: 'x', to: 'gone' });
    await watcher.refresh();
    await watcher.refresh();
    expect(told.sort()).toEqual(
      [
        'a slow queued',
        'a old delivered',
        'a slow delivered',
        'b quick queued',
        'b quick delivered',
        'gone lost queued',
        'gone lost failed (the agent has left)',
      ].sort(),
    );
  });

  it('FI-21: what this process has told is not told again when it is found', async () => {
    const { mailbox, told, open } = await makeFileMailbox();
    await mailbox.join('a');
    await mailbox.put({ id: 'x', content: 'x' });
    await mailbox.refresh();
    await (await mailbox.take({ agentId: 'a' })).release();
    await drain(await open(), 'a');
    await mailbox.refresh();
    await mailbox.refresh();
    expect(told()).toEqual(['a x queued', 'a x queued', 'a x delivered']);
  });

  it('FI-21: while somebody listens the mailbox looks by itself, and requeues and expires', async () => {
    const { mailbox, open, clock } = await makeFileMailbox();
    const told = listen(await open({ pollMs: 10 }));
    const dying = await open({}, await deadOwner());
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'short', content: 'x', to: 'b', expiresAt: clock() + 10 });
    await dying.take({ agentId: 'a' });
    await until(
      () => told.includes('a x queued (the process that claimed it has died)'),
      'the claim of the dead is given back',
    );
    clock.pass(10);
    await until(() => told.some((text) => text.startsWith('b short expired')), 'the item expires');
  });

  it('FI-26: a mailbox that is open, listened to and not closed does not keep its process alive', async () => {
    const directory = newDirectory();
    const program = await compileProgram(new URL('./programs/leave-open.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program, directory]);
    expect(stdout.trim()).toBe('put and left open');
    const { open } = await makeFileMailbox({ directory });
    // Its claim is its own no longer.
    expect(await drain(await open(), 'a')).toEqual(['x']);
  });
});

describe('tidying up', () => {
  it('FI-19: of the items that have ended so many are remembered per agent, the latest', async () => {
    const { mailbox, directory, clock, open } = await makeFileMailbox({ maxRemembered: 3 });
    for (let i = 0; i < 6; i++) {
      await mailbox.put({ id: `i${i}`, content: 'x', to: 'a' });
      await drain(mailbox, 'a');
      clock.pass(1);
    }
    await mailbox.put({ id: 'open', content: 'x', to: 'a' });
    await mailbox.refresh();
    const other = await open();
    for (const id of ['i0', 'i1', 'i2']) expect(await other.status(id)).toBeUndefined();
    for (const id of ['i3', 'i4', 'i5']) expect(await other.status(id)).toEqual({ a: 'delivered' });
    expect(await other.status('open')).toEqual({ a: 'queued' });
    expect(readdirSync(boxOf(directory, 'a', 'done'))).toHaveLength(3);
    expect(readdirSync(`${directory}/ids`)).toHaveLength(4);
    // What was forgotten can be put again, as something new.
    await mailbox.put({ id: 'i0', content: 'other', to: 'a' });
    expect(await drain(mailbox, 'a')).toEqual(['open', 'i0']);
  });

  it('FI-19: an item is remembered while one of its agents needs it', async () => {
    const { mailbox } = await makeFileMailbox({ maxRemembered: 0 });
    await mailbox.put({ id: 'x', content: 'x', to: ['a', 'b'] });
    await drain(mailbox, 'a');
    await mailbox.refresh();
    expect(await drain(mailbox, 'a')).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ a: 'delivered', b: 'queued' });
    expect(await drain(mailbox, 'b')).toEqual(['x']);
    await mailbox.refresh();
    expect(await mailbox.status('x')).toBeUndefined();
  });

  it('FI-19: unfinished files and folders of the dead go, those of the living stay', async () => {
    const { mailbox, directory, open } = await makeFileMailbox();
    const dead = await deadOwner();
    const alive = currentOwner();
    const name = `7fffffffffffffff.0000000001.0000000001.00000000.-.-.${'0'.repeat(32)}`;
    const staging = `${directory}/staging`;
    const write = (file: string): void => writeFileSync(`${staging}/${file}`, '{"version":1,"na');
    const ownerOf = ({ place, pid, start }: typeof dead): string => `${place}-${pid}-${start}`;
    write(`${name}~${ownerOf(dead)}~11111111~put.json`);
    write(`${name}~${ownerOf(alive)}~22222222~put.json`);
    write(`${name}~00000000-77-1~33333333~put.json`);
    write('notes.txt');
    mkdirSync(`${staging}/a.0000~${ownerOf(dead)}~44444444`);
    mkdirSync(`${staging}/a.0000~${ownerOf(alive)}~55555555`);
    await mailbox.refresh();
    expect(
      readdirSync(staging)
        .map((file) => /(\d)\1{7}(?!.*\d{8})/.exec(file)?.[1] ?? file)
        .sort(),
    ).toEqual(['2', '3', '5', 'notes.txt']);
    // Of those that cannot be asked, an hour decides.
    const long = new Date(Date.now() - 2 * 3_600_000);
    for (const file of readdirSync(staging)) utimesSync(`${staging}/${file}`, long, long);
    await (await open()).refresh();
    expect(readdirSync(staging)).toEqual([]);
  });

  it('FI-19: what was moved aside is kept for people, the latest hundred', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.join('a');
    for (let i = 0; i < 120; i++) writeFileSync(boxOf(directory, 'a', `new/strange-${i}`), '');
    await mailbox.refresh();
    await mailbox.refresh();
    expect(readdirSync(`${directory}/failed`)).toHaveLength(100);
  });

  it('FI-19: the journals of names begin anew when they are long, and nobody misses an item', async () => {
    const { mailbox, directory, open } = await makeFileMailbox();
    const reader = await open();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'later', content: 'x', to: 'a', matcher: 'Write' });
    expect(await drainWith(reader)).toEqual(['x']);
    const journal = boxOf(directory, 'a', 'arrivals');
    truncateSync(journal, 300 * 1024);
    await mailbox.put({ id: 'y', content: 'y', to: 'a' });
    expect(await drainWith(reader)).toEqual(['y']);
    await mailbox.put({ id: 'z', content: 'z', to: 'a' });
    expect(await drainWith(reader)).toEqual(['z']);
    expect(statSync(journal).size).toBeLessThan(1024);
  });
});

async function drainWith(mailbox: FileMailbox): Promise<string[]> {
  const lease = await mailbox.take({ agentId: 'a', toolNames: ['Bash'] });
  onTestFinished(() => lease.acknowledge());
  return lease.items.map(({ id }) => id);
}
