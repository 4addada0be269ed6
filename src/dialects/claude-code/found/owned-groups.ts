/** Limits the hooks of a frontmatter to the agent, the skill or the command they belong to. */
import { type Diagnostic, isOfWorkspace, type LoadedGroup, type LoadedHook } from '../../../config/loaded.js';
import { ALL_EVENTS, rowOf } from '../../../events/registry.js';
import type { FoundMarkdown, Owner } from './frontmatter.js';

/** Returns the groups as they are registered. `first`: the skill or command that its name loads. */
export function ownedGroups(
  { owner, plugin, file, off }: Pick<FoundMarkdown, 'owner' | 'plugin' | 'file' | 'off'>,
  groups: readonly LoadedGroup[],
  first: Pick<FoundMarkdown, 'file' | 'layer'> | undefined,
  diagnostics: Diagnostic[],
): readonly LoadedGroup[] {
  const other = first?.file === file ? undefined : first;
  const why = off === undefined ? whyNot(owner, plugin !== undefined, other) : undefined;
  // What is left out belongs to it too: its approval is of the same hook.
  const owned = groups.map((group) => (owner.kind === 'agent' ? ofAgent : ofSkill)(group, owner));
  if (why === undefined) return owned;
  const inactive = { reason: 'unsupported', message: why } as const;
  return owned.map((group, i) => {
    // What the workspace puts in its place does not take away its guards once they are approved.
    if (other !== undefined && isOfWorkspace(other) && isOfWorkspace(group.source)) {
      const switchedOff = { message: `left out: ${why}` };
      return { ...group, hooks: group.hooks.map((hook) => ({ ...hook, switchedOff })) };
    }
    if (group.hooks.length > 0)
      diagnostics.push({
        severity: 'warning',
        code: 'hooks_of_part',
        message: `These hooks of ${groups[i]?.event ?? group.event} do not run: ${why}.`,
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
    hooks: group.hooks.map((hook) => limited(hook, { kind: 'agent', name }, `inside the agent ${name}`)),
  };
}

/** From its use until the end of the session. */
function ofSkill(group: LoadedGroup, { kind, name }: Owner): LoadedGroup {
  return {
    ...group,
    hooks: group.hooks.map((hook) => ({
      ...limited(hook, { kind, name }, `the ${kind} ${name} was used`),
      ...(hook.written['once'] === true && { once: true as const }),
    })),
  };
}

function limited(hook: LoadedHook, { kind, name }: Owner, when: string): LoadedHook {
  const within = `${kind} ${name}`;
  const applies = isWithin(within);
  return {
    ...hook,
    within,
    ...(hook.key !== undefined && { key: `${name}:${hook.key}` }),
    condition: [when, ...(hook.condition === undefined ? [] : [hook.condition])].join(', '),
    applies: (input) => applies?.(input) !== false && (hook.applies?.(input) ?? true),
  };
}

/** Whether a call is made inside the agent, or after the skill or the command was used; undefined: it belongs to none. */
export function isWithin(within: string | undefined): LoadedHook['applies'] {
  const [, kind, name] = /^(agent|skill|command) (.*)$/s.exec(within ?? '') ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'agent') return (input) => input['agent_type'] === name && input['agent_id'] !== undefined;
  return ({ active_skills: skills }) => Array.isArray(skills) && skills.includes(name);
}
