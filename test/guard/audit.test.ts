/** The audit log: its chain, and several processes that append to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appendAudit, verifyAudit } from '../../src/guard/audit.js';
import { folder } from '../cli/support.js';

function logFile(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hookline-audit-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'log', 'audit.jsonl');
}

async function logOf(count: number): Promise<{ readonly file: string; readonly lines: string[] }> {
  const file = logFile();
  for (let n = 1; n <= count; n++) await appendAudit(file, { n });
  return { file, lines: readFileSync(file, 'utf8').trimEnd().split('\n') };
}

describe('GU-15 verify', () => {
  it('accepts what was written', async () => {
    const { file } = await logOf(3);
    const report = await verifyAudit(file);
    expect(report).toMatchObject({ ok: true, entries: 3 });
    expect(await appendAudit(file, {})).toBe((await verifyAudit(file)).head);
  });

  it.each([
    ['a changed entry', (lines: string[]) => lines.with(1, lines[1]?.replace('"n":2', '"n":9') ?? ''), 2],
    ['a removed line', (lines: string[]) => lines.toSpliced(1, 1), 2],
    ['a removed first line', (lines: string[]) => lines.slice(1), 1],
    ['an added line', (lines: string[]) => lines.toSpliced(1, 0, lines[1] ?? ''), 3],
    ['moved lines', (lines: string[]) => [lines[1], lines[0], ...lines.slice(2)], 1],
    ['text that is no JSON', (lines: string[]) => lines.with(2, 'x'), 3],
    ['an empty line', (lines: string[]) => lines.toSpliced(2, 0, ''), 3],
    ['a changed time', (lines: string[]) => lines.with(3, lines[3]?.replace(/"at":"2/, '"at":"1') ?? ''), 4],
  ])('names the line of %s', async (_, change, line) => {
    const { file, lines } = await logOf(4);
    writeFileSync(file, `${change(lines).join('\n')}\n`);
    const report = await verifyAudit(file);
    expect([report.ok, report.broken?.line]).toEqual([false, line]);
  });

  it('as a command: the first broken line, and lines that are missing at the end', async () => {
    const { call } = folder();
    const { file, lines } = await logOf(3);
    const { head } = await verifyAudit(file);
    expect((await call(['audit', 'verify', file, '--head', head])).code).toBe(0);
    writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n`);
    expect((await call(['audit', 'verify', file])).code).toBe(0);
    const cut = await call(['audit', 'verify', file, '--head', head, '--json']);
    expect([cut.code, cut.json()]).toMatchObject([1, { ok: false, entries: 2 }]);
    writeFileSync(file, 'x\n');
    const broken = await call(['audit', 'verify', file]);
    expect([broken.code, broken.out]).toEqual([1, `broken  ${file}:1: It is not a line of an audit log.\n`]);
    expect((await call(['audit', 'check', file])).err).toContain('Did you mean verify?');
    expect((await call(['audit', 'verify', 'none.jsonl'])).code).toBe(64);
  });
});

describe('GU-14 append', () => {
  it('several processes lose nothing and break nothing', { timeout: 60_000 }, async () => {
    const file = logFile();
    const library = fileURLToPath(new URL('../../dist/guard/index.js', import.meta.url));
    const program = `import { appendAudit } from ${JSON.stringify(library)};
      for (let n = 0; n < 15; n++) await appendAudit(process.argv[1], { pid: process.pid, n });`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '--eval', program, file], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await verifyAudit(file)).toMatchObject({ ok: true, entries: 60 });
  });

  it('removes the lock of a process that has ended', async () => {
    const { file } = await logOf(1);
    const child = spawn(process.execPath, ['--eval', '']);
    await once(child, 'exit');
    writeFileSync(`${file}.lock`, `${child.pid} x`);
    await appendAudit(file, {});
    expect([existsSync(`${file}.lock`), (await verifyAudit(file)).entries]).toEqual([false, 2]);
  });

  it('does not append to a damaged line', async () => {
    const { file } = await logOf(1);
    writeFileSync(file, readFileSync(file, 'utf8').trimEnd());
    await expect(appendAudit(file, {})).rejects.toThrow('is damaged');
  });
});
