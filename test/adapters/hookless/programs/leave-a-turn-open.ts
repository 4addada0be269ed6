/** A host that begins a turn and then has nothing more to do. */
import { createHookless } from '../../../../src/adapters/hookless/index.js';
import { createMailbox } from '../../../../src/injection/mailbox.js';

await createHookless({ mailbox: createMailbox(), agentId: 'ada', checkEveryMs: 1000 }).betweenTurns();
process.stdout.write('begun');
