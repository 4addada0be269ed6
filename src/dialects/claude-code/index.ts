/** The dialect of Claude settings files, following the observed behaviour of Claude Code. */

import { escapeControls } from '../../base/json/escape-controls.js';
import { isJson, readJsonObject } from '../../base/json/read-json.js';
import type { Dialect } from '../../config/dialect.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { Completion } from '../../handlers/completion.js';
import { failed, NO_OPINION, type Verdict } from '../../handlers/verdict.js';
import { noteDropped, readAnswer } from '../answer.js';
import { readBackground } from '../background.js';
import { type Exit, interpretBadExit, interpretFault } from '../fault.js';
import { holdsAnswer } from '../log.js';
import { interpretReturned } from '../returned.js';
import { columnsOf } from './event-columns.js';
import { compileMatcher, lintMatcher } from './matcher.js';

/** Not every event has the permission mode in its input. */
const encode: NonNullable<Dialect['encode']> = (event, input) => {
  if (columnsOf(event).sendsPermissionMode) return input;
  const { permission_mode: _, ...rest } = input;
  return rest;
};

const environment: NonNullable<Dialect['environment']> = ({ input }) => {
  const { level } = (input['effort'] ?? {}) as { readonly level?: unknown };
  return typeof level === 'string' ? { CLAUDE_EFFORT: level } : {};
};

export const claudeCode: Dialect = Object.freeze<Dialect>({
  name: 'claude-code',
  order: 'parallel',
  namesCommands: false,
  timeout: (event) => columnsOf(event).timeout,
  encode,
  environment,
  async: { waits: false, unitMs: 1, defaultMs: 600_000 },
  compileMatcher,
  lintMatcher,
  interpret(event, completion, input) {
    return withItsOwnWays(event, keepToMcpTools(read.call(this, event, completion), input));
  },
});

function read(this: Dialect, event: AnyEvent, completion: Completion): Verdict {
  if (completion.kind === 'returned') return withoutEmptyContinue(interpretReturned(event, completion, this));
  if (completion.kind === 'exited') return interpretExit(event, completion, this);
  if (completion.kind === 'detached') return readBackground(completion, completion.follow, this.async);
  return interpretFault(completion);
}

/**
 * Claude Code shows system messages to people only, lets a tool run before `continue: false` ends the run, and hides
 * nothing because of `suppressOutput`, which many hooks print out of habit.
 */
function withItsOwnWays(event: AnyEvent, verdict: Verdict): Verdict {
  const { systemMessage, suppressOutput } = verdict;
  if (systemMessage === undefined && suppressOutput === undefined && verdict.continue !== false)
    return verdict;
  const { continue: goesOn, stopReason, suppressOutput: _, ...rest } = verdict;
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

/** `updatedMCPToolOutput` applies to MCP tools only: the output of any other tool stays unchanged. */
function keepToMcpTools(verdict: Verdict, input: Readonly<Record<string, unknown>>): Verdict {
  const specific = verdict.hookSpecificOutput;
  const field = specific?.['updatedToolOutput'] ?? specific?.['updatedOutput'];
  const isMcp = typeof input['tool_name'] === 'string' && input['tool_name'].startsWith('mcp__');
  if (verdict.hasUpdatedOutput !== true || field !== undefined || isMcp) return verdict;
  const { updatedOutput: _, hasUpdatedOutput: __, ...rest } = verdict;
  return { ...rest, notes: [...(verdict.notes ?? []), '`updatedMCPToolOutput` applies to MCP tools only'] };
}

function interpretExit(event: AnyEvent, exit: Exit, dialect: Dialect): Verdict {
  // Its output is ignored: a hook that was killed has not finished its answer.
  if (exit.exitCode === undefined) return interpretBadExit(exit);
  const answer = readStdout(event, exit.stdout, dialect);
  if (exit.exitCode === 2) return refuse(event, exit.stderr, answer);
  if (exit.exitCode === 0) return answer ?? readPlainText(event, exit);
  return answer === undefined ? interpretBadExit(exit) : withExit(answer, exit);
}

/** Undefined: stdout is not one JSON object, so it is plain text. */
function readStdout(event: AnyEvent, stdout: string, dialect: Dialect): Verdict | undefined {
  if (!stdout.trimStart().startsWith('{')) return undefined;
  const read = readJsonObject(stdout);
  if (!read.ok) return undefined;
  return withoutEmptyContinue(noteDropped(readAnswer(event, read.value, dialect), read.dropped));
}

/** Many hooks print `continue: true` out of habit; here it means nothing. */
function withoutEmptyContinue(verdict: Verdict): Verdict {
  if (verdict.continue !== true) return verdict;
  const { continue: _, ...rest } = verdict;
  return rest;
}

/** What the hook answered counts, but a hook that decided nothing and exits with an error has failed. */
function withExit(answer: Verdict, exit: Exit): Verdict {
  const { failure } = interpretBadExit(exit);
  if (answer.decision !== undefined || answer.failure !== undefined || failure === undefined) return answer;
  return { ...answer, outcome: 'error', failure };
}

/** A refusal in JSON keeps its own reason; anything milder on stdout cannot undo exit code 2. */
function refuse(event: AnyEvent, stderr: string, answer: Verdict | undefined): Verdict {
  if (rowOf(event).blocks === 'nothing') return failed('exit-code', 'it exited with code 2');
  if (answer?.decision === 'deny' && answer.reason !== undefined) return { ...answer, outcome: 'error' };
  const reason = escapeControls(stderr.trim());
  return { outcome: 'error', decision: 'deny', reason: reason === '' ? 'No stderr output' : reason };
}

/** Text is context if the event takes context, and is ignored otherwise. */
function readPlainText(event: AnyEvent, exit: Exit): Verdict {
  const text = exit.stdout.trim();
  if (text === '') return NO_OPINION;
  const isContext = rowOf(event).plainText !== 'nothing';
  const read = isBroken(exit, isContext) ? readJsonObject(text) : undefined;
  if (read?.ok === false) return failed('invalid-output', read.problem);
  return isContext ? { ...NO_OPINION, additionalContext: text } : NO_OPINION;
}

/** Whether the text was intended as an answer: a guard must not be lost because of a comma. */
function isBroken({ stdout, answers }: Exit, isContext: boolean): boolean {
  const text = stdout.trim();
  if (answers) return !isContext || /^[{[]/.test(text) || isJson(text);
  return !isContext && (text.startsWith('{') || holdsAnswer(text));
}
