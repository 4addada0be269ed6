/** What a person says reaches a running agent: a runner, a mailbox, the built-in hooks and a loop. */
import { Runner } from 'hookline';
import { AgentLoop, scriptedModel } from 'hookline/agent';
import { createMailbox, parseFrames, registerBuiltInHooks } from 'hookline/injection';

const model = scriptedModel([{ text: 'The bridge is 42 m long.' }]);

const runner = new Runner();
const mailbox = createMailbox({ agents: ['ben'] });
const hooks = registerBuiltInHooks(runner, { mailbox });
const loop = new AgentLoop({ model, hooks: runner, mailbox, agentId: 'ben', transcripts: false });
await hooks.human.say({ content: 'Metres, please.', to: 'ben', label: 'Eva', id: 'eva-1' });
for await (const message of loop.run('How long is the bridge?'))
  if (message.type === 'result') console.log(message.result);

for (const part of model.requests[0]?.messages[0]?.content ?? [])
  if (part.type === 'text')
    for (const { source, content } of parseFrames(part.text)) console.log(`${source.label}: ${content}`);
await loop.close();
await runner.dispose();
