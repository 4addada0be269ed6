/** The default dialect: for hooks registered in code and in hookline's own files. */

import { escapeControls } from '../../base/json/escape-controls.js';
import { readJsonObject } from '../../base/json/read-json.js';
import type { Dialect } from '../../config/dialect.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { Completion } from '../../handlers/completion.js';
import { failed, NO_OPINION, type Verdict } from '../../handlers/verdict.js';
import { noteDropped, readAnswer } from '../answer.js';
import { readBackground } from '../background.js';
import { type Exit, interpretBadExit, interpretFault } from '../fault.js';
import { isLog, noteLog } from '../log.js';
import { interpretReturned } from '../returned.js';
import { compileMatcher, lintMatcher } from './matcher.js';

export const hookline: Dialect = Object.freeze({
  name: 'hookline',
  order: 'sequential',
  namesCommands: true,
  async: { waits: true, unitMs: 1000, defaultMs: 30_000 },
  compileMatcher,
  lintMatcher,
  interpret,
});

function interpret(this: Dialect, event: AnyEvent, completion: Completion): Verdict {
  if (completion.kind === 'returned') return interpretReturned(event, completion, this);
  return interpretProcess(event, completion, this);
}

type NotReturned = Exclude<Completion, { kind: 'returned' }>;

function interpretProcess(event: AnyEvent, completion: NotReturned, dialect: Dialect): Verdict {
  if (completion.kind === 'exited') return interpretExit(event, completion, dialect);
  if (completion.kind === 'detached') return readBackground(completion, completion.follow, dialect.async);
  return interpretFault(completion);
}

/** Exit 0: stdout is read; plain text is a log. Exit 2: a refusal, regardless of stdout. Anything else: a failure. */
function interpretExit(event: AnyEvent, exit: Exit, dialect: Dialect): Verdict {
  if (exit.exitCode === 2 && rowOf(event).blocks !== 'nothing') return refusal(exit.stderr);
  if (exit.exitCode !== 0) return interpretBadExit(exit);
  if (exit.stdout.trim() === '') return NO_OPINION;
  const read = readJsonObject(exit.stdout);
  if (!read.ok) return isLog(exit) ? noteLog(exit) : failed('invalid-output', read.problem);
  return noteDropped(readAnswer(event, read.value, dialect), read.dropped);
}

function refusal(stderr: string): Verdict {
  const reason = escapeControls(stderr.trim());
  return {
    outcome: 'error',
    decision: 'deny',
    reason: reason === '' ? 'The hook refused without giving a reason' : reason,
  };
}
