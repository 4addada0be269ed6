/** What to do about a problem, by its code, where its message says only what is wrong. */
import type { Diagnostic } from '../../config/loaded.js';
import { HOOK_EVENTS } from '../../events/schemas.js';
import { suggest } from '../suggest.js';

const HINTS: Readonly<Record<string, string>> = {
  untrusted: 'Look at it, then: hookline trust approve',
  modified: 'Look at what has changed, then: hookline trust approve',
  disabled: 'Remove the switch, or the hook.',
  inactive: 'Give the application what the hook needs, or remove the hook.',
  broken_file: 'Open the file at this line and close what is open there: a quote, a bracket, a comma.',
  unreadable_file: 'Check that it is a regular file that you may read.',
  invalid_yaml: 'Open the file at this line and repair the YAML.',
  wrong_type: 'Write it as the message shows.',
  bad_group: 'Correct what the message names; hookline schema config shows what a group may hold.',
  bad_hook: 'Correct what the message names; until then the hook is not there.',
  bad_matcher: 'Correct the matcher, such as "Write|Edit", or leave it out to match everything.',
  matcher_doubtful: 'hookline explain shows what it matches.',
  matcher_ignored: 'Remove the matcher.',
  unknown_key: 'Remove it, or correct its name.',
  unknown_type: 'Give it a type that is known, such as "command".',
  ignored_key: 'Remove it here.',
};

/** What hooks and groups may say, in any of the files. */
const KEYS: readonly string[] = [
  ...['type', 'command', 'args', 'shell', 'timeout', 'env', 'cwd', 'environment', 'async', 'if', 'name'],
  ...['matcher', 'hooks', 'sequential', 'parallel', 'protected', 'dialect', 'onFailure', 'statusMessage'],
  ...['url', 'headers', 'allowedEnvVars', 'allowedUrls', 'prompt', 'model', 'server', 'tool', 'input'],
  ...['handler', 'callable', 'fail_closed', 'override'],
];

/** A key that nobody knows, as messages name it. */
const UNKNOWN_KEY = /^`([^`]+)` is not known|has no `([^`]+)`|Unrecognized key: "([^"]+)"/;

export function hintFor({ code, message }: Pick<Diagnostic, 'code' | 'message'>): string | undefined {
  const key = UNKNOWN_KEY.exec(message)
    ?.slice(1)
    .find((name) => name !== undefined);
  const known = key === undefined ? undefined : suggest(key, KEYS);
  if (known !== undefined && known !== key) return `Write ${known}.`;
  if (code !== 'unknown_event') return Object.hasOwn(HINTS, code) ? HINTS[code] : undefined;
  const [, name = ''] = /"([^"]*)"/.exec(message) ?? [];
  const meant = suggest(name, HOOK_EVENTS);
  return meant === undefined ? 'Correct the name, or remove the hooks.' : `Write ${meant}.`;
}
