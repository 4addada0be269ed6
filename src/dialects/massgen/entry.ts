/** Reads one hook of a MassGen file. Problems are reported; an entry that cannot become a hook is broken and denies. */
import type { Node } from 'yaml';
import { messageOf } from '../../base/errors.js';
import { suggest } from '../../base/text/suggest.js';
import { timeoutMs } from '../../handlers/common-options.js';
import { DEFAULT_TIMEOUTS } from '../../handlers/default-timeouts.js';
import { compileMatcher } from './matcher.js';
import type { HandlerKind, WrittenHook } from './types.js';
import type { YamlEntry, YamlFile } from './yaml.js';

const KINDS: readonly string[] = ['python', 'command', 'module'] satisfies HandlerKind[];
const KEYS: readonly string[] = ['matcher', 'handler', 'callable', 'type', 'timeout', 'fail_closed'];

/** With `typeIsEvent` the entry's `type` is the name of its event, and its handler is Python. */
export function readEntry(
  yaml: YamlFile,
  node: Node,
  { typeIsEvent }: { readonly typeIsEvent: boolean },
): WrittenHook {
  const source = yaml.sourceOf(node);
  const fields = yaml.entries(node);
  const broken = (code: string, message: string, at: Node = node): { broken: string } => {
    // It refuses until it is repaired, so that nothing passes by mistake.
    yaml.safeError(code, message, at);
    return { broken: message };
  };
  if (fields === undefined) {
    const message = `A hook is ${yaml.show(node)}; write a mapping with \`handler\`, and perhaps \`matcher\`.`;
    const handler = String(yaml.scalar(node) ?? '(no handler)');
    return {
      handler,
      kind: 'python',
      timeout: DEFAULT_TIMEOUTS.massgen,
      source,
      ...broken('invalid_hook', message),
    };
  }
  noteUnknownKeys(yaml, fields);
  const field = (name: string): YamlEntry | undefined => fields.find(({ key }) => key === name);
  const handlerNode = (field('handler') ?? field('callable'))?.value;
  const handler = yaml.scalar(handlerNode);
  const kind = typeIsEvent ? 'python' : (yaml.scalar(field('type')?.value) ?? 'python');
  const matcher = readMatcher(yaml, field('matcher'), broken);
  return {
    handler: typeof handler === 'string' && handler.trim() !== '' ? handler.trim() : '(no handler)',
    kind: KINDS.includes(String(kind)) ? (kind as HandlerKind) : 'python',
    ...readTimeout(yaml, field('timeout')),
    ...readFailClosed(yaml, field('fail_closed')),
    ...matcher,
    ...(!KINDS.includes(String(kind)) &&
      broken(
        'unknown_type',
        `There is no type ${yaml.show(field('type')?.value)}; use python, command or module.`,
      )),
    ...((typeof handler !== 'string' || handler.trim() === '') &&
      broken('missing_handler', missing(yaml, handlerNode), handlerNode)),
    source,
  };
}

function missing(yaml: YamlFile, handler: Node | undefined): string {
  const what = handler === undefined ? 'has no `handler`' : `has ${yaml.show(handler)} as its \`handler\``;
  return `This hook ${what}; name the function to call, such as "my_hooks.check_writes".`;
}

/** An invalid matcher must not let tools pass: the hook then applies to all of them. */
function readMatcher(
  yaml: YamlFile,
  entry: YamlEntry | undefined,
  broken: (code: string, message: string, at?: Node) => { broken: string },
): { matcher?: string; broken?: string } {
  if (entry?.value === undefined) return {};
  const matcher = yaml.scalar(entry.value);
  if (matcher === '') return {};
  if (typeof matcher !== 'string') {
    const message = `The matcher is ${yaml.show(entry.value)}; give a string such as "Write|Edit".`;
    return broken('invalid_matcher', message, entry.value);
  }
  try {
    compileMatcher(matcher);
    return { matcher };
  } catch (error) {
    return broken('invalid_matcher', messageOf(error), entry.value);
  }
}

function readTimeout(yaml: YamlFile, entry: YamlEntry | undefined): { timeout: number } {
  const seconds = yaml.scalar(entry?.value);
  if (entry?.value === undefined) return { timeout: DEFAULT_TIMEOUTS.massgen };
  try {
    timeoutMs(seconds, 'hook');
    return { timeout: seconds as number };
  } catch (error) {
    yaml.safeError(
      'invalid_timeout',
      `${messageOf(error)} Until then it is ${DEFAULT_TIMEOUTS.massgen}.`,
      entry.value,
    );
    return { timeout: DEFAULT_TIMEOUTS.massgen };
  }
}

/** An invalid value of a safety option counts as the safe value. */
function readFailClosed(yaml: YamlFile, entry: YamlEntry | undefined): { failClosed?: boolean } {
  if (entry?.value === undefined) return {};
  const value = yaml.scalar(entry.value);
  if (typeof value === 'boolean') return { failClosed: value };
  const message = `\`fail_closed\` is ${yaml.show(entry.value)}; give true or false. Until then it counts as true.`;
  yaml.safeError('invalid_fail_closed', message, entry.value);
  return { failClosed: true };
}

function noteUnknownKeys(yaml: YamlFile, fields: readonly YamlEntry[]): void {
  for (const { key, keyNode } of fields) {
    if (KEYS.includes(key)) continue;
    const meant = suggest(key, KEYS);
    if (meant === undefined) {
      yaml.warn(
        'unknown_key',
        `A hook has no \`${key}\`; it is ignored. Known keys are ${KEYS.join(', ')}.`,
        keyNode,
      );
    } else {
      yaml.error('unknown_key', `A hook has no \`${key}\`; it is ignored. Write \`${meant}\`.`, keyNode);
    }
  }
}
