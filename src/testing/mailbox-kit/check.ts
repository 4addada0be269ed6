/** Defines checks and runs each on its own mailbox, with a timeout, closing the mailbox afterwards. */
import { AssertionError } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { Bench } from './bench.js';
import type { MailboxFeature } from './features.js';
import type { MailboxCheck, MailboxContractOptions } from './types.js';

/** A check that is not bound to a mailbox yet. */
export interface CheckDefinition {
  /** The rule, a colon, and a sentence. */
  readonly name: string;
  readonly needs: readonly MailboxFeature[];
  /** Whether the check depends on real time, which may be too short on a busy machine. */
  readonly timed: boolean;
  readonly body: (bench: Bench) => Promise<void>;
}

export function check(
  name: string,
  body: CheckDefinition['body'],
  needs: readonly MailboxFeature[] = [],
): CheckDefinition {
  return { name, needs, timed: false, body };
}

/** A check that is retried with longer times if the mailbox has its own clock: only the last failure counts. */
export function timedCheck(
  name: string,
  body: CheckDefinition['body'],
  needs: readonly MailboxFeature[] = [],
): CheckDefinition {
  return { name, needs, timed: true, body };
}

const MOVED_UNIT = 10;
const PASSING_UNITS = [100, 400, 1600];

export function runnable(
  { name, timed, body }: CheckDefinition,
  options: MailboxContractOptions,
): MailboxCheck {
  const has = new Set(options.has);
  const timeoutMs = options.timeoutMs ?? 60_000;
  const units = has.has('clock') ? [MOVED_UNIT] : timed ? PASSING_UNITS : PASSING_UNITS.slice(0, 1);
  const attempt = async (unit: number): Promise<void> => {
    const bench = new Bench(options, has, `check-${randomUUID()}`, unit);
    try {
      await body(bench);
    } finally {
      await bench.close();
    }
  };
  const attempts = async (): Promise<void> => {
    for (const unit of units) {
      try {
        return await attempt(unit);
      } catch (error) {
        if (unit === units.at(-1)) throw error;
      }
    }
  };
  return Object.freeze({
    name,
    rule: name.slice(0, name.indexOf(':')),
    timeoutMs,
    run: () => within(timeoutMs, name, attempts()),
  });
}

async function within(ms: number, name: string, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `The check did not end within ${ms} ms; a call of the mailbox may never resolve: ${name}`;
      reject(new AssertionError({ message, operator: 'mailboxContract' }));
    }, ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
