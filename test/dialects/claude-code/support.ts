/** A home, a workspace and a plugin in a fresh directory, written from plain objects or text. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type ClaudeSettingsOptions,
  type Diagnostic,
  type LoadedConfig,
  loadClaudeSettings,
  Runner,
  type RunnerOptions,
} from '../../../src/index.js';

export interface Place {
  readonly dir: string;
  readonly workspace: string;
  readonly home: string;
  readonly managed: string;
  readonly plugin: string;
  /** Writes a file below the directory; objects become JSON. Text that begins with `#!` is made executable. */
  write(path: string, content: unknown): string;
  load(options?: ClaudeSettingsOptions): Promise<LoadedConfig>;
  runner(config: LoadedConfig, options?: RunnerOptions): Runner;
}

export function place(): Place {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-settings-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const workspace = join(dir, 'workspace');
  const home = join(dir, 'home');
  const plugin = join(dir, 'plugin');
  const managed = join(dir, 'managed.json');
  mkdirSync(join(workspace, '.claude'), { recursive: true });
  return {
    dir,
    workspace,
    home,
    managed,
    plugin,
    write: (path, content) => {
      const file = join(dir, path);
      mkdirSync(dirname(file), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(file, text);
      if (text.startsWith('#!')) chmodSync(file, 0o755);
      return file;
    },
    load: (options = {}) =>
      loadClaudeSettings({
        cwd: workspace,
        configDir: home,
        managedFile: managed,
        trust: 'workspace',
        ...options,
      }),
    runner: (config, options = {}) => {
      const runner = new Runner({ cwd: workspace, ...options });
      // What a broken part of a file means for the rest of it is tested without the refusal.
      runner.use(config, { onLostProtection: 'warn' });
      onTestFinished(() => runner.dispose());
      return runner;
    },
  };
}

/** Settings with one group of commands for an event. */
export function settings(event: string, ...commands: (string | Record<string, unknown>)[]): object {
  const hooks = commands.map((each) =>
    typeof each === 'string' ? { type: 'command', command: each } : each,
  );
  return { hooks: { [event]: [{ hooks }] } };
}

/** Diagnostics in short: `line:column severity code`. */
export function short({ diagnostics }: { diagnostics: readonly Diagnostic[] }): string[] {
  return diagnostics.map(
    ({ severity, code, source }) => `${source.line}:${source.column} ${severity} ${code}`,
  );
}
