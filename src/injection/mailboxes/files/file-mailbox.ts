/** The mailbox in a directory: processes of one machine share it, and whichever of them dies, nothing is lost or doubled. */

import { syncFolders } from '../../../base/files/private.js';
import { currentOwner, type Owner } from '../../../process/owner.js';
import { MailboxError } from '../../mailbox-error.js';
import type { InjectionItem, InjectionState, Lease, Mailbox, NewInjection, TakeRequest } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import { assemble } from './assemble.js';
import type { Boxes } from './boxes.js';
import { end, failLeft, requeueAbandoned } from './claims.js';
import { checkPlace, openDirectory, type Place } from './directory.js';
import { inBatches } from './disk.js';
import { toDiskError } from './disk-error.js';
import { isExpired } from './item-name.js';
import { createLease } from './lease.js';
import type { Desk } from './mailbox-context.js';
import { Matchers } from './matchers.js';
import {
  type CheckedOptions,
  checkAgent,
  checkOptions,
  type FileMailbox,
  type FileMailboxOptions,
  wholeNumber,
} from './options.js';
import type { Changes } from './outside-changes.js';
import { ItemPutter } from './put-item.js';
import { readRecord } from './record.js';
import type { SharedLog } from './shared-log.js';
import type { Staging } from './staging.js';
import { readStates } from './states.js';
import { type Sweeping, settleBox, sweep } from './sweep.js';
import { takeWaiting } from './take-items.js';

/**
 * A mailbox in a directory, which is made where it is missing. Rejects with a HookError for options that cannot be used,
 * and for a directory that cannot be trusted or is none of ours; with a `MailboxDiskError` when the disk refuses.
 */
export async function openFileMailbox(options: FileMailboxOptions): Promise<FileMailbox> {
  return openMailboxAs(options, currentOwner());
}

/** For tests: with another process as the one that it is. */
export async function openMailboxAs(options: FileMailboxOptions, owner: Owner): Promise<FileMailbox> {
  const checked = checkOptions(options);
  const { directory, onProblem = () => undefined } = options;
  try {
    const mailbox = new InDirectory(await openDirectory(directory), owner, checked, onProblem);
    await mailbox.refresh();
    return mailbox;
  } catch (error) {
    throw toDiskError('open', directory, error);
  }
}

/** How often whoever uses the mailbox also tidies it up. */
const SWEPT_ANEW_MS = 60_000;

