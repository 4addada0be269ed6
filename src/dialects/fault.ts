/** The ends of a run that mean the same in every dialect: there is no answer, and why. */
import { messageOf } from '../base/errors.js';
import { beginning } from '../base/json/read-json.js';
import type { Completion } from '../handlers/completion.js';
import { failed, type Verdict } from '../handlers/verdict.js';

export type Exit = Extract<Completion, { kind: 'exited' }>;
type Fault = Exclude<Completion, { kind: 'returned' | 'exited' | 'detached' }>;

const READ_FAULT: { [K in Fault['kind']]: (fault: Extract<Fault, { kind: K }>) => Verdict } = {
  'timed-out': ({ timeoutMs }) =>
    failed('timed-out', `it took longer than ${timeoutMs / 1000} s`, 'cancelled'),
  aborted: () => failed('aborted', 'the fire was aborted', 'cancelled'),
  threw: ({ error }) => failed('threw', `it threw: ${messageOf(error)}`),
  'failed-to-start': ({ message }) => failed('failed-to-start', message),
  'no-slot': ({ message }) => failed('no-slot', message, 'cancelled'),
  'too-much-output': ({ message }) => failed('too-much-output', message),
};

export function interpretFault(fault: Fault): Verdict {
  return (READ_FAULT[fault.kind] as (fault: Fault) => Verdict)(fault);
}

/** Exit codes of shells that could not run the command: the hook never ran, so this is not its answer. */
const NOT_STARTED: Readonly<Record<number, string>> = {
  126: 'the command was found but cannot be executed (exit code 126); check its permissions and its first line',
  127: 'the command was not found (exit code 127); check its path',
};

/** An exit without an answer: the command never started, was killed by a signal, or reported a failure. */
export function interpretBadExit({ exitCode, signal, stderr, hint }: Exit): Verdict {
  if (exitCode === undefined) return failed('signal', `it was ended by ${signal ?? 'a signal'}`);
  const printed = stderr.trim() === '' ? '' : `; stderr ${quote(stderr.trim())}`;
  const said = hint === undefined ? printed : `${printed}; ${hint}`;
  const notStarted = NOT_STARTED[exitCode];
  if (notStarted !== undefined) return failed('failed-to-start', notStarted + said);
  return failed('exit-code', `it exited with code ${exitCode}${said}`);
}

/** A traceback of Python: the error is its first line at the margin. */
const TRACEBACK = /^Traceback \(most recent call last\):$/gm;
/** An error that Node did not catch, below the line of code that threw it. */
const NODE_ERROR = /^(?:Uncaught )?[\w.$]*Error(?: \[\w+\])?:/m;
const SHOWN_OF_ERROR = 160;

/** What stderr says. Where a program was ended by an error, the error itself: the place that is printed before it would fill what is shown. */
function quote(stderr: string): string {
  const start = errorIn(stderr);
  if (start <= 0) return `begins with ${beginning(stderr)}`;
  return `says ${beginning(stderr.slice(start), SHOWN_OF_ERROR)}`;
}

/** Where the error begins; -1 if there is none. */
function errorIn(stderr: string): number {
  const traceback = [...stderr.matchAll(TRACEBACK)].at(-1);
  if (traceback === undefined) return stderr.search(NODE_ERROR);
  const frames = traceback.index + traceback[0].length;
  const error = stderr.slice(frames).search(/\n\S/);
  return error === -1 ? -1 : frames + error + 1;
}
