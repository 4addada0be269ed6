/** Collects what a user of Claude Code has in a folder and at home, and what of it runs in `hookline run`. */
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../config/loaded.js';
import { type FoundMarkdown, findMarkdown } from '../../dialects/claude-code/found/frontmatter.js';
import { findClaudeParts } from '../../dialects/claude-code/found/parts.js';
import { readSettingsFiles, type SettingsFile } from '../../dialects/claude-code/settings/files.js';
import { canPrevent, rowOf } from '../../events/registry.js';
import { findProblems, type Problem } from '../check/problems.js';
import { approveLine } from '../hooks/inactive.js';
import type { HookEntry, HookOptionValues, LoadedHooks } from '../hooks/load.js';
import type { Io } from '../io.js';
import { isOfGit, reviewGrants } from '../trust/grants.js';
import { isInactiveHere, type Part, type Report, type Todo } from './report.js';

/** `hooks`: everything that is loaded for this folder. Never rejects because of what it finds. */
export async function examine(
  hooks: LoadedHooks,
  options: Pick<HookOptionValues, 'plugin' | 'no-user' | 'trust-workspace'>,
  tools: readonly string[],
  io: Pick<Io, 'cwd'>,
): Promise<Report> {
  const { cwd } = hooks;
  const places = {
    cwd,
    plugins: options.plugin.map((root) => resolve(cwd, root)),
    ...(options['no-user'] && { configDir: devNull }),
  };
  const settings = await readSettingsFiles(cwd, places);
  const ignored: Diagnostic[] = [];
  const parts = await findClaudeParts(cwd, places, settings, ignored);
  const markdown = (await Promise.all(parts.places.map((place) => findMarkdown(place)))).flat();
  const problems = await findProblems(hooks, tools);
  const plugins = parts.plugins.map(({ id, root, enabled, layer }): Part => {
    const own = hooks.entries.filter(
      ({ hook }) => root !== undefined && hook.source.file.startsWith(`${root}/`),
    );
    const state = !enabled ? 'disabled' : root === undefined ? 'not installed' : 'enabled';
    return { name: id, state, layer, ...(root !== undefined && { file: root }), ...countOf(own) };
  });
  return {
    folder: cwd,
    settings: settings.flatMap((file) => settingsPart(file, hooks)),
    plugins,
    agents: ofKind('agent', markdown, hooks),
    skills: ofKind('skill', markdown, hooks),
    commands: ofKind('command', markdown, hooks),
    hooks: hooks.entries.map((entry) => ({
      event: entry.group.event,
      description: entry.hook.description,
      source: entry.hook.source,
      state: stateOf(entry, problems),
      failsOpen: failsOpen(entry),
    })),
    todo: [
      ...todoFor(hooks, problems, cwd, io),
      ...(options['trust-workspace'] ? [] : await todoForGrants(hooks, options['no-user'], io)),
    ],
  };
}

function settingsPart({ file, layer, content }: SettingsFile, hooks: LoadedHooks): Part[] {
  if (content === undefined) return [];
  const own = hooks.entries.filter(({ hook }) => hook.source.file === file);
  const env = content.ok ? (content.root.get('env')?.entries() ?? []).map(({ key }) => key) : [];
  const state = content.ok ? 'read' : 'broken';
  return [{ name: file, file, layer, state, ...(env.length > 0 && { env }), ...countOf(own) }];
}

function ofKind(kind: string, markdown: readonly FoundMarkdown[], hooks: LoadedHooks): Part[] {
  return markdown
    .filter(({ owner }) => owner.kind === kind)
    .map(({ owner, file, layer, off }) => ({
      name: owner.name,
      file,
      layer,
      state: off === undefined ? 'enabled' : 'disabled',
      ...countOf(hooks.entries.filter(({ hook }) => hook.source.file === file)),
    }));
}

const countOf = (entries: readonly HookEntry[]): Pick<Part, 'hooks' | 'running'> => ({
  hooks: entries.length,
  running: entries.filter((entry) => !isInactiveHere(entry)).length,
});

/** A hook whose matcher matches nothing has a problem at its group. */
function stateOf(entry: HookEntry, problems: readonly Problem[]): string {
  const { group, hook } = entry;
  if (hook.inactive !== undefined) return hook.inactive.reason;
  if (rowOf(group.event).unfired !== '') return 'not fired';
  const never = problems.some(
    ({ code, source }) =>
      code === 'matcher_matches_nothing' &&
      source.file === group.source.file &&
      source.line === group.source.line,
  );
  return never ? 'never matches' : 'runs';
}

/** Whether a failure of the hook lets pass what it should refuse. */
function failsOpen({ group, hook: { hook, inactive } }: HookEntry): boolean {
  if (inactive !== undefined || !canPrevent(group.event)) return false;
  const policy =
    typeof hook === 'object' ? (hook.onFailure ?? group.options.onFailure) : group.options.onFailure;
  return policy !== 'block';
}

/** Equal advice is said once, with the places it is about. */
function todoFor(
  hooks: LoadedHooks,
  problems: readonly Problem[],
  cwd: string,
  io: Pick<Io, 'cwd'>,
): readonly Todo[] {
  const byText = new Map<string, Todo>();
  for (const { severity, code, message, hint, source } of problems) {
    if (severity === 'info') continue;
    const waits = code === 'untrusted' || code === 'modified';
    const text = waits
      ? `Look at these hooks, then: ${approveLine(cwd, io, hooks.hosts)}`
      : `${message}${hint === undefined ? '' : ` ${hint}`}`;
    const known = byText.get(text);
    byText.set(text, { text, code, places: [...(known?.places ?? []), source] });
  }
  const open = hooks.entries.filter(failsOpen);
  if (open.length > 0) {
    const text =
      'These hooks can refuse, and let everything pass when they fail: a timeout, a crash, a missing program. For a guard, write "onFailure": "block" beside its command.';
    byText.set(text, { text, code: 'fails_open', places: open.map(({ hook }) => hook.source) });
  }
  return [...byText.values()];
}

/** Permissions of the folder that are not approved. */
async function todoForGrants(
  { cwd, hosts }: LoadedHooks,
  withoutUser: boolean,
  io: Pick<Io, 'cwd'>,
): Promise<readonly Todo[]> {
  const grants = await reviewGrants(cwd, !withoutUser);
  const open = grants.filter(({ status }) => status !== 'trusted');
  const approve = approveLine(cwd, io, hosts);
  const [ofGit, ofRules] = [open.filter(isOfGit), open.filter((grant) => !isOfGit(grant))];
  const todo = (text: string, code: string, about: typeof open): readonly Todo[] =>
    about.length === 0
      ? []
      : [{ text: `${text}: ${approve}`, code, places: about.map(({ source }) => source) }];
  return [
    ...todo('What this folder allows has no effect until you approve it', 'untrusted_rules', ofRules),
    ...todo('Git commands need confirmation here until you approve what git runs', 'untrusted_git', ofGit),
  ];
}
