/** Aborts a run at a chosen moment, and checks what must then be true wherever the abort came. */
import { expect } from 'vitest';
import type { Run } from '../../../../src/agent/loop/agent-loop.js';
import type { EndReason, LoopMessage } from '../../../../src/agent/loop/messages.js';
import { checkConversation, expectValid, lastSaid, type WatchedLoop } from '../session/support.js';
import { type ReadRun, readRun } from '../support/run-loop.js';

/** A second is promised; a busy machine gets more. */
export const PROMPTLY_MS = 15_000;

export interface Moment {
  /** Settles when the point is reached at which the run is ended. */
  readonly begun: Promise<unknown>;
  /** Default: a prompt. */
  start?(signal: AbortSignal): Run;
  /** Processes that were started and are still there. */
  running?(): readonly number[];
  /** Default: `aborted`. Another one where the prompt had its result before. */
  readonly reason?: EndReason;
}

/** The signal of the run ends the session: in time, with one result, one SessionEnd, and nothing left. */
export async function abortAt(made: WatchedLoop, moment: Moment): Promise<ReadRun> {
  const { loop, of } = made;
  const { begun, start = (signal) => loop.run('Begin.', { signal }), running = () => [] } = moment;
  const controller = new AbortController();
  const reading = readRun(start(controller.signal));
  await Promise.race([
    begun,
    reading.then(({ result }) => expect(result, 'an end before the moment').toBe(undefined)),
  ]);
  const at = performance.now();
  controller.abort();
  const run = await reading;
  expect(running(), 'processes that are left').toEqual([]);
  expect(performance.now() - at, 'milliseconds from the abort to the end').toBeLessThan(PROMPTLY_MS);
  expect(run.result.terminal_reason).toBe(moment.reason ?? 'aborted');
  expect(run.messages.filter(({ type }) => type === 'result')).toHaveLength(1);
  expect(of('SessionEnd').map(({ reason }) => reason)).toEqual(['other']);
  checkConversation(withoutAnswer(await loop.conversation()));
  await expect(loop.run('More?').next()).rejects.toThrow('The session has ended');
  return run;
}

/** `interrupt()` ends the run alone: the next prompt works, and the model can read the conversation. */
export async function interruptAt(made: WatchedLoop, moment: Moment): Promise<ReadRun> {
  const { loop, of } = made;
  const { begun, start = () => loop.run('Begin.'), running = () => [] } = moment;
  const reading = readRun(start(new AbortController().signal));
  await begun;
  const at = performance.now();
  loop.interrupt();
  const run = await reading;
  expect(running(), 'processes that are left').toEqual([]);
  expect(performance.now() - at, 'milliseconds from the interrupt to the end').toBeLessThan(PROMPTLY_MS);
  expect(run.result).toMatchObject({
    terminal_reason: 'aborted',
    is_error: true,
    subtype: 'error_during_execution',
    errors: ['The run was interrupted.'],
  });
  expect(of('SessionEnd')).toEqual([]);
  checkConversation(withoutAnswer(await loop.conversation()));
  return run;
}

/** The session is as good as before: the next prompt is answered, and the model can read what it is sent. */
export async function expectToGoOn(
  { loop, requests, of }: WatchedLoop,
  answer = 'Here I am.',
): Promise<void> {
  const { result } = await readRun(loop.run('Are you there?'));
  expect(result).toMatchObject({ terminal_reason: 'completed', result: answer });
  expectValid(requests);
  expect(lastSaid(requests)).toMatch(/Are you there\?$/);
  await loop.close();
  expect(of('SessionEnd')).toHaveLength(1);
}

/** A conversation may end with the model's last word, if that asks for nothing. */
function withoutAnswer(messages: Awaited<ReturnType<WatchedLoop['loop']['conversation']>>): typeof messages {
  const last = messages.at(-1);
  const isAnswer = last?.role === 'assistant' && last.content.every(({ type }) => type === 'text');
  return isAnswer ? messages.slice(0, -1) : messages;
}

/** The same run, with somebody who sees its messages first. */
export async function* tap(run: Run, see: (message: LoopMessage) => void): Run {
  for (;;) {
    const step = await run.next();
    if (step.done === true) return step.value;
    see(step.value);
    yield step.value;
  }
}
