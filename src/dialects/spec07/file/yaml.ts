/** The groups of a YAML or JSON file, each problem at its line. A group that does not fit voids only itself. */
import { resolve } from 'node:path';
import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Diagnostic, LoadedGroup, LoadedHook, Source } from '../../../config/loaded.js';
import { unknownEvent } from '../../../config/read.js';
import type { Hook } from '../../../config/types.js';
import { messageOf } from '../../../errors.js';
import { describeIssue, isHookEvent } from '../../../events/schemas.js';
import type { HookEvent } from '../../../events/types.js';
import { resolveDialect } from '../../index.js';
import { bareGroupSchema, type FileGroup, hookSchema } from './schema.js';

interface Place {
  at(path: readonly PropertyKey[]): Source;
  tell(severity: Diagnostic['severity'], code: string, message: string, source: Source): void;
}

/** Throws for text that is no YAML at all. */
export function readYamlGroups(
  text: string,
  file: Source,
  workspace: string,
  diagnostics: Diagnostic[],
): LoadedGroup[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new Error(`${error.message} (line ${line}, column ${col})`);
  }
  const place: Place = {
    at: (path) => locate(document, path, file, lines),
    tell: (severity, code, message, source) => diagnostics.push({ severity, code, message, source }),
  };
  return readEvents(document, place, file.layer === 'project', workspace);
}

function readEvents(
  document: Document,
  place: Place,
  ofWorkspace: boolean,
  workspace: string,
): LoadedGroup[] {
  const hooks = document.get('hooks', true);
  if (!isMap(hooks)) {
    place.tell(
      'error',
      'wrong_type',
      'The file has no `hooks`; write hooks: { PreToolUse: [...] }.',
      place.at(['hooks']),
    );
    return [];
  }
  const values = (document.toJS() as { hooks: Readonly<Record<string, readonly unknown[]>> }).hooks;
  const groups: LoadedGroup[] = [];
  for (const { key } of hooks.items) {
    const event = String(key);
    const list = hooks.get(event, true);
    if (!isHookEvent(event)) {
      place.tell(
        'warning',
        'unknown_event',
        `${unknownEvent(event).message} Its hooks never run.`,
        place.at(['hooks', event]),
      );
    } else if (!isSeq(list)) {
      place.tell('error', 'wrong_type', `${event} is no list of groups.`, place.at(['hooks', event]));
    } else {
      for (const index of list.items.keys()) {
        const path = ['hooks', event, index];
        const group = readGroup(event, values[event]?.[index], path, place, ofWorkspace, workspace);
        if (group !== undefined) groups.push(group);
      }
    }
  }
  return groups;
}

function readGroup(
  event: HookEvent,
  value: unknown,
  path: readonly PropertyKey[],
  place: Place,
  ofWorkspace: boolean,
  workspace: string,
): LoadedGroup | undefined {
  const checked = bareGroupSchema.safeParse(value);
  if (!checked.success) {
    const where = place.at([...path, ...(checked.error.issues[0]?.path ?? [])]);
    place.tell('error', 'bad_group', `This group does not count: ${describeIssue(checked.error)}.`, where);
    return undefined;
  }
  const { hooks, onFailure, matcher, ...rest } = checked.data;
  const problem = matcherProblem(checked.data, path, place);
  if (ofWorkspace && onFailure !== undefined) tellPolicy([...path, 'onFailure'], place);
  const read = hooks.map((hook, i) => readHook(hook, [...path, 'hooks', i], place, ofWorkspace, workspace));
  const broken = { reason: 'broken', message: problem ?? '' } as const;
  return {
    event,
    options: {
      ...rest,
      ...(matcher !== undefined && problem === undefined && { matcher }),
      ...(onFailure !== undefined && !ofWorkspace && { onFailure }),
    },
    hooks:
      problem === undefined ? read : read.map((hook) => ({ ...hook, inactive: hook.inactive ?? broken })),
    source: place.at(path),
  };
}

/** What comes with a workspace gets no secrets and cannot make itself binding. */
function readHook(
  value: unknown,
  path: readonly PropertyKey[],
  place: Place,
  ofWorkspace: boolean,
  workspace: string,
): LoadedHook {
  const written =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const source = place.at(path);
  const checked = hookSchema.safeParse(value);
  if (!checked.success) {
    const message = describeIssue(checked.error);
    const where = place.at([...path, ...(checked.error.issues[0]?.path ?? [])]);
    place.tell('error', 'bad_hook', `This hook does not count: ${message}.`, where);
    const hook = { type: 'prepared', run: () => ({ kind: 'failed-to-start', message }) } as Hook;
    return { hook, description: 'a hook', source, written, inactive: { reason: 'broken', message } };
  }
  const hook = checked.data;
  const { onFailure: _, ...mild } = hook;
  const here = { environment: 'scrub', cwd: resolve(workspace, ('cwd' in hook && hook.cwd) || '.') };
  return {
    hook: (ofWorkspace ? { ...mild, ...(hook.type === 'command' && here) } : hook) as Hook,
    description:
      hook.type === 'command' ? [hook.command, ...(hook.args ?? [])].join(' ') : new URL(hook.url).origin,
    source,
    written,
  };
}

/** Why a matcher cannot be used, if so. */
function matcherProblem(
  { matcher, dialect }: Pick<FileGroup, 'matcher' | 'dialect'>,
  path: readonly PropertyKey[],
  { tell, at }: Place,
): string | undefined {
  if (matcher === undefined || matcher === '') return undefined;
  const source = at([...path, 'matcher']);
  const { compileMatcher, doubtMatcher } = resolveDialect(dialect);
  try {
    compileMatcher(matcher);
    const doubt = doubtMatcher(matcher);
    if (doubt !== undefined)
      tell('warning', 'matcher_doubtful', `The matcher may never match: ${doubt}.`, source);
    return undefined;
  } catch (error) {
    tell('error', 'bad_matcher', `${messageOf(error)} Its hooks never run.`, source);
    return messageOf(error);
  }
}

function tellPolicy(path: readonly PropertyKey[], { tell, at }: Place): void {
  tell(
    'warning',
    'ignored_key',
    '`onFailure` does not count in the files of a workspace; set it in your own.',
    at(path),
  );
}

/** The place of a value, or of the nearest thing around it that is there. */
function locate(document: Document, path: readonly PropertyKey[], file: Source, lines: LineCounter): Source {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const { line, col } = lines.linePos(node.range[0]);
    return { ...file, line, column: col };
  }
  return file;
}
