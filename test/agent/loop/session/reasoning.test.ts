import { describe, expect, it } from 'vitest';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import { sends, startLoopback } from '../../models/servers/loopback.js';
import { makePlaces, readRun } from '../support/run-loop.js';
import { runOnWire, toEvents, WIRES, type WireAnswer } from '../support/run-on-wire.js';
import { testTools } from '../support/tools.js';

const thinking = { pieces: ['Which tool? ', 'The first.'], redacted: 'hidden' };
const call = (id: string) => ({ id, name: 'Note', input: { text: 'x' } });

describe.each(['anthropic', 'chat', 'responses'] as const)('reasoning in a session on %s', (name) => {
  const wire = WIRES[name];
  const answers: readonly WireAnswer[] = [
    { thinking, calls: [call('toolu_s1')] },
    { thinking, text: 'Next.', calls: [call('toolu_s2'), call('toolu_s3')] },
    { thinking, text: 'Done.' },
  ];

  it('LM-1: tool calls, a second prompt and a resume: the service refuses nothing', async () => {
    const places = makePlaces();
    const { tools } = testTools();
    const server = await startLoopback(
      wire,
      [...answers, ...answers.map(renamed), { text: 'Bye.' }].map((each) =>
        sends(wire.events(toEvents(each))),
      ),
    );
    const model = wire.model(server.url, { maxRetries: 0 });
    const permissions = { mode: 'bypassPermissions' } as const;
    const options = { model, tools, permissions, ...places, systemPrompt: 'S' };
    const first = new AgentLoop(options);
    const runs = [await readRun(first.run('One.')), await readRun(first.run('Two.'))];
    const { transcriptPath } = await first.session();
    const before = await first.conversation();
    await first.close();
    await using second = new AgentLoop({ ...options, resume: transcriptPath });
    expect(await second.conversation()).toEqual(before);
    runs.push(await readRun(second.run('Three.')));
    expect(runs.map(({ result }) => result.errors ?? [])).toEqual([[], [], []]);
    expect(server.received).toHaveLength(7);
    expect(JSON.stringify(server.received[6]?.body)).toContain('toolu_s2');
  });

  it('LM-1: watchers see it while it streams, and whole in the message', async () => {
    const { last } = await runOnWire(name, {
      answers: [{ thinking, text: 'Done.' }],
      options: { includePartialMessages: true },
    });
    const pieces = last.messages.flatMap((message) =>
      message.type === 'stream_event' && message.event.delta.type === 'thinking_delta'
        ? [message.event.delta.thinking]
        : [],
    );
    expect(pieces).toEqual(thinking.pieces);
    const said = last.messages.find(({ type }) => type === 'assistant');
    expect(said).toMatchObject({
      message: { content: expect.arrayContaining([expect.objectContaining({ type: 'thinking' })]) },
    });
    expect(last.result.result).toBe('Done.');
  });
});

/** Ids of calls are unique within a session. */
const renamed = (answer: WireAnswer): WireAnswer => ({
  ...answer,
  ...(answer.calls && { calls: answer.calls.map((each) => ({ ...each, id: `${each.id}b` })) }),
});
