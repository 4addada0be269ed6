/** The groups of a YAML or JSON file, each problem at its line. A group that does not fit voids only itself. */
import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Diagnostic, LoadedGroup, LoadedHook, Source } from '../../../config/loaded.js';
import { unknownEvent } from '../../../config/read.js';
import type { Hook } from '../../../config/types.js';
import { messageOf } from '../../../errors.js';
import { describeIssue, isHookEvent } from '../../../events/schemas.js';
import type { HookEvent } from '../../../events/types.js';
import { resolveDialect } from '../../index.js';
import { type FileGroup, groupSchema } from './schema.js';

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
  const checked = groupSchema.safeParse(value);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const where = place.at([...path, ...(issue?.path ?? [])]);
    place.tell('error', 'bad_group', `This group does not count: ${describeIssue(checked.error)}.`, where);
    return undefined;
  }
  const { hooks, onFailure, ...options } = checked.data;
  const source = place.at(path);
  if (!tellMatcher(options, path, place)) return undefined;
  if (ofWorkspace && onFailure !== undefined) tellPolicy([...path, 'onFailure'], place);
  return {
    event,
    options: { ...options, ...(onFailure !== undefined && !ofWorkspace && { onFailure }) },
    hooks: hooks.map((hook, i) => toHook(hook, place.at([...path, 'hooks', i]), ofWorkspace, workspace)),
    source,
  };
}

/** What comes with a workspace gets no secrets and cannot make itself binding. */
function toHook(
  hook: FileGroup['hooks'][number],
  source: Source,
  ofWorkspace: boolean,
  workspace: string,
): LoadedHook {
  const { onFailure: _, ...mild } = hook;
  const scrubbed =
    hook.type === 'command' ? { ...mild, environment: 'scrub', cwd: hook.cwd ?? workspace } : mild;
  return {
    hook: (ofWorkspace ? scrubbed : hook) as Hook,
    description: hook.type === 'command' ? [hook.command, ...(hook.args ?? [])].join(' ') : hook.url,
    source,
    written: hook,
  };
}

function tellMatcher(
  { matcher, dialect }: Pick<FileGroup, 'matcher' | 'dialect'>,
  path: readonly PropertyKey[],
  { tell, at }: Place,
): boolean {
  if (matcher === undefined || matcher === '') return true;
  const source = at([...path, 'matcher']);
  const { compileMatcher, doubtMatcher } = resolveDialect(dialect);
  try {
    compileMatcher(matcher);
    const doubt = doubtMatcher(matcher);
    if (doubt !== undefined)
      tell('warning', 'matcher_doubtful', `The matcher may never match: ${doubt}.`, source);
    return true;
  } catch (error) {
    tell('error', 'bad_matcher', `${messageOf(error)} This group does not count.`, source);
    return false;
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
