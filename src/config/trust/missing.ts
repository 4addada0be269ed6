/**
 * Hooks that were approved and are not there any more as approved: removed, moved, changed, or in a file that cannot be
 * read. Calls that they would have judged are refused until a person has decided, because a file of the workspace
 * cannot take back what a person approved.
 */
import { resolve } from 'node:path';
import { shellWord } from '../../base/text/shell-word.js';
import { canPrevent, isEvent, rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { Diagnostic, LoadedGroup, LoadedHook, Source } from '../loaded.js';
import type { MatcherOptions } from '../types.js';
import { fieldsOf, reachOf } from './changes.js';
import { approvalStands } from './stands.js';
import type { ApprovedHook } from './store-types.js';
import { decidingFields, type TrustSubject } from './subject.js';
import type { TrustStore } from './trust-store.js';

/** What a loader knows about approvals: which hooks it would load if they were still there, and what they apply to. */
export interface Ownership {
  /** By the file and the dialect that the approval names. False for what this loader would not load. */
  owns(hook: ApprovedHook): boolean;
  /** Default: that of a group without one. */
  dialectOf?(hook: ApprovedHook): MatcherOptions['dialect'];
  /** Which of the calls that its matcher matches it judged. Default: all. */
  appliesTo?(hook: ApprovedHook): LoadedHook['applies'];
  /** Fingerprints of what is there and is no hook itself, such as modules with hooks. */
  readonly present?: ReadonlySet<string>;
  /** What is there in another version and is no hook itself. */
  readonly pending?: readonly TrustSubject[];
  /** Options of `hookline trust` with which it sees these hooks. */
  readonly flags?: string;
}

/** The hooks in question, with what is known about those that are present. */
export interface Comparison {
  readonly workspace: string;
  readonly approvals: readonly ApprovedHook[];
  /** The fingerprints of all present hooks. */
  readonly fingerprints: readonly (string | undefined)[];
  /** Present hooks that have changed since they were approved, so that they refuse themselves. */
  readonly modified: readonly TrustSubject[];
  readonly store: Pick<TrustStore, 'review'>;
}

export interface Missing {
  readonly missing: readonly ApprovedHook[];
  /** Groups that refuse in the place of the missing hooks. */
  readonly groups: readonly LoadedGroup[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Approvals of other things than hooks. */
const NO_HOOKS: ReadonlySet<string> = new Set(['permissions', 'git']);

const MODULE = 'module';

/** Never throws. */
export function findMissing(ownership: Ownership, compared: Comparison): Missing {
  const present = new Set([...compared.fingerprints, ...(ownership.present ?? [])]);
  const missing = compared.approvals.filter(
    (hook) => !NO_HOOKS.has(hook.event) && !present.has(hook.fingerprint) && ownership.owns(hook),
  );
  const modules = new Set(ownership.pending?.map(({ handler }) => handler['module']));
  const refusing = new Set(compared.modified.map(reachOfSubject));
  const groups: LoadedGroup[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const hook of missing) {
    const source = sourceOf(hook, compared.workspace);
    const todo = `Restore it, or accept that it is gone: ${approveLine(compared.workspace, ownership)}`;
    if (hook.event === MODULE) {
      // A module that has changed is reported by its loader.
      if (modules.has(source.file)) continue;
      const message = `The module ${hook.source} was approved and is gone. What it would guard is unknown. ${todo}`;
      diagnostics.push({ severity: 'error', code: 'removed_module', message, source, failsOpen: true });
      continue;
    }
    const what = `${hook.event}${hook.matcher === undefined ? '' : ` ${hook.matcher}`}`;
    const gone = `${hook.summary} was approved for ${what}, and ${hook.source} does not have it any more as it was approved`;
    if (!isEvent(hook.event) || !canPrevent(hook.event)) {
      diagnostics.push({ severity: 'warning', code: 'removed_watcher', message: `${gone}. ${todo}`, source });
      continue;
    }
    // In its place stands a hook that refuses exactly the same calls.
    if (refusing.has(reachOf(hook.fields))) continue;
    const message = `${gone}, so what it would have judged is refused. ${todo}`;
    diagnostics.push({ severity: 'warning', code: 'removed', message, source });
    groups.push(standIn(hook, hook.event, source, message, ownership, compared));
  }
  return { missing, groups, diagnostics };
}

function standIn(
  hook: ApprovedHook,
  event: AnyEvent,
  source: Source,
  message: string,
  { dialectOf, appliesTo }: Ownership,
  { workspace, store }: Comparison,
): LoadedGroup {
  const { fingerprint, summary, matcher } = hook;
  const dialect = dialectOf?.(hook);
  const applies = appliesTo?.(hook);
  const stands = approvalStands(store, workspace, fingerprint);
  const loaded: LoadedHook = {
    hook: { type: 'prepared', run: () => ({ kind: 'failed-to-start', message }), onFailure: 'block' },
    description: summary,
    source,
    written: {},
    ...(applies !== undefined && { applies }),
    removed: { fingerprint, stands },
    inactive: { reason: 'removed', message },
  };
  const options = {
    ...(dialect !== undefined && { dialect }),
    ...(matcher !== undefined && rowOf(event).matcherField !== null && { matcher }),
  };
  return { event, options, hooks: [loaded], source };
}

function sourceOf({ source = '' }: ApprovedHook, workspace: string): Source {
  return { layer: 'project', file: resolve(workspace, source), line: 1, column: 1 };
}

function approveLine(workspace: string, { flags = '' }: Ownership): string {
  const folder = workspace === process.cwd() ? '' : ` --cwd ${shellWord(workspace)}`;
  return `hookline trust approve${flags}${folder}`;
}

function reachOfSubject({ event, matcher, handler }: TrustSubject): string {
  const form = { version: 2, event, matcher, handler: decidingFields(handler), files: [] } as const;
  return reachOf(fieldsOf(form));
}

/** A field of the entry, or `group.` and a field of its group, if it is a text. */
export function textField({ fields }: ApprovedHook, name: string): string | undefined {
  const [, text] = fields.find(([field]) => field === name) ?? [];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
