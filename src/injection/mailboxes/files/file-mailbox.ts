/**
 * The mailbox in a directory: processes of one machine share it, and no item is lost or duplicated when one of them
 * dies.
 */

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
import type { MailboxContext } from './mailbox-context.js';
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
 * Opens a mailbox in a directory, which is created if it is missing. Rejects with a `HookError` for invalid options,
 * and for a directory that is unsafe or not a mailbox; with a `MailboxDiskError` when a disk operation fails.
 */
export async function openFileMailbox(options: FileMailboxOptions): Promise<FileMailbox> {
  return openMailboxAs(options, currentOwner());
}

/** For tests: acts as another process. */
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

/** How often a process that uses the mailbox also cleans it up. */
const SWEEP_EVERY_MS = 60_000;

class InDirectory implements FileMailbox {
  readonly directory: string;
  readonly #context: MailboxContext;
  readonly #boxes: Boxes;
  readonly #log: SharedLog;
  readonly #staging: Staging;
  readonly #changes: Changes;
  readonly #putter: ItemPutter;
  readonly #sweeping: Sweeping;
  readonly #matchers = new Matchers();
  #polling: Promise<void> | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(place: Place, owner: Owner, options: CheckedOptions, onProblem: (problem: Error) => void) {
    this.directory = place.root;
    const parts = assemble({ place, owner, options, onProblem, look: () => this.#poll() });
    this.#context = parts.context;
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
      await box.join(this.#context.now());
      await this.#update(box, true);
      const taken = await takeWaiting({
        context: this.#context,
        box,
        matchers: this.#matchers,
        toolNames,
        limit,
      });
      await this.#sweepIfDue();
      return createLease(this.#context, box, taken, (call, work) => this.#guard(call, work));
    });
  }

  async pending(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#work('pending', async () => {
      const box = await this.#boxes.find(checkAgent(agentId));
      await this.#staging.recover();
      if (box !== undefined) await requeueAbandoned(this.#context, box);
      const names = (await box?.arrivals.names()) ?? [];
      const waiting = names.filter((name) => !isExpired(name, this.#context.now()));
      const own = await inBatches(waiting, async (name) => box && readRecord(box.waiting(name), name));
      const records = own.flatMap((reading) => (reading?.ok === true ? [reading.record] : []));
      const all = [...records, ...(await this.#log.preview(box, agentId))];
      return all.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ item }) => item);
    });
  }

  async carryOver(agentId: string): Promise<readonly InjectionItem[]> {
    return this.#work('carryOver', async () => {
      // Also for an agent that never joined: items for several agents may name it.
      const box = await this.#boxes.ensure(checkAgent(agentId));
      await this.#update(box, await box.isJoined());
      const limit = Number.POSITIVE_INFINITY;
      const taken = await takeWaiting({
        context: this.#context,
        box,
        matchers: this.#matchers,
        toolNames: undefined,
        limit,
      });
      const carried = await inBatches(taken, async ({ name, path, item }) =>
        (await end(this.#context, box, { name, path, ending: 'carried', about: item })) ? [item] : [],
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
      await box.join(this.#context.now());
      await this.#update(box, true);
    });
  }

  async leave(agentId: string, reason = `the agent ${agentId} has left`): Promise<void> {
    return this.#work('leave', async () => {
      const box = await this.#boxes.ensure(checkAgent(agentId));
      await this.#update(box, await box.isJoined());
      await box.leave(reason);
      await failLeft(this.#context, box);
    });
  }

  async refresh(): Promise<void> {
    return this.#work('refresh', async () => {
      this.#sweptAt = Number.NEGATIVE_INFINITY;
      await this.#sweepIfDue();
      await this.#changes.find();
    });
  }

  /** Ends the use by this process only. Open leases can still be acknowledged or released. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#changes.stop();
    await this.#polling;
  }

  /** Updates the box of one agent. If that fails, the items it already has can still be delivered. */
  async #update(box: AgentBox, hasJoined: boolean): Promise<void> {
    const { reportProblem } = this.#context;
    await this.#staging.recover().catch(reportProblem);
    await this.#log.copyFor(box, this.#staging, hasJoined).catch(reportProblem);
    await requeueAbandoned(this.#context, box).catch(reportProblem);
  }

  async #sweepIfDue(): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = performance.now();
    await sweep(this.#sweeping).catch(this.#context.reportProblem);
  }

  /** Called periodically while there are listeners; never concurrently. */
  async #poll(): Promise<void> {
    if (this.#closed || this.#polling !== undefined) return;
    this.#polling = this.#pollOnce();
    await this.#polling;
    this.#polling = undefined;
  }

  /** Never rejects. */
  async #pollOnce(): Promise<void> {
    try {
      await this.#staging.recover();
      await this.#boxes.mapUsable((box) => settleBox(this.#sweeping, box));
      await this.#sweepIfDue();
      await this.#changes.find();
    } catch (error) {
      this.#context.reportProblem(toDiskError('the check for outside changes', this.directory, error));
    }
  }

  async #work<T>(call: string, work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new MailboxError('closed', `The mailbox has been closed; ${call} is refused.`);
    return this.#guard(call, async () => {
      await checkPlace(this.#context.place);
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
