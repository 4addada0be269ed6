/** Creates verdicts, and formats texts from calls for their messages. */
import { oneLine } from '../base/text/cut-text.js';
import type { PermissionVerdict } from './types.js';

type Decider = PermissionVerdict['by'];

const MAX_SHOWN = 200;

export function allow(by: Decider, reason: string, rule?: string): PermissionVerdict {
  return verdict('allow', by, reason, rule);
}

export function ask(by: Decider, reason: string, rule?: string): PermissionVerdict {
  return verdict('ask', by, reason, rule);
}

export function deny(by: Decider, reason: string, rule?: string): PermissionVerdict {
  return verdict('deny', by, reason, rule);
}

function verdict(
  behavior: PermissionVerdict['behavior'],
  by: Decider,
  reason: string,
  rule: string | undefined,
): PermissionVerdict {
  return { behavior, by, reason, ...(rule !== undefined && { rule }) };
}

/** On one line, and limited in length. */
export function code(text: string): string {
  return `\`${oneLine(text, MAX_SHOWN)}\``;
}
