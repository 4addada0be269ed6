/** Runs a guard as the program of a command hook: the input on stdin, the answer on stdout. */
import { text } from 'node:stream/consumers';
import { messageOf } from '../base/errors.js';
import type { GuardInput } from './input.js';

/** With `onFailure: block` this refuses, and a hook test shows that the guard failed. */
const FAILED = 1;
/** Other hosts let a call run when a hook fails; this exit code refuses. */
const REFUSED = 2;

/**
 * Reads the input, and prints the answer of `judge`; undefined is no opinion. If the input cannot be read or `judge`
 * throws, the process ends with the reason on stderr and exit code 1; outside of hookline with 2, which refuses. Never
 * rejects.
 */
export async function guard(judge: (input: GuardInput) => unknown): Promise<void> {
  try {
    const input = JSON.parse(await text(process.stdin)) as GuardInput;
    const answer = await judge(input);
    if (answer !== undefined) process.stdout.write(JSON.stringify(answer));
  } catch (error) {
    process.stderr.write(`This guard failed: ${messageOf(error)}\n`);
    process.exitCode = process.env['HOOKLINE_EVENT'] === undefined ? REFUSED : FAILED;
  }
}
