import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { estimateContent } from '../../../../src/agent/loop/estimate-tokens.js';
import type { AgentLoopOptions } from '../../../../src/agent/loop/options.js';
import type { ContentBlock } from '../../../../src/agent/models/port.js';
import { defineTool, type Tool } from '../../../../src/agent/tools/tool.js';
import { fails, type Rules, type Step, sends, startLoopback } from '../../models/servers/loopback.js';
import type { Wire } from '../../models/servers/wire.js';
import { makeLoop, readRun } from '../support/run-loop.js';
import { WIRES } from '../support/run-on-wire.js';

/** How each service says it. */
const SAYS = {
  anthropic: 'prompt is too long: 6500 tokens > 6000 maximum',
  chat: "This model's maximum context length is 6000 tokens. However, your messages resulted in 6500 tokens.",
  responses: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
} as const;

const LIMIT = 24_000;

/** A service that refuses bodies above the limit, and otherwise does what the plan says. */
function bounded(wire: Wire, says: string): Rules {
  return {
    ...wire,
    check: (body) => wire.check(body) ?? (JSON.stringify(body).length > LIMIT ? says : undefined),
  };
}

const big = (characters: number) =>
  defineTool({
    name: 'Big',
    description: 'Returns much',
    input: z.strictObject({ n: z.number() }),
    harmless: true,
    run: ({ n }) => ({ ok: true, content: `${n}:${'y'.repeat(characters)}`, response: null }),
  });

const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
} as const;
const camera = defineTool({
  name: 'Camera',
  description: 'Shows an image',
  input: z.strictObject({}),
  harmless: true,
  run: () => ({ ok: true, content: [IMAGE], response: null }),
});

describe.each(['anthropic', 'chat', 'responses'] as const)(
  'a conversation that is too long, on %s',
  (name) => {
    const wire = WIRES[name];
    const call = (n: number) =>
      sends(wire.events({ calls: [{ id: `toolu_b${n}`, name: 'Big', json: [`{"n":${n}}`] }] }));
    const says = (text: string) => sends(wire.events({ texts: [text] }));

    /** Steps are used up by the requests that are not refused. */
    async function play(
      steps: readonly Step[],
      tools: readonly Tool[] = [big(8500)],
      prompts = ['Go on, all of it.'],
      options: Partial<AgentLoopOptions> = {},
    ) {
      const rules = bounded(wire, SAYS[name]);
      const left = [...steps];
      const any: Step = (response) => (left.shift() ?? fails(wire, 500, 'no more steps'))(response);
      const server = await startLoopback(
        rules,
        Array.from({ length: 60 }, () => any),
      );
      const { loop, cwd, transcripts } = await makeLoop({
        options: { model: wire.model(server.url, { maxRetries: 0 }), tools, systemPrompt: 'S', ...options },
      });
      const runs = [];
      for (const prompt of prompts) runs.push(await readRun(loop.run(prompt)));
      const bodies = server.received.map(({ body }) => body);
      return { loop, runs, bodies, left, again: { cwd, transcripts } };
    }

    it('LM-11: the oldest tool results are removed, the request is repeated, the session goes on', async () => {
      const { runs, bodies } = await play([call(1), call(2), call(3), says('Done.')]);
      expect(runs[0]?.result).toMatchObject({ is_error: false, result: 'Done.' });
      expect(bodies).toHaveLength(5);
      const last = JSON.stringify(bodies.at(-1));
      expect(last).toContain('This result was removed to save space');
      expect(last).not.toContain('1:yyy');
      expect(last).toContain('3:yyy');
      expect(last).toContain('Go on, all of it.');
    });

    it('LM-11 TS-31: a resumed session has the smaller form too, and is not refused again', async () => {
      const { loop, again, bodies } = await play([call(1), call(2), call(3), says('Done.')]);
      const { transcriptPath } = await loop.session();
      await loop.close();
      const later = await play([says('Still here.')], [big(10)], ['And now?'], {
        ...again,
        resume: transcriptPath,
      });
      expect(later.runs[0]?.result).toMatchObject({ is_error: false, result: 'Still here.' });
      expect(later.bodies).toHaveLength(1);
      const [sent, before] = [later.bodies[0], bodies.at(-1)].map((body) => JSON.stringify(body));
      expect(sent).not.toContain('1:yyy');
      expect(sent).toContain('3:yyy');
      const removed = (text = ''): number => text.split('This result was removed').length - 1;
      expect(removed(sent)).toBe(removed(before));
    });

    it('LM-11: if that is not enough, it is summarised, in parts that fit; the prompt and the last results stay', async () => {
      const long = 'z'.repeat(9000);
      const { runs, bodies } = await play(
        [
          says(long),
          says(long),
          call(1),
          says('Sum 1.'),
          says('Sum 2.'),
          says('Sum 3.'),
          says('Sum 4.'),
          says('Done.'),
        ],
        [big(7000)],
        ['First.', 'Second.', 'Third, word for word.'],
      );
      const { result } = runs.at(-1) ?? {};
      expect(result).toMatchObject({ is_error: false });
      const last = JSON.stringify(bodies.at(-1));
      expect(last).toContain('was replaced by this summary');
      expect(last).toContain('Third, word for word.');
      expect(last).toContain('1:yyy');
      expect(last).not.toContain('zzzzzz');
    });

    it('LM-12: an image that was just read stays', async () => {
      const look = sends(wire.events({ calls: [{ id: 'toolu_i1', name: 'Camera', json: [] }] }));
      const { runs, bodies } = await play(
        [call(1), call(2), call(3), look, says('I see.')],
        [big(8500), camera],
      );
      expect(runs[0]?.result).toMatchObject({ is_error: false, result: 'I see.' });
      expect(JSON.stringify(bodies.at(-1))).toContain('iVBORw0KGgo=');
    });

    it('LM-11: a prompt that is too long by itself fails, and the next one works', async () => {
      const { runs } = await play(
        [says('Sum.'), says('Sum.'), says('Sum.'), says('Done.'), says('Done.')],
        [],
        ['q'.repeat(30_000), 'Short.'],
      );
      expect(runs[0]?.result).toMatchObject({ is_error: true, terminal_reason: 'model_error' });
      expect(runs[1]?.result).toMatchObject({ is_error: false });
    });
  },
);

