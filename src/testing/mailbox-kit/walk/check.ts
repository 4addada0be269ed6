/** Compares random call sequences with the in-memory mailbox, and shortens a failing sequence. */
import { AssertionError } from 'node:assert';
import { messageOf } from '../../../base/errors.js';
import type { Bench } from '../bench.js';
import { type CheckDefinition, check } from '../check.js';
import type { MailboxContractOptions } from '../types.js';
import { randomSteps, type Step } from './steps.js';
import { compareWithMemory } from './world.js';

const NAME = 'IJ-15: in any order of calls a mailbox answers as the one in memory does';

/** The maximum number of runs spent on shortening a failing sequence. */
const SHORTENING = 150;

export function walkCheck({
  walks = 30,
  seed = 1,
}: Pick<MailboxContractOptions, 'walks' | 'seed'>): CheckDefinition {
  return check(NAME, async (bench) => {
    let runs = 0;
    const findFault = async (steps: readonly Step[], alone: boolean): Promise<unknown> => {
      try {
        await compareWithMemory(bench, bench.newStore(runs++), steps, alone);
        return undefined;
      } catch (error) {
        return error ?? new Error('something empty was thrown');
      } finally {
        await bench.close();
      }
    };
    for (let walk = 0; walk < walks; walk++) {
      // With a single user, the reported changes can be compared too.
      const alone = walk % 2 === 0;
      const steps = randomSteps(bench, seed + walk, alone);
      const fault = await findFault(steps, alone);
      if (fault === undefined) continue;
      const shortest = await shorten(steps, fault, (fewer) => findFault(fewer, alone));
      throw describe(shortest.steps, shortest.fault, seed + walk, bench);
    }
  });
}

interface Found {
  readonly steps: readonly Step[];
  readonly fault: unknown;
}

/** Removes one step after another, as long as the sequence still fails. */
async function shorten(
  steps: readonly Step[],
  fault: unknown,
  findFault: (steps: readonly Step[]) => Promise<unknown>,
): Promise<Found> {
  let found: Found = { steps, fault };
  let runs = 0;
  for (let i = steps.length - 1; i >= 0 && runs < SHORTENING; i--, runs++) {
    const fewer = found.steps.toSpliced(i, 1);
    const still = await findFault(fewer);
    if (still !== undefined) found = { steps: fewer, fault: still };
  }
  return found;
}

function describe(steps: readonly Step[], fault: unknown, seed: number, { unit }: Bench): AssertionError {
  const { actual, expected } = (fault ?? {}) as Pick<AssertionError, 'actual' | 'expected'>;
  const list = steps.map((step, i) => `  ${i + 1}. ${JSON.stringify(step)}`).join('\n');
  const message = `After ${steps.length} calls (seed ${seed}; a unit is ${unit} ms) the mailbox differs from the one in memory. ${messageOf(fault)}\n${list}`;
  return new AssertionError({ message, actual, expected, operator: 'mailboxContract' });
}
