/** A workspace in a temporary directory, and commands that are checked in it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'vitest';
import { type PreflightRequest, preflightCommand } from '../../../src/config/preflight/preflight-command.js';
import type { PreflightProblem } from '../../../src/config/preflight/problem.js';

export interface PreflightFixture {
  readonly dir: string;
  /** Writes a file, executable unless told otherwise, and returns its path. */
  write(path: string, content: string, mode?: number): string;
  check(command: string, more?: Partial<PreflightRequest>): Promise<PreflightProblem[]>;
  /** As `check`, for what is asked most: `severity code`. */
  find(command: string, more?: Partial<PreflightRequest>): Promise<string[]>;
}

/** `folder`: how the workspace is called. */
export function preflightFixture(folder = 'workspace'): PreflightFixture & { dispose(): void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-preflight-')));
  const dir = join(root, folder);
  mkdirSync(dir);
  const check: PreflightFixture['check'] = (command, more) =>
    preflightCommand({ command, cwd: dir, workspace: dir, env: process.env, ...more });
  return {
    dir,
    write(path, content, mode = 0o755) {
      const full = join(dir, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content, { mode });
      return full;
    },
    check,
    find: async (command, more) =>
      (await check(command, more)).map(({ severity, code }) => `${severity} ${code}`),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export const preflightTest = test.extend<{ preflight: PreflightFixture }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter's pattern.
  preflight: async ({}, use) => {
    const fixture = preflightFixture();
    await use(fixture);
    fixture.dispose();
  },
});

/** The files that lines in tests name. */
export function furnish({ write, dir }: PreflightFixture): void {
  write('ok.sh', '#!/bin/sh\n');
  write('ok.py', '', 0o644);
  write('ok.js', '', 0o644);
  write(
    'imports.mjs',
    "#!/usr/bin/env node\n// First.\nimport fs from 'node:fs';\nimport { a,\n b } from 'gone/part';\n",
    0o644,
  );
  write('installed.mjs', "import './ok.js';\nimport { guard } from '@scope/there/part';\n", 0o644);
  write('node_modules/@scope/there/package.json', '{}', 0o644);
  write('text.mjs', "const text = `\nimport 'gone';\n`;\n", 0o644);
  write('hooks/inner.sh', '#!/bin/sh\n');
  write('crlf.sh', 'if true; then\r\necho\r\nfi\r\n', 0o644);
  mkdirSync(join(dir, 'folder'));
}
