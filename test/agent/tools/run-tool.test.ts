import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MAX_CONTENT_CHARACTERS } from '../../../src/agent/tools/cap-content.js';
import { runTools } from '../../../src/agent/tools/run-tool.js';
import { scheduleCalls } from '../../../src/agent/tools/schedule.js';
import { checkInput, defineTool, type Tool, type ToolOutcome } from '../../../src/agent/tools/tool.js';
import { HookError } from '../../../src/base/errors.js';
import { until } from '../../support/process-harness.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();
const fine: ToolOutcome = { ok: true, content: 'fine', response: { fine: true } };

function tool(run: Tool['run'], more: { readOnly?: boolean; timeout?: number; name?: string } = {}): Tool {
  return defineTool({ name: 'Probe', description: 'for tests', input: z.strictObject({}), run, ...more });
}

describe('a definition', () => {
  it('TO-1: the model gets a JSON Schema with descriptions and what is required', () => {
    const { inputSchema } = defineTool({
      name: 'Add',
      description: 'adds',
      input: z.strictObject({ a: z.number().describe('one'), b: z.number().default(1) }),
      run: () => fine,
    });
    expect(inputSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'number', description: 'one' }, b: { type: 'number', default: 1 } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it.each(['', 'has space', 'ü', 'a'.repeat(129)])('TO-1: %j is no name for a tool', (name) => {
    expect(() => tool(() => fine, { name })).toThrow(HookError);
    expect(() => tool(() => fine, { name })).toThrow(/tool name must be/);
  });

  it.each([0, -1, Number.NaN, 1e10])('TO-1: %d is no timeout', (timeout) => {
    expect(() => tool(() => fine, { timeout })).toThrow(/timeout of the tool Probe/);
  });

  it('TO-42: the fields that hold paths are those of the schema that can', async () => {
    const given: unknown[] = [];
    const input = z.strictObject({
      from: z.string().min(2),
      to: z.array(z.string()).nullish(),
      depth: z.int(),
    });
    const run = (value: unknown): ToolOutcome => {
      given.push(value);
      return fine;
    };
    const probe = defineTool({ name: 'Probe', description: '', input, paths: ['from', 'to'], run });
    expect(probe.paths).toEqual(['from', 'to']);
    // @ts-expect-error: a number is no path
    const typed = () => defineTool({ name: 'Probe', description: '', input, paths: ['depth'], run });
    expect(typed).not.toThrow();
    // @ts-expect-error: there is no such field
    const unknown = () => defineTool({ name: 'Probe', description: '', input, paths: ['form'], run });
    expect(unknown).toThrow(/Probe lists "form" in `paths`/);
    const asked = { from: 'a', to: null, depth: 1 };
    succeeded(await bench.run(probe, asked));
    expect(given).toEqual([{ from: bench.path('a'), to: null, depth: 1 }]);
    expect(asked.from).toBe('a');
    expect(failed(await bench.run(probe, { from: '', depth: 1 })).error).toMatch(/from is empty/);
    expect(failed(await bench.run(probe, { from: 'a', to: ['b', '~bob'], depth: 1 })).error).toMatch(
      /to is "~bob": the home of another user/,
    );
    expect(failed(await bench.run(probe, { from: 7, to: [7], depth: 1 })).error).toMatch(
      /does not match its schema/,
    );
    expect(failed(await bench.run(probe, null)).error).toMatch(/does not match its schema/);
    expect(given).toHaveLength(1);
  });

  it('TO-2: every mistake in an input is named, and the tool is not run', async () => {
    let ran = false;
    const strict = defineTool({
      name: 'Strict',
      description: '',
      input: z.strictObject({ path: z.string(), lines: z.object({ from: z.int() }) }),
      run: () => {
        ran = true;
        return fine;
      },
    });
    const { error } = failed(await bench.run(strict, { lines: { from: 'x' }, wrong: 1 }));
    expect(error).toMatch(/input of Strict/);
    for (const part of ['- path:', '- lines.from:', 'wrong']) expect(error).toContain(part);
    expect(ran).toBe(false);
  });

  it('TO-2: a checked input is typed and has its defaults; what throws while checked is an error', () => {
    const defaults = defineTool({
      name: 'D',
      description: '',
      input: z.object({ n: z.number().default(3) }),
      run: () => fine,
    });
    expect(checkInput(defaults, {})).toEqual({ ok: true, value: { n: 3 } });
    const broken: Tool = {
      ...defaults,
      check: () => {
        throw new Error('no');
      },
    };
    expect(checkInput(broken, {})).toMatchObject({ ok: false });
  });
});

describe('one run', () => {
  it('TO-3: a success is passed on', async () => {
    expect(
      await bench.run(
        tool(() => fine),
        {},
      ),
    ).toEqual(fine);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'a throw',
      () => {
        throw new Error('boom');
      },
      /Probe failed: boom/,
    ],
    ['a rejection', () => Promise.reject('text'), /Probe failed: text/],
    ['nothing', () => undefined, /instead of an outcome/],
    ['content that is none', () => ({ ok: true, content: 7, response: 1 }), /invalid outcome/],
    [
      'a function as response',
      () => ({ ok: true, content: '', response: () => 1 }),
      /response that cannot be used/,
    ],
    [
      'a cycle as response',
      () => {
        const a: Record<string, unknown> = {};
        a['a'] = a;
        return { ok: true, content: '', response: a };
      },
      /response that cannot be used/,
    ],
  ])('TO-3: %s is an error as a value', async (_, run, message) => {
    expect(failed(await bench.run(tool(run as Tool['run']), {})).error).toMatch(message);
  });

  it('TO-4: a tool that never ends is over at its deadline', async () => {
    const { error, interrupted } = failed(
      await bench.run(
        tool(() => new Promise(() => {}), { timeout: 0.05 }),
        {},
      ),
    );
    expect(error).toBe('Probe did not finish within 0.05 s and was terminated.');
    expect(interrupted).toBeUndefined();
  });

  it('TO-4: what the tool says to its end is kept', async () => {
    const polite = tool(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ ok: false, error: 'half of it is done' }));
        }),
      { timeout: 0.02 },
    );
    expect(failed(await bench.run(polite, {})).error).toMatch(/within 0.02 s.*\nhalf of it is done/);
  });

  it('TO-5: a tool that does not listen is left behind in under a second', async () => {
    let started = false;
    const deaf = tool(() => {
      started = true;
      return new Promise(() => {});
    });
    const run = bench.run(deaf, {});
    await until(() => started);
    const at = performance.now();
    bench.controller.abort();
    expect(await run).toEqual({ ok: false, error: 'Probe was interrupted.', interrupted: true });
    expect(performance.now() - at).toBeLessThan(15_000);
  });

  it('TO-5: nothing begins after an abort', async () => {
    bench.controller.abort();
    let ran = false;
    const outcome = await bench.run(
      tool(() => {
        ran = true;
        return fine;
      }),
      {},
    );
    expect(failed(outcome).interrupted).toBe(true);
    expect(ran).toBe(false);
  });

  it('TO-6: a tool that finished anyway is believed', async () => {
    const stubborn = tool(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(fine));
        }),
      { timeout: 0.02 },
    );
    expect(await bench.run(stubborn, {})).toEqual(fine);
  });

  it('TO-6: a tool that is over cannot move the agent', async () => {
    const mover = tool(
      (_, { signal, setCwd }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            setCwd('/elsewhere');
            resolve(fine);
          });
        }),
      { timeout: 0.02 },
    );
    await bench.run(mover, {});
    expect(bench.cwd).toBe(bench.dir);
  });
});