class InDirectory implements FileMailbox {
  readonly directory: string;
  readonly #desk: Desk;
  readonly #boxes: Boxes;
  readonly #log: SharedLog;
  readonly #staging: Staging;
  readonly #changes: Changes;
  readonly #putter: ItemPutter;
  readonly #sweeping: Sweeping;
  readonly #matchers = new Matchers();
  #looking: Promise<void> | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(place: Place, owner: Owner, options: CheckedOptions, onProblem: (problem: Error) => void) {
    this.directory = place.root;
    const parts = assemble({ place, owner, options, onProblem, look: () => this.#lookAgain() });
    this.#desk = parts.desk;
    this.#boxes = parts.boxes;
    this.#log = parts.log;
    this.#staging = parts.staging;
    this.#changes = parts.changes;
    this.#sweeping = { ...parts, maxRemembered: options.maxRemembered };
    this.#putter = new ItemPutter(this.#sweeping, options);
  }

  async put(given: NewInjection): Promise<InjectionItem> {
    const sequence = this.#putter.nextNumber();
    return this.#work('put', async () => {
      const item = await this.#putter.put(given, sequence);
      await this.#sweepIfDue();
      return item;
    });
  }

  async take({ agentId, toolNames, limit = Number.POSITIVE_INFINITY }: TakeRequest): Promise<Lease> {
    return this.#work('take', async () => {
      if (limit !== Number.POSITIVE_INFINITY) wholeNumber('limit', limit, 0);
      const box = await this.#boxes.ensure(checkAgent(agentId));
      await box.join(this.#desk.now());
      await this.#bring(box, true);
      const taken = await takeWaiting({ desk: this.#desk, box, matchers: this.#matchers, toolNames, limit });
      await this.#sweepIfDue();
      return createLease(this.#desk, box, taken, (call, work) => this.#guard(call, work));
    });
  }

  async pending(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#work('pending', async () => {
      const box = await this.#boxes.find(checkAgent(agentId));
      await this.#staging.recover();
      if (box !== undefined) await requeueAbandoned(this.#desk, box);
      const names = (await box?.arrivals.names()) ?? [];
      const waiting = names.filter((name) => !isExpired(name, this.#desk.now()));
      const own = await inBatches(waiting, async (name) => box && readRecord(box.waiting(name), name));
      const records = own.flatMap((reading) => (reading?.ok === true ? [reading.record] : []));
      const all = [...records, ...(await this.#log.preview(box, agentId))];
      return all.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ item }) => item);
    });
  }

  async carryOver(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#work('carryOver', async () => {
      // Also for an agent that was never there: items for several may name it.
      const box = await this.#boxes.ensure(checkAgent(agentId));
      await this.#bring(box, await box.isJoined());
      const limit = Number.POSITIVE_INFINITY;
      const taken = await takeWaiting({
        desk: this.#desk,
        box,
        matchers: this.#matchers,
        toolNames: undefined,
        limit,
      });
      const carried = await inBatches(taken, async ({ name, path, item }) =>
        (await end(this.#desk, box, { name, path, ending: 'carried', about: item })) ? [item] : [],
      );
      await syncFolders(box.inside('done'), box.inside('claimed'));
      return carried.flat();
    });
  }

  async status(id: string): Promise<Readonly<Record<string, InjectionState>> | undefined> {
    return this.#work('status', async () => {
      await this.#staging.recover();
      return readStates(this.#sweeping, id);
    });
  }

  onChange(listener: Parameters<Mailbox['onChange']>[0]): () => void {
    return this.#changes.listen(listener);
  }

  async agents(): Promise<readonly string[]> {
    return this.#work('agents', async () => (await this.#boxes.joined()).map(({ agentId }) => agentId));
  }

  async join(agentId: string): Promise<void> {
    return this.#work('join', async () => {
      const box = await this.#boxes.ensure(checkAgent(agentId));
      await box.join(this.#desk.now());
      await this.#bring(box, true);
    });
  }

  async leave(agentId: string, reason = `the agent ${agentId} has left`): Promise<void> {
    return this.#work('leave', async () => {
      const box = await this.#boxes.ensure(checkAgent(agentId));
      await this.#bring(box, await box.isJoined());
      await box.leave(reason);
      await failLeft(this.#desk, box);
    });
  }

  async refresh(): Promise<void> {
    return this.#work('refresh', async () => {
      this.#sweptAt = Number.NEGATIVE_INFINITY;
      await this.#sweepIfDue();
      await this.#changes.find();
    });
  }

  /** Only this process's use of it ends. What was taken can still be acknowledged or given back. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#changes.stop();
    await this.#looking;
  }

  /** Brings up to date what one agent has. Where that fails, what it has already can be handed over all the same. */
  async #bring(box: AgentBox, isThere: boolean): Promise<void> {
    const { tellProblem } = this.#desk;
    await this.#staging.recover().catch(tellProblem);
    await this.#log.copyFor(box, this.#staging, isThere).catch(tellProblem);
    await requeueAbandoned(this.#desk, box).catch(tellProblem);
  }

  async #sweepIfDue(): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEPT_ANEW_MS) return;
    this.#sweptAt = performance.now();
    await sweep(this.#sweeping).catch(this.#desk.tellProblem);
  }

  /** What is done from time to time while somebody listens; never twice at once. */
  async #lookAgain(): Promise<void> {
    if (this.#closed || this.#looking !== undefined) return;
    this.#looking = this.#lookOnce();
    await this.#looking;
    this.#looking = undefined;
  }

  /** Never rejects. */
  async #lookOnce(): Promise<void> {
    try {
      await this.#staging.recover();
      await this.#boxes.mapUsable((box) => settleBox(this.#sweeping, box));
      await this.#sweepIfDue();
      await this.#changes.find();
    } catch (error) {
      this.#desk.tellProblem(toDiskError('the look at others', this.directory, error));
    }
  }

  async #work<T>(call: string, work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new MailboxError('closed', `The mailbox has been closed; ${call} is refused.`);
    return this.#guard(call, async () => {
      await checkPlace(this.#desk.place);
      return work();
    });
  }

  async #guard<T>(call: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toDiskError(call, this.directory, error);
    }
  }
}
