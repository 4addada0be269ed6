import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderProblem } from '../../../../src/injection/mailboxes/files/disk.js';
import { agentFolder } from '../../../../src/injection/mailboxes/files/file-names.js';
import { MailboxDiskError, openFileMailbox } from '../../../../src/injection/mailboxes/files/index.js';
import { takeItems } from '../../../../src/integrations/take-items.js';
import { compileProgram } from '../../../support/compile-program.js';
import { refusalOf, watchProcess } from '../../../support/runner.js';
import { boxOf, drain, everythingIn, filesOf, ids, makeFileMailbox, newDirectory } from './support.js';

watchProcess();

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

async function refused(directory: string): Promise<string> {
  const error = await refusalOf(() => openFileMailbox({ directory }));
  expect(error.code).toBe('invalid_option');
  return error.message;
}

describe('the directory', () => {
  it('FI-1: folders are 0700 and files 0600, whatever the umask is', async () => {
    for (const umask of [0o000, 0o077, 0o177]) {
      const before = process.umask(umask);
      onTestFinished(() => void process.umask(before));
      const { mailbox, directory } = await makeFileMailbox();
      await mailbox.put({ content: 'x', to: 'a' });
      await mailbox.put({ content: 'x' });
      await (await mailbox.take({ agentId: 'a', limit: 1 })).acknowledge();
      await mailbox.leave('b');
      process.umask(before);
      const paths = everythingIn(directory).map((path) => join(directory, path));
      expect(paths.length).toBeGreaterThan(20);
      for (const path of [directory, ...paths])
        expect(`${path} ${modeOf(path)}`).toBe(`${path} ${lstatSync(path).isDirectory() ? '700' : '600'}`);
    }
  });

  it('FI-1: it is made with those above it, and several that open it at once all can', async () => {
    const directory = join(newDirectory(), 'deep', 'er');
    const opened = await Promise.all(Array.from({ length: 6 }, () => openFileMailbox({ directory })));
    await Promise.all(opened.map((mailbox, i) => mailbox.put({ id: `i${i}`, content: 'x', to: 'a' })));
    expect(ids((await opened[0]?.pending('a')) ?? []).sort()).toEqual(['i0', 'i1', 'i2', 'i3', 'i4', 'i5']);
    for (const mailbox of opened) await mailbox.close();
  });

  it('FI-2: a relative path, a link, a file, and what others can write into are refused', async () => {
    expect(await refused('somewhere/else')).toContain('give an absolute path');
    const directory = newDirectory();
    mkdirSync(directory);
    const link = `${directory}-link`;
    symlinkSync(directory, link);
    expect(await refused(link)).toContain('symbolic link');
    const file = `${directory}-file`;
    writeFileSync(file, '');
    await expect(openFileMailbox({ directory: file })).rejects.toThrow(/EEXIST|not a directory/);
    for (const mode of [0o777, 0o720, 0o702]) {
      chmodSync(directory, mode);
      expect(await refused(directory)).toContain(`mode ${mode.toString(8)}`);
    }
    expect(filesOf(directory)).toEqual([]);
    chmodSync(directory, 0o750);
    await (await openFileMailbox({ directory })).close();
  });

  it('FI-2: one of another user is refused', async () => {
    const stats = statSync(newDirectoryMade());
    expect(folderProblem(stats, stats.uid + 1)).toContain(`belongs to user ${stats.uid}, not to user`);
    expect(folderProblem(stats, stats.uid)).toBeUndefined();
    if (process.getuid?.() !== 0) return;
    const directory = newDirectoryMade();
    chownSync(directory, 12_345, 12_345);
    expect(await refused(directory)).toContain('belongs to user 12345');
  });

  it('FI-2: one with other things in it, or of another version, is refused and left as it is', async () => {
    const directory = newDirectoryMade();
    writeFileSync(join(directory, 'thesis.txt'), 'mine');
    expect(await refused(directory)).toContain('it contains "thesis.txt"');
    expect(filesOf(directory)).toEqual(['thesis.txt']);
    const { mailbox, directory: other } = await makeFileMailbox();
    await mailbox.close();
    writeFileSync(join(other, 'mailbox.json'), '{"format":"hookline-mailbox","version":2}');
    expect(await refused(other)).toContain('another version');
  });

  it('FI-2: a folder that is exchanged for a link later is not used', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const elsewhere = newDirectoryMade();
    const folders = [
      ...['staging', 'ids', 'log', 'agents', 'epochs'].map((name) => join(directory, name)),
      boxOf(directory, 'a'),
      ...['new', 'claimed', 'done', 'seen'].map((name) => boxOf(directory, 'a', name)),
    ];
    for (const folder of folders) {
      renameSync(folder, `${folder}.old`);
      symlinkSync(elsewhere, folder);
      for (const call of [() => mailbox.take({ agentId: 'a' }), () => mailbox.put({ content: 'y', to: 'a' })])
        expect((await refusalOf(call)).message).toContain('symbolic link');
      rmSync(folder);
      renameSync(`${folder}.old`, folder);
    }
    expect(filesOf(elsewhere)).toEqual([]);
    expect(await drain(mailbox, 'a')).toEqual(['x']);
  });
});

