import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePrivateFolder, replacePrivate, writePrivate } from '../../../src/base/files/private.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-private-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('private files', () => {
  it('are made for their owner alone, once, and through no link', async () => {
    const path = join(folder, 'file');
    await writePrivate(path, 'text');
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['text', 0o600]);
    await expect(writePrivate(path, 'other')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(path, 'utf8')).toBe('text');
    await symlink(join(folder, 'elsewhere'), join(folder, 'link'));
    await expect(writePrivate(join(folder, 'link'), 'other')).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('are replaced as a whole, without the old mode, and leave nothing behind when that fails', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'old', { mode: 0o644 });
    await replacePrivate(path, 'new');
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['new', 0o600]);
    await makePrivateFolder(join(folder, 'taken', 'inside'));
    await expect(replacePrivate(join(folder, 'taken'), 'new')).rejects.toThrow();
    expect((await readdir(folder)).sort()).toEqual(['file', 'taken']);
    expect(await modeOf(join(folder, 'taken'))).toBe(0o700);
  });
});
