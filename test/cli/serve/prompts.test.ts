/** What is typed on the page while the agent is idle: delivered when a model has been sent it, failed when it never will be. */
import { describe, expect, it } from 'vitest';
import { AgentLoop, type Model, scriptedModel } from '../../../src/agent/index.js';
import { startRun } from '../../../src/cli/run/start-run.js';
import { promptsOf } from '../../../src/cli/serve/prompts.js';
import { Runner } from '../../../src/index.js';
import { createMailbox, type InjectionChange } from '../../../src/injection/index.js';

/** Says something to an idle agent, works on it, and tells every state that it was in, with the model's requests. */
async function say(words: string, runner: Runner, model: Model) {
  const mailbox = createMailbox({ agents: ['main'] });
  const changes: InjectionChange[] = [];
  mailbox.onChange((change) => changes.push(change));
  const controller = new AbortController();
  const prompts = promptsOf(undefined, mailbox, controller.signal);
  const { id } = await mailbox.put({ content: words, to: 'main' });
  const { value: prompt } = await prompts.next();
  if (!prompt) throw new Error('There is no prompt.');
  const early = await mailbox.status(id);
  const loop = new AgentLoop({ model, hooks: runner, mailbox, transcripts: false });
  const run = startRun(loop, prompt.text, controller.signal);
  let step = await run.next();
  for (; !step.done; step = await run.next()) await prompt.onMessage(step.value);
  await prompt.onEnd(step.value);
  const status = await mailbox.status(id);
  const waiting = await mailbox.pending('main');
  await loop.close();
  await runner.dispose();
  controller.abort();
  return { early, status, waiting, reason: changes.at(-1)?.reason, end: step.value.terminal_reason };
}

const fails: Model = {
  ...scriptedModel([]),
  async *stream() {
    yield* [];
    throw new Error('no line to the model');
  },
};

describe('words that are said to an idle agent', () => {
  it('LV-29 are delivered when the model answers, not before', async () => {
    expect(await say('hello', new Runner(), scriptedModel([{ text: 'Hi.' }]))).toMatchObject({
      early: { main: 'queued' },
      status: { main: 'delivered' },
      end: 'completed',
    });
  });

  it('LV-29 have failed when a hook blocks the prompt, with its reason, and are not said again', async () => {
    const runner = new Runner();
    runner.on('UserPromptSubmit', () => ({ decision: 'block', reason: 'not today' }));
    const said = await say('hello', runner, scriptedModel([{ text: 'Hi.' }]));
    expect(said).toMatchObject({ status: { main: 'failed' }, waiting: [], end: 'prompt_blocked' });
    expect(said.reason).toContain('not today');
  });

  it('LV-29 have failed when a hook ends the run before the model is asked', async () => {
    const runner = new Runner();
    runner.on('UserPromptSubmit', () => ({ continue: false, stopReason: 'enough' }));
    const said = await say('hello', runner, scriptedModel([{ text: 'Hi.' }]));
    expect(said).toMatchObject({ status: { main: 'failed' }, waiting: [], end: 'hook_stopped' });
    expect(said.reason).toContain('enough');
  });

  it('LV-29 have failed when the model cannot be reached', async () => {
    const said = await say('hello', new Runner(), fails);
    expect(said).toMatchObject({ status: { main: 'failed' }, waiting: [] });
    expect(said.reason).toContain('no line to the model');
  });

  it('LV-29 that are a command have been obeyed', async () => {
    const said = await say('/clear', new Runner(), scriptedModel([]));
    expect(said).toMatchObject({ status: { main: 'delivered' }, end: 'cleared' });
  });
});
