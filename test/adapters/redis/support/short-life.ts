/** Opens a mailbox, uses it, closes it, and ends by itself; with `lease`, it closes while it is about to send something. */
import { openRedisMailbox } from '../../../../src/adapters/redis/index.js';

const [url = '', prefix = '', how = ''] = process.argv.slice(2);
const mailbox = await openRedisMailbox({ url, prefix, watch: true });
await mailbox.put({ id: 'x', content: 'x', to: 'a' });
const lease = await mailbox.take({ agentId: 'a' });
if (how !== 'lease') await lease.acknowledge();
await mailbox.close();
process.stdout.write('closed\n');
