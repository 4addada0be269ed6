/** One agent: a loop on a scripted model, with a mailbox, and tools to hand in answers and to vote. */
import { join } from 'node:path';
import {
  AgentLoop,
  builtInTools,
  defineTool,
  type ModelRequest,
  type Script,
  scriptedModel,
} from 'hookline/agent';
import type { Mailbox } from 'hookline/injection';
import { z } from 'zod';
import { until } from './mailboxes.js';
import { report } from './reports.js';

export interface AgentSetup {
  readonly agentId: string;
  /** Where it works. */
  readonly workspace: string;
  /** Where it finds the files of its peers. */
  readonly peers: string;
}

/** Rejects when the agent could not do what its script says. */
export async function runAgent(setup: AgentSetup, mailbox: Mailbox, signal?: AbortSignal): Promise<void> {
  const { agentId, workspace, peers } = setup;
  const loop = new AgentLoop({
    model: scriptedModel(scriptOf(setup)),
    tools: [...builtInTools(), ...teamTools(agentId, mailbox)],
    mailbox,
    agentId,
    cwd: workspace,
    transcripts: false,
    permissions: { mode: 'acceptEdits', additionalDirectories: [peers] },
  });
  let failure: string | undefined;
  for await (const message of loop.run('Write slug.mjs.', { signal }))
    if (message.type === 'result' && message.is_error) failure = `${agentId}: ${message.terminal_reason}`;
  await loop.close();
  if (failure !== undefined && signal?.aborted !== true) throw new Error(failure);
}

function teamTools(agentId: string, mailbox: Mailbox) {
  const tool = (name: string, work: (text: string, signal: AbortSignal) => Promise<string>) =>
    defineTool({
      name,
      description: name,
      input: z.strictObject({ text: z.string() }),
      harmless: true,
      timeout: 600,
      run: async ({ text }, { signal }) => {
        const content = await work(text, signal);
        return { ok: true, content, response: content };
      },
    });
  return [
    tool('new_answer', async (content, signal) => {
      await report(mailbox, { type: 'answer', agentId, content }, signal);
      return 'It is handed in.';
    }),
    tool('vote', async (label, signal) => {
      await report(mailbox, { type: 'vote', agentId, label }, signal);
      return 'It is counted.';
    }),
    // The tests take as long as it takes a peer to answer: so the answer comes in the middle of the work, every time.
    tool('run_tests', async (what, signal) => {
      await report(mailbox, { type: 'working', agentId, what }, signal);
      await until(async () => (await mailbox.pending(agentId)).length > 0, signal);
      return 'All tests pass.';
    }),
    tool('build', async (what, signal) => {
      await report(mailbox, { type: 'working', agentId, what }, signal);
      await until(async () => false, signal);
      return 'It never gets here.';
    }),
  ];
}

const call = (name: string, input: object) => ({ tools: [{ name, input }] });
const SIMPLE = "export const slug = (text) => text.replaceAll(' ', '-');\n";
const BETTER = "export const slug = (text) => text.trim().toLowerCase().replaceAll(/\\s+/g, '-');\n";

/** A turn for which the model must have been told of an answer, together with the result of its tool. */
const onceTold = (label: string) => (request: ModelRequest) =>
  (request.messages.at(-1)?.content ?? []).some(
    (block) => block.type === 'tool_result' && JSON.stringify(block.content).includes(`${label}: `),
  );

/** What each of them calls the others is drawn from the seed, so the script can know it. */
function scriptOf({ agentId, workspace, peers }: AgentSetup): Script {
  const file = join(workspace, 'slug.mjs');
  if (agentId === 'ada')
    return [
      call('Write', { file_path: file, content: SIMPLE }),
      call('new_answer', { text: `Spaces become dashes, see ${file}.` }),
      call('run_tests', { text: 'runs its tests' }),
      { when: onceTold('agent3.1'), ...call('vote', { text: 'agent3.1' }) },
      { text: 'I have voted.' },
    ];
  if (agentId === 'bob')
    return [
      call('run_tests', { text: 'runs its tests' }),
      {
        when: onceTold('agent1.1'),
        ...call('Read', { file_path: join(peers, 'agent1.1', 'slug.mjs') }),
      },
      call('Write', { file_path: file, content: BETTER }),
      call('new_answer', { text: `agent1.1 forgets capitals and tabs. Mine does not: ${file}` }),
      call('vote', { text: 'agent2.1' }),
      { text: 'I have voted.' },
    ];
  return [call('build', { text: 'builds something large' })];
}
