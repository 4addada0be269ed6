import { describe, expect, it } from 'vitest';
import { createDebugDelay } from '../../src/injection/hooks/debug-delay.js';
import { createRoundTimeoutPost, createRoundTimeoutPre } from '../../src/injection/hooks/round-timeout.js';
import { RoundTimer, type RoundTimerOptions } from '../../src/injection/hooks/round-timer.js';
import { bash, gate, hasSettled, makeRunner, refusalOf, SAMPLES } from '../support/runner.js';
import { makeMailbox, testClock } from './support.js';

function makeRounds(
  options: RoundTimerOptions = {},
  more: { terminalTools?: string[]; advice?: string } = {},
) {
  const { runner } = makeRunner();
  const now = testClock();
  const { mailbox } = makeMailbox();
  const timer = new RoundTimer({
    initialSeconds: 100,
    subsequentSeconds: 50,
    graceSeconds: 20,
    now,
    ...options,
  });
  createRoundTimeoutPre({ timer, ...more }).register(runner);
  createRoundTimeoutPost({ timer, mailbox, ...more }).register(runner);
  return {
    timer,
    mailbox,
    pass: (seconds: number) => now.pass(seconds * 1000),
    tryTool: (tool_name = 'Bash', agentId = 'a') =>
      runner.fire('PreToolUse', { ...bash(), tool_name }, { agentId }),
    endTool: (agentId = 'a') => runner.fire('PostToolUse', SAMPLES.PostToolUse, { agentId }),
    fail: (agentId = 'a') => runner.fire('PostToolUseFailure', SAMPLES.PostToolUseFailure, { agentId }),
    stop: (agentId = 'a') => runner.fire('Stop', { stop_hook_active: false }, { agentId }),
    async warnings(agentId = 'a') {
      const lease = await mailbox.take({ agentId });
      await lease.acknowledge();
      return lease.items;
    },
  };
}

describe('the soft limit', () => {
  it('IJ-52: an agent is warned once per round, endTool the first tool behind the limit', async () => {
    const { timer, pass, endTool, warnings } = makeRounds({}, { advice: 'Results belong in deliverable/.' });
    timer.resetForNewRound('a');
    pass(99.9);
    await endTool();
    expect(await warnings()).toEqual([]);
    pass(5.6);
    await endTool();
    expect(await warnings()).toMatchObject([
      {
        strategy: 'tool_result',
        source: { kind: 'system', label: 'round-timeout-post' },
        content:
          'The time of this round is over: 105 of 100 seconds are used. Bring what you are doing to an end and use vote, new_answer or stop. In 20 seconds all other tools will be refused. Results belong in deliverable/.',
      },
    ]);
    await endTool();
    expect(await warnings()).toEqual([]);
  });

  it('IJ-52: a tool that failed warns too; the end of a turn does not', async () => {
    const { pass, stop, fail, timer, warnings } = makeRounds();
    timer.resetForNewRound('a');
    pass(101);
    await stop();
    expect(await warnings()).toEqual([]);
    await fail();
    expect(await warnings()).toHaveLength(1);
  });

  it('IJ-52: later rounds have a limit of their own; without a limit nobody is warned', async () => {
    const { timer, pass, endTool, warnings } = makeRounds();
    timer.resetForNewRound('a');
    timer.resetForNewRound('a');
    expect(timer.roundOf('a')).toBe(1);
    pass(51);
    await endTool();
    expect(await warnings()).toHaveLength(1);
    const unlimited = makeRounds({ initialSeconds: undefined });
    unlimited.pass(10_000);
    await unlimited.endTool();
    expect(await unlimited.warnings()).toEqual([]);
  });

  it('IJ-52: tools that end at once warn once; a warning that found no room is tried again, and starts no grace', async () => {
    const { timer, pass, endTool, tryTool, warnings } = makeRounds();
    timer.resetForNewRound('a');
    pass(101);
    await Promise.all([endTool(), endTool(), endTool()]);
    expect(await warnings()).toHaveLength(1);

    const now = testClock();
    const { runner } = makeRunner();
    const { mailbox } = makeMailbox({ maxItems: 1 });
    const blocking = await mailbox.put({ content: 'in the way', to: 'somebody' });
    const other = new RoundTimer({ initialSeconds: 1, graceSeconds: 1, now });
    createRoundTimeoutPost({ timer: other, mailbox }).register(runner);
    other.resetForNewRound('a');
    now.pass(5000);
    const fire = () => runner.fire('PostToolUse', SAMPLES.PostToolUse, { agentId: 'a' });
    expect((await fire()).failures).toHaveLength(1);
    now.pass(5000);
    expect(other.isOver('a')).toBe(false);
    mailbox.withdraw(blocking.id);
    await fire();
    expect(await mailbox.pending('a')).toHaveLength(1);
    expect((await tryTool()).decision).toBeUndefined();
  });
});

