/** Compiles a loaded configuration into the groups of a registry. */
import { messageOf } from '../../base/errors.js';
import type { Dialect } from '../../config/dialect.js';
import type { LoadedConfig, LoadedGroup, Source } from '../../config/loaded.js';
import { isEvent } from '../../events/registry.js';
import { compileGroup, type GroupDefaults, type HookGroup } from './group.js';

export interface UsedGroup {
  readonly group: HookGroup;
  readonly agentId: string | undefined;
  readonly override: boolean;
}

/**
 * Compiles every group. Nothing in a file makes this throw, because that would disable all other hooks too; hooks
 * that will not run become warnings.
 */
export function compileLoaded(
  config: LoadedConfig,
  resolve: (dialect: LoadedGroup['options']['dialect']) => Dialect,
  defaults: GroupDefaults,
): UsedGroup[] {
  return config.groups.flatMap((loaded) => {
    const { event, options, hooks, agentId, override } = loaded;
    const report = (source: Source, message: string | undefined): void => {
      const where = `${source.file}:${source.line}:${source.column}`;
      defaults.warn({ code: 'hook_inactive', event, message: `${where}: ${message}` });
    };
    try {
      const entries = hooks.map((origin) => ({ hook: origin.hook, origin }));
      const group = compileGroup(event, options, entries, resolve(options.dialect), {
        ...defaults,
        services: config.services ?? defaults.services,
      });
      for (const { inactive, source } of group.inactive) report(source, inactive?.message);
      return [{ group, agentId, override: override === true }];
    } catch (error) {
      report(loaded.source, messageOf(error));
      const group = refusals(loaded, resolve, defaults);
      return group === undefined ? [] : [{ group, agentId, override: override === true }];
    }
  });
}

/** What stands for an approved hook refuses also where its group cannot be used: then everything, for want of a matcher. */
function refusals(
  { event, hooks }: LoadedGroup,
  resolve: (dialect: LoadedGroup['options']['dialect']) => Dialect,
  defaults: GroupDefaults,
): HookGroup | undefined {
  const standing = hooks.filter(
    ({ inactive }) => inactive?.reason === 'modified' || inactive?.reason === 'removed',
  );
  if (standing.length === 0 || !isEvent(event)) return undefined;
  const entries = standing.map((origin) => ({ hook: origin.hook, origin }));
  return compileGroup(event, {}, entries, resolve(undefined), defaults);
}
