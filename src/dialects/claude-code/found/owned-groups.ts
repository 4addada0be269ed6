/** Limits the hooks of a frontmatter to the agent, the skill or the command they belong to. */
import type { Diagnostic, LoadedGroup, LoadedHook } from '../../../config/loaded.js';
import { ALL_EVENTS, rowOf } from '../../../events/registry.js';
import type { FoundMarkdown, Owner } from './frontmatter.js';

/** Returns the groups as they are registered. `first`: the skill or command that its name loads. */
export function ownedGroups(
  { owner, plugin, file, off }: Pick<FoundMarkdown, 'owner' | 'plugin' | 'file' | 'off'>,
  groups: readonly LoadedGroup[],
  first: Pick<FoundMarkdown, 'file'> | undefined,
  diagnostics: Diagnostic[],
): readonly LoadedGroup[] {
  if (off !== undefined) return groups;
  const why = whyNot(owner, plugin !== undefined, first?.file === file ? undefined : first);
  if (why === undefined)
    return groups.map((group) => (owner.kind === 'agent' ? ofAgent : ofSkill)(group, owner));
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

function whyNot(
  { kind, name }: Owner,
  inPlugin: boolean,
  first: Pick<FoundMarkdown, 'file'> | undefined,
): string | undefined {
  if (kind === 'agent' && inPlugin)
    return `they belong to the agent ${name} of a plugin, and hooks of such agents never run, as in Claude Code`;
  if (kind !== 'agent' && first !== undefined)
    return `they belong to the ${kind} ${name}, and /${name} loads ${first.file}. Rename one of the two`;
  return undefined;
}

/** The end of its turn is the end of a subagent. */
function ofAgent(group: LoadedGroup, { name }: Owner): LoadedGroup {
  const ends = rowOf(group.event).moment === 'turn-ends';
  const event = ends
    ? (ALL_EVENTS.find((each) => rowOf(each).moment === 'subagent-ends') ?? group.event)
    : group.event;
  const { matcher: _, ...unmatched } = group.options;
  return {
    ...group,
    event,
    options: ends ? unmatched : group.options,
    hooks: group.hooks.map((hook) =>
      limited(
        hook,
        name,
        `inside the agent ${name}`,
        (input) => input['agent_type'] === name && input['agent_id'] !== undefined,
      ),
    ),
  };
}

/** From its use until the end of the session. */
function ofSkill(group: LoadedGroup, { kind, name }: Owner): LoadedGroup {
  const isUsed: LoadedHook['applies'] = ({ active_skills: skills }) =>
    Array.isArray(skills) && skills.includes(name);
  return {
    ...group,
    hooks: group.hooks.map((hook) => ({
      ...limited(hook, name, `the ${kind} ${name} was used`, isUsed),
      ...(hook.written['once'] === true && { once: true as const }),
    })),
  };
}

function limited(
  hook: LoadedHook,
  name: string,
  when: string,
  applies: NonNullable<LoadedHook['applies']>,
): LoadedHook {
  return {
    ...hook,
    ...(hook.key !== undefined && { key: `${name}:${hook.key}` }),
    condition: [when, ...(hook.condition === undefined ? [] : [hook.condition])].join(', '),
    applies: (input) => applies(input) && (hook.applies?.(input) ?? true),
  };
}
