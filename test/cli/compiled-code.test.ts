/** What the command keeps for its next call is run as code: where it may come from, and what becomes of damaged files. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../integrations/support/messages-server.js';
import { folder } from './support.js';

const CLI = fileURLToPath(new URL('../../dist/cli', import.meta.url));
const DAY_MS = 24 * 60 * 60 * 1000;

interface Call {
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: readonly string[];
  /** The folder of the command. */
  readonly cli?: string;
  readonly cwd?: string;
}

function place() {
  const { dir, workspace, env, home } = folder();
  const cache = join(dir, 'cache');
  mkdirSync(cache);
  const own = join(cache, 'hookline');
  const call = async ({ env: more, node = [], cli = CLI, cwd = workspace }: Call = {}): Promise<string> => {
    const args = [...node, join(cli, 'main.js'), 'samples', 'Stop'];
    const all = { ...env, NODE_DISABLE_COMPILE_CACHE: '', XDG_CACHE_HOME: cache, ...more };
    const { stdout, stderr } = await execa(process.execPath, args, { cwd, env: all });
    expect(stderr).toBe('');
    return stdout;
  };
  return { dir, workspace, home, cache, own, call };
}

const files = (own: string): readonly string[] =>
  existsSync(own)
    ? readdirSync(own)
        .sort()
        .map((name) => join(own, name))
    : [];
const writtenAt = (own: string): readonly number[] => files(own).map((file) => statSync(file).mtimeMs);

/** Puts code that says PLANTED in the place of everything that is kept, as somebody would who knows the format. */
async function plant(own: string): Promise<void> {
  const [, table] = /^const files = (.+);$/m.exec(readFileSync(join(CLI, 'main.js'), 'utf8')) ?? [];
  const places = (JSON.parse(table ?? '[]') as [string, number, string?][]).flatMap(([file, , hash]) => {
    const kept = files(own).find((each) => hash !== undefined && each.includes(hash));
    return kept === undefined ? [] : [{ source: readFileSync(join(CLI, file)), kept }];
  });
  // V8 compares lengths alone.
  const lengths = places.map(
    ({ source }) => `(function(module,require,__filename,__dirname){${source}\n})`.length,
  );
  const program = `
    const { Script } = require('node:vm');
    const compiled = ${JSON.stringify(lengths)}.map((length) => {
      const text = "(function(){console.log('PLANTED');process.exit()})";
      const script = new Script(text.padEnd(length));
      script.runInThisContext();
      return script.createCachedData().toString('base64');
    });
    console.log(JSON.stringify(compiled));`;
  const { stdout } = await execa(process.execPath, ['-e', program]);
  for (const [index, text] of (JSON.parse(stdout) as string[]).entries()) {
    const { source, kept } = places[index] as (typeof places)[number];
    const code = Buffer.from(text, 'base64');
    const sum = createHash('sha256').update(source).update(code).digest();
    writeFileSync(kept, Buffer.concat([sum, code]));
  }
}

