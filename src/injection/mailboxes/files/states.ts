/** Reads the state of an item for each of its agents from the location of its files. */
import { ANYONE, targetsOf } from '../../item.js';
import type { InjectionItem, InjectionState } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import type { Boxes } from './boxes.js';
import { endWaiting, stateOf } from './claims.js';
import { look } from './disk.js';
import { hashId, type ItemName, isExpired, parseItemName } from './item-name.js';
import type { MailboxContext } from './mailbox-context.js';
import { idPath, readRecord } from './record.js';
import type { SharedLog } from './shared-log.js';
import type { Staging } from './staging.js';

export interface StateReader {
  readonly context: MailboxContext;
  readonly boxes: Boxes;
  readonly log: SharedLog;
  readonly staging: Staging;
}

type States = Readonly<Record<string, InjectionState>>;

/** One pass follows an item forward through the folders; it can be missed only if it is requeued meanwhile. */
const PASSES = 2;

export async function readStates(reader: StateReader, id: string): Promise<States | undefined> {
  const path = idPath(reader.context.place, hashId(id));
  const reading = await readRecord(path);
  if (reading === undefined) return undefined;
  const name = reading.ok ? parseItemName(reading.record.name) : undefined;
  if (!reading.ok || name === undefined) return statesByHash(reader, hashId(id));
  await expireNow(reader, name, reading.record.item);
  const states: [string, InjectionState][] = [];
  for (const { agentId, box } of await concerned(reader, reading.record.item)) {
    const state = box === undefined ? undefined : await stateIn(box, name);
    if (state !== undefined) states.push([agentId, state]);
    else if (targetsOf(reading.record.item) !== undefined || (await isStillToCopy(reader, name, box)))
      states.push([agentId, 'queued']);
  }
  if (states.length === 0) states.push([ANYONE, (await stateWithoutAgents(reader, name)) ?? 'queued']);
  return Object.fromEntries(states);
}

async function concerned(
  { boxes }: StateReader,
  item: InjectionItem,
): Promise<readonly { readonly agentId: string; readonly box: AgentBox | undefined }[]> {
  const targets = targetsOf(item);
  if (targets === undefined) return boxes.mapUsable(async (box) => ({ agentId: box.agentId, box }));
  return Promise.all(targets.map(async (agentId) => ({ agentId, box: await boxes.tryFind(agentId) })));
}

/** An agent that has joined makes its copy on its next call. */
async function isStillToCopy(
  { context, staging }: StateReader,
  name: ItemName,
  box: AgentBox | undefined,
): Promise<boolean> {
  if (isExpired(name, context.now())) return false;
  if (box === undefined || !(await box.isJoined()) || !(await staging.isInLog(name))) return false;
  return (await look(box.seen(name))) === undefined;
}

async function stateWithoutAgents(
  { boxes }: StateReader,
  name: ItemName,
): Promise<InjectionState | undefined> {
  const anyone = await boxes.find(ANYONE);
  return anyone === undefined ? undefined : stateIn(anyone, name);
}

async function stateIn(box: AgentBox, { text }: ItemName): Promise<InjectionState | undefined> {
  for (let looks = 0; looks < PASSES; looks++) {
    if ((await look(box.inside('new', `${text}.json`))) !== undefined) return 'queued';
    if ((await box.claims()).some(({ parsed }) => parsed.name.text === text)) return 'queued';
    const ended = (await box.ends()).find(({ parsed }) => parsed.name.text === text);
    if (ended !== undefined) return stateOf(ended.parsed.ending);
  }
  return undefined;
}

async function expireNow(reader: StateReader, name: ItemName, item: InjectionItem): Promise<void> {
  const { context, boxes, log, staging } = reader;
  if (!isExpired(name, context.now())) return;
  if (await staging.isInLog(name)) await log.expire(name, staging);
  for (const { box } of await concerned({ context, boxes, log, staging }, item)) {
    if (box !== undefined) await endWaiting(context, box, name, 'expired', 'it has expired');
  }
}

/** For an item whose record cannot be read: searches all files with its id in their names. */
async function statesByHash({ boxes }: StateReader, idHash: string): Promise<States | undefined> {
  const states: [string, InjectionState][] = [];
  await boxes.mapUsable(async (box) => {
    const names = [...(await box.arrivals.names()), ...(await box.claims()).map(({ parsed }) => parsed.name)];
    const ended = (await box.ends()).find(({ parsed }) => parsed.name.idHash === idHash);
    if (ended !== undefined) states.push([box.agentId, stateOf(ended.parsed.ending)]);
    else if (names.some((name) => name.idHash === idHash)) states.push([box.agentId, 'queued']);
  });
  return states.length === 0 ? undefined : Object.fromEntries(states);
}
