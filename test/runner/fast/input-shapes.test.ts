import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import samples from '../../../spec/vectors/inputs.json' with { type: 'json' };
import type { HookEvent } from '../../../src/events/types.js';
import { InputShapes } from '../../../src/runner/fast/input-shapes.js';
import { completeInput } from '../../../src/runner/input.js';

const BASE = { session_id: 's', transcript_path: '/t', cwd: '/w', permission_mode: 'plan' };
const TOOL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'use-1' };

type Own = Readonly<Record<string, unknown>>;
interface Extra {
  readonly agent_id?: string;
  readonly tool_use_id?: string;
}

/** Completes inputs one after another, as a runner does that remembers what it has seen. */
function remembering(event: HookEvent): (own: unknown, extra?: Extra) => unknown {
  const shapes = new InputShapes();
  return (own, extra = {}) => attempt(event, own, extra, shapes);
}

/** The input or the refusal, with the order of the fields. */
function attempt(event: HookEvent, own: unknown, extra: Extra, shapes?: InputShapes): unknown {
  const both = { agent_id: extra.agent_id, tool_use_id: extra.tool_use_id };
  try {
    const { record: input } = completeInput(event, own as object, BASE, both, shapes);
    return { fields: Object.keys(input), input };
  } catch (error) {
    return String(error);
  }
}

const fresh = (event: HookEvent, own: unknown, extra: Extra = {}): unknown => attempt(event, own, extra);

describe('inputs that look like those before them', () => {
  it.each(samples as readonly { event: HookEvent; input: Own }[])(
    'EV-2 EV-5 $event: the second is completed like the first, field by field',
    ({ event, input }) => {
      const complete = remembering(event);
      for (let i = 0; i < 3; i++) expect(complete(input)).toEqual(fresh(event, input));
    },
  );

  it('EV-5 any input that comes after any other is completed or refused as if it came first', () => {
    const value = fc.constantFrom<unknown>('text', '', 7, Number.NaN, true, null, undefined, { a: 1 }, [1]);
    const keys = ['tool_name', 'tool_input', 'tool_use_id', 'cwd', 'mcp_server', 'agent_id', 'unknown', 'x'];
    const own = fc
      .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 5 })
      .map((entries) => ({ ...TOOL, ...Object.fromEntries(entries) }));
    const extra = fc.record(
      { agent_id: fc.constantFrom('a', 7 as never), tool_use_id: fc.constant('t') },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(own, extra), { minLength: 2, maxLength: 8 }), (fires) => {
        const complete = remembering('PreToolUse');
        for (const [each, more] of fires)
          expect(complete(each, more)).toEqual(fresh('PreToolUse', each, more));
      }),
      { numRuns: 300 },
    );
  });

  it('EV-8 what comes with the options is found again, and counts for its own fire only', () => {
    const { tool_use_id: _, ...tool } = TOOL;
    const complete = remembering('PreToolUse');
    for (const tool_use_id of ['one', 'two']) {
      expect(complete(tool, { tool_use_id, agent_id: tool_use_id })).toMatchObject({
        input: { tool_use_id, agent_id: tool_use_id },
      });
    }
    expect(complete(tool)).toContain('tool_use_id');
    expect(complete(TOOL)).not.toHaveProperty('input.agent_id');
  });

  it('IS-1 values are those of this input, never of one before it', () => {
    const complete = remembering('PreToolUse');
    complete({ ...TOOL, tool_input: { secret: 1 }, cwd: '/first' });
    expect(complete({ ...TOOL, cwd: '/second' })).toMatchObject({
      input: { tool_input: { command: 'ls' }, cwd: '/second' },
    });
    expect(complete(TOOL)).toMatchObject({ input: { cwd: '/w' } });
  });

  it('EV-5 fields that are only inherited are missing, also when the field names are known', () => {
    const complete = remembering('PreToolUse');
    complete(TOOL);
    const { tool_use_id: _, ...own } = TOOL;
    const inherits = Object.assign(Object.create({ tool_use_id: 'inherited' }), own);
    expect(complete(inherits)).toContain('tool_use_id');
  });

  it('EV-5 a key that reaches a prototype changes no prototype, however often it comes', () => {
    const complete = remembering('Stop');
    const own = JSON.parse('{"stop_hook_active":true,"__proto__":{"polluted":1}}');
    for (let i = 0; i < 3; i++) {
      const { input } = complete(own) as { input: object };
      expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('EV-4 symbols are on no wire, the first time as little as the second', () => {
    const complete = remembering('Stop');
    const own = { stop_hook_active: true, [Symbol('own')]: 1 };
    for (let i = 0; i < 2; i++) {
      const { input } = complete(own) as { input: object };
      expect(Object.getOwnPropertySymbols(input)).toEqual([]);
    }
  });

  it('EV-5 a getter that throws is refused also when the fields are known', () => {
    const complete = remembering('Stop');
    complete({ stop_hook_active: true });
    const own = {
      get stop_hook_active(): boolean {
        throw new Error('trap');
      },
    };
    expect(complete(own)).toContain('trap');
  });

  it('EV-5 with ever new fields nothing piles up, and each is completed', () => {
    const complete = remembering('Stop');
    for (let i = 0; i < 50; i++) {
      expect(complete({ stop_hook_active: true, [`field_${i}`]: i })).toMatchObject({
        input: { [`field_${i}`]: i },
      });
    }
  });
});
