/** Which hooks a call is about: those of the folder and of its user, and of the files that the call names. */
import { existsSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { basename, extname, resolve } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import type { Diagnostic, LoadedConfig, LoadedGroup, LoadedHook } from '../../config/loaded.js';
import { createTrustStore } from '../../config/trust/index.js';
import { type ClaudeSettingsOptions, loadClaudeSettings } from '../../dialects/claude-code/settings/load.js';
import { loadMassgenConfig } from '../../dialects/massgen/load.js';
import { loadHooklineConfig } from '../../dialects/spec07/file/load.js';
import type { Options, Values } from '../command.js';

export const HOOK_OPTIONS = {
  settings: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'Also the hooks of this file: Claude settings (.json), or a hookline file (hookline.json, .yaml, .mjs). Naming it is approving it.',
  },
  massgen: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    help: 'Also the hooks of this MassGen configuration. Naming it is approving it.',
  },
  plugin: { type: 'string', multiple: true, value: 'DIR', help: 'Also the hooks of this plugin.' },
  'trust-workspace': { type: 'boolean', help: 'Approve all hooks of this folder, for this call.' },
  'no-user': { type: 'boolean', help: "Leave out the user's own hooks (~/.claude, ~/.config/hookline)." },
} as const satisfies Options;

export type HookOptionValues = Values<typeof HOOK_OPTIONS>;

/** One hook with everything that is known about it. */
export interface HookEntry {
  readonly group: LoadedGroup;
  readonly hook: LoadedHook;
}

export interface LoadedHooks {
  readonly cwd: string;
  readonly configs: readonly LoadedConfig[];
  readonly diagnostics: readonly Diagnostic[];
  /** In the order in which they are registered. */
  readonly entries: readonly HookEntry[];
}

/** Rejects with a HookError for a file that is named and not there, and for a broken file that is binding. */
export async function loadHooks(
  cwd: string,
  options: HookOptionValues,
  surroundings: Pick<ClaudeSettingsOptions, 'model' | 'mcp'> = {},
): Promise<LoadedHooks> {
  checkFolder(cwd);
  const named = options.settings.map((file) => namedFile('settings', file, cwd));
  const massgen = options.massgen.map((file) => namedFile('massgen', file, cwd));
  const trust = options['trust-workspace'] ? ('workspace' as const) : createTrustStore();
  // Nothing can be found there.
  const user = options['no-user'] ? { configDir: devNull } : {};
  const configs = [
    await loadClaudeSettings({
      ...surroundings,
      ...user,
      cwd,
      files: named.filter((file) => !isHooklineFile(file)),
      plugins: options.plugin.map((folder) => resolve(cwd, folder)),
      trust,
    }),
    await loadHooklineConfig({ ...user, cwd, files: named.filter(isHooklineFile), trust }),
  ];
  for (const file of massgen) configs.push(await loadMassgenConfig(file));
  return {
    cwd,
    configs,
    diagnostics: configs.flatMap(({ diagnostics }) => diagnostics),
    entries: configs.flatMap(({ groups }) =>
      groups.flatMap((group) => group.hooks.map((hook) => ({ group, hook }))),
    ),
  };
}

/** Those that would run if somebody approved them. */
export function untrusted({ entries }: LoadedHooks): HookEntry[] {
  return entries.filter(
    ({ hook: { inactive } }) => inactive?.reason === 'untrusted' || inactive?.reason === 'modified',
  );
}

/** The same configuration with other hooks. */
export function mapHooks(
  config: LoadedConfig,
  change: (hook: LoadedHook, group: LoadedGroup) => LoadedHook,
): LoadedConfig {
  return {
    ...config,
    groups: config.groups.map((group) => ({
      ...group,
      hooks: group.hooks.map((hook) => change(hook, group)),
    })),
    // A method of the original stays one of the original.
    ...(config.dispose !== undefined && { dispose: () => config.dispose?.() ?? Promise.resolve() }),
  };
}

/** Ends what the configurations keep running; for calls that make no runner. */
export async function disposeHooks({ configs }: LoadedHooks): Promise<void> {
  await Promise.allSettled(configs.map((config) => config.dispose?.()));
}

function checkFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new HookError('invalid_option', `The folder ${show(cwd)} does not exist. Give another one as --cwd.`);
}

function namedFile(option: string, name: string, cwd: string): string {
  const file = resolve(cwd, name);
  if (existsSync(file)) return file;
  throw new HookError(
    'invalid_option',
    `--${option} names ${show(name)}, and there is no such file. Correct the path.`,
  );
}

export function isHooklineFile(file: string): boolean {
  return extname(file) !== '.json' || basename(file) === 'hookline.json';
}
