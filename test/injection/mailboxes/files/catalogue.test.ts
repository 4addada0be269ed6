/** Faults that a hand-over by files is known to have elsewhere, and that the other tests here leave open. */
import { execFile } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openMailboxAs } from '../../../../src/injection/mailboxes/files/file-mailbox.js';
import {
  importMassgenFile,
  MASSGEN_FILE,
  MailboxDiskError,
  openFileMailbox,
} from '../../../../src/injection/mailboxes/files/index.js';
import { hashId } from '../../../../src/injection/mailboxes/files/item-name.js';
import { withHooks } from '../../../../src/integrations/mcp/index.js';
import { takeItems } from '../../../../src/integrations/take-items.js';
import { currentOwner, type Owner } from '../../../../src/process/owner.js';
import { addTools, connect, makeServer, textsOf } from '../../../integrations/support/mcp-bench.js';
import { makeRunner, refusalOf, turns, watchProcess } from '../../../support/runner.js';
import { dieAt } from './dying-disk.js';
import {
  boxOf,
  deadOwner,
  drain,
  everythingIn,
  type FileBench,
  filesOf,
  ids,
  makeFileMailbox,
  newDirectory,
} from './support.js';

watchProcess();

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SLOW = { timeout: 60_000 };
const MAX_CHANGES = 200;

/** As if nobody had touched it for two hours. */
function makeOld(...paths: readonly string[]): void {
  const long = new Date(Date.now() - 2 * 3_600_000);
  for (const path of paths) utimesSync(path, long, long);
}

type AnyAsync = (...args: unknown[]) => Promise<unknown>;
type Call = { readonly name: string; readonly args: readonly unknown[]; go(): Promise<unknown> };

/** While `work` runs, every change of the disk goes through `rule`. */
async function withChanges<T>(rule: (call: Call) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  // The functions are only passed on, with whatever they take.
  const holder = fs.promises as unknown as Record<string, AnyAsync>;
  const originals = new Map<string, AnyAsync>();
  for (const name of ['open', 'rename', 'link', 'unlink', 'mkdir', 'rm', 'chmod']) {
    const original = holder[name] as AnyAsync;
    originals.set(name, original);
    holder[name] = (...args) => rule({ name, args, go: () => original(...args) });
  }
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const [name, original] of originals) holder[name] = original;
    syncBuiltinESMExports();
  }
}

const isReading = ({ name, args }: Call): boolean =>
  name === 'open' &&
  typeof args[1] === 'number' &&
  (args[1] & (fs.constants.O_CREAT | fs.constants.O_WRONLY)) === 0;

/** Nothing can be changed: the file system is read-only, full, or broken. */
function whileRefused<T>(code: string, work: () => Promise<T>): Promise<T> {
  const refuse = () => Promise.reject(Object.assign(new Error(`${code}: refused`), { code }));
  return withChanges((call) => (isReading(call) ? call.go() : refuse()), work);
}

/** What is synced, linked and moved, in order: `sync staging/…`, `link ids`, `rename new`. */
async function journalOf(directory: string, work: () => Promise<unknown>): Promise<string[]> {
  const said: string[] = [];
  const show = (path: unknown): string => relative(directory, String(path)).replace(/^agents\/[^/]*\//, '');
  await withChanges(async ({ name, args, go }) => {
    if (name === 'link' || name === 'rename') said.push(`${name} ${dirname(show(args[1]))}`);
    const result = await go();
    if (name !== 'open') return result;
    const handle = result as FileHandle;
    const sync = handle.sync.bind(handle);
    const path = show(args[0]);
    handle.sync = async () => {
      await sync();
      said.push(`sync ${path.startsWith('staging/') ? 'staging/…' : path}`);
    };
    return handle;
  }, work);
  return said;
}

describe('writing', () => {
  it('FI-6: a file is on the disk before it gets a name, and its names are before put resolves', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.put({ content: 'the first one begins an epoch', to: 'a' });
    const said = await journalOf(directory, () => mailbox.put({ id: 'x', content: 'x', to: 'a' }));
    expect(said.slice(0, 3)).toEqual(['sync staging/…', 'link ids', 'rename new']);
    expect(said.slice(3).sort()).toEqual(['sync ids', 'sync new']);
  });

  it('FI-10: an acknowledge is on the disk before it resolves', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    await mailbox.put({ id: 'x', content: 'x', to: 'a' });
    const lease = await mailbox.take({ agentId: 'a' });
    const said = await journalOf(directory, () => lease.acknowledge());
    expect(said[0]).toBe('rename done');
    expect(said.slice(1).sort()).toEqual(['sync claimed', 'sync done']);
  });
});

