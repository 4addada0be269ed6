/**
 * What to do about a problem, by its code and by the text at its position, for messages that only say what is wrong.
 */

import { lazy } from '../../base/lazy.js';
import { suggest } from '../../base/text/suggest.js';
import type { JsonNode } from '../../config/json-file.js';
import type { Diagnostic } from '../../config/loaded.js';
import { GROUP_KEYS } from '../../dialects/hookline/file/schema.js';
import { eventCalled } from '../../events/other-names.js';
import { eventNames } from '../../events/registry.js';
import { FILE_KINDS, fieldNames } from '../../handlers/kinds.js';

const A_HOOK = '{ "type": "command", "command": "./guard.sh" }';

const HINTS: Readonly<Record<string, string>> = {
  untrusted: 'Look at it, then: hookline trust approve',
  modified: 'Look at what has changed, then: hookline trust approve',
  disabled: 'Remove the switch, or the hook.',
  inactive: 'Give the application what the hook needs, or remove the hook.',
  broken_file:
    'Open the file at this line: a quote, a bracket or a comma is missing, or there is one too many.',
  empty_file: 'Write { "hooks": {} } into it, or remove the file.',
  unreadable_file: 'Check that it is a regular file that you may read.',
  module_failed: 'Run it with node, which shows where it fails, and repair it.',
  invalid_yaml: 'Open the file at this line and repair the YAML.',
  bad_hook: `Write it as in ${A_HOOK}.`,
  bad_group: `Write it as in { "matcher": "Bash", "hooks": [${A_HOOK}] }.`,
  wrong_type: 'Write a string in double quotes, such as "Bash", or a list of them where several are meant.',
  bad_matcher: 'Correct the matcher, such as "Write|Edit", or leave it out to match everything.',
  matcher_doubtful: 'hookline explain shows what it matches.',
  matcher_ignored: 'Remove the matcher.',
  unknown_key: 'Remove it, or correct its name.',
  misspelt_key: 'Remove it, or correct its name.',
  unknown_type: `Give it a known type, as in ${A_HOOK}.`,
  ignored_key: 'Remove it here.',
  invalid_rule: 'Write a rule such as "Bash(rm:*)", "Read(./.env)" or "WebFetch".',
};

/** For files that are broken by something other than a missing bracket. */
const BROKEN_BY: readonly (readonly [RegExp, string])[] = [
  [/occurs twice/, 'Merge the two into one.'],
  [/several documents/, 'Remove the line with --- and what does not belong to the hooks.'],
  [/\btabs\b/i, 'Indent with blanks.'],
  [/need double quotes/, 'Write " instead of \'.'],
  [/\balias\b/i, 'Put the value in quotes, as in "*": a bare * is the name of an alias.'],
  [/is undefined: no &/, 'Correct the name, or write the value itself.'],
  [
    /without - indicator|same column/,
    'Open the file at this line: its indentation differs from the lines around it.',
  ],
  [
    /nested mappings|implicit (?:map )?keys?\b/i,
    'Put the value in quotes: a colon followed by a blank starts another key.',
  ],
];

/** Problems whose messages usually say what to write. */
const OFTEN_SAID: ReadonlySet<string> = new Set(['bad_hook', 'bad_group', 'wrong_type']);
const SAYS_IT_ITSELF = /\b(?:give(?! an object)|write|use)\b/i;

/** The keys of hooks and groups in all kinds of files. */
const keys = lazy((): readonly string[] => [
  ...new Set(FILE_KINDS.flatMap(fieldNames)),
  ...GROUP_KEYS,
  // Of other ecosystems.
  ...['if', 'statusMessage', 'handler', 'callable', 'fail_closed', 'override'],
]);

/** Words that other tools use for the same thing. */
const SYNONYMS: Readonly<Record<string, string>> = {
  cmd: 'command',
  script: 'command',
  run: 'command',
  exec: 'command',
  line: 'command',
  program: 'command',
  text: 'prompt',
  question: 'prompt',
  background: 'async',
  when: 'if',
  arguments: 'args',
  uri: 'url',
  endpoint: 'url',
  pattern: 'matcher',
  condition: 'if',
};

/** Words for the list of hooks in a group. */
const LISTS: ReadonlySet<string> = new Set([
  'hook',
  'commands',
  'command_list',
  'handlers',
  'actions',
  'run',
]);

/** The kind of a hook that has this key. */
const KIND_OF: Readonly<Record<string, string>> = {
  command: 'command',
  url: 'http',
  prompt: 'prompt',
  tool: 'mcp_tool',
};

const POLICY_WORDS = ['onFailure', 'onError', 'failClosed'];

/** Files in which `onFailure` is called so; a MassGen file has `fail_closed`. */
const HAS_ON_FAILURE = /\.(?:json|md|m?[jt]s)$|(?:^|[\\/])hookline\./;