function newDirectoryMade(): string {
  const directory = newDirectory();
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

describe('names', () => {
  it.each([
    ['..'],
    ['../../x'],
    ['/etc/passwd'],
    ['a/b'],
    ['a\\b'],
    ['nul\0byte'],
    ['CON'],
    ['.hidden'],
    ['x'.repeat(256)],
    ['Grüße ☃'],
    ['a~b~c.json'],
    [' '],
    ['\n'],
  ])('FI-16: the agent %j has its folder in the mailbox and gets what is for it', async (agentId) => {
    const { mailbox, directory } = await makeFileMailbox();
    const before = filesOf(dirname(directory));
    await mailbox.put({ id: agentId, content: 'x', to: agentId });
    expect(await drain(mailbox, agentId)).toEqual([agentId]);
    expect(await mailbox.status(agentId)).toEqual({ [agentId]: 'delivered' });
    expect(await mailbox.agents()).toEqual([agentId]);
    expect(filesOf(dirname(directory))).toEqual(before);
  });

  it('FI-16: any two agents have different folders, with plain names, also where capitals are not told apart', () => {
    const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 256 });
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(agentFolder(a)).toMatch(/^[a-z0-9][a-z0-9-]*\.[0-9a-f]{32}$/);
        expect(agentFolder(a).length).toBeLessThan(64);
        expect(resolve('/m/agents', agentFolder(a)).startsWith(`/m/agents${sep}`)).toBe(true);
        expect(agentFolder(a) === agentFolder(b)).toBe(a === b);
      }),
    );
    expect(agentFolder('Ada')).not.toBe(agentFolder('ada'));
  });
});

