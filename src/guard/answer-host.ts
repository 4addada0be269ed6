/** Runs a guard as the hook of another host: reads that host's input, and answers in its words. */
import { text } from 'node:stream/consumers';
import { messageOf } from '../base/errors.js';
import { hostNamed } from '../dialects/hosts.js';
import { answerHost, type BridgeAnswer } from '../hosts/bridge.js';
import { fireAny } from '../runner/hook-runner.js';
import { Runner } from '../runner/runner.js';
import type { GuardInput } from './input.js';

export interface CallingHost {
  /** Its name, as of `--host`. */
  readonly name: string;
  /** The host's name of the event. */
  readonly event: string | undefined;
  /** How long the host waits, in seconds. */
  readonly timeout: number | undefined;
}

/** The part of the host's timeout in which the guard has to answer: a host that reaches it lets a tool run. */
const OWN_PART = 0.9;

/** Resolves to the exit code; the answer is printed. Never rejects: whatever goes wrong refuses. */
export async function guardHost(
  { name, event, timeout }: CallingHost,
  judge: (input: GuardInput) => unknown,
): Promise<number> {
  const { stdout, stderr, exit } = await answered();
  for (const line of stderr) process.stderr.write(`${line}\n`);
  process.stdout.write(stdout);
  return exit;

  async function answered(): Promise<BridgeAnswer> {
    try {
      return await answerHost({
        host: hostNamed(name),
        text: text(process.stdin),
        event,
        deadlineMs: timeout === undefined ? undefined : timeout * OWN_PART * 1000,
        blocks: () => true,
        async fire(fired, input) {
          const runner = new Runner({ cwd: process.cwd(), onWarning: () => {} });
          runner.on(
            fired,
            { onFailure: 'block' },
            (given: unknown) => judge(given as GuardInput) as undefined,
          );
          const outcome = await fireAny(runner, fired, input as never).finally(() => runner.dispose());
          // After a tool, a failure refuses nothing: the output is hidden.
          const [failure] = outcome.failures;
          if (failure !== undefined) throw new Error(`this guard failed: ${failure.message}`);
          return { outcome, problems: [] };
        },
      });
    } catch (error) {
      return { stdout: '', stderr: [`Refused by this guard: ${messageOf(error)}`], exit: 2 };
    }
  }
}
