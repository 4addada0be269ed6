/**
 * Reads the `hooks` of one settings file into groups. A mistake disables only the entry it is in, and is reported
 * with its position.
 */

import { messageOf } from '../../../base/errors.js';
import { suggest } from '../../../base/text/suggest.js';
import { eventsNamed } from '../../../config/event-names.js';
import type { JsonNode } from '../../../config/json-file.js';
import {
  type Diagnostic,
  type LoadedGroup,
  type LoadedHook,
  losesProtection,
  type Source,
} from '../../../config/loaded.js';
import { preflightMatcher } from '../../../config/preflight/preflight-matcher.js';
import { unknownEventProblem } from '../../../config/unknown-event.js';
import { isEvent, rowOf } from '../../../events/registry.js';
import type { AnyEvent } from '../../../events/types.js';
import type { HookMcpClient } from '../../../handlers/mcp-tool.js';
import type { HookModel } from '../../../handlers/prompt.js';
import { claudeCode } from '../index.js';
import type { SettingsEnv } from './env.js';
import type { SettingsFile } from './files.js';
import { meansPolicy, readHandler } from './handler.js';
import type { HttpPolicy } from './policy.js';

/** Services that the hooks can use. */
export interface SettingsServices {
  /** Names of all tools: a matcher that matches none of them is reported. */
  readonly tools?: readonly string[] | undefined;
  /** Answers hooks of type prompt and agent. Without it they are inactive. */
  readonly model?: HookModel | undefined;
  /** Runs hooks of type mcp_tool. Without it they are inactive. */
  readonly mcp?: HookMcpClient | undefined;
}

/** Everything that reading a handler may depend on. */
export interface Reading extends SettingsServices {
  readonly workspace: string;
  readonly file: SettingsFile;
  /** Restrictions for all http hooks. */
  readonly httpPolicy: HttpPolicy;
  readonly env: SettingsEnv;
  /** Reports a problem with an entry; an error means that a guard is lost. */
  report(severity: Diagnostic['severity'], code: string, message: string, source: Source): void;
  /** Reports anything else. */
  note(diagnostic: Diagnostic): void;
}

export async function readGroups(
  file: SettingsFile,
  root: JsonNode,
  services: SettingsServices & Pick<Reading, 'workspace' | 'httpPolicy' | 'env'>,
  diagnostics: Diagnostic[],
): Promise<LoadedGroup[]> {
  const report: Reading['report'] = (severity, code, message, source) => {
    diagnostics.push(losesProtection({ severity, code, message, source }));
  };
  const reading: Reading = {
    ...services,
    file,
    report,
    note: (diagnostic) => diagnostics.push(diagnostic),
  };
  reportMisplaced(root, report);
  const groups: LoadedGroup[] = [];
  // Duplicate `hooks` keys are all read, so that no guard is lost.
  for (const hooks of root.all('hooks')) groups.push(...(await readEvents(hooks, reading)));
  return groups;
}

async function readEvents(hooks: JsonNode, reading: Reading): Promise<LoadedGroup[]> {
  const { report } = reading;
  if (!isObject(hooks)) {
    report('error', 'wrong_type', '`hooks` is no object; write { "PreToolUse": [...] }.', hooks.source);
    return [];
  }
  const groups: LoadedGroup[] = [];
  for (const { key, keySource, node } of hooks.entries()) {
    const events = eventsNamed(key, claudeCode);
    for (const event of events) groups.push(...(await readEvent(event, node, reading)));
    if (events.length === 0) {
      const { severity, code, message } = unknownEventProblem(key, claudeCode);
      report(severity, code, message, keySource);
    }
  }
  return groups;
}

