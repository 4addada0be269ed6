/** One process of the conservation test: puts items in, or takes them out, until it is done or dies. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFileMailbox } from '../../../../../src/injection/mailboxes/files/index.js';
import { mayDieHere } from './die-at.js';
import { plannedItem } from './plan.js';

/** What the parent tells it, as JSON. */
export interface WorkerOrder {
  readonly role: 'writer' | 'reader';
  readonly directory: string;
  /** Where it writes down what it does, one line each: appended before and after, so that a death in between shows. */
  readonly journal: string;
  readonly agentId: string;
  /** The items of a writer, from and to. */
  readonly from: number;
  readonly to: number;
  /** Readers end when this file is there and nothing waits. */
  readonly stopFile: string;
}

const order = JSON.parse(process.argv[2] ?? '') as WorkerOrder;
/** The clock is the same for all processes of a machine. */
const note = (line: string): void =>
  appendFileSync(order.journal, `${line} ${process.pid} ${process.hrtime.bigint()}\n`);
const mailbox = await openFileMailbox({
  directory: order.directory,
  maxItems: 1_000_000,
  maxRemembered: 1_000_000,
  onProblem: (problem) => note(`problem ${problem.message.replaceAll(/\s+/g, '_')}`),
});
// From now on it can be shot at.
process.stdout.write('ready\n');
await (order.role === 'writer' ? write() : read());
await mailbox.close();

/** Where it died it goes on; what it was at is put again under the same id. */
async function write(): Promise<void> {
  note('begun -');
  const lines = readFileSync(order.journal, 'utf8').split('\n');
  const done = new Set(lines.filter((line) => line.startsWith('put ')).map((line) => line.split(' ')[1]));
  for (let index = order.from; index < order.to; index++) {
    const item = plannedItem(index);
    if (done.has(item.id)) continue;
    await mailbox.put(item);
    note(`put ${item.id}`);
  }
}

async function read(): Promise<void> {
  for (;;) {
    const isLast = existsSync(order.stopFile);
    const limit = 1 + Math.floor(Math.random() * 8);
    const toolNames = Math.random() < 0.3 ? ['Bash'] : undefined;
    const lease = await mailbox.take({ agentId: order.agentId, limit, toolNames });
    if (lease.items.length === 0) {
      if (isLast && toolNames === undefined) return;
      await sleep(50);
      continue;
    }
    if (Math.random() < 0.05) {
      await lease.release();
      continue;
    }
    // The model is sent them here. From this line to the end of acknowledge is the window that no mailbox can close.
    for (const { id } of lease.items) note(`sent ${id}`);
    mayDieHere('sent');
    await lease.acknowledge();
    for (const { id } of lease.items) note(`acknowledged ${id}`);
  }
}
