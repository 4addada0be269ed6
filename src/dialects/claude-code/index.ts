/** The dialect of Claude settings files, as the real Claude Code was seen to speak it. */
import type { Dialect } from '../../config/dialect.js';
import type { AnyEvent } from '../../events/types.js';
import type { Completion } from '../../handlers/completion.js';
import type { Verdict } from '../../handlers/verdict.js';
import { readBackground } from '../background.js';
import { interpretFault } from '../fault.js';
import { interpretReturned } from '../returned.js';
import { columnsOf } from './event-columns.js';
import { interpretExit, withoutEmptyContinue } from './exit.js';
import { compileMatcher, lintMatcher } from './matcher.js';

/** Not every event tells the permission mode there. */
const encode: NonNullable<Dialect['encode']> = (event, input) => {
  if (columnsOf(event).sendsPermissionMode) return input;
  const { permission_mode: _, ...rest } = input;
  return rest;
};

export const claudeCode: Dialect = Object.freeze<Dialect>({
  name: 'claude-code',
  order: 'parallel',
  namesCommands: false,
  timeout: (event) => columnsOf(event).timeout,
  encode,
  async: { waits: false, unitMs: 1, defaultMs: 600_000 },
  compileMatcher,
  lintMatcher,
  interpret(event, completion, input) {
    return withItsOwnWays(event, keepToMcpTools(read.call(this, event, completion), input));
  },
});

function read(this: Dialect, event: AnyEvent, completion: Completion): Verdict {
  if (completion.kind === 'returned')
    return withoutEmptyContinue(interpretReturned(event, completion, this.async));
  if (completion.kind === 'exited') return interpretExit(event, completion);
  if (completion.kind === 'detached') return readBackground(completion, completion.follow, this.async);
  return interpretFault(completion);
}

/** Claude Code shows system messages to people only, and lets a tool run before `continue: false` ends the run. */
function withItsOwnWays(event: AnyEvent, verdict: Verdict): Verdict {
  if (verdict.systemMessage === undefined && verdict.continue !== false) return verdict;
  const { continue: goesOn, stopReason, ...rest } = verdict;
  const halts = goesOn === false && columnsOf(event).honoursContinueFalse;
  return {
    ...rest,
    ...(goesOn !== undefined && (goesOn || halts) && { continue: goesOn }),
    ...(stopReason !== undefined && { stopReason }),
    ...(rest.systemMessage !== undefined && { systemMessageFor: 'people' }),
    ...(halts && { toolFinishes: true }),
    ...(goesOn === false &&
      !halts && { notes: [...(rest.notes ?? []), '`continue: false` ends nothing here'] }),
  };
}

/** `updatedMCPToolOutput` is about MCP tools: the output of any other tool stays as it is. */
function keepToMcpTools(verdict: Verdict, input: Readonly<Record<string, unknown>>): Verdict {
  const field = verdict.hookSpecificOutput?.['updatedToolOutput'];
  const isMcp = typeof input['tool_name'] === 'string' && input['tool_name'].startsWith('mcp__');
  if (verdict.hasUpdatedOutput !== true || field !== undefined || isMcp) return verdict;
  const { updatedOutput: _, hasUpdatedOutput: __, ...rest } = verdict;
  return { ...rest, notes: [...(verdict.notes ?? []), '`updatedMCPToolOutput` counts for MCP tools only'] };
}
