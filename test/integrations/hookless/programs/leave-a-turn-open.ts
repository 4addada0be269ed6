/** A host that begins a turn and then has nothing more to do. */

import { createMailbox } from '../../../../src/injection/mailboxes/memory/mailbox.js';
import { createHookless } from '../../../../src/integrations/hookless/index.js';

await createHookless({ mailbox: createMailbox(), agentId: 'ada', checkEveryMs: 1000 }).betweenTurns();
process.stdout.write('begun');