/** The unknown keys, as messages name them. */
const UNKNOWN_KEYS = /((?:`[^`]+`(?:, )?)+) (?:is|are) (?:not known|unknown)|has no (`[^`]+`)/;
const NAMES = /`([^`]+)`/g;

/** `written`: the value at the position of the problem, if known. */
export function hintFor(
  { code, message, source: { file } }: Diagnostic,
  written?: JsonNode,
): string | undefined {
  if (code === 'unknown_event') return eventHint(message);
  if (code === 'wrong_type') {
    const better = shapeHint(message, written);
    if (better !== undefined) return better;
  }
  const slip = keySlip(message, file, OFTEN_SAID.has(code) ? written : undefined);
  if (slip !== undefined) return slip;
  if (code === 'invalid_rule' || message.includes('permission rule')) {
    const rule = ruleHint(message, written);
    if (rule !== undefined) return rule;
  }
  if (code === 'unknown_key' && SAYS_IT_ITSELF.test(message)) return undefined;
  if (code === 'unknown_type') return typeHint(written) ?? HINTS[code];
  if (code === 'broken_file') return BROKEN_BY.find(([what]) => what.test(message))?.[1] ?? HINTS[code];
  if (code === 'bad_hook' && message.includes('permission rule')) return HINTS['invalid_rule'];
  if (OFTEN_SAID.has(code) && SAYS_IT_ITSELF.test(message)) return undefined;
  return Object.hasOwn(HINTS, code) ? HINTS[code] : undefined;
}

function eventHint(message: string): string {
  const [, name = ''] = /"([^"]*)"/.exec(message) ?? [];
  const other = eventCalled(name);
  // A loader suggests names of its own dialect.
  const [, suggested = other ?? suggest(name, eventNames())] = /Did you mean (\w+)\?/.exec(message) ?? [];
  return suggested === undefined ? 'Correct the name, or remove the hooks.' : `Write ${suggested}.`;
}

/** A typo of a known key, either named by the message or found where something is missing. */
function keySlip(message: string, file: string, written: JsonNode | undefined): string | undefined {
  const unknown = UNKNOWN_KEYS.exec(message);
  const named = [...(unknown?.[1] ?? unknown?.[2] ?? '').matchAll(NAMES)].map(([, name = '']) => name);
  const there = written?.entries().map(({ key }) => key) ?? [];
  for (const key of [...named, ...there]) {
    if (key === 'env' && named.includes(key))
      return 'Set variables in `env` of the settings file, or in the command: NAME=value program.';
    if (key !== 'onFailure' && HAS_ON_FAILURE.test(file) && suggest(key, POLICY_WORDS) !== undefined)
      return `Write ${suggest(key, ['onFailure']) ?? 'onFailure: block'} instead of ${key}.`;
    if (keys().includes(key)) continue;
    const meant = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key] : suggest(key, keys());
    if (meant === 'timeout' && /ms$|milli/i.test(key)) return `Write timeout, in seconds, instead of ${key}.`;
    if (meant !== undefined) return `Write ${meant} instead of ${key}.`;
  }
  // A hook where a group is expected.
  const flat = [...named, ...there].includes('command') && !there.includes('hooks');
  const isGroup = /\bgroup\b/i.test(message);
  return flat && isGroup ? `A hook belongs in the list of a group: { "hooks": [${A_HOOK}] }.` : undefined;
}

/** A matcher in a list, a group that is a command, a group with its hooks under another name. */
function shapeHint(message: string, written: JsonNode | undefined): string | undefined {
  const value = written?.value;
  if (/matcher/.test(message) && Array.isArray(value) && value.every((name) => typeof name === 'string'))
    return `Write ${JSON.stringify(value.join('|'))}.`;
  if (!/has no list of hooks/.test(message)) return undefined;
  if (typeof value === 'string') {
    const hook = JSON.stringify({ type: 'command', command: value });
    return `Write { "hooks": [${hook}] }.`;
  }
  const list = written?.entries().find(({ key }) => LISTS.has(key))?.key;
  return list === undefined ? undefined : `Write "hooks": [${A_HOOK}] instead of ${list}.`;
}

/** The rule as it was probably meant. */
function ruleHint(message: string, written: JsonNode | undefined): string | undefined {
  const [, quoted = ''] = /permission rule ("(?:[^"\\]|\\.)*")/.exec(message) ?? [];
  const rule = quoted === '' ? undefined : (JSON.parse(quoted) as string);
  const [, tool] = /did you mean `(\w+)/.exec(message) ?? [];
  if (rule !== undefined && tool !== undefined) return `Write ${JSON.stringify(rule.replace(/^\w+/, tool))}.`;
  if (rule !== undefined && /parenthesis is not closed/.test(message) && !rule.endsWith('('))
    return `Write ${JSON.stringify(`${rule})`)}.`;
  if (/looks like a permission rule/.test(message) && typeof written?.value === 'string') {
    const { value } = written;
    return `Write "matcher": ${JSON.stringify(value.replace(/\(.*$/s, ''))}, and "if": ${JSON.stringify(value)} beside the command.`;
  }
  return undefined;
}

function typeHint(written: JsonNode | undefined): string | undefined {
  const type = written?.value;
  const own = written?.entries().flatMap(({ key }) => KIND_OF[key] ?? []) ?? [];
  if (own[0] !== undefined && written?.get('type') === undefined) return `Add "type": "${own[0]}".`;
  if (typeof type !== 'string') return undefined;
  const meant = suggest(type, FILE_KINDS);
  const what = `${JSON.stringify(type)} is not one of them`;
  return meant === undefined ? `${what}: write ${A_HOOK}.` : `${what}: write ${JSON.stringify(meant)}.`;
}
