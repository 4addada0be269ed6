import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ContentBlock, ModelMessage } from '../../../src/agent/models/port.js';
import { defineTool } from '../../../src/agent/tools/tool.js';
import { makeLoop, readRun } from '../loop/support/run-loop.js';
import { WIRES } from '../loop/support/run-on-wire.js';
import { testTools } from '../loop/support/tools.js';
import { listen } from './collect.js';
import { fails, sends, startLoopback } from './servers/loopback.js';
import { request } from './servers/wire.js';

const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;

describe.each(['anthropic', 'chat', 'responses'] as const)('calls on %s', (name) => {
  const wire = WIRES[name];

  it('MO-38: ids and names of another service, or that a model made up, are sent in a form that is accepted', async () => {
    const server = await startLoopback(wire, [sends(wire.events({ texts: ['Done.'] }))]);
    const ids = ['functions.Bash:0', 'functions.Bash:1', `call_1|${'fc_'.repeat(30)}`];
    const uses = ids.map((id): ContentBlock => ({ type: 'tool_use', id, name: 'made.up/name', input: {} }));
    const results = ids.map((id): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: id }));
    const messages: readonly ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      { role: 'assistant', content: uses },
      { role: 'user', content: results },
    ];
    const { error } = await listen(wire.model(server.url), request({ messages }));
    expect([error, server.refused]).toEqual([undefined, []]);
  });

  it('MO-38: a tool with a long name is called by it', async () => {
    const long = `mcp__${'server'.repeat(12)}__look`;
    const ran: unknown[] = [];
    const tool = defineTool({
      name: long,
      description: 'd',
      input: z.strictObject({}),
      harmless: true,
      run: () => {
        ran.push(long);
        return { ok: true, content: 'seen', response: null };
      },
    });
    const nameOf = (): string => {
      const { tools } = server.received[0]?.body ?? {};
      const [first] = tools as readonly { name?: string; function?: { name: string } }[];
      return first?.name ?? first?.function?.name ?? '';
    };
    const server = await startLoopback(wire, [
      (response) => sends(wire.events({ calls: [{ id: 'c1', name: nameOf(), json: ['{}'] }] }))(response),
      sends(wire.events({ texts: ['Done.'] })),
    ]);
    const { loop } = await makeLoop({ options: { model: wire.model(server.url), tools: [tool] } });
    const { result, messages } = await readRun(loop.run('Go.'));
    expect(server.refused).toEqual([]);
    expect(result).toMatchObject({ is_error: false, result: 'Done.' });
    expect(ran).toEqual([long]);
    expect(JSON.stringify(messages)).toContain(`"name":"${long}"`);
  });

  it('LM-16 TS-31: an image that the service cannot read is removed, and the session goes on', async () => {
    const refusal = fails(wire, 400, 'Could not process image');
    const server = await startLoopback(wire, [
      sends(wire.events({ texts: ['One.'] })),
      refusal,
      sends(wire.events({ texts: ['Two.'] })),
      refusal,
      refusal,
      refusal,
    ]);
    const { loop, cwd, transcripts } = await makeLoop({
      options: { model: wire.model(server.url), tools: testTools().tools },
    });
    await readRun(loop.run([PNG, { type: 'text', text: 'first' }]));
    const { result, messages } = await readRun(loop.run([PNG, { type: 'text', text: 'second' }]));
    expect(result).toMatchObject({ is_error: false, result: 'Two.' });
    expect(JSON.stringify(messages)).toContain('Images were removed');
    const images = server.received.map(({ body }) => JSON.stringify(body).split('AA==').length - 1);
    expect(images).toEqual([1, 2, 1]);
    // A resumed session does not send it again either.
    const again = await startLoopback(wire, [sends(wire.events({ texts: ['Again.'] }))]);
    const { transcriptPath } = await loop.session();
    const resumed = await makeLoop({
      options: { model: wire.model(again.url), cwd, transcripts, resume: transcriptPath, forkSession: true },
    });
    expect((await readRun(resumed.loop.run('And?'))).result.is_error).toBe(false);
    expect(again.received.map(({ body }) => JSON.stringify(body).split('AA==').length - 1)).toEqual([1]);
    // Not only the last one: then all of them, and then it is the error of the prompt.
    const third = await readRun(loop.run([PNG, { type: 'text', text: 'third' }]));
    expect(third.result.terminal_reason).toBe('model_error');
    expect(server.received.slice(3).map(({ body }) => JSON.stringify(body).split('AA==').length - 1)).toEqual(
      [2, 1, 0],
    );
  });
});

describe('thinking with a choice that forces a tool', () => {
  it('MO-34: is refused when the model is created, as the service would with each request', () => {
    const { model } = WIRES.anthropic;
    const forced = { extraBody: { tool_choice: { type: 'any' } }, thinking: { type: 'adaptive' } } as object;
    expect(() => model('http://localhost', forced)).toThrow('`extraBody.tool_choice` forces a tool (any)');
    expect(() => model('http://localhost', { extraBody: { tool_choice: { type: 'auto' } } })).not.toThrow();
  });
});
