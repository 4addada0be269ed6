/** Tidies up after everybody: what the dead have left, what time has ended, and what need not be remembered. */
import { join } from 'node:path';
import { ANYONE } from '../../item.js';
import type { AgentBox } from './agent-box.js';
import type { Boxes } from './boxes.js';
import { expireWaiting, failLeft, requeueAbandoned } from './claims.js';
import { list, look, remove } from './disk.js';
import { forgetEpochs } from './epoch.js';
import type { ItemName } from './item-name.js';
import type { Desk } from './mailbox-context.js';
import { idPath } from './record.js';
import type { SharedLog } from './shared-log.js';
import type { Staging } from './staging.js';

export interface Sweeping {
  readonly desk: Desk;
  readonly boxes: Boxes;
  readonly log: SharedLog;
  readonly staging: Staging;
  readonly maxRemembered: number;
}

/** What is moved aside is for people to look at; nobody looks at thousands. */
const MAX_FAILED = 100;
/** A record that belongs to no item any more may still be somebody's who is just putting it. */
const ORPHAN_MS = 3_600_000;

export async function sweep(sweeping: Sweeping): Promise<void> {
  const { desk, boxes, log, staging, maxRemembered } = sweeping;
  await staging.recover();
  await boxes.mapUsable((box) => settleBox(sweeping, box));
  await log.tidy(staging, maxRemembered);
  // What an agent needs whose folder cannot be looked into is not known.
  if (boxes.areWhole) await forgetEnded(sweeping);
  await forgetEpochs(desk);
  const failed = (await list(desk.place.failed)).sort();
  for (const file of failed.slice(0, Math.max(0, failed.length - MAX_FAILED)))
    await remove(join(desk.place.failed, file)).catch(desk.tellProblem);
}

/** What time and the deaths of others have done to what one agent has. */
export async function settleBox({ desk, log, staging }: Sweeping, box: AgentBox): Promise<void> {
  await requeueAbandoned(desk, box);
  if ((await box.leftBecause()) !== undefined) {
    await log.copyFor(box, staging, false);
    await failLeft(desk, box);
  } else await expireWaiting(desk, box);
}

/** The record by id goes first: while it is there, all that it speaks of is there too. */
async function forgetEnded(sweeping: Sweeping): Promise<void> {
  const { desk, boxes, log, staging, maxRemembered } = sweeping;
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
    // Again: what was given back in between.
    need(await box.arrivals.listed());
    const ends = await box.ends();
    const kept = Math.max(0, ends.length - maxRemembered);
    need(ends.slice(kept).map(({ parsed }) => parsed.name));
    for (const { file, parsed } of ends.slice(0, kept))
      surplus.push({ path: box.inside('done', file), idHash: parsed.name.idHash });
  }, ANYONE);
  if (!boxes.areWhole) return;
  for (const { path, idHash } of surplus) {
    // Not for one agent alone: how an item stands is remembered for all of them or for none.
    if (needed.has(idHash)) continue;
    await remove(idPath(desk.place, idHash));
    await remove(path);
  }
  for (const file of await list(desk.place.ids)) {
    if (needed.has(file.replace(/\.json$/, ''))) continue;
    const stats = await look(join(desk.place.ids, file));
    // The time of its last new name, not of its content: a record may have been written long before it was put.
    if (stats !== undefined && Date.now() - stats.ctimeMs > ORPHAN_MS)
      await remove(join(desk.place.ids, file));
  }
}
