import { expect, it } from 'vitest';
import { z } from 'zod';
import { AgentLoop } from '../../../../src/agent/loop/agent-loop.js';
import { defineTool } from '../../../../src/agent/tools/tool.js';
import { type Loopback, type Step, sends, startLoopback } from '../../models/servers/loopback.js';
import { makePlaces, readRun } from '../support/run-loop.js';
import { WIRES, type WireName } from '../support/run-on-wire.js';

const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;

const look = defineTool({
  name: 'Look',
  description: 'Looks',
  input: z.strictObject({ n: z.number() }),
  harmless: true,
  run: ({ n }) =>
    n < 0
      ? { ok: false, error: 'There is nothing.' }
      : { ok: true, content: [{ type: 'text', text: `Seen ${n}.` }, PNG], response: null },
});

/** Thinks, calls two tools of which one fails, and ends with every third answer. Some ids and names are odd. */
async function startService(name: WireName, next: () => number): Promise<Loopback> {
  const wire = WIRES[name];
  const step: Step = (response) => {
    const n = next();
    const thinking = { pieces: [`I think of ${n}.`], redacted: `hidden ${n}` };
    const calls = [
      { id: `${name}_${n}`, name: 'Look', json: [`{"n":${n}}`] },
      { id: `functions.Look:${n}`, name: n % 4 === 0 ? 'no.such/tool' : 'Look', json: ['{"n":-1}'] },
    ];
    const isSummary = JSON.stringify(server.received.at(-1)?.body).includes('Write a summary');
    const answer = isSummary
      ? { texts: ['<summary>Summed up.</summary>'] }
      : { thinking, ...(n % 3 === 0 ? { texts: ['Done.'] } : { calls }) };
    return sends(wire.events(answer))(response);
  };
  const server: Loopback = await startLoopback(
    wire,
    Array.from({ length: 50 }, () => step),
  );
  return server;
}

it('LM-10 MO-33 MO-38: a session goes from service to service, is resumed, forked and compacted, and nothing is refused', async () => {
  let count = 0;
  const places = makePlaces();
  const services = {} as Record<WireName, Loopback>;
  for (const name of ['anthropic', 'chat', 'responses'] as const)
    services[name] = await startService(name, () => ++count);
  const modelOf = (name: WireName) => WIRES[name].model(services[name].url);
  let loop = new AgentLoop({ model: modelOf('anthropic'), tools: [look], ...places });
  const order = ['anthropic', 'chat', 'responses', 'anthropic', 'responses', 'chat', 'anthropic'] as const;
  for (const [i, name] of order.entries()) {
    await loop.setModel(modelOf(name));
    const { result } = await readRun(loop.run([PNG, { type: 'text', text: `Prompt ${i}.` }]));
    expect([name, services[name].refused, result.errors]).toEqual([name, [], undefined]);
    if (i === 5) expect((await readRun(loop.compact())).result.terminal_reason).toBe('compacted');
    if (i !== 2 && i !== 4) continue;
    const { transcriptPath: resume } = await loop.session();
    const before = await loop.conversation();
    await loop.close();
    loop = new AgentLoop({
      model: modelOf(name),
      tools: [look],
      ...places,
      resume,
      forkSession: i === 4,
    });
    expect(await loop.conversation()).toEqual(before);
  }
  await loop.close();
  const { received } = services.anthropic;
  // Its own thinking of the last prompt is there, that of the others is not.
  expect(JSON.stringify(received.at(-1)?.body)).toContain('"signature"');
  expect(JSON.stringify(received.map(({ body }) => body))).not.toContain('encrypted_content');
});