describe('the hard limit', () => {
  async function over(...args: Parameters<typeof makeRounds>) {
    const rounds = makeRounds(...args);
    rounds.timer.resetForNewRound('a');
    rounds.pass(101);
    await rounds.endTool();
    rounds.pass(20);
    return rounds;
  }

  it('IJ-53: tools are refused only after the warning and the grace', async () => {
    const { timer, pass, tryTool, endTool } = makeRounds();
    timer.resetForNewRound('a');
    pass(500);
    expect((await tryTool()).decision).toBeUndefined();
    await endTool();
    pass(19);
    expect((await tryTool()).decision).toBeUndefined();
    pass(1);
    expect(await tryTool()).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('Bash is refused (1 in a row)'),
    });
    expect((await tryTool('Bash', 'b')).decision).toBeUndefined();
  });

  it.each([
    'vote',
    'new_answer',
    'stop',
    'mcp__massgen_workflow_tools__vote',
    'mcp__a__b__new_answer',
    'workflow__stop',
  ])('IJ-53: %s is still allowed', async (tool) => {
    const { tryTool } = await over();
    expect((await tryTool(tool)).decision).toBeUndefined();
  });

  it.each(['revote', 'mcp__vote__list', 'vote__undo', 'Stop', 'new_answers'])(
    'IJ-53: %s is not',
    async (tool) => {
      const { tryTool } = await over();
      expect((await tryTool(tool)).decision).toBe('deny');
    },
  );

  it('IJ-53: which tools end a round can be said', async () => {
    const { tryTool } = await over({}, { terminalTools: ['submit'] });
    expect((await tryTool('mcp__x__submit')).decision).toBeUndefined();
    expect((await tryTool('vote')).reason).toContain('Use submit now.');
  });

  it('IJ-54: after ten refusals in a row the run is ended; from the third on it says so', async () => {
    const { timer, tryTool } = await over();
    for (let count = 1; count <= 9; count++) {
      const { reason, continue: goesOn } = await tryTool();
      expect(goesOn).toBeUndefined();
      expect(reason?.includes('After 10 refusals in a row')).toBe(count >= 3);
    }
    expect(timer.mustTerminate('a')).toBe(false);
    expect(await tryTool()).toMatchObject({
      decision: 'deny',
      continue: false,
      stopReason: expect.stringContaining('10 tools in a row were refused'),
    });
    expect(timer.mustTerminate('a')).toBe(true);
    // The agent was told to use these, so they are never refused.
    expect((await tryTool('vote')).decision).toBeUndefined();
    expect((await tryTool()).continue).toBe(false);
  });

  it('IJ-54: an allowed tool in between begins the count anew', async () => {
    const { tryTool } = await over();
    for (let count = 1; count <= 9; count++) await tryTool();
    await tryTool('vote');
    expect((await tryTool()).reason).toContain('(1 in a row)');
  });

  it('IJ-55: a new round forgets everything of the last one', async () => {
    const { timer, tryTool, endTool, pass, warnings } = await over();
    await warnings();
    for (let count = 1; count <= 10; count++) await tryTool();
    timer.resetForNewRound('a');
    expect(timer.mustTerminate('a')).toBe(false);
    expect(timer.hasWarned('a')).toBe(false);
    expect((await tryTool()).decision).toBeUndefined();
    pass(51);
    await endTool();
    expect(await warnings()).toHaveLength(1);
  });

  it('IJ-55: a timer with a limit that is no number is refused', async () => {
    for (const wrong of [
      { initialSeconds: -1 },
      { graceSeconds: Number.NaN },
      { maxDenials: Number.POSITIVE_INFINITY },
      { maxDenials: 1.5 },
    ]) {
      expect((await refusalOf(() => new RoundTimer(wrong))).code).toBe('invalid_option');
    }
  });
});

describe('the debug delay', () => {
  it('IJ-58: seconds that no timer can wait, and a number of tools that is not whole, are refused', async () => {
    for (const wrong of [
      { seconds: -1 },
      { seconds: Number.NaN },
      { seconds: 3_000_000 },
      { seconds: 1, afterTools: 2.5 },
      { seconds: 1, afterTools: 0 },
      { seconds: 1, afterTools: Number.NaN },
    ])
      expect((await refusalOf(() => createDebugDelay(wrong))).code).toBe('invalid_option');
  });

  it('IJ-58: an agent is held up once, endTool so many tools', async () => {
    const { runner } = makeRunner();
    const waited = gate();
    const waits: number[] = [];
    createDebugDelay({
      seconds: 30,
      afterTools: 2,
      wait: (ms) => {
        waits.push(ms);
        return waited.passed;
      },
    }).register(runner);
    const tool = (agentId: string) => runner.fire('PostToolUse', SAMPLES.PostToolUse, { agentId });
    await tool('a');
    await tool('b');
    const second = tool('a');
    expect(await hasSettled(second)).toBe(false);
    waited.open();
    await second;
    await tool('a');
    expect(waits).toEqual([30_000]);
  });

  it('IJ-58: the wait ends with the fire; no delay is no delay; a delay that is no time is refused', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    createDebugDelay({ seconds: 600, afterTools: 1 }).register(runner);
    const fire = runner.fire('PostToolUse', SAMPLES.PostToolUse, { signal: controller.signal });
    controller.abort();
    expect((await fire).aborted).toBe(true);
    const { runner: quick } = makeRunner();
    createDebugDelay({ seconds: 0, afterTools: 1 }).register(quick);
    expect((await quick.fire('PostToolUse', SAMPLES.PostToolUse)).failures).toEqual([]);
    expect((await refusalOf(() => createDebugDelay({ seconds: -1 }))).code).toBe('invalid_option');
  });
});
