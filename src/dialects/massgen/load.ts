/** Loads a MassGen configuration: the hooks for all agents and for each one, and how the agents work together. */
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { readTextFile } from '../../base/files/text-file.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { isOfWorkspace, type Layer, type LoadedConfig, type LoadedGroup } from '../../config/loaded.js';
import { type HandlerOptions, Handlers } from './handlers.js';
import { massgen } from './index.js';
import { readSettings } from './settings.js';
import type { MassgenSettings } from './types.js';
import { readWritten, type WrittenGroup } from './written.js';
import { YamlFile } from './yaml.js';

/** Who wrote the file, and how its handlers run. */
export interface MassgenOptions extends HandlerOptions {
  /** Who wrote the file. Default: `file`, which the caller names and therefore trusts. */
  readonly layer?: Layer | undefined;
  /** For a file that comes with a workspace: 'workspace' if all of it is approved. Default: nothing runs. */
  readonly trust?: 'workspace' | undefined;
}

const OPTIONS: OptionNames<MassgenOptions> = {
  layer: true,
  trust: true,
  cwd: true,
  python: true,
  paths: true,
  preflight: true,
  importTimeout: true,
};

/** A loaded MassGen file. Its Python hooks share a process, which ends when it is disposed. */
export interface MassgenConfig extends LoadedConfig {
  /** The agents and how they work together; `wireMassgen` of `hookline/team` uses it. */
  readonly settings: MassgenSettings;
  /** Ends the Python process, if one was started. Resolves when it has exited. Never rejects. */
  dispose(): Promise<void>;
}

/** A path, or the text of a file and the name to report it under. */
export type MassgenSource = string | { readonly text: string; readonly file: string };

/**
 * Loads a MassGen configuration: its hooks, for `runner.use`, and its `settings`. Rejects only for an unknown option:
 * problems of the file are listed in `diagnostics`, with their position and what to do.
 */
export async function loadMassgenConfig(
  source: MassgenSource,
  options: MassgenOptions = {},
): Promise<MassgenConfig> {
  refuseUnknownOptions('loadMassgenConfig', options, OPTIONS);
  const layer = options.layer ?? 'file';
  const file = resolve(typeof source === 'string' ? source : source.file);
  const read = typeof source === 'string' ? await readText(file) : { text: source.text };
  const yaml = new YamlFile('text' in read ? read.text : '', file, layer);
  if ('problem' in read) {
    const message = `The file cannot be read, so none of its hooks count: ${read.problem}.`;
    yaml.error('unreadable_file', message, undefined);
  }
  const handlers = new Handlers(file, layer, options);
  const groups: LoadedGroup[] = [];
  // One after another: an import that hangs ends the Python process, and would end the other imports with it.
  for (const written of readWritten(yaml)) groups.push(await toGroup(written, handlers, yaml));
  const settings = readSettings(yaml, resolve(options.cwd ?? dirname(file)));
  const trusted = !isOfWorkspace({ layer }) || options.trust === 'workspace';
  return {
    groups: trusted ? groups : groups.map(untrusted),
    settings,
    diagnostics: yaml.diagnostics,
    files: [file],
    dispose: () => handlers.close(),
  };
}

async function toGroup(written: WrittenGroup, handlers: Handlers, yaml: YamlFile): Promise<LoadedGroup> {
  const { event, agentId, override, hook, source } = written;
  const place = { event, source, ...(agentId !== undefined && { agentId }), ...(override && { override }) };
  if (hook === undefined) return { ...place, options: { dialect: massgen }, hooks: [] };
  const loaded = await handlers.prepare(hook, (message) =>
    yaml.report('error', 'handler_not_found', `${message}. Until it can, it refuses.`, hook.source),
  );
  const { matcher, timeout, failClosed } = hook;
  // A mistake in the configuration refuses, even without `fail_closed`.
  const onFailure = loaded.inactive !== undefined || failClosed ? 'block' : 'continue';
  const says = loaded.inactive !== undefined || failClosed !== undefined;
  const options = {
    dialect: massgen,
    timeout,
    ...(matcher !== undefined && { matcher }),
    ...(says && ({ onFailure } as const)),
  };
  return { ...place, options, hooks: [loaded] };
}

/** Neither do its hooks run, nor does it switch off those of others. */
function untrusted({ override: _, ...group }: LoadedGroup): LoadedGroup {
  const message = 'it comes with the workspace and is not approved';
  const hooks = group.hooks.map((hook) => ({ ...hook, inactive: { reason: 'untrusted', message } as const }));
  return { ...group, hooks };
}

async function readText(file: string): Promise<{ text: string } | { problem: string }> {
  try {
    const text = await readTextFile(file);
    return text === undefined ? { problem: 'there is no such file' } : { text };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