describe('the window', () => {
  /** Takes, sends and acknowledges; dies right behind the step that it is told. What it sends it writes down. */
  const PROGRAM = `
    import { appendFileSync } from 'node:fs';
    import { openFileMailbox } from './src/injection/mailboxes/files/index.ts';
    const [directory, journal, last] = process.argv.slice(1);
    const step = (name) => { if (name === last) process.kill(process.pid, 'SIGKILL'); };
    const mailbox = await openFileMailbox({ directory });
    const lease = await mailbox.take({ agentId: 'a' });
    step('take');
    for (const { id } of lease.items) appendFileSync(journal, id + '\\n');
    step('send');
    await lease.acknowledge();
    step('acknowledge');
    await mailbox.close();
  `;

  it.each([
    ['take', 1],
    ['send', 2],
    ['acknowledge', 1],
    ['nothing', 1],
  ])(
    'FI-13: a process that dies behind %s: the item is sent %i times in all, and ends once',
    SLOW,
    async (last, sends) => {
      const { mailbox, directory } = await makeFileMailbox();
      const journal = join(dirname(directory), 'journal');
      writeFileSync(journal, '');
      await mailbox.put({ id: 'x', content: 'x', to: 'a' });
      const args = ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, directory, journal, last];
      const signal = await new Promise((resolve) => {
        execFile(process.execPath, args, { cwd: ROOT }, (error) => resolve(error?.signal));
      });
      expect(signal).toBe(last === 'nothing' ? undefined : 'SIGKILL');
      const again = await drain(mailbox, 'a');
      expect([...readFileSync(journal, 'utf8').trim().split('\n').filter(Boolean), ...again]).toEqual(
        Array.from({ length: sends }, () => 'x'),
      );
      expect(await mailbox.status('x')).toEqual({ a: 'delivered' });
      expect(filesOf(boxOf(directory, 'a', 'done'))).toHaveLength(1);
    },
  );
});

