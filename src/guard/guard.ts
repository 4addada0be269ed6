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
 * throws, the process ends with the reason on stderr and exit code 1; outside of hookline with 2, which refuses. With
 * `HOOKLINE_HOST`, as `hookline export` writes it, input and answer are in that host's words. Never rejects.
 */
export async function guard(judge: (input: GuardInput) => unknown): Promise<void> {
  const { HOOKLINE_HOST: name, HOOKLINE_HOST_EVENT: event, HOOKLINE_HOST_TIMEOUT: seconds } = process.env;
  if (name !== undefined && process.env['HOOKLINE_EVENT'] === undefined) {
    const timeout = seconds === undefined ? undefined : Number(seconds);
    // Only then is the rest of hookline loaded.
    const { guardHost } = await import('./answer-host.js');
    process.exitCode = await guardHost({ name, event, timeout }, judge);
    return;
  }
  try {
    const input = JSON.parse(await text(process.stdin)) as GuardInput;
    const answer = await judge(input);
    if (answer !== undefined) process.stdout.write(JSON.stringify(answer));
  } catch (error) {
    process.stderr.write(`This guard failed: ${messageOf(error)}\n`);
    process.exitCode = process.env['HOOKLINE_EVENT'] === undefined ? REFUSED : FAILED;
  }
}