describe('too much content', () => {
  const content = async (value: unknown): Promise<unknown> =>
    succeeded(
      await bench.run(
        tool(() => ({ ok: true, content: value, response: null }) as ToolOutcome),
        {},
      ),
    ).content;

  it('TO-7: a long text keeps its beginning and end around a line that counts the rest', async () => {
    const text = String(await content(`BEGIN${'x'.repeat(MAX_CONTENT_CHARACTERS)}END`));
    expect(text).toMatch(/^BEGINx/);
    expect(text).toMatch(/xEND$/);
    expect(text).toMatch(/\n\[\.\.\. 8 characters left out here/);
  });

  it('TO-7: no character is cut in half', async () => {
    for (const shift of ['', 'a', 'ab']) {
      const text = String(await content(shift + '😀'.repeat(MAX_CONTENT_CHARACTERS)));
      expect(Buffer.from(text).toString()).toBe(text);
    }
  });

  it('TO-7: blocks share the limit; an image that is too large becomes a text', async () => {
    const image = (data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    });
    const long = { type: 'text', text: 'x'.repeat(MAX_CONTENT_CHARACTERS) };
    const blocks = await content([
      long,
      { type: 'text', text: 'late' },
      image('aGk='),
      image('x'.repeat(8_000_000)),
    ]);
    expect(blocks).toEqual([
      long,
      { type: 'text', text: '[4 characters left out: too much text]' },
      image('aGk='),
      { type: 'text', text: expect.stringContaining('left out: it is too large') },
    ]);
  });

  it('TO-7: errors are held to the limit too', async () => {
    const { error } = failed(
      await bench.run(
        tool(() => ({ ok: false, error: 'x'.repeat(500_000) })),
        {},
      ),
    );
    expect(error.length).toBeLessThan(MAX_CONTENT_CHARACTERS + 200);
  });
});