describe('deaths', () => {
  const OF: readonly (readonly [string, 'join' | 'leave', 'take' | 'leave'])[] = [
    ['leaving', 'join', 'leave'],
    ['coming back', 'leave', 'take'],
  ];
  it.each(OF)(
    'FI-12: in the middle of %s: an agent that comes by gets what is put from then on',
    SLOW,
    async (_, before, act) => {
      const owner = await deadOwner();
      for (let at = 1; at < MAX_CHANGES; at++) {
        const { mailbox, open } = await makeFileMailbox();
        await mailbox[before]('a');
        const victim = await open({}, owner);
        const hasDied = await dieAt(at, () =>
          act === 'leave' ? victim.leave('a') : victim.take({ agentId: 'a' }),
        );
        const survivor = await open();
        expect(await drain(survivor, 'a')).toEqual([]);
        await mailbox.put({ id: 'x', content: 'x', to: 'a' });
        await mailbox.put({ id: 'y', content: 'y' });
        expect(await survivor.agents(), `after death ${at}`).toEqual(['a']);
        expect(await drain(survivor, 'a'), `after death ${at}`).toEqual(['x', 'y']);
        if (!hasDied) return;
      }
    },
  );

  it('FI-12: in the middle of leaving a second time: it has still left', SLOW, async () => {
    const owner = await deadOwner();
    for (let at = 1; at < MAX_CHANGES; at++) {
      const { mailbox, open } = await makeFileMailbox();
      await mailbox.leave('a', 'it has crashed');
      const victim = await open({}, owner);
      const hasDied = await dieAt(at, () => victim.leave('a'));
      await mailbox.put({ id: 'x', content: 'x', to: 'a' });
      expect(await mailbox.status('x'), `after death ${at}`).toEqual({ a: 'failed' });
      if (!hasDied) return;
    }
  });

  it('FI-12: in the middle of opening: others can open it, and what is left behind goes', SLOW, async () => {
    const owner = await deadOwner();
    const { directory: sample } = await makeFileMailbox();
    for (let at = 1; at < MAX_CHANGES; at++) {
      const directory = newDirectory();
      const hasDied = await dieAt(at, () => openMailboxAs({ directory }, owner));
      const first = await openFileMailbox({ directory });
      await first.put({ id: 'x', content: 'x', to: 'a' });
      await first.close();
      makeOld(...everythingIn(directory).map((path) => join(directory, path)));
      const second = await openFileMailbox({ directory });
      expect(await drain(second, 'a')).toEqual(['x']);
      await second.close();
      expect(filesOf(directory).sort(), `after death ${at}`).toEqual(filesOf(sample).sort());
      if (!hasDied) return;
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'FI-11: a number that another living process has by now is not that of the one who is gone',
    async () => {
      const stat = readFileSync(`/proc/${process.ppid}/stat`, 'latin1');
      const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
      const take = async (owner: Owner): Promise<string[]> => {
        const { mailbox, open } = await makeFileMailbox();
        await mailbox.put({ id: 'x', content: 'x', to: 'a' });
        expect((await (await open({}, owner)).take({ agentId: 'a' })).items).toHaveLength(1);
        return drain(mailbox, 'a');
      };
      const parent = { ...currentOwner(), pid: process.ppid };
      expect(await take({ ...parent, start: String(start) }), 'it lives').toEqual([]);
      expect(await take({ ...parent, start: String(start - 1) }), 'it is another one').toEqual(['x']);
    },
  );
});

describe('a mailbox and its disk', () => {
  it.each(['EROFS', 'ENOSPC', 'EIO'])(
    'FI-18: %s: the result of a tool stays as it is, and the item comes with the next one',
    async (code) => {
      const { mailbox } = await makeFileMailbox();
      const { runner } = makeRunner();
      const problems: Error[] = [];
      const onProblem = (problem: Error): void => void problems.push(problem);
      const server = withHooks(addTools(makeServer()), runner, {
        serverName: 's',
        agentId: 'a',
        mailbox,
        onProblem,
        render: ([item]) => item?.content ?? '',
      });
      const { call } = await connect(server);
      await mailbox.put({ id: 'x', content: 'news', to: 'a' });
      const put = mailbox.put.bind(mailbox);
      const [result, error] = await whileRefused(code, async () => [
        await call('echo', { text: 'a' }),
        await put({ id: 'y', content: 'more', to: 'a' }).catch((thrown: unknown) => thrown),
      ]);
      expect(result).toEqual({ content: [{ type: 'text', text: 'echo a' }] });
      expect(error).toBeInstanceOf(MailboxDiskError);
      expect(error).toMatchObject({ code });
      expect(problems.length).toBeGreaterThan(0);
      for (const problem of problems) expect(problem.message).toContain(code);
      expect(await mailbox.status('x')).toEqual({ a: 'queued' });
      expect(await mailbox.status('y')).toBeUndefined();
      expect(textsOf(await call('echo', { text: 'b' }))).toEqual(['echo b', 'news']);
      await expect.poll(() => mailbox.status('x')).toEqual({ a: 'delivered' });
    },
  );

  it('FI-18: a directory that is removed while a tool runs: its result stays as it is', async () => {
    const { mailbox, directory } = await makeFileMailbox();
    const { runner } = makeRunner();
    const problems: string[] = [];
    runner.on('PostToolUse', () => rmSync(directory, { recursive: true }));
    const server = withHooks(addTools(makeServer()), runner, {
      serverName: 's',
      agentId: 'a',
      mailbox,
      onProblem: ({ message }) => void problems.push(message),
    });
    const { call } = await connect(server);
    await mailbox.put({ id: 'x', content: 'news', to: 'a' });
    expect(textsOf(await call('echo', { text: 'a' }))).toEqual(['echo a']);
    expect(problems).toEqual([expect.stringContaining('A part of the directory is missing')]);
    expect(existsSync(directory)).toBe(false);
  });

  const LINKS: readonly (readonly [string, (directory: string) => string])[] = [
    ...['joined', 'left.json', 'agent.json', 'arrivals'].map(
      (file) => [file, (directory: string) => boxOf(directory, 'a', file)] as const,
    ),
    ...['mailbox.json', 'log.arrivals', `ids/${hashId('x')}.json`].map(
      (file) => [file, (directory: string) => join(directory, file)] as const,
    ),
  ];
  it.each(LINKS)(
    'FI-17: with a link in the place of %s nothing behind it is read or written',
    async (_, place) => {
      const SECRET = `${JSON.stringify({ id: 'a', reason: 'the canary', version: 1 })}\n`;
      const calls: readonly ((bench: FileBench) => Promise<unknown>)[] = [
        ({ mailbox }) => mailbox.put({ id: 'x', content: 'x', to: 'a' }),
        ({ mailbox }) => mailbox.put({ id: 'all', content: 'x' }),
        ({ mailbox }) => mailbox.take({ agentId: 'a' }),
        ({ mailbox }) => mailbox.status('x'),
        ({ mailbox }) => mailbox.leave('a'),
        ({ mailbox }) => mailbox.join('a'),
        async ({ open }) => (await open()).refresh(),
      ];
      for (const before of ['join', 'leave'] as const) {
        for (const [i, call] of calls.entries()) {
          const bench = await makeFileMailbox();
          const { mailbox, directory, changes, problems } = bench;
          const canary = join(dirname(directory), 'canary');
          writeFileSync(canary, SECRET);
          await mailbox.put({ id: 'y', content: 'x' });
          await mailbox[before]('a');
          rmSync(place(directory), { force: true });
          symlinkSync(canary, place(directory));
          const answer = await call(bench).catch(String);
          expect(readFileSync(canary, 'utf8'), `${before}, call ${i}`).toBe(SECRET);
          expect(JSON.stringify([answer, changes, problems])).not.toContain('the canary');
        }
      }
    },
  );
});

describe('names', () => {
  it.each(['x'.repeat(300), '../'.repeat(100), '', '*'])(
    'FI-16: %j is no name of an agent: every call refuses it, and nothing is made for it',
    async (agentId) => {
      const { mailbox, directory } = await makeFileMailbox();
      const before = everythingIn(dirname(directory)).sort();
      for (const call of [
        () => mailbox.put({ content: 'x', to: agentId }),
        () => mailbox.put({ content: 'x', to: ['a', agentId] }),
        () => mailbox.take({ agentId }),
        () => mailbox.pending(agentId),
        () => mailbox.join(agentId),
        () => mailbox.leave(agentId),
        () => mailbox.carryOver(agentId),
      ])
        expect(await refusalOf(call)).toMatchObject({ problem: 'invalid' });
      expect(everythingIn(dirname(directory)).sort()).toEqual(before);
    },
  );
});

describe('what has to wait', () => {
  it('FI-15: however many wait for another tool, what may go goes, also one at a time', async () => {
    const { mailbox } = await makeFileMailbox();
    for (let i = 0; i < 40; i++)
      await mailbox.put({ content: 'x', to: 'a', matcher: 'Write', priority: i % 3 });
    for (const id of ['one', 'two']) await mailbox.put({ id, content: id, to: 'a', priority: -1 });
    const lease = await mailbox.take({ agentId: 'a', toolNames: ['Bash'], limit: 1 });
    expect(ids(lease.items)).toEqual(['one']);
    await lease.release();
    const taken = await takeItems({
      mailbox,
      agentId: 'a',
      toolName: 'Bash',
      show: (items) => ids(items).join(),
      onProblem: (problem) => expect.fail(problem.message),
    });
    expect(taken.map(({ text }) => text)).toEqual(['one', 'two']);
    for (const each of taken) await each.lease.release();
  });
});

describe("MassGen's file", () => {
  async function makeExchange() {
    const bench = await makeFileMailbox();
    const folder = join(dirname(bench.directory), '.codex');
    mkdirSync(folder);
    const file = join(folder, MASSGEN_FILE);
    const problems: string[] = [];
    return {
      ...bench,
      folder,
      file,
      problems,
      write: (content: string, more: object = {}) => {
        const whole = {
          inject: { content, strategy: 'tool_result' },
          expires_at: 4_000_000_000,
          sequence: 1,
        };
        writeFileSync(file, JSON.stringify({ ...whole, ...more }));
      },
      import: () =>
        importMassgenFile({
          file,
          mailbox: bench.mailbox,
          agentId: 'a',
          onProblem: ({ message }) => void problems.push(message),
        }),
    };
  }

  it('FI-27: what one who cannot be seen from here has left behind is imported after an hour, once', async () => {
    const { file, folder, write, mailbox, ...exchange } = await makeExchange();
    // Another container, or this machine before it was started anew.
    const elsewhere = `${file}.00000000-77-1.${'1'.repeat(16)}`;
    write('found');
    renameSync(file, `${elsewhere}.taken`);
    writeFileSync(`${elsewhere}.tmp`, '{"inject');
    expect(await exchange.import()).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(2);
    makeOld(`${elsewhere}.taken`, `${elsewhere}.tmp`);
    expect((await exchange.import()).map(({ content }) => content)).toEqual(['found']);
    expect(readdirSync(folder)).toEqual([]);
    expect(await exchange.import()).toEqual([]);
    expect(await drain(mailbox, 'a')).toHaveLength(1);
  });

  it('FI-27: while the mailbox cannot be used, a payload waits for the next import', async () => {
    const exchange = await makeExchange();
    const folder = join(exchange.directory, 'ids');
    exchange.write('patient');
    renameSync(folder, `${folder}.away`);
    symlinkSync(exchange.folder, folder);
    await expect(exchange.import()).rejects.toThrow('symbolic link');
    rmSync(folder);
    renameSync(`${folder}.away`, folder);
    expect((await exchange.import()).map(({ content }) => content)).toEqual(['patient']);
    expect(exchange.problems).toEqual([]);
    expect(readdirSync(exchange.folder)).toEqual([]);
  });

  it.each([
    ['exactly now', 'expired', 1000],
    ['a moment ago', 'expired', 999.999],
    ['in a moment', 'queued', 1000.001],
    ['before all time', 'expired', -1],
  ])('FI-27: a payload whose time comes %s is %s', async (_, state, expires_at) => {
    const exchange = await makeExchange();
    expect(exchange.clock()).toBe(1_000_000);
    exchange.write('x', { expires_at });
    await exchange.import();
    expect(exchange.changes.at(-1)?.state).toBe(state);
    expect(await drain(exchange.mailbox, 'a')).toHaveLength(state === 'queued' ? 1 : 0);
  });

  it.each(['null', '"NaN"', '1e999', '-1e999', '1e308', '[]', 'true'])(
    'FI-27: %s is no time, and does not mean never',
    async (expiry) => {
      const exchange = await makeExchange();
      writeFileSync(exchange.file, `{"inject":{"content":"x"},"expires_at":${expiry}}`);
      expect(await exchange.import()).toEqual([]);
      await turns();
      expect(exchange.problems).toHaveLength(1);
      expect(readdirSync(exchange.folder)).toEqual([expect.stringMatching(/\.failed$/)]);
      expect(await exchange.mailbox.pending('a')).toEqual([]);
    },
  );
});
