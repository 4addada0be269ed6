/** The same from a file of the older kind, which requires. */
import hookline = require('hookline');
import injection = require('hookline/injection');

const runner = new hookline.Runner();
// @ts-expect-error no option of this type
const mailbox = injection.createMailbox({ agents: 'ada' });

export = { runner, mailbox };
