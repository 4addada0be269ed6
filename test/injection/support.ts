/** What the tests of injection share: a clock that the test moves, and a record of what a mailbox says. */

import type { MailboxOptions } from '../../src/injection/mailbox-options.js';
import { createMailbox, type MemoryMailbox } from '../../src/injection/mailboxes/memory/mailbox.js';
import type { InjectionChange, InjectionItem } from '../../src/injection/port.js';

export interface TestClock {
  (): number;
  pass(ms: number): void;
}

export function testClock(start = 1_000_000): TestClock {
  let now = start;
  return Object.assign(() => now, {
    pass: (ms: number) => {
      now += ms;
    },
  });
}

export interface Bench {
  readonly mailbox: MemoryMailbox;
  readonly clock: TestClock;
  readonly changes: InjectionChange[];
  /** The changes as words: `a x queued`. */
  told(): string[];
}

export function makeMailbox(options: MailboxOptions = {}): Bench {
  const clock = testClock();
  const mailbox = createMailbox({ now: clock, ...options });
  const changes: InjectionChange[] = [];
  mailbox.onChange((change) => changes.push(change));
  return {
    mailbox,
    clock,
    changes,
    told: () => changes.map(({ agentId, id, state }) => `${agentId} ${id} ${state}`),
  };
}

export const ids = (items: readonly InjectionItem[]): string[] => items.map(({ id }) => id);

/** An item as a mailbox would hand it over. */
export function item(fields: Partial<InjectionItem> = {}): InjectionItem {
  return {
    id: 'x',
    content: 'Hello',
    strategy: 'tool_result',
    source: { kind: 'system' },
    to: 'a',
    ...fields,
  };
}

/** A drawing of codes that can be foreseen. */
export function countedNonce(): () => string {
  let count = 0;
  return () => (count++).toString(16).padStart(24, '0');
}
