/** Opens a mailbox, listens, takes an item, and comes to its end without closing anything. */
import { openFileMailbox } from '../../../../../src/injection/mailboxes/files/index.js';

const mailbox = await openFileMailbox({ directory: process.argv[2] ?? '', pollMs: 5 });
mailbox.onChange(() => undefined);
await mailbox.put({ id: 'x', content: 'x', to: 'a' });
await mailbox.take({ agentId: 'a' });
console.log('put and left open');
