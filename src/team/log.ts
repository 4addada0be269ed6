/** The common log of a team: records that wait in a mailbox, and that nobody takes, so that every process can read them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HookError } from '../base/errors.js';
import { MailboxError } from '../injection/mailbox-error.js';
import type { InjectionItem, Mailbox, NewInjection } from '../injection/port.js';
import { MailboxUnavailableError } from '../injection/unavailable-error.js';
import { readRecord, recordId, type TeamRecord } from './records.js';

/** A team that nobody has cleared away is forgotten after a day. */
const KEEP_MS = 24 * 60 * 60 * 1000;

export class TeamLog {
  readonly #mailbox: Pick<Mailbox, 'put' | 'pending' | 'onChange'>;
  readonly #session: string;
  readonly #pollMs: number;
  readonly #patienceMs: number;
  #isClosed = false;
  readonly #wakers = new Set<() => void>();
  /** Grows with every change that was noticed. */
  version = 0;
  readonly #stop: () => void;

  /** `patienceMs`: for how long a server that is not available is waited for. */
  constructor(
    mailbox: Pick<Mailbox, 'put' | 'pending' | 'onChange'>,
    session: string,
    pollMs: number,
    patienceMs: number,
  ) {
    this.#patienceMs = patienceMs;
    this.#mailbox = mailbox;
    this.#session = session;
    this.#pollMs = pollMs;
    this.#stop = mailbox.onChange(({ agentId }) => {
      if (agentId === this.#session) this.wake();
    });
  }

  /**
   * Writes a record. Returns false if there is another one with the same id: the first one counts. A server that is not
   * available is waited for. Rejects when the mailbox does.
   */
  async append(record: TeamRecord, lastsMs = KEEP_MS): Promise<boolean> {
    const content = JSON.stringify(record);
    // The same item in every attempt: one that was executed without a reply is not put again.
    const item: NewInjection = {
      id: `${this.#session}/${recordId(record)}`,
      content,
      to: this.#session,
      source: { kind: 'team', label: 'agentId' in record ? record.agentId : 'team' },
      expiresAt: Date.now() + lastsMs,
    };
    const put = (): Promise<InjectionItem> => this.#mailbox.put(item);
    try {
      // The next sign of life follows soon.
      const stored = await (record.type === 'alive' ? put() : this.patiently(put));
      if (stored.content === content) return true;
    } catch (error) {
      // A repetition has another expiry, and is the same record all the same.
      if (error instanceof MailboxError && error.problem === 'duplicate') return false;
      throw error;
    } finally {
      this.wake();
    }
    throw new HookError(
      'invalid_option',
      `The mailbox of the team shortened a record of ${content.length} characters. Open it with a larger \`maxContentLength\`.`,
    );
  }

  /** Repeats what failed because a server is not available, for a while. Then it rejects as `work` does. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#patienceMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isWaitedFor = error instanceof MailboxUnavailableError && performance.now() < end;
        if (!isWaitedFor || this.#isClosed) throw error;
        await sleep(this.#pollMs);
      }
    }
  }

  /** All records so far. */
  async read(): Promise<readonly TeamRecord[]> {
    const items = await this.#mailbox.pending(this.#session);
    return items.flatMap(({ content }) => readRecord(content) ?? []);
  }

  /**
   * Resolves when something may have changed since the given version, after the polling interval at the latest, or when
   * the signal aborts.
   */
  async changed(since: number, signal: AbortSignal): Promise<void> {
    if (this.version !== since) return;
    const timer = new AbortController();
    const waiting = new Promise<void>((resolve) => {
      this.#wakers.add(resolve);
      timer.signal.addEventListener('abort', () => this.#wakers.delete(resolve));
    });
    const both = AbortSignal.any([timer.signal, signal]);
    await Promise.race([waiting, sleep(this.#pollMs, undefined, { signal: both }).catch(() => {})]);
    timer.abort();
  }

  /** Wakes everybody who waits for a change. */
  wake(): void {
    this.version += 1;
    for (const resolve of [...this.#wakers]) {
      this.#wakers.delete(resolve);
      resolve();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
    this.wake();
  }
}
