/** What a call costs while so many items wait. Run by hand: npx tsx test/injection/mailboxes/files/programs/measure.ts 10000 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileMailbox } from '../../../../../src/injection/mailboxes/files/index.js';

const waiting = Number(process.argv[2] ?? 0);
const base = mkdtempSync(join(tmpdir(), 'hookline-measure-'));
const directory = join(base, 'mailbox');
const mailbox = await openFileMailbox({ directory, maxItems: 1_000_000 });

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const show = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(2);
  console.log(`${waiting} waiting, ${name}: median ${show(0.5)} ms, 9 of 10 below ${show(0.9)} ms`);
}

const put = (): Promise<unknown> => mailbox.put({ content: 'hello', to: 'a' });

for (let i = 0; i < waiting; i += 50) await Promise.all(Array.from({ length: 50 }, put));
for (let round = 0; round < 2; round++) {
  await measure('put', put);
  await measure('take one and acknowledge', async () =>
    (await mailbox.take({ agentId: 'a', limit: 1 })).acknowledge(),
  );
}
await mailbox.close();
rmSync(base, { recursive: true });