describe('files that are not as they should be', () => {
  const SECRET = 'the content of the canary';

  it('FI-17: a link in the place of an item is not followed: it fails, and the others are handed over', async () => {
    const { mailbox, directory, problems, told } = await makeFileMailbox();
    const canary = join(dirname(directory), 'canary');
    writeFileSync(canary, SECRET);
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.put({ id: 'y', content: 'y', to: 'a' });
    const [first = ''] = filesOf(boxOf(directory, 'a', 'new')).sort();
    rmSync(boxOf(directory, 'a', `new/${first}`));
    symlinkSync(canary, boxOf(directory, 'a', `new/${first}`));
    expect(await drain(mailbox, 'a')).toEqual(['y']);
    expect(await mailbox.status('x')).toEqual({ a: 'failed' });
    expect(told().at(-2)).toBe('a x failed');
    expect(problems).toEqual([expect.stringContaining('it is a symbolic link')]);
    expect(readFileSync(canary, 'utf8')).toBe(SECRET);
  });

  it('FI-17: what is cut off, empty, no JSON, no item, a pipe, a folder or too large fails, with a reason', async () => {
    const { mailbox, directory, problems } = await makeFileMailbox();
    const spoil: readonly (readonly [string, (path: string) => void, RegExp])[] = [
      ['cut', (path) => truncateSync(path, 100), /broken JSON/],
      ['empty', (path) => truncateSync(path, 0), /expected one JSON object/],
      ['bytes', (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00])), /not UTF-8/],
      ['list', (path) => writeFileSync(path, '[1]'), /an array/],
      ['other', (path) => writeFileSync(path, '{"version":1}'), /name/],
      ['pipe', (path) => replace(path, () => execFileSync('mkfifo', [path])), /not a regular file/],
      ['folder', (path) => replace(path, () => mkdirSync(path)), /not a regular file/],
      ['large', (path) => truncateSync(path, 17 * 1024 * 1024), /17825792 bytes/],
    ];
    for (const [id, change, why] of spoil) {
      await mailbox.put({ id, content: 'x', to: 'a' });
      const [file = ''] = filesOf(boxOf(directory, 'a', 'new'));
      change(boxOf(directory, 'a', `new/${file}`));
      expect(await drain(mailbox, 'a')).toEqual([]);
      expect(problems.at(-1)).toMatch(why);
      // Also where the record by its id is the same broken file.
      expect(await mailbox.status(id), id).toEqual({ a: 'failed' });
    }
    await mailbox.refresh();
    expect(problems).toHaveLength(spoil.length);
  });

  it('FI-17: one that cannot be read is found, whatever tools it was for', async () => {
    const { mailbox, directory, problems, open } = await makeFileMailbox();
    for (const id of ['x', 'y', 'z']) await mailbox.put({ id, content: 'x', to: 'a', matcher: 'Write' });
    const [first = ''] = filesOf(boxOf(directory, 'a', 'new')).sort();
    truncateSync(boxOf(directory, 'a', `new/${first}`), 10);
    const reader = await open();
    expect((await reader.take({ agentId: 'a', toolNames: ['Bash'] })).items).toEqual([]);
    expect(await mailbox.status('x')).toEqual({ a: 'failed' });
    expect(problems).toHaveLength(1);
    expect(ids((await reader.take({ agentId: 'a', toolNames: ['Write'] })).items)).toEqual(['y', 'z']);
  });

  it('FI-17: an item under the name of another is not handed over a second time', async () => {
    const { mailbox, directory, problems } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const [file = ''] = filesOf(boxOf(directory, 'a', 'new'));
    const copy = file.replace(/^7fff/, '7ffe');
    linkSync(boxOf(directory, 'a', `new/${file}`), boxOf(directory, 'a', `new/${copy}`));
    expect(await drain(mailbox, 'a')).toEqual(['x']);
    expect(problems).toEqual([expect.stringContaining('its name does not match its content')]);
  });

  it('FI-17: foreign files and links are moved aside and told, wherever they are; those with a dot are left alone', async () => {
    const { mailbox, directory, problems, changes } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    await mailbox.join('a');
    const places = ['new', 'claimed', 'done'].map((folder) => boxOf(directory, 'a', folder));
    for (const place of [...places, join(directory, 'log')]) {
      writeFileSync(join(place, 'notes.txt'), 'mine');
      symlinkSync('/etc/passwd', join(place, 'passwd.json'));
      mkdirSync(join(place, 'folder'));
      writeFileSync(join(place, '.hidden'), 'the system');
    }
    const other = await makeFileMailbox({
      directory,
      onProblem: ({ message }) => void problems.push(message),
    });
    await other.mailbox.refresh();
    expect(problems).toHaveLength(12);
    expect(filesOf(join(directory, 'failed'))).toHaveLength(12);
    for (const place of places) expect(existsSync(join(place, '.hidden'))).toBe(true);
    expect(await drain(mailbox, 'a')).toEqual(['x']);
    await mailbox.refresh();
    expect(changes.filter(({ state }) => state === 'failed')).toEqual([]);
  });

  it('FI-17: those who listen are told of a foreign file as of something that has failed', async () => {
    const { mailbox, directory, changes } = await makeFileMailbox();
    await mailbox.join('a');
    writeFileSync(boxOf(directory, 'a', 'new/notes.txt'), 'mine');
    await mailbox.take({ agentId: 'a' });
    expect(changes).toEqual([
      expect.objectContaining({
        id: 'file:notes.txt',
        agentId: 'a',
        state: 'failed',
        source: { kind: 'unknown' },
      }),
    ]);
    expect(changes[0]?.reason).toContain('its name is not one of the mailbox; it was moved to');
  });

  it("FI-17: a broken item for all, and a folder that is no agent's, keep nobody from anything", async () => {
    const { mailbox, directory, problems, open } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x' });
    await mailbox.put({ id: 'y', content: 'y' });
    const [file = ''] = filesOf(join(directory, 'log')).sort();
    truncateSync(join(directory, 'log', file), 5);
    mkdirSync(join(directory, 'agents', 'strange'), { mode: 0o700 });
    expect(await drain(await open(), 'a')).toEqual(['y']);
    expect(problems.some((text) => text.includes("is not an agent's folder"))).toBe(true);
    expect(problems.some((text) => text.includes('broken JSON'))).toBe(true);
  });

  it('FI-17: a journal that is a link, a folder or nonsense is a hint less, and nothing more', async () => {
    const { mailbox, directory, open } = await makeFileMailbox();
    const canary = join(dirname(directory), 'canary');
    writeFileSync(canary, SECRET);
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const journal = boxOf(directory, 'a', 'arrivals');
    const reader = await open();
    for (const [i, spoil] of [
      () => symlinkSync(canary, journal),
      () => mkdirSync(journal),
      () => writeFileSync(journal, 'nonsense\nmore'),
      () => writeFileSync(journal, Buffer.alloc(300 * 1024, 'x')),
    ].entries()) {
      rmSync(journal, { recursive: true, force: true });
      spoil();
      await mailbox.put({ id: `i${i}`, content: 'x', to: 'a' });
      expect(await drain(reader, 'a')).toContain(`i${i}`);
    }
    expect(readFileSync(canary, 'utf8')).toBe(SECRET);
  });
});

