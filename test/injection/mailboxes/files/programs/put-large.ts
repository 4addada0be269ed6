/** Puts an item that the limit of its process does not allow, then one that it does; says what came of it. */
import { openFileMailbox } from '../../../../../src/injection/mailboxes/files/index.js';

const mailbox = await openFileMailbox({ directory: process.argv[2] ?? '' });
const error: unknown = await mailbox
  .put({ id: 'large', content: 'x'.repeat(5000), to: 'a' })
  .catch((thrown: unknown) => thrown);
await mailbox.put({ id: 'small', content: 'x', to: 'b' });
await (await mailbox.take({ agentId: 'b' })).acknowledge();
const { name, code } = error as { readonly name?: string; readonly code?: string };
console.log(JSON.stringify({ name, code, small: (await mailbox.status('small'))?.['b'] }));
await mailbox.close();