/** Reports hooks under an unknown key. */
function reportMisplaced(root: JsonNode, report: Reading['report']): void {
  for (const { key, keySource } of root.entries()) {
    if (isEvent(key)) {
      const message = `\`${key}\` is beside \`hooks\`, so its hooks never run; move it inside \`hooks\`.`;
      report('error', 'misplaced_event', message, keySource);
    } else if (key !== 'hooks' && suggest(key, ['hooks']) !== undefined) {
      report('error', 'unknown_key', `\`${key}\` is unknown, so its hooks never run.`, keySource);
    }
  }
}

async function readEvent(event: AnyEvent, node: JsonNode, reading: Reading): Promise<LoadedGroup[]> {
  if (!Array.isArray(node.value)) {
    reading.report(
      'error',
      'wrong_type',
      `${event} is no list; write [{ "matcher": "...", "hooks": [...] }].`,
      node.source,
    );
    return [];
  }
  const groups: LoadedGroup[] = [];
  for (const item of node.items()) {
    const group = await readGroup(event, item, reading);
    if (group !== undefined) groups.push(group);
  }
  return groups;
}

async function readGroup(
  event: AnyEvent,
  node: JsonNode,
  reading: Reading,
): Promise<LoadedGroup | undefined> {
  const list = node.get('hooks');
  if (!isObject(node) || !Array.isArray(list?.value)) {
    reading.report(
      'error',
      'wrong_type',
      `A group of ${event} has no list of hooks; write { "hooks": [...] }.`,
      node.source,
    );
    return undefined;
  }
  for (const { key, keySource } of node.entries()) {
    if (key === 'matcher' || key === 'hooks') continue;
    if (meansPolicy(key)) {
      const message = `A group has no \`${key}\`, so its hooks do not block when they fail; write \`onFailure\` on each hook.`;
      reading.report('error', 'unknown_key', message, keySource);
    } else reading.report('warning', 'unknown_key', `A group has no \`${key}\`; it is ignored.`, keySource);
  }
  const matcher = readMatcher(event, node.get('matcher'), reading);
  const hooks: LoadedHook[] = [];
  for (const item of list.items()) {
    const hook = await readHandler(event, item, reading);
    hooks.push(matcher.problem === undefined ? hook : broken(hook, matcher.problem));
  }
  const options = { dialect: claudeCode, ...(matcher.pattern !== undefined && { matcher: matcher.pattern }) };
  const { problem } = matcher;
  const badMatcher = problem === undefined ? {} : { badMatcher: node.get('matcher')?.value };
  return { event, options, hooks, source: node.source, ...badMatcher };
}

/** A matcher that cannot be used matches nothing, and its hooks are reported as inactive. */
function readMatcher(
  event: AnyEvent,
  node: JsonNode | undefined,
  { report, tools }: Reading,
): { pattern?: string; problem?: string } {
  if (node === undefined || node.value === '' || node.value === '*') return {};
  if (typeof node.value !== 'string') {
    report('error', 'wrong_type', 'The matcher is not a string; its hooks never run.', node.source);
    return { problem: 'its matcher is not a string' };
  }
  if (rowOf(event).matcherField === null) return { pattern: node.value };
  try {
    const matches = claudeCode.compileMatcher(node.value);
    const doubt = claudeCode.lintMatcher(node.value);
    if (doubt !== undefined) report('warning', 'matcher_doubtful', `The matcher ${doubt}.`, node.source);
    const unused =
      rowOf(event).matcherField === 'tool_name' && preflightMatcher(matches, tools ?? [], node.value);
    if (unused) report('warning', unused.code, unused.message, node.source);
    return { pattern: node.value };
  } catch (error) {
    report('error', 'bad_matcher', `${messageOf(error)} Its hooks never run.`, node.source);
    return { problem: messageOf(error) };
  }
}

function broken(hook: LoadedHook, message: string): LoadedHook {
  return { ...hook, inactive: hook.inactive ?? { reason: 'broken', message } };
}

function isObject(node: JsonNode): boolean {
  return typeof node.value === 'object' && node.value !== null && !Array.isArray(node.value);
}