function replace(path: string, by: () => void): void {
  rmSync(path);
  by();
}

describe('the disk', () => {
  it('FI-18: without room put rejects, nothing is half written, and it works again when there is room', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.put({ id: 'before', content: 'x', to: 'a' });
    const before = everythingIn(directory).sort();
    const program = await compileProgram(new URL('./programs/put-large.ts', import.meta.url));
    // No file of the program may become larger than this: the write is refused as on a disk that is full.
    const run = `trap '' XFSZ; ulimit -f 1; exec "${process.execPath}" "${program}" "${directory}"`;
    const said = JSON.parse(execFileSync('sh', ['-c', run], { encoding: 'utf8' })) as Record<string, unknown>;
    expect(said).toEqual({ name: 'MailboxDiskError', code: 'EFBIG', small: 'delivered' });
    await mailbox.refresh();
    const after = everythingIn(directory).filter((path) => !/epochs|arrivals|ids|done|agents.b/.test(path));
    expect(after.sort()).toEqual(before.filter((path) => !/epochs|arrivals|ids|done/.test(path)));
    expect(await mailbox.status('large')).toBeUndefined();
    await mailbox.put({ id: 'large', content: 'x'.repeat(5000), to: 'a' });
    expect(await drain(mailbox, 'a')).toEqual(['before', 'large']);
  });

  it('FI-18: when the directory is gone every call says so, and a tool result stays as it is', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const lease = await mailbox.take({ agentId: 'a' });
    rmSync(directory, { recursive: true });
    for (const call of [
      () => mailbox.put({ content: 'x', to: 'a' }),
      () => mailbox.take({ agentId: 'a' }),
      () => mailbox.status('x'),
      () => mailbox.refresh(),
      () => lease.acknowledge(),
    ]) {
      const error = await Promise.resolve(call()).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(MailboxDiskError);
      expect(error).toMatchObject({ code: 'ENOENT' });
    }
    expect(existsSync(directory)).toBe(false);
    const told: string[] = [];
    const taken = await takeItems({
      mailbox,
      agentId: 'a',
      toolName: 'Bash',
      show: () => 'text',
      onProblem: ({ message }) => void told.push(message),
    });
    expect(taken).toEqual([]);
    expect(told).toEqual([expect.stringContaining('A part of the directory is missing')]);
  });

  it('FI-18: an acknowledge that the disk refuses can be made again', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    for (const id of ['x', 'y']) await mailbox.put({ id, content: 'x', to: 'a' });
    const lease = await mailbox.take({ agentId: 'a' });
    const done = boxOf(directory, 'a', 'done');
    renameSync(done, `${done}.away`);
    await expect(lease.acknowledge()).rejects.toThrow(MailboxDiskError);
    renameSync(`${done}.away`, done);
    await lease.acknowledge();
    expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
    expect(await mailbox.status('y')).toEqual({ a: 'delivered' });
  });
});