describe('several calls', () => {
  /** Each call is open until the test lets it go, so the test sees what runs beside what. */
  function gates() {
    const log: string[] = [];
    const open = new Map<string, () => void>();
    const make = (name: string, readOnly: boolean) => ({
      tool: tool(
        async () => {
          log.push(`+${name}`);
          await new Promise<void>((resolve) => open.set(name, resolve));
          log.push(`-${name}`);
          return { ok: true, content: name, response: null };
        },
        { readOnly },
      ),
      input: {},
      context: bench.context(),
    });
    const release = async (name: string): Promise<void> => {
      await until(() => open.has(name), `the start of ${name}`);
      open.get(name)?.();
      await until(() => log.includes(`-${name}`));
    };
    return { log, make, release };
  }

  it('TO-8: readers run beside each other, writers alone, in order', async () => {
    const { log, make, release } = gates();
    const done = runTools([
      make('r1', true),
      make('r2', true),
      make('w1', false),
      make('w2', false),
      make('r3', true),
    ]);
    for (const name of ['r2', 'r1', 'w1', 'w2', 'r3']) await release(name);
    expect((await done).map((outcome) => succeeded(outcome).content)).toEqual(['r1', 'r2', 'w1', 'w2', 'r3']);
    expect(log.join(' ')).toBe('+r1 +r2 -r2 -r1 +w1 -w1 +w2 -w2 +r3 -r3');
  });

  it('TO-8: not more readers than allowed run at once', async () => {
    const { log, make, release } = gates();
    const done = runTools(
      ['a', 'b', 'c'].map((name) => make(name, true)),
      { concurrency: 2 },
    );
    await release('a');
    await release('c');
    await release('b');
    await done;
    expect(log.join(' ')).toBe('+a +b -a +c -c -b');
  });

  it('TO-8: one that fails does not disturb the others', async () => {
    const bad = {
      tool: tool(
        () => {
          throw new Error('x');
        },
        { readOnly: true },
      ),
      input: {},
      context: bench.context(),
    };
    const good = { tool: tool(() => fine, { readOnly: true }), input: {}, context: bench.context() };
    expect((await runTools([bad, good, bad])).map(({ ok }) => ok)).toEqual([false, true, false]);
    expect(await runTools([])).toEqual([]);
  });

  it('TO-5: after an abort the calls that wait are not begun', async () => {
    const { log, make } = gates();
    const done = runTools([make('w1', false), make('w2', false)]);
    await until(() => log.includes('+w1'));
    bench.controller.abort();
    expect((await done).map((outcome) => failed(outcome).interrupted)).toEqual([true, true]);
    expect(log).toEqual(['+w1']);
  });

  it('TO-8: a schedule waits for what it started before it passes a rejection on', async () => {
    let finished = false;
    const slow = {
      concurrent: true,
      run: async () => {
        await new Promise(setImmediate);
        finished = true;
      },
    };
    const bad = { concurrent: true, run: () => Promise.reject(new Error('no')) };
    const never = { concurrent: false, run: () => expect.fail('begun after a rejection') };
    await expect(scheduleCalls<void>([slow, bad, never])).rejects.toThrow('no');
    expect(finished).toBe(true);
    await expect(scheduleCalls([], { concurrency: 0 })).rejects.toThrow(RangeError);
  });
});
