/** Serves one agent for ever, and writes down what it sends, and what is confirmed as delivered. */
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { insist, openAt } from './open-at.js';

const [address = '', prefix = '', agentId = '', file = '', waitReplicas = '0'] = process.argv.slice(2);
const { mailbox } = await openAt(address, {
  prefix,
  leaseMs: 5000,
  maxRemembered: 100_000,
  timeoutMs: 1000,
  waitReplicas: Number(waitReplicas),
});
process.stdout.write('ready\n');
for (;;) {
  const lease = await insist(() => mailbox.take({ agentId, limit: 1 + Math.floor(Math.random() * 8) }));
  const lines = (what: string): string => lease.items.map(({ id }) => `${what} ${agentId} ${id}\n`).join('');
  if (lease.items.length === 0) await setTimeout(10);
  else if (Math.random() < 0.05) await insist(() => lease.release());
  else {
    appendFileSync(file, lines('sent'));
    await insist(() => lease.acknowledge());
    appendFileSync(file, lines('delivered'));
  }
}
