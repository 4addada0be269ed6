/** A fresh directory and a context for each test of a tool; nothing is left of either. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { runTool } from '../../../src/agent/tools/run-tool.js';
import type { Tool, ToolContext, ToolOutcome } from '../../../src/agent/tools/tool.js';

export interface ToolBench {
  readonly dir: string;
  readonly controller: AbortController;
  /** Where the agent is; tools may move it. */
  cwd: string;
  environmentFiles: string[];
  context(): ToolContext;
  path(name: string): string;
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  run(tool: Tool, input: unknown): Promise<ToolOutcome>;
}

export function useBench(): ToolBench {
  let dir = '';
  const bench = {
    get dir() {
      return dir;
    },
    controller: new AbortController(),
    cwd: '',
    environmentFiles: [] as string[],
    context: (): ToolContext => ({
      cwd: bench.cwd,
      setCwd: (path) => {
        bench.cwd = path;
      },
      signal: bench.controller.signal,
      environmentFiles: bench.environmentFiles,
      toolUseId: 'toolu_1',
    }),
    path: (name: string) => join(dir, name),
    write(name: string, content: string | Uint8Array) {
      const path = join(dir, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    read: (name: string) => readFileSync(join(dir, name), 'utf8'),
    run: (tool: Tool, input: unknown) => runTool(tool, input, bench.context()),
  };
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-tools-')));
    bench.controller = new AbortController();
    bench.cwd = dir;
    bench.environmentFiles = [];
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));
  return bench;
}

/** The success, or the test ends here with the error. */
export function succeeded(outcome: ToolOutcome): Extract<ToolOutcome, { ok: true }> {
  if (!outcome.ok) expect.fail(`it failed: ${outcome.error}`);
  return outcome;
}

export function failed(outcome: ToolOutcome): Extract<ToolOutcome, { ok: false }> {
  if (outcome.ok) expect.fail(`it succeeded: ${JSON.stringify(outcome)}`);
  return outcome;
}
