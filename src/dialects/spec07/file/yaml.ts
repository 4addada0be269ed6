/** The groups of a YAML or JSON file, each problem at its line. A group that does not fit voids only itself. */
import { isMap, isSeq } from 'yaml';
import { type Diagnostic, type LoadedGroup, losesProtection, type Source } from '../../../config/loaded.js';
import { unknownEventProblem } from '../../../config/unknown-event.js';
import { isEvent } from '../../../events/registry.js';
import type { HandlerServices } from '../../../handlers/kinds.js';
import { type FileDocument, readDocument } from './document.js';
import { type Reading, readGroup } from './group.js';
import { fileSchema } from './schema.js';

/** May throw for a document that grows beyond measure when its aliases are filled in. */
export function readYamlGroups(
  text: string,
  source: Source,
  workspace: string,
  services: HandlerServices,
  diagnostics: Diagnostic[],
): LoadedGroup[] {
  const read = readDocument(text, source);
  if (!read.ok) {
    diagnostics.push(read.problem);
    return [];
  }
  const { file } = read;
  const reading: Reading = {
    ...services,
    at: file.at,
    keyAt: file.keyAt,
    workspace,
    ofWorkspace: source.layer === 'project',
    tell: (severity, code, message, where) =>
      diagnostics.push(losesProtection({ severity, code, message, source: where })),
  };
  return tellTop(file, reading) ? readEvents(file, reading) : [];
}

/** What stands at the top of the file; false: there is nothing to read in it. */
function tellTop({ document, at, keyAt }: FileDocument, { tell }: Reading): boolean {
  const { contents } = document;
  const value: unknown = document.toJS();
  if (value === null || value === undefined) {
    tell('error', 'empty_file', 'The file is empty: it has no `hooks`.', at([]));
    return false;
  }
  if (!isMap(contents)) {
    const what = isSeq(contents) ? 'a list' : 'a single value';
    tell(
      'error',
      'wrong_type',
      `The file is ${what}, not an object with \`hooks\`; write hooks: {...}.`,
      at([]),
    );
    return false;
  }
  for (const { key } of contents.items) {
    const name = String(key);
    if (Object.hasOwn(fileSchema.shape, name)) continue;
    if (isEvent(name)) {
      const message = `\`${name}\` stands beside \`hooks\`, so its hooks never run; write it inside \`hooks\`.`;
      tell('error', 'misplaced_event', message, keyAt([name]));
    } else tell('warning', 'unknown_key', `\`${name}\` is not known here; it is ignored.`, keyAt([name]));
  }
  if (isMap(contents.get('hooks', true))) return true;
  const missing = !contents.has('hooks');
  const what = missing ? 'The file has no `hooks`' : '`hooks` is not an object of events';
  tell(
    'error',
    'wrong_type',
    `${what}; write hooks: { PreToolUse: [...] }.`,
    missing ? at([]) : at(['hooks']),
  );
  return false;
}

function readEvents({ document, at, keyAt }: FileDocument, reading: Reading): LoadedGroup[] {
  const hooks = document.get('hooks', true);
  if (!isMap(hooks)) return [];
  const values = (document.toJS() as { hooks: Readonly<Record<string, readonly unknown[]>> }).hooks;
  const groups: LoadedGroup[] = [];
  for (const { key } of hooks.items) {
    const event = String(key);
    const path = ['hooks', event];
    const list = hooks.get(event, true);
    if (!isEvent(event)) {
      const { severity, code, message } = unknownEventProblem(event);
      reading.tell(severity, code, message, keyAt(path));
    } else if (!isSeq(list)) {
      const message = `${event} is not a list of groups; write - hooks: [...] below it.`;
      reading.tell('error', 'wrong_type', message, at(path));
    } else {
      for (const index of list.items.keys()) {
        const group = readGroup(event, values[event]?.[index], [...path, index], reading);
        if (group !== undefined) groups.push(group);
      }
    }
  }
  return groups;
}
