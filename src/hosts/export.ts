/** The hooks of a folder as a host's own configuration, for those who do not want the bridge. */
import { isOfWorkspace, type LoadedGroup, type LoadedHook } from '../config/loaded.js';
import type { Host, HostEvent, Json, Spelling } from '../dialects/host/host.js';
import { hostName } from '../dialects/host/translate.js';
import type { AnyEvent } from '../events/types.js';

export interface Exported {
  readonly config: Json;
  /** What cannot be expressed, with the file and line. */
  readonly cannot: readonly string[];
}

export function exportHooks(host: Host, groups: readonly LoadedGroup[]): Exported {
  const [spelling] = host.spellings;
  const hooks: Record<string, Json[]> = {};
  const cannot: string[] = [];
  for (const group of groups) {
    const own = spelling.events[group.event];
    for (const hook of group.hooks) {
      const problems =
        own === undefined
          ? [`${host.title} has no event for ${group.event}`]
          : [...problemsOf(host, group, hook), ...unreadAnswers(host, own, group.event)];
      cannot.push(
        ...problems.map(
          (problem) => `${hook.source.file}:${hook.source.line}: ${problem}: ${hook.description}`,
        ),
      );
      const entry = own === undefined ? undefined : entryOf(host, spelling, own, group, hook);
      if (own !== undefined && entry !== undefined) hooks[own.name] = [...(hooks[own.name] ?? []), entry];
    }
  }
  return { config: { ...host.newFile, hooks }, cannot };
}

/** What a hook may print here to stop a tool or to change its input. */
function answersOn(hookEventName: string): Readonly<Record<string, Json>> {
  const specific = (fields: Json): Json => ({ hookSpecificOutput: { hookEventName, ...fields } });
  return {
    '`decision: block`': { decision: 'block', reason: 'no' },
    '`permissionDecision: deny`': specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    '`permissionDecision: ask`': specific({ permissionDecision: 'ask', permissionDecisionReason: 'no' }),
    '`updatedInput`': specific({ updatedInput: { command: 'no' } }),
    '`continue: false`': { continue: false, stopReason: 'no' },
  };
}

/** Without the bridge nobody translates what a command prints: the host's own reader says what it ignores. */
function unreadAnswers(host: Host, own: HostEvent, event: AnyEvent): string[] {
  if (own.form !== 'before-tool') return [];
  const answers = answersOn(event);
  const unread = Object.keys(answers).filter((name) => {
    const stdout = JSON.stringify(answers[name]);
    const exit = { kind: 'exited', exitCode: 0, signal: undefined, stdout, stderr: '' } as const;
    const answer = host.spellings[0].read(exit, { event, own, input: {} });
    const acted = (['refuse', 'ask', 'rewrite', 'stop'] as const).filter((each) => own.can.includes(each));
    return acted.every((each) => answer[each] === undefined);
  });
  if (unread.length === 0) return [];
  return [
    `${host.title} lets the tool run if the command prints ${unread.join(', ')}; exit code 2 with a reason on stderr refuses`,
  ];
}

/** Undefined: only commands can be exported. */
function entryOf(
  host: Host,
  spelling: Spelling,
  own: HostEvent,
  group: LoadedGroup,
  { hook }: LoadedHook,
): Json | undefined {
  if (typeof hook !== 'object' || hook.type !== 'command' || hook.args !== undefined) return undefined;
  const seconds = hook.timeout ?? group.options.timeout;
  const ms = seconds === undefined ? undefined : Math.max(seconds * 1000, host.timeout.unitMs);
  const command = {
    type: 'command',
    [host.commandKeys[0]]: hook.command,
    ...(ms !== undefined && { [host.timeout.keys[0]]: Math.ceil(ms / host.timeout.unitMs) }),
  };
  const { matcher } = group.options;
  const all = matcher === undefined || matcher === '' || matcher === '*' || own.matches === 'nothing';
  const matched = all ? {} : { matcher: own.matches === 'text' ? matcher : patternOf(spelling, matcher) };
  return host.shape === 'groups' ? { ...matched, hooks: [command] } : { ...command, ...matched };
}

/** Our names and globs as an expression over the host's names. */
function patternOf(spelling: Spelling, matcher: string): string {
  const names = matcher.split('|').map((name) => hostName(spelling, name.trim()));
  return `^(?:${names
    .map((name) =>
      name
        .replaceAll(/[.+^${}()[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.'),
    )
    .join('|')})$`;
}

function problemsOf(host: Host, { options }: LoadedGroup, { hook, condition, source }: LoadedHook): string[] {
  const fields = typeof hook === 'object' ? hook : undefined;
  if (fields?.type !== 'command' || fields.args !== undefined)
    return ['only commands for a shell can be exported'];
  const blocks = (fields.onFailure ?? options.onFailure) === 'block';
  return [
    ...(blocks ? [`\`onFailure: block\` does not hold: ${host.title} lets a tool run after a timeout`] : []),
    ...(condition === undefined
      ? []
      : [`the condition \`${condition}\` is left out, so the hook runs more often`]),
    ...(options.last ? ['`last` is left out: the host chooses the order'] : []),
    ...(isOfWorkspace(source) ? [] : ['it comes from a file of the user']),
  ];
}
