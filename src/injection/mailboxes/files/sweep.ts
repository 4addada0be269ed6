/** Cleans up: files of dead processes, expired items, and finished items beyond the limit. */
import { join } from 'node:path';
import { ANYONE } from '../../item.js';
import type { AgentBox } from './agent-box.js';
import type { Boxes } from './boxes.js';
import { expireWaiting, failLeft, requeueAbandoned } from './claims.js';
import { list, look, remove } from './disk.js';
import { removeEpochs } from './epoch.js';
import type { ItemName } from './item-name.js';
import type { MailboxContext } from './mailbox-context.js';
import { idPath } from './record.js';
import type { SharedLog } from './shared-log.js';
import type { Staging } from './staging.js';

export interface Sweeping {
  readonly context: MailboxContext;
  readonly boxes: Boxes;
  readonly log: SharedLog;
  readonly staging: Staging;
  readonly maxRemembered: number;
}

/** Files moved to `failed` are kept for inspection; more are not needed. */
const MAX_FAILED = 100;
/** A record without an item may belong to a process that is putting it right now. */
const ORPHAN_MS = 3_600_000;

export async function sweep(sweeping: Sweeping): Promise<void> {
  const { context, boxes, log, staging, maxRemembered } = sweeping;
  await staging.recover();
  await boxes.mapUsable((box) => settleBox(sweeping, box));
  await log.cleanUp(staging, maxRemembered);
  // If an agent's folder cannot be read, it is unknown which records it needs.
  if (boxes.areWhole) await removeEnded(sweeping);
  await removeEpochs(context);
  const failed = (await list(context.place.failed)).sort();
  for (const file of failed.slice(0, Math.max(0, failed.length - MAX_FAILED)))
    await remove(join(context.place.failed, file)).catch(context.reportProblem);
}

/** Updates the box of one agent: expiries, and claims of dead processes. */
export async function settleBox({ context, log, staging }: Sweeping, box: AgentBox): Promise<void> {
  await requeueAbandoned(context, box);
  if ((await box.leftBecause()) !== undefined) {
    await log.copyFor(box, staging, false);
    await failLeft(context, box);
  } else await expireWaiting(context, box);
}

/** The record by id is removed first: while it exists, everything it refers to exists too. */
async function removeEnded(sweeping: Sweeping): Promise<void> {
  const { context, boxes, log, staging, maxRemembered } = sweeping;
  const needed = new Set<string>();
  const need = (names: Iterable<ItemName>): void => {
    for (const { idHash } of names) needed.add(idHash);
  };
  need(await log.arrivals.names());
  need(await staging.names());
  const surplus: { readonly path: string; readonly idHash: string }[] = [];
  await boxes.mapUsable(async (box) => {
    need(await box.arrivals.names());
    need((await box.claims()).map(({ parsed }) => parsed.name));
    // Read again, because items may have been requeued in between.
    need(await box.arrivals.listed());
    const ends = await box.ends();
    const kept = Math.max(0, ends.length - maxRemembered);
    need(ends.slice(kept).map(({ parsed }) => parsed.name));
    for (const { file, parsed } of ends.slice(0, kept))
      surplus.push({ path: box.inside('done', file), idHash: parsed.name.idHash });
  }, ANYONE);
  if (!boxes.areWhole) return;
  for (const { path, idHash } of surplus) {
    // The state of an item is kept for all of its agents or for none.
    if (needed.has(idHash)) continue;
    await remove(idPath(context.place, idHash));
    await remove(path);
  }
  for (const file of await list(context.place.ids)) {
    if (needed.has(file.replace(/\.json$/, ''))) continue;
    const stats = await look(join(context.place.ids, file));
    // `ctime`, not `mtime`: the record may have been written long before it was linked.
    if (stats !== undefined && Date.now() - stats.ctimeMs > ORPHAN_MS)
      await remove(join(context.place.ids, file));
  }
}
