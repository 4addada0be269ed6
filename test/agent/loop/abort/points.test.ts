import { describe, expect, it } from 'vitest';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import { scriptedModel } from '../../../../src/agent/models/scripted.js';
import type { ScriptedTurn } from '../../../../src/agent/models/scripted-schema.js';
import { command, type HookConfig, type HookEvent } from '../../../../src/index.js';
import { gate, watchProcess } from '../../../support/runner.js';
import { hangingModel, makePidFile, watchLoop } from '../session/support.js';
import { testTools } from '../support/tools.js';
import { abortAt } from './support.js';

watchProcess();

const bypass = { permissions: { mode: 'bypassPermissions' } } as const;
const bash = (line: string) => ({ tools: [{ name: 'Bash', input: { command: line } }] });

describe('an abort of the run ends everything', () => {
  it('LO-7: while the model streams', async () => {
    const asked = gate();
    const made = await watchLoop({ options: { model: hangingModel(() => asked.open()) } });
    await abortAt(made, { begun: asked.passed });
    expect(made.of('Stop')).toEqual([]);
  });

  it('LO-7: while a model streams that does not heed signals', async () => {
    const asked = gate();
    const made = await watchLoop({
      options: {
        model: {
          name: 'deaf',
          async *stream() {
            yield { type: 'text', text: 'I talk' };
            asked.open();
            await new Promise(() => {});
          },
        },
      },
    });
    await abortAt(made, { begun: asked.passed });
  });

  it('LO-7: before anything has begun', async () => {
    const made = await watchLoop({ turns: [{ text: 'Unsaid.' }] });
    await abortAt(made, {
      begun: Promise.resolve(),
      start: () => made.loop.run('Begin.', { signal: AbortSignal.abort() }),
    });
    expect(made.requests).toEqual([]);
  });

  it('LO-7: while a shell command and its child run', async () => {
    const pids = makePidFile();
    const made = await watchLoop({ turns: [bash(pids.sleeper), { text: 'Unsaid.' }], options: bypass });
    await abortAt(made, { begun: pids.reported(), running: pids.running });
    expect(made.requests).toHaveLength(1);
    expect([...made.of('PostToolUse'), ...made.of('PostToolUseFailure'), ...made.of('Stop')]).toEqual([]);
  });

  it('LO-7: while a shell command runs that ignores being asked to end', async () => {
    const pids = makePidFile();
    const made = await watchLoop({ turns: [bash(`trap '' TERM; ${pids.sleeper}`)], options: bypass });
    await abortAt(made, { begun: pids.reported(), running: pids.running });
  });

  it('LO-7: while several tools run side by side, and one waits behind them', async () => {
    const looking = gate();
    let count = 0;
    const { tools, ran } = testTools(() => {
      count += 1;
      if (count === 2) looking.open();
      return new Promise(() => {});
    });
    const call = (name: string, text: string) => ({ name, id: text, input: { text } });
    const made = await watchLoop({
      turns: [{ tools: [call('Look', 'a'), call('Look', 'b'), call('Note', 'c')] }],
      options: { tools },
    });
    await abortAt(made, { begun: looking.passed });
    expect(ran.map(({ text }) => text)).toEqual(['a', 'b']);
    const [results] = (await made.loop.conversation()).slice(-1);
    expect(results?.content.filter(({ type }) => type === 'tool_result')).toHaveLength(3);
  });

  it('LO-7: while a person is asked, who sees the signal too', async () => {
    const asked = gate<AbortSignal>();
    const made = await watchLoop({
      turns: [{ tools: [{ name: 'Change', input: { text: 'a' } }] }],
      options: {
        tools: testTools().tools,
        canUseTool: (_, __, { signal }) => {
          asked.open(signal);
          return new Promise(() => {});
        },
      },
    });
    await abortAt(made, { begun: asked.passed });
    expect((await asked.passed).aborted).toBe(true);
  });

  it('LO-7: while a summary is written, and the conversation stays as it was', async () => {
    const asked = gate();
    const hanging = hangingModel(() => asked.open());
    const talking = scriptedModel([{ text: 'Hello.' }]);
    const model = {
      name: 'both',
      stream: (request: Parameters<typeof talking.stream>[0]) =>
        (request.purpose === 'summary' ? hanging : talking).stream(request),
    };
    const made = await watchLoop({ options: { model } });
    for await (const _ of made.loop.run('Hi.'));
    const before = await made.loop.conversation();
    await abortAt(made, { begun: asked.passed, start: (signal) => made.loop.compact(undefined, { signal }) });
    expect(await made.loop.conversation()).toEqual(before);
  });
});

