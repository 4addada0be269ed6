/** Serves one agent for ever: takes, sends (a line to a file), then acknowledges, or now and then gives back unsent. */
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { openRedisMailbox } from '../../../../../src/injection/mailboxes/redis/index.js';

const [url = '', prefix = '', agentId = '', file = ''] = process.argv.slice(2);
const mailbox = await openRedisMailbox({
  url,
  prefix,
  leaseMs: 8000,
  maxRemembered: 100_000,
  timeoutMs: 30_000,
});
process.stdout.write('ready\n');
for (;;) {
  const lease = await mailbox.take({ agentId, limit: 1 + Math.floor(Math.random() * 8) });
  if (lease.items.length === 0) await setTimeout(10);
  else if (Math.random() < 0.05) await lease.release();
  else {
    appendFileSync(file, lease.items.map(({ id }) => `${agentId} ${id}\n`).join(''));
    await lease.acknowledge();
  }
}
