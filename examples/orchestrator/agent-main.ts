/** An agent as a process of its own: what it is, and where its mailbox is, stands in its first argument. */
import { type AgentSetup, runAgent } from './agent.js';
import { type Address, openMailbox } from './mailboxes.js';

const setup = JSON.parse(process.argv[2] ?? '') as AgentSetup & { readonly address: Address };

// Nobody works on for an orchestrator that is gone.
process.once('disconnect', () => process.exit(1));
if (!process.connected) process.exit(1);
process.channel?.unref();

const mailbox = await openMailbox(setup.address);
await runAgent(setup, mailbox);
await mailbox.close();
