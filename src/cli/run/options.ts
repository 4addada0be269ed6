/** The options of `hookline run`: the same flags as other headless agents, so that scripts need no change. */

import { HookError, show } from '../../base/errors.js';
import type { Options, Values } from '../command.js';
import { HOOK_OPTIONS } from '../hooks/load.js';
import { KEY_OPTIONS } from '../massgen/agent-model.js';

export const RUN_OPTIONS = {
  print: {
    type: 'boolean',
    short: 'p',
    help: 'Print the answer and exit. The default without a terminal.',
  },
  'output-format': {
    type: 'string',
    value: 'FORMAT',
    help: 'text (default), json: one result, stream-json: a line per message.',
  },
  'input-format': {
    type: 'string',
    value: 'FORMAT',
    help: 'text (default), stream-json: a line per prompt on standard input.',
  },
  'include-hook-events': { type: 'boolean', help: 'With stream-json: include hook events.' },
  'include-partial-messages': { type: 'boolean', help: 'With stream-json: include partial text.' },
  verbose: { type: 'boolean', help: 'Also report settings that have no effect.' },
  resume: {
    type: 'string',
    short: 'r',
    value: 'ID',
    help: 'Continue this session: its id or its transcript.',
  },
  continue: { type: 'boolean', short: 'c', help: 'Continue the latest session of this folder.' },
  'fork-session': {
    type: 'boolean',
    help: 'With --resume or --continue: continue in a new session; the old one stays as it is.',
  },
  'resume-session-at': {
    type: 'string',
    value: 'ID',
    help: 'With --resume or --continue: the last message to keep (id of an answer, uuid of a line).',
  },
  name: { type: 'string', short: 'n', value: 'TITLE', help: 'The title of the session.' },
  'session-id': { type: 'string', value: 'ID', help: 'The id of a new session.' },
  'max-turns': { type: 'string', value: 'N', help: 'Call the model at most N times per prompt.' },
  'max-budget-usd': {
    type: 'string',
    value: 'USD',
    help: 'End a prompt when the session has cost this much.',
  },
  'fallback-model': {
    type: 'string',
    value: 'NAME',
    help: 'The model that takes over if the first is overloaded.',
  },
  'permission-mode': {
    type: 'string',
    value: 'MODE',
    help: 'default, acceptEdits, plan, bypassPermissions or dontAsk.',
  },
  'dangerously-skip-permissions': {
    type: 'boolean',
    help: 'The same as --permission-mode bypassPermissions.',
  },
  allowedTools: {
    type: 'string',
    multiple: true,
    greedy: true,
    value: 'RULES',
    help: 'Rules that allow, such as "Bash(git *) Edit".',
  },
  disallowedTools: {
    type: 'string',
    multiple: true,
    greedy: true,
    value: 'RULES',
    help: 'Rules that deny.',
  },
  'allowed-tools': {
    type: 'string',
    multiple: true,
    greedy: true,
    value: 'RULES',
    help: 'The same as --allowedTools.',
  },
  'disallowed-tools': {
    type: 'string',
    multiple: true,
    greedy: true,
    value: 'RULES',
    help: 'The same as --disallowedTools.',
  },
  'add-dir': {
    type: 'string',
    multiple: true,
    greedy: true,
    value: 'DIR',
    help: 'Another directory to work in.',
  },
  'mcp-config': {
    type: 'string',
    multiple: true,
    greedy: true,
    value: 'JSON',
    help: 'MCP servers: a file, or JSON.',
  },
  'system-prompt': { type: 'string', value: 'TEXT', help: 'Replaces the built-in system prompt.' },
  'append-system-prompt': { type: 'string', value: 'TEXT', help: 'Added to the system prompt.' },
  model: { type: 'string', value: 'NAME', help: 'The model to use.' },
  script: {
    type: 'string',
    value: 'FILE',
    help: 'A script (JSON or YAML) that answers instead of a model.',
  },
  agent: { type: 'string', value: 'ID', help: 'With --massgen: run as this agent of the file.' },
  ...KEY_OPTIONS,
  team: { type: 'string', value: 'NAME', help: 'Named agents become members of this team.' },
  init: { type: 'boolean', help: 'Fire Setup (init) first.' },
  'init-only': {
    type: 'boolean',
    help: 'Only fire Setup (init), SessionStart and SessionEnd.',
  },
  maintenance: { type: 'boolean', help: 'Fire Setup (maintenance) first.' },
  'ignore-broken-settings': {
    type: 'boolean',
    help: 'Start even if a guard, a deny or ask rule, or a settings file cannot be read.',
  },
  ...HOOK_OPTIONS,
} as const satisfies Options;

export type RunValues = Values<typeof RUN_OPTIONS>;

/**
 * Splits "Bash(git *) Edit,Read" at commas and spaces outside parentheses. Throws a HookError for a parenthesis that is
 * not closed or has no tool: half a rule would allow more than intended.
 */
export function splitRules(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const rules = text.match(/[^\s,()]+(?:\((?:[^()]|\([^()]*\))*\))?/g) ?? [];
    const rest = rules.reduce((left, rule) => left.replace(rule, ''), text);
    if (/^[\s,]*$/.test(rest)) return rules;
    throw new HookError(
      'invalid_option',
      `${show(text)} is not a list of rules: a parenthesis is not closed or has no tool. Write "Bash(git *) Edit".`,
    );
  });
}
