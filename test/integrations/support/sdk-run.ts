/** Runs the real `query` of the Agent SDK, with the command line that it brings, in a home of its own, against a planned model. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Options, type Query, query, type SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { expect, onTestFinished } from 'vitest';
import { isRunning, until } from '../../support/process-harness.js';
import { type MessagesServer, startMessagesServer, type Turn } from './messages-server.js';

export interface SdkRun {
  readonly server: MessagesServer;
  /** Where the agent works. */
  readonly project: string;
  readonly query: Query;
  /** Reads to the end, through something that follows the messages or on its own. */
  finish(through?: (query: Query) => AsyncIterable<SDKMessage>): Promise<readonly SDKMessage[]>;
}

export interface RunPlan {
  readonly turns: readonly Turn[];
  readonly before?: (index: number) => void | Promise<void>;
  readonly prompt?: Parameters<typeof query>[0]['prompt'];
  readonly options: Partial<Options>;
  /** More variables for the command line. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startQuery({ turns, before, prompt = 'Go.', options, env }: RunPlan): Promise<SdkRun> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-sdk-')));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  const server = await startMessagesServer(turns, before);
  const pids: number[] = [];
  const running = query({
    prompt,
    options: {
      cwd: project,
      model: 'claude-sonnet-4-5-20250929',
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      env: { ...environment(home, server.url), ...env },
      spawnClaudeCodeProcess({ command, args, cwd, env: given, signal }) {
        const child = spawn(command, args, { cwd, env: given, signal, stdio: ['pipe', 'pipe', 'ignore'] });
        if (child.pid !== undefined) pids.push(child.pid);
        child.on('error', () => {});
        return child;
      },
      ...options,
    },
  });
  onTestFinished(async () => {
    running.close();
    await until(() => !pids.some(isRunning), 'the end of the command line', 30_000);
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    server,
    project,
    query: running,
    async finish(through = (messages) => messages) {
      const seen: SDKMessage[] = [];
      for await (const message of through(running)) seen.push(message);
      await until(() => !pids.some(isRunning), 'the end of the command line', 30_000);
      expect(pids).toHaveLength(1);
      return seen;
    },
  };
}

/** Nothing of the machine's own settings, and no talk to anyone but the planned model. */
function environment(home: string, url: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy-key',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    IS_SANDBOX: '1',
    CI: '1',
  };
}

/** How often a text occurs in what a request says. */
export function countIn(text: string, part: string): number {
  return text.split(part).length - 1;
}
