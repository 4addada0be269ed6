/** What the end of a command means to Claude Code: stdout is looked at whatever the exit code, and exit 2 refuses. */
import { rowOf } from '../../events/schemas.js';
import type { HookEvent } from '../../events/types.js';
import { failed, NO_OPINION, type Verdict } from '../../hooks/verdict.js';
import { neutralise } from '../../json/neutralise.js';
import { readJsonObject } from '../../json/read-json.js';
import { noteDropped, readAnswer } from '../answer.js';
import { type Exit, interpretBadExit } from '../fault.js';

export function interpretExit(event: HookEvent, exit: Exit): Verdict {
  // Whatever it printed before: a hook that was killed has not finished its answer.
  if (exit.exitCode === undefined) return interpretBadExit(exit);
  const answer = readStdout(event, exit.stdout);
  if (exit.exitCode === 2) return refuse(event, exit.stderr, answer);
  if (answer !== undefined) return answer;
  if (exit.exitCode !== 0) return interpretBadExit(exit);
  return readPlainText(event, exit.stdout);
}

/** Undefined: stdout is not one JSON object, and so is plain text. */
function readStdout(event: HookEvent, stdout: string): Verdict | undefined {
  if (!stdout.trimStart().startsWith('{')) return undefined;
  const read = readJsonObject(stdout);
  if (!read.ok) return undefined;
  return withoutEmptyContinue(noteDropped(readAnswer(event, read.value), read.dropped));
}

/** Hooks print `continue: true` as a habit; here it asks for nothing. */
export function withoutEmptyContinue(verdict: Verdict): Verdict {
  if (verdict.continue !== true) return verdict;
  const { continue: _, ...rest } = verdict;
  return rest;
}

/** A refusal in JSON keeps its own reason; anything milder on stdout cannot undo exit code 2. */
function refuse(event: HookEvent, stderr: string, answer: Verdict | undefined): Verdict {
  if (rowOf(event).blocks === 'nothing') return failed('exit-code', 'it exited with code 2');
  if (answer?.decision === 'deny' && answer.reason !== undefined) return { ...answer, outcome: 'error' };
  const reason = neutralise(stderr.trim());
  return { outcome: 'error', decision: 'deny', reason: reason === '' ? 'No stderr output' : reason };
}

function readPlainText(event: HookEvent, stdout: string): Verdict {
  const text = stdout.trim();
  if (text === '' || rowOf(event).plainText === 'nothing') return NO_OPINION;
  return { ...NO_OPINION, additionalContext: text };
}
