/** The environment of a check: opens and closes mailboxes, controls the time, and records reported changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { InjectionChange, InjectionState } from '../../injection/port.js';
import { equal, failed } from './assert.js';
import type { MailboxFeature } from './features.js';
import type { MailboxContractOptions, MailboxSetup, MailboxUnderTest } from './types.js';

/** A mailbox and the changes it has reported. */
export interface Watched {
  readonly mailbox: MailboxUnderTest;
  readonly changes: readonly InjectionChange[];
  /**
   * The changes as texts, such as `a x queued`. Changes for agents yet to arrive are left out, because their timing
   * is not specified.
   */
  reported(): string[];
}

/** The options with which a check can open a mailbox. */
export type Wanted = Partial<
  Pick<MailboxSetup, 'store' | 'watch' | 'leaseMs' | 'maxItems' | 'maxContentLength' | 'maxRemembered'>
>;

const BOUNDS = ['leaseMs', 'maxItems', 'maxContentLength', 'maxRemembered'] as const;
const POLL_MS = 5;

export class Bench {
  /** The time unit of a check, in ms: long if the check has to wait in real time. */
  readonly unit: number;
  readonly hasClock: boolean;
  /** How long a change may take to be reported. */
  readonly settleMs: number;
  readonly #open: MailboxContractOptions['open'];
  readonly #has: ReadonlySet<MailboxFeature>;
  readonly #opened: MailboxUnderTest[] = [];
  readonly #store: string;
  #moved = 1_700_000_000_000;
  #life = 0;

  constructor(
    options: MailboxContractOptions,
    has: ReadonlySet<MailboxFeature>,
    store: string,
    unit: number,
  ) {
    this.#open = options.open;
    this.settleMs = options.settleMs ?? 2000;
    this.#has = has;
    this.hasClock = has.has('clock');
    this.#store = store;
    this.unit = unit;
  }

  has(feature: MailboxFeature): boolean {
    return this.#has.has(feature);
  }

  now = (): number => (this.hasClock ? this.#moved : Date.now());

  /** Advances the time by this many units, or waits a little longer than that if the mailbox has its own clock. */
  async pass(units: number): Promise<void> {
    if (this.hasClock) this.#moved += units * this.unit;
    else if (units > 0) await sleep(units * this.unit + 10);
  }

  /** Mailboxes opened from now on belong to a new process. */
  restart(): void {
    this.#life += 1;
  }

  async open(wanted: Wanted = {}): Promise<Watched> {
    const bounds = BOUNDS.filter((bound) => wanted[bound] !== undefined && this.#has.has(bound));
    const mailbox = await this.#open({
      store: wanted.store ?? this.#store,
      life: this.#life,
      now: this.now,
      watch: wanted.watch ?? false,
      ...Object.fromEntries(bounds.map((bound) => [bound, wanted[bound]])),
    });
    this.#opened.push(mailbox);
    const changes: InjectionChange[] = [];
    mailbox.onChange((change) => changes.push(change));
    const reported = (): string[] =>
      changes
        .filter(({ agentId }) => agentId !== '*')
        .map(({ agentId, id, state }) => `${agentId} ${id} ${state}`);
    return { mailbox, changes, reported };
  }

  /** A change may be reported shortly after the call resolves. */
  async eventually(look: () => unknown, expected: unknown, what: string): Promise<void> {
    const end = Date.now() + this.settleMs;
    for (;;) {
      const actual = look();
      if (isDeepStrictEqual(actual, expected)) return;
      if (Date.now() >= end) throw failed(what, actual, expected);
      await sleep(POLL_MS);
    }
  }

  /** The name of another store, for checks that need several. */
  newStore(number: number): string {
    return `${this.#store}-${number}`;
  }

  /** Closes all mailboxes opened so far. */
  async close(): Promise<void> {
    for (const mailbox of this.#opened.splice(0)) await mailbox.close();
  }
}

/** An agent is known from its first `take` on. */
export async function arrive({ mailbox }: Watched, ...agents: readonly string[]): Promise<void> {
  for (const agentId of agents) await (await mailbox.take({ agentId, limit: 0 })).release();
}

/** Takes and acknowledges everything that waits for an agent; returns the ids. */
export async function drain({ mailbox }: Pick<Watched, 'mailbox'>, agentId: string): Promise<string[]> {
  const lease = await mailbox.take({ agentId });
  await lease.acknowledge();
  return lease.items.map(({ id }) => id);
}

export async function hasStates(
  { mailbox }: Pick<Watched, 'mailbox'>,
  id: string,
  expected: Readonly<Record<string, InjectionState>> | undefined,
): Promise<void> {
  equal(await mailbox.status(id), expected, `the status of ${JSON.stringify(id)}`);
}
