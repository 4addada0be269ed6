/** The ends of a run that mean the same in every dialect: there is no answer, and this is why. */
import { messageOf } from '../errors.js';
import type { Completion } from '../hooks/completion.js';
import { failed, type Verdict } from '../hooks/verdict.js';

type Fault = Exclude<Completion, { kind: 'returned' }>;

const READ_FAULT: { [K in Fault['kind']]: (fault: Extract<Fault, { kind: K }>) => Verdict } = {
  exited: ({ exitCode, signal }) =>
    signal === undefined
      ? failed('exit-code', `it exited with code ${exitCode}`)
      : failed('signal', `it was ended by ${signal}`),
  'timed-out': ({ timeoutMs }) =>
    failed('timed-out', `it took longer than ${timeoutMs / 1000} s`, 'cancelled'),
  aborted: () => failed('aborted', 'the fire was aborted', 'cancelled'),
  threw: ({ error }) => failed('threw', `it threw: ${messageOf(error)}`),
  'failed-to-start': ({ message }) => failed('failed-to-start', message),
  'too-much-output': ({ message }) => failed('too-much-output', message),
};

export function interpretFault(fault: Fault): Verdict {
  return (READ_FAULT[fault.kind] as (fault: Fault) => Verdict)(fault);
}
