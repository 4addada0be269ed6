/** Hooks as a Claude settings file has them: written to a workspace, loaded from there, run as shell commands. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type AnyEvent, loadClaudeSettings, type Runner } from '../../../../src/index.js';

/** Shell lines for events; a matcher behind a colon: `PreToolUse:Bash`. */
export type ClaudeHooks = { readonly [place in AnyEvent | `${AnyEvent}:${string}`]?: readonly string[] };

/** A shell line that prints an answer. */
export const prints = (answer: object): string =>
  `printf '%s' '${JSON.stringify(answer).replaceAll("'", "'\\''")}'`;

/** Registers them, as `prepare` of a loop under test. */
export async function useClaudeHooks(
  hooks: ClaudeHooks,
  { runner, cwd }: { readonly runner: Runner; readonly cwd: string },
): Promise<void> {
  const byEvent: Record<string, object[]> = {};
  for (const [place, lines = []] of Object.entries(hooks)) {
    const [event = '', matcher] = place.split(':');
    byEvent[event] ??= [];
    byEvent[event].push({
      ...(matcher !== undefined && { matcher }),
      hooks: lines.map((command) => ({ type: 'command', command, timeout: 10 })),
    });
  }
  mkdirSync(join(cwd, '.claude'));
  writeFileSync(join(cwd, '.claude', 'settings.json'), JSON.stringify({ hooks: byEvent }));
  const config = await loadClaudeSettings({
    cwd,
    configDir: join(cwd, '..', 'home'),
    managedFile: null,
    trust: 'workspace',
  });
  expect(config.diagnostics).toEqual([]);
  runner.use(config);
}