describe('estimates', () => {
  const image = (characters: number): ContentBlock => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(characters) },
  });

  it('LM-12: an image counts as an image, whatever its bytes; thinking as what was thought', () => {
    expect(estimateContent([image(10)])).toBe(estimateContent([image(1_000_000)]));
    const thought: ContentBlock = {
      type: 'thinking',
      thinking: 'abcd'.repeat(100),
      data: { encrypted_content: 'x'.repeat(50_000) },
      provider: 'openai-responses',
      model: 'm',
    };
    expect(estimateContent([thought])).toBe(100);
  });

  it('LM-12: a screenshot of a megabyte does not cause a compaction', async () => {
    const shot = defineTool({
      name: 'Shot',
      description: 'Shows the screen',
      input: z.strictObject({}),
      harmless: true,
      run: () => ({ ok: true, content: [image(1_400_000) as typeof IMAGE], response: null }),
    });
    const { loop, requests } = await makeLoop({
      turns: [{ tools: [{ name: 'Shot' }] }, { text: 'I see.' }],
      options: { tools: [shot] },
    });
    expect((await readRun(loop.run('Look.'))).result.result).toBe('I see.');
    expect(requests.map(({ purpose }) => purpose)).toEqual(['turn', 'turn']);
    expect(JSON.stringify(requests[1]?.messages)).toContain('AAAAAA');
  });

  it('LM-12: learn from what the service counts', async () => {
    const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 10 });
    const { loop, requests } = await makeLoop({
      turns: [
        { tools: [{ name: 'Big', input: { n: 1 } }], usage: usage(1000) },
        // The service counts 4 tokens for one that is estimated.
        { tools: [{ name: 'Big', input: { n: 2 } }], usage: usage(9000) },
        { tools: [{ name: 'Big', input: { n: 3 } }], usage: usage(15_000) },
        { text: '<summary>So far.</summary>', when: 'summary' },
        { text: 'Done.', usage: usage(100) },
      ],
      options: { tools: [big(8000)], contextWindow: 20_000 },
    });
    await readRun(loop.run('Go.'));
    // 15,010 and 2,000 estimated would fit into 18,000; 5,000 of the service do not.
    expect(requests.map(({ purpose }) => purpose)).toEqual(['turn', 'turn', 'turn', 'summary', 'turn']);
  });
});
