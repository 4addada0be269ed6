/** Loads the hooks of a command: those of the folder and of its user, and those of the files on the command line. */
import { statSync } from 'node:fs';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { PostModelCall, PreModelCall } from '../../agent/loop/model-call-events.js';
import { HookError, show } from '../../base/errors.js';
import {
  type Diagnostic,
  isRemoved,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
} from '../../config/loaded.js';
import { createTrustStore } from '../../config/trust/trust-store.js';
import { unfiredProblems } from '../../config/unknown-event.js';
import type { HookSource } from '../../dialects/source.js';
import { HOOK_SOURCES, SOURCE_OPTIONS } from '../../dialects/sources.js';
import { registerLazily } from '../../events/registry.js';
import type { HandlerServices } from '../../handlers/kinds.js';
import type { Options, Values } from '../command.js';

export const HOOK_OPTIONS = {
  ...SOURCE_OPTIONS,
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
  /** Other hosts whose files were named. */
  readonly hosts: readonly string[];
  readonly configs: readonly LoadedConfig[];
  /** How to load a configuration again that may change during a session. */
  readonly reloads: ReadonlyMap<LoadedConfig, () => Promise<LoadedConfig>>;
  readonly diagnostics: readonly Diagnostic[];
  /** What the ecosystem of each configuration finds suspicious in its own files. Never rejects. */
  check(): Promise<readonly Diagnostic[]>;
  /** In the order in which they are registered. */
  readonly entries: readonly HookEntry[];
}

/** Rejects with a HookError for a named file that does not exist, and for a mandatory file that is broken. */
export async function loadHooks(
  cwd: string,
  options: Partial<HookOptionValues> = {},
  services: HandlerServices = {},
  sources: readonly HookSource[] = HOOK_SOURCES,
): Promise<LoadedHooks> {
  checkFolder(cwd);
  // The events of the loop that `run` starts, for all commands: what `run` obeys, `check` knows.
  registerLazily({ PreModelCall: () => PreModelCall, PostModelCall: () => PostModelCall });
  const named = Object.fromEntries(
    Object.entries(SOURCE_OPTIONS).map(([option, { value }]) => [
      option,
      (options[option as keyof typeof SOURCE_OPTIONS] ?? []).map((name) =>
        value === 'HOST' ? name : namedPlace(option, name, cwd, value),
      ),
    ]),
  );
  const trust = options['trust-workspace'] ? ('workspace' as const) : createTrustStore();
  // A path at which nothing can be found.
  const user = options['no-user'] ? { configDir: devNull } : {};
  const configs: LoadedConfig[] = [];
  const checks: (() => Promise<readonly Diagnostic[]>)[] = [];
  const reloads = new Map<LoadedConfig, () => Promise<LoadedConfig>>();
  for (const source of sources) {
    const request = { ...services, ...user, cwd, named, trust };
    for (const [i, config] of (await source.load(request)).entries()) {
      configs.push(config);
      // What is written during a session was not there when the folder was approved.
      const again = async () => (await source.load({ ...request, trust: createTrustStore() }))[i] ?? config;
      if (source.isLive === true) reloads.set(config, again);
      if (source.check !== undefined) checks.push(source.check.bind(source, config));
    }
  }
  return {
    cwd,
    hosts: options['hooks-of'] ?? [],
    configs,
    reloads,
    check: async () => (await Promise.all(checks.map((check) => check()))).flat(),
    diagnostics: configs.flatMap((config) => [...config.diagnostics, ...unfiredProblems(config)]),
    entries: configs.flatMap(({ groups }) =>
      groups.flatMap((group) => group.hooks.map((hook) => ({ group, hook }))),
    ),
  };
}

/** The hooks that would run if they were approved. */
export function untrusted({ entries }: LoadedHooks): HookEntry[] {
  return entries.filter(
    ({ hook: { inactive } }) => inactive?.reason === 'untrusted' || inactive?.reason === 'modified',
  );
}

/** The hooks that were approved and are gone, each as what refuses in its place. */
export function removed({ entries }: LoadedHooks): HookEntry[] {
  return entries.filter(({ hook }) => isRemoved(hook));
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
    // Methods stay bound to the original.
    ...(config.dispose !== undefined && { dispose: () => config.dispose?.() ?? Promise.resolve() }),
  };
}

/** Stops what the configurations keep running; for commands that create no runner. */
export async function disposeHooks({ configs }: LoadedHooks): Promise<void> {
  await Promise.allSettled(configs.map((config) => config.dispose?.()));
}

function checkFolder(cwd: string): void {
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const why = found === undefined ? `The folder ${show(cwd)} does not exist.` : `${show(cwd)} is no folder.`;
  throw new HookError('invalid_option', `${why} Give another one as --cwd.`);
}

function namedPlace(option: string, name: string, cwd: string, value: 'FILE' | 'DIR'): string {
  const path = resolve(cwd, name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && (value === 'FILE' || found.isDirectory())) return path;
  throw new HookError(
    'invalid_option',
    `--${option} names ${show(name)}, and there is no such ${value === 'FILE' ? 'file' : 'folder'}. Correct the path.`,
  );
}
