/** From a loaded configuration to the groups that a registry holds. */
import type { Dialect } from './dialect.js';
import { compileGroup, type GroupDefaults, type HookGroup } from './group.js';
import type { LoadedConfig, LoadedGroup } from './loaded.js';

export interface UsedGroup {
  readonly group: HookGroup;
  readonly agentId: string | undefined;
  readonly override: boolean;
}

/** Compiles every group. Hooks that will not run are told about as warnings: nothing is skipped in silence. */
export function compileLoaded(
  config: LoadedConfig,
  resolve: (dialect: LoadedGroup['options']['dialect']) => Dialect,
  defaults: GroupDefaults,
): UsedGroup[] {
  return config.groups.map((loaded) => {
    const { event, options, hooks, agentId, override } = loaded;
    const entries = hooks.map((origin) => ({ hook: origin.hook, origin }));
    const group = compileGroup(event, options, entries, resolve(options.dialect), defaults);
    for (const { inactive, source } of group.inactive) {
      const where = `${source.file}:${source.line}:${source.column}`;
      defaults.warn({ code: 'hook_inactive', event, message: `${where}: ${inactive?.message}` });
    }
    return { group, agentId, override: override === true };
  });
}