interface Place {
  readonly turns: readonly ScriptedTurn[];
  readonly options?: Partial<AgentLoopOptions>;
  /** What is begun; a prompt unless said otherwise. */
  readonly act?: 'compact' | 'clear';
}

/** How a session comes to an event on which a hook hangs. */
const note = { tools: [{ name: 'Note', input: { text: 'a' } }] };
const agent = {
  tools: [{ name: 'Agent', input: { description: 'd', prompt: 'p', subagent_type: 'scout' } }],
};
const PLACES: { readonly [E in HookEvent]?: Place } = {
  Setup: { turns: [], options: { setup: 'init' } },
  SessionStart: { turns: [] },
  UserPromptSubmit: { turns: [] },
  PreToolUse: { turns: [note], options: { tools: testTools().tools } },
  PostToolUse: { turns: [note], options: { tools: testTools().tools } },
  PostToolUseFailure: {
    turns: [{ tools: [{ name: 'Fail', input: { text: 'a' } }] }],
    options: { tools: testTools().tools },
  },
  PermissionRequest: {
    turns: [{ tools: [{ name: 'Change', input: { text: 'a' } }] }],
    options: { tools: testTools().tools },
  },
  Stop: { turns: [{ text: 'Done.' }] },
  SubagentStart: { turns: [agent] },
  SubagentStop: { turns: [agent] },
  TaskCompleted: {
    turns: [
      { tools: [{ name: 'TaskCreate', input: { subject: 's' } }] },
      { tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
    ],
  },
  PreCompact: { turns: [{ text: 'Hello.' }], act: 'compact' },
};

describe('an abort of the run ends hooks', () => {
  async function hangOn(event: HookEvent, hook: unknown): Promise<Awaited<ReturnType<typeof watchLoop>>> {
    const { turns = [], options, act } = PLACES[event] ?? {};
    const made = await watchLoop({
      turns,
      hooks: { [event]: [{ hooks: [hook] }] } as HookConfig,
      options: {
        agents: { scout: { description: '', prompt: '', model: scriptedModel([{ text: 'Nothing.' }]) } },
        ...options,
      },
    });
    if (act === 'compact') for await (const _ of made.loop.run('Hi.'));
    return made;
  }
  const startOf = (event: HookEvent, { loop }: Awaited<ReturnType<typeof hangOn>>) =>
    PLACES[event]?.act === 'compact'
      ? { start: (signal: AbortSignal) => loop.compact(undefined, { signal }) }
      : {};
  const events = Object.keys(PLACES) as HookEvent[];

  it.each(events)('LO-7: while a callback on %s never answers', async (event) => {
    const begun = gate();
    const made = await hangOn(event, () => {
      begun.open();
      return new Promise(() => {});
    });
    const asked = made.requests.length;
    await abortAt(made, { begun: begun.passed, ...startOf(event, made) });
    expect(made.requests.length - asked, 'requests before the hook').toBeLessThanOrEqual(2);
    expect(made.seen.at(-1)?.event).toBe('SessionEnd');
  });

  it.each(events)('LO-7: while a command on %s and its child run', async (event) => {
    const pids = makePidFile();
    const made = await hangOn(event, command(pids.sleeper));
    await abortAt(made, { begun: pids.reported(), running: pids.running, ...startOf(event, made) });
  });
});
