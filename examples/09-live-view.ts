/**
 * Three agents at work, on a page: every hook as it runs, what each agent says and does, and a box to talk to them.
 * Run it and open the address that it prints; with `--once` it runs to its end by itself and prints the timeline.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { command, Runner } from 'hookline';
import { AgentLoop, defineTool, scriptedModel } from 'hookline/agent';
import { createHumanInput, createMailbox } from 'hookline/injection';
import { startLiveView } from 'hookline/live';
import { z } from 'zod';

const once = process.argv.includes('--once') || !process.stdout.isTTY;
/** People want to see something happen. */
const pace = once ? 0 : 1;

const runner = new Runner();
const mailbox = createMailbox({ agents: ['ada', 'ben', 'cleo'] });
const human = createHumanInput({ mailbox, label: 'a person' });

await using live = await startLiveView({ mailbox, human, title: 'Three agents' });
live.watch(runner);

// A guard, a slow check that tells how far it is, and a shell command.
runner.on('PreToolUse', { name: 'no-demolition', matcher: 'Measure' }, (input) => {
  const { what } = input.tool_input as { what: string };
  return what.includes('cellar') ? { decision: 'block', reason: 'the cellar is closed' } : undefined;
});
runner.on('PostToolUse', { name: 'second-look' }, async (_input, _id, { progress }) => {
  for (const step of ['looking again', 'comparing', 'the same']) {
    progress(`${step}\n`);
    await sleep(900 * pace);
  }
});
runner.on('Stop', { name: 'write-it-down' }, command('echo written down'));

const measure = defineTool({
  name: 'Measure',
  description: 'Measures something.',
  input: z.strictObject({ what: z.string() }),
  readOnly: true,
  run: async ({ what }) => {
    await sleep(600 * pace);
    return { ok: true, content: `${what}: 42 m`, response: { what, metres: 42 } };
  },
});

const call = (what: string, text: string) => ({
  text,
  delayMs: 700 * pace,
  tools: [{ name: 'Measure', input: { what } }],
});
const answer = (text: string) => ({ text, delayMs: 700 * pace });
const scripts = {
  ada: [call('the bridge', 'I begin with the bridge.'), answer('The bridge is 42 m long.')],
  ben: [
    call('the cellar', 'First what is below.'),
    call('the tower', 'Then what is above.'),
    answer('The tower is 42 m high, the cellar is closed.'),
  ],
  cleo: [
    call('the garden', 'The garden, then.'),
    call('the pond', 'And the pond.'),
    answer('Garden and pond are 42 m wide.'),
  ],
};

async function work(agentId: keyof typeof scripts, prompt: string): Promise<void> {
  const model = scriptedModel(scripts[agentId], { name: `${agentId}'s model` });
  const options = { model, tools: [measure], hooks: runner, agentId, mailbox, transcripts: false } as const;
  await using loop = new AgentLoop(options);
  for await (const _ of live.follow(loop.run(prompt), { agentId }));
}

async function workTogether(): Promise<void> {
  await human.say({ content: 'Metres, please.', to: 'ada' });
  await work('ada', 'How long is the bridge?');
  await Promise.all([work('ben', 'How high is the tower?'), work('cleo', 'How wide is the garden?')]);
}

/** What the page shows, as lines: agent after agent. */
function printTimeline(): void {
  for (const agentId of Object.keys(scripts)) {
    console.log(agentId);
    for (const event of live.events) {
      if (!('agent' in event) || event.agent !== agentId) continue;
      if (event.type === 'turn')
        console.log(`  turn ${event.turn}: ${event.prompt ?? 'before the first prompt'}`);
      if (event.type === 'text') console.log(`    says ${event.text}`);
      if (event.type === 'tool') console.log(`    calls ${event.name} ${event.input}`);
      if (event.type === 'hook') console.log(`    hook ${event.name} on ${event.event}`);
      if (event.type === 'item') console.log(`    is told something by ${event.label ?? event.from}`);
      if (event.type === 'denied') console.log(`    refused: ${event.reason}`);
      if (event.type === 'turn_end') console.log(`    ${event.reason}`);
    }
  }
}

if (once) {
  await workTogether();
  printTimeline();
} else {
  console.log(`Open ${live.url} and type something. Ctrl-C ends this.`);
  for (;;) await workTogether();
}
await runner.dispose();
