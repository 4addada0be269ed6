/** What a check works with: mailboxes that are closed afterwards, a time that it can let pass, and what the mailboxes tell. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { InjectionChange, InjectionState } from '../../injection/port.js';
import { equal, failed } from './assert.js';
import type { MailboxFeature } from './features.js';
import type { MailboxContractOptions, MailboxSetup, MailboxUnderTest } from './types.js';

/** A mailbox and what it has told since it was opened. */
export interface Watched {
  readonly mailbox: MailboxUnderTest;
  readonly changes: readonly InjectionChange[];
  /** The changes as words, `a x queued`. What is told of agents that are still to come is left out: its moment is open. */
  told(): string[];
}

/** What a check may ask for when it opens a mailbox. */
export type Wanted = Partial<
  Pick<MailboxSetup, 'store' | 'watch' | 'leaseMs' | 'maxItems' | 'maxContentLength' | 'maxRemembered'>
>;

const BOUNDS = ['leaseMs', 'maxItems', 'maxContentLength', 'maxRemembered'] as const;
const POLL_MS = 5;

export class Bench {
  /** The time in which something is to happen, in ms: long where it has to pass in fact. */
  readonly unit: number;
  readonly hasClock: boolean;
  /** How long a change may take to be told. */
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

  /** Lets so many units pass; where the mailbox has its own clock, a little more. */
  async pass(units: number): Promise<void> {
    if (this.hasClock) this.#moved += units * this.unit;
    else if (units > 0) await sleep(units * this.unit + 10);
  }

  /** What is opened from now on belongs to a process that came after. */
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
    const told = (): string[] =>
      changes
        .filter(({ agentId }) => agentId !== '*')
        .map(({ agentId, id, state }) => `${agentId} ${id} ${state}`);
    return { mailbox, changes, told };
  }

  /** A change may be told a little later than the call resolves. */
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

  /** Closes all that were opened so far. */
  async close(): Promise<void> {
    for (const mailbox of this.#opened.splice(0)) await mailbox.close();
  }
}

/** By its first `take` an agent is known. */
export async function arrive({ mailbox }: Watched, ...agents: readonly string[]): Promise<void> {
  for (const agentId of agents) await (await mailbox.take({ agentId, limit: 0 })).release();
}

/** Takes all that waits for an agent, acknowledges it, and gives the ids. */
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
