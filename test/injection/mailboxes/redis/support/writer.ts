/** Puts items one after another and says after each that it is in. Whoever begins anew repeats what was not said. */
import { openRedisMailbox } from '../../../../../src/injection/mailboxes/redis/index.js';
import { plannedItem } from './plan.js';

const [url = '', prefix = '', writer = '', from = '0', count = '0'] = process.argv.slice(2);
const mailbox = await openRedisMailbox({ url, prefix, maxItems: 100_000, timeoutMs: 20_000 });
for (let i = Number(from); i < Number(count); i++) {
  await mailbox.put(plannedItem(writer, i));
  process.stdout.write(`${i + 1}\n`);
}
await mailbox.close();
