/** One agent's folder is not as it should be: that is its own trouble, and nobody else's. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readItemFile, stagedFile } from '../../../../src/injection/mailboxes/files/file-names.js';
import { MailboxDiskError } from '../../../../src/injection/mailboxes/files/index.js';
import { watchProcess } from '../../../support/runner.js';
import { boxOf, deadOwner, drain, filesOf, ids, makeFileMailbox } from './support.js';

watchProcess();

/** Puts something else in the place of a folder; what is returned undoes it. */
type Breaking = (folder: string) => () => void;

const moved =
  (replace: (folder: string) => void): Breaking =>
  (folder) => {
    // Names that begin with a dot are left alone.
    const aside = join(folder, '..', '.aside');
    renameSync(folder, aside);
    replace(folder);
    return () => {
      rmSync(folder, { recursive: true, force: true });
      renameSync(aside, folder);
    };
  };

const breakings: readonly (readonly [string, Breaking])[] = [
  ['is a link', moved((folder) => symlinkSync('/tmp', folder))],
  ['is a link to nothing', moved((folder) => symlinkSync('nowhere', folder))],
  ['is a file', moved((folder) => writeFileSync(folder, ''))],
  ['can be written by others', moved((folder) => mkdirSync(folder) ?? chmodSync(folder, 0o777))],
];
const cases: readonly (readonly [string, string, Breaking])[] = [
  ...['', 'new'].flatMap((part) => breakings.map(([how, breaking]) => [part, how, breaking] as const)),
  ...['claimed', 'done', 'seen'].map((part) => [part, 'is gone', moved(() => {})] as const),
];

describe("an agent's folder that cannot be used", () => {
  it.each(cases)('FI-29: %j %s: others put, take, ask and are told as before', async (part, _, breaking) => {
    const { mailbox, directory, problems, open, told } = await makeFileMailbox();
    for (const agent of ['a', 'b', 'c']) await mailbox.join(agent);
    await mailbox.put({ id: 'early', content: 'x', to: 'b' });
    const repair = breaking(boxOf(directory, 'b', part));
    // One that has looked at the folders before, and one that has not.
    for (const [i, each] of [mailbox, await open()].entries()) {
      await each.put({ id: `a${i}`, content: 'x', to: 'a' });
      await each.put({ id: `all${i}`, content: 'x' });
      await each.put({ id: `both${i}`, content: 'x', to: ['a', 'b'] });
      const mine = [`a${i}`, `all${i}`, `both${i}`];
      expect(ids(await each.pending('a')).sort()).toEqual(mine);
      expect((await drain(each, 'a')).sort()).toEqual(mine);
      expect(await each.status(`a${i}`)).toEqual({ a: 'delivered' });
      expect(await each.status(`all${i}`)).toMatchObject({ a: 'delivered' });
      expect(await each.status(`both${i}`)).toEqual({ a: 'delivered', b: 'queued' });
      expect(await each.agents()).toEqual(['a', 'c']);
      await each.refresh();
      await each.join('d');
      expect(await each.carryOver('d')).not.toEqual([]);
      await each.leave('d');
      await expect(each.put({ content: 'x', to: 'b' })).rejects.toThrow();
      await expect(each.take({ agentId: 'b' })).rejects.toThrow();
    }
    expect(problems.filter((each) => each.includes('cannot be used')).length).toBeGreaterThan(0);
    expect(told().filter((each) => each === 'a a0 delivered')).toHaveLength(1);
    repair();
    await mailbox.refresh();
    expect((await mailbox.agents()).slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect((await drain(mailbox, 'b')).sort()).toEqual(['all0', 'all1', 'both0', 'both1', 'early']);
    expect(told().filter((each) => each === 'b early queued')).toHaveLength(1);
  });

  it('FI-29: what somebody who died was putting for it keeps nothing from the others', async () => {
    const { mailbox, directory, open, problems } = await makeFileMailbox();
    const dead = await deadOwner();
    await (await open({}, dead)).put({ id: 'half', content: 'x', to: 'b' });
    const [file = ''] = filesOf(boxOf(directory, 'b', 'new'));
    const name = readItemFile(file);
    if (name === undefined) expect.fail(`${file} is no item`);
    renameSync(
      boxOf(directory, 'b', `new/${file}`),
      join(directory, 'staging', stagedFile(name, dead, undefined)),
    );
    const repair = moved((folder) => symlinkSync('/tmp', folder))(boxOf(directory, 'b', 'new'));
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    expect(ids(await mailbox.pending('a'))).toEqual(['x']);
    expect(await mailbox.status('x')).toEqual({ a: 'queued' });
    expect(await drain(mailbox, 'a')).toEqual(['x']);
    expect(problems).toEqual([expect.stringContaining('cannot be used')]);
    repair();
    expect(await drain(mailbox, 'b')).toEqual(['half']);
  });

  it('FI-29: it is told once, and again when something else is wrong', async () => {
    const { mailbox, directory, problems } = await makeFileMailbox();
    await mailbox.join('b');
    const link = moved((folder) => symlinkSync('/tmp', folder))(boxOf(directory, 'b', 'new'));
    for (let i = 0; i < 3; i++) await mailbox.refresh();
    expect(problems).toEqual([expect.stringMatching(/cannot be used.*symbolic link/)]);
    link();
    await mailbox.refresh();
    const file = moved((folder) => writeFileSync(folder, ''))(boxOf(directory, 'b', 'new'));
    for (let i = 0; i < 3; i++) await mailbox.refresh();
    expect(problems).toEqual([expect.any(String), expect.stringMatching(/not a directory/)]);
    file();
  });

  it('FI-29: what is remembered is not forgotten meanwhile', async () => {
    const { mailbox, directory, open } = await makeFileMailbox({ maxRemembered: 1 });
    for (const agent of ['a', 'b']) await mailbox.join(agent);
    for (const id of ['x', 'y', 'z']) await mailbox.put({ id, content: id });
    const repair = moved((folder) => symlinkSync('/tmp', folder))(boxOf(directory, 'b', 'new'));
    await drain(mailbox, 'a');
    await (await open()).refresh();
    repair();
    expect(await drain(mailbox, 'b')).toEqual(['x', 'y', 'z']);
  });

  it('FI-18: a mailbox of which more is gone refuses as before', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.join('a');
    renameSync(`${directory}/agents`, `${directory}/.agents`);
    await expect(mailbox.put({ content: 'x', to: 'a' })).rejects.toThrow(MailboxDiskError);
  });
});
