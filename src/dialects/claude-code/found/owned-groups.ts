/** Limits the hooks of a frontmatter to the agent they belong to; those of skills and commands do not run here. */
import type { Diagnostic, LoadedGroup, LoadedHook } from '../../../config/loaded.js';
import { ALL_EVENTS, rowOf } from '../../../events/registry.js';
import type { FoundMarkdown, Owner } from './frontmatter.js';

/** Returns the groups as they are registered. */
export function ownedGroups(
  { owner, pluginRoot }: Pick<FoundMarkdown, 'owner' | 'pluginRoot'>,
  groups: readonly LoadedGroup[],
  diagnostics: Diagnostic[],
): readonly LoadedGroup[] {
  const why = whyNot(owner, pluginRoot !== undefined);
  if (why === undefined) return groups.map((group) => ofAgent(group, owner.name));
  const inactive = { reason: 'unsupported', message: why } as const;
  return groups.map((group) => {
    if (group.hooks.length > 0)
      diagnostics.push({
        severity: 'warning',
        code: 'hooks_of_part',
        message: `These hooks of ${group.event} do not run: ${why}.`,
        source: group.source,
      });
    return { ...group, hooks: group.hooks.map((hook): LoadedHook => ({ ...hook, inactive })) };
  });
}

function whyNot({ kind, name }: Owner, inPlugin: boolean): string | undefined {
  if (kind === 'agent')
    return inPlugin
      ? `they belong to the agent ${name} of a plugin, and hooks of such agents never run, as in Claude Code`
      : undefined;
  return `they belong to the ${kind} ${name}, and the agent of hookline has no ${kind}s. Move them into the \`hooks\` of a settings file if they should always run`;
}

/** The end of its turn is the end of a subagent. */
function ofAgent(group: LoadedGroup, name: string): LoadedGroup {
  const ends = rowOf(group.event).moment === 'turn-ends';
  const event = ends
    ? (ALL_EVENTS.find((each) => rowOf(each).moment === 'subagent-ends') ?? group.event)
    : group.event;
  const { matcher: _, ...unmatched } = group.options;
  return {
    ...group,
    event,
    options: ends ? unmatched : group.options,
    hooks: group.hooks.map((hook) => ({
      ...hook,
      ...(hook.key !== undefined && { key: `${name}:${hook.key}` }),
      condition: [`inside the agent ${name}`, ...(hook.condition === undefined ? [] : [hook.condition])].join(
        ', ',
      ),
      applies: (input) =>
        input['agent_type'] === name && input['agent_id'] !== undefined && (hook.applies?.(input) ?? true),
    })),
  };
}
