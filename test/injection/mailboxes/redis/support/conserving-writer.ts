/** Puts items, each until it is confirmed, and writes down which are. Whoever begins anew repeats what was not confirmed. */
import { appendFileSync, readFileSync } from 'node:fs';
import { insist, openAt } from './open-at.js';
import { plannedItem } from './plan.js';

const [address = '', prefix = '', writer = '', count = '0', file = '', waitReplicas = '0'] =
  process.argv.slice(2);
const { mailbox } = await openAt(address, {
  prefix,
  maxItems: 100_000,
  timeoutMs: 1000,
  waitReplicas: Number(waitReplicas),
});
const confirmed = new Set(
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('put ') ? [line.slice(4)] : [])),
);
process.stdout.write('ready\n');
for (let i = 0; i < Number(count); i++) {
  const item = plannedItem(writer, i);
  if (confirmed.has(item.id)) continue;
  await insist(() => mailbox.put(item));
  appendFileSync(file, `put ${item.id}\n`);
}
process.exit(0);