describe('CL-55 compiled code', () => {
  it('is kept in the cache of the user, readable for nobody else, and used by the next call', async () => {
    const { own, call } = place();
    await call();
    const first = writtenAt(own);
    expect(first.length).toBeGreaterThan(1);
    expect(files(own).map((file) => statSync(file).mode & 0o077)).toEqual(first.map(() => 0));
    await call();
    expect(writtenAt(own)).toEqual(first);
    await plant(own);
    expect(await call()).toBe('PLANTED');
  });

  it.each([
    ['replaced', () => 'damaged'],
    ['empty', () => ''],
    ['cut off', (kept: Buffer) => kept.subarray(0, kept.length - 200)],
    [
      'changed in one bit',
      (kept: Buffer) => kept.map((byte, i) => (i === kept.length - 500 ? byte ^ 0x40 : byte)),
    ],
  ])('is compiled anew where it is %s', async (_, damage) => {
    const { own, call } = place();
    const expected = await call();
    for (const file of files(own)) writeFileSync(file, damage(readFileSync(file)));
    expect(await call()).toBe(expected);
    for (const file of files(own)) {
      expect(statSync(file).size).toBeGreaterThan(1000);
      expect(readFileSync(file).indexOf('damaged')).toBe(-1);
    }
    const written = writtenAt(own);
    await call();
    expect(writtenAt(own)).toEqual(written);
  });

  it('belongs to a text, whatever somebody has changed in a file of the package, and wherever it was moved', async () => {
    const { dir, own, call } = place();
    const cli = join(dir, 'package/cli');
    cpSync(CLI, cli, { recursive: true });
    const before = await call({ cli });
    for (const name of readdirSync(cli)) {
      const file = join(cli, name);
      const text = readFileSync(file, 'utf8');
      // As long as before.
      writeFileSync(file, text.replaceAll('stop_hook_active', 'stop_hook_edited'));
    }
    const edited = await call({ cli });
    expect(edited).toBe(before.replaceAll('stop_hook_active', 'stop_hook_edited'));
    expect(edited).not.toBe(before);
    const written = writtenAt(own);
    const moved = join(dir, 'elsewhere');
    renameSync(cli, moved);
    expect(await call({ cli: moved })).toBe(edited);
    expect(writtenAt(own)).toEqual(written);
  });

  it.each([
    ['that others may write to', (own: string) => chmodSync(own, 0o777)],
    ['of a group', (own: string) => chmodSync(own, 0o770)],
    ['in a folder where others may replace it', (own: string) => chmodSync(dirname(own), 0o777)],
    [
      'below a link to a place where others may replace it',
      (own: string) => {
        const open = `${dirname(own)}-open`;
        mkdirSync(open);
        chmodSync(open, 0o777);
        renameSync(dirname(own), join(open, 'cache'));
        symlinkSync(join(open, 'cache'), dirname(own));
      },
    ],
    [
      'that is a link',
      (own: string) => {
        renameSync(own, `${own}-real`);
        symlinkSync(`${own}-real`, own);
      },
    ],
  ])('is neither read from nor kept in a folder %s', async (_, spoil) => {
    const { own, call } = place();
    const expected = await call();
    await plant(own);
    spoil(own);
    const written = writtenAt(own);
    expect(await call()).toBe(expected);
    expect(writtenAt(own)).toEqual(written);
  });

  it.each([
    ['of somebody else', 'const own = process.getuid() + 1; process.getuid = () => own;'],
    [
      'in a folder of somebody else',
      `const { lstatSync } = fs;
      fs.lstatSync = (path) => Object.assign(lstatSync(path), path === process.env.XDG_CACHE_HOME && { uid: 1234 });`,
    ],
  ])('is left alone in a folder %s', async (_, pretend) => {
    const { dir, own, call } = place();
    const expected = await call();
    await plant(own);
    const somebody = join(dir, 'somebody.cjs');
    writeFileSync(somebody, `const fs = require('node:fs'); ${pretend}`);
    expect(await call({ node: ['--require', somebody] })).toBe(expected);
  });

  it.each([
    [
      'a link',
      (file: string) => {
        renameSync(file, `${file}-real`);
        symlinkSync(`${file}-real`, file);
      },
    ],
    ['writable for others', (file: string) => chmodSync(file, 0o666)],
    [
      'a pipe, which would never end',
      (file: string) => {
        rmSync(file);
        execFileSync('mkfifo', ['-m', '600', file]);
      },
    ],
  ])('is not read from a file that is %s', async (_, spoil) => {
    const { own, call } = place();
    const expected = await call();
    await plant(own);
    for (const file of files(own)) spoil(file);
    expect(await call()).toBe(expected);
  });

  it.each([
    [{ HOME: '', XDG_CACHE_HOME: '' }],
    [{ HOME: '.', XDG_CACHE_HOME: '' }],
    [{ HOME: '', XDG_CACHE_HOME: '.cache' }],
  ])('is not looked for in the folder of the hooks: %o', async (env) => {
    const { own, workspace, call } = place();
    const expected = await call();
    await plant(own);
    cpSync(own, join(workspace, '.cache/hookline'), { recursive: true });
    chmodSync(join(workspace, '.cache/hookline'), 0o700);
    expect(await call({ env })).toBe(expected);
    expect(files(join(workspace, '.cache/hookline'))).toHaveLength(files(own).length);
  });

  it('is not needed: without a cache that can be written, without a home, or where Node is told to keep none', async () => {
    const { dir, own, call } = place();
    const file = join(dir, 'file');
    writeFileSync(file, '');
    const calls = [
      { XDG_CACHE_HOME: file },
      { XDG_CACHE_HOME: '/proc/none' },
      { XDG_CACHE_HOME: '', HOME: '/dev/null' },
      { XDG_CACHE_HOME: '', HOME: join(dir, 'no/home') },
      { NODE_DISABLE_COMPILE_CACHE: '1' },
    ];
    const answers = await Promise.all(calls.map((env) => call({ env })));
    expect(files(own)).toEqual([]);
    expect(new Set(answers).size).toBe(1);
    expect(existsSync(join(dir, 'no'))).toBe(false);
  });

  it('leaves nothing where the disk is full, and is complete where several calls write at once', async () => {
    const { dir, own, call } = place();
    const full = join(dir, 'full.cjs');
    writeFileSync(
      full,
      `const fs = require('node:fs');
      const { writeSync } = fs;
      const { writeFileSync } = fs;
      const left = (data) => data.subarray(0, 1000);
      fs.writeSync = (file, data, ...rest) => writeSync(file, Buffer.isBuffer(data) ? left(data) : data, ...rest);
      fs.writeFileSync = (file, data, ...rest) => {
        writeFileSync(file, left(data), ...rest);
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      };`,
    );
    const expected = await call({ node: ['--require', full] });
    expect(files(own)).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 6 }, () => call()));
    expect(new Set(answers)).toEqual(new Set([expected]));
    const written = writtenAt(own);
    expect(written.length).toBeGreaterThan(1);
    expect(await call()).toBe(expected);
    expect(writtenAt(own)).toEqual(written);
  });

  // Code that imports when it runs cannot be kept: in a later call Node 20 would refuse the import.
  it.each([
    ['a module with hooks', ['list', '--trust-workspace']],
    ['a module with tests', ['test', 'my.hooktest.mjs', '--trust-workspace']],
    ['the package of a model', ['run', '-p', 'hello', '--trust-workspace']],
  ])('lets every call import %s, the first and the later ones', async (_, argv) => {
    const { workspace, env, home, write } = folder();
    const server = await startMessagesServer(['Hello.', 'Hello.']);
    onTestFinished(() => server.close());
    write('hookline.mjs', 'export default { Stop: [{ hooks: [() => {}] }] };');
    const test = "{ name: 'may stop', event: 'Stop', expect: { decision: 'none' } }";
    write('my.hooktest.mjs', `export default [${test}];`);
    const key = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url };
    const all = { ...env, ...key, XDG_CACHE_HOME: undefined, NODE_DISABLE_COMPILE_CACHE: '' };
    const options = { cwd: workspace, env: all, reject: false };
    for (const _ of ['first', 'second']) {
      const { exitCode, stderr } = await execa(process.execPath, [join(CLI, 'main.js'), ...argv], options);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(files(join(home, '.cache/hookline')).length).toBeGreaterThan(1);
    }
  });

  it('of versions that are gone is removed after a month, when something new is kept', async () => {
    const { own, call } = place();
    mkdirSync(own, { mode: 0o700 });
    const age = (name: string, days: number): string => {
      writeFileSync(join(own, name), '');
      const at = new Date(Date.now() - days * DAY_MS);
      utimesSync(join(own, name), at, at);
      return name;
    };
    age('gone', 31);
    const recent = age('recent', 29);
    await call();
    const names = readdirSync(own);
    expect(names).not.toContain('gone');
    expect(names).toContain(recent);
    expect(names.length).toBeGreaterThan(2);
  });
});
