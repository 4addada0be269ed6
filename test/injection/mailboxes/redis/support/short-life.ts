/**
 * Opens a mailbox, uses it, closes it, and ends by itself. `lease`: it closes while it is about to send something. `alone`: the
 * same, and only when the server has gone.
 */
import { openRedisMailbox } from '../../../../../src/injection/mailboxes/redis/index.js';

const [url = '', prefix = '', how = ''] = process.argv.slice(2);
const mailbox = await openRedisMailbox({ url, prefix, watch: true });
await mailbox.put({ id: 'x', content: 'x', to: 'a' });
const lease = await mailbox.take({ agentId: 'a' });
if (how === '') await lease.acknowledge();
process.stdout.write('taken\n');
while (how === 'alone' && (await isThere()));
await mailbox.close();
process.stdout.write('closed\n');

function isThere(): Promise<boolean> {
  return mailbox.pending('a').then(
    () => true,
    () => false,
  );
}
