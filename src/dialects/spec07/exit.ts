/** What the end of a command means in the default dialect: exit codes first, then stdout. */

import { escapeControls } from '../../base/json/escape-controls.js';
import { readJsonObject } from '../../base/json/read-json.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import { failed, NO_OPINION, type Verdict } from '../../handlers/verdict.js';
import { noteDropped, readAnswer } from '../answer.js';
import { type Exit, interpretBadExit } from '../fault.js';
import { isLog, noteLog } from '../log.js';

/** Exit 0: stdout is read; text is a log. Exit 2: a refusal, whatever stdout says. Anything else: a failure. */
export function interpretExit(event: AnyEvent, exit: Exit): Verdict {
  if (exit.exitCode === 2 && rowOf(event).blocks !== 'nothing') return refusal(exit.stderr);
  if (exit.exitCode !== 0) return interpretBadExit(exit);
  if (exit.stdout.trim() === '') return NO_OPINION;
  const read = readJsonObject(exit.stdout);
  if (!read.ok) return isLog(exit) ? noteLog(exit) : failed('invalid-output', read.problem);
  return noteDropped(readAnswer(event, read.value), read.dropped);
}

function refusal(stderr: string): Verdict {
  const reason = escapeControls(stderr.trim());
  return {
    outcome: 'error',
    decision: 'deny',
    reason: reason === '' ? 'The hook refused without giving a reason' : reason,
  };
}
