/** Sample inputs and schemas: what a hook author starts from. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../src/agent/index.js';
import { ALL_EVENTS, inputSchema } from '../../src/index.js';
import { SAMPLES } from '../../src/testing/samples.js';
import { folder } from './support.js';

describe('samples', () => {
  it.each(ALL_EVENTS)('CL-13 %s has one that fits its schema', async (event) => {
    const { call, workspace } = folder();
    const { code, json } = await call(['samples', event]);
    expect(code).toBe(0);
    const input = json<Record<string, unknown>>();
    expect(inputSchema(event).safeParse(input).error).toBeUndefined();
    expect(input).toMatchObject({ ...SAMPLES[event], hook_event_name: event, cwd: workspace });
  });

  it.each(builtInTools().map((tool) => [tool.name, tool] as const))(
    'CL-13 a call of %s has the fields of that tool, on every event about tools',
    async (name, tool) => {
      const { call } = folder();
      for (const event of ALL_EVENTS.filter((each) => 'tool_input' in SAMPLES[each])) {
        const { json } = await call(['samples', event, '--set', `tool_name=${name}`]);
        const input = json<{ tool_name: string; tool_input: unknown }>();
        expect(inputSchema(event).safeParse(input).error).toBeUndefined();
        expect(input.tool_name).toBe(name);
        expect(tool.check(input.tool_input)).toMatchObject({ ok: true });
      }
    },
  );

  it('CL-13 what a tool answers, and how it fails, is that tool’s own', async () => {
    const { call } = folder();
    const answered = await call(['samples', 'PostToolUse', '--set', 'tool_name=Write']);
    expect(answered.json()).toMatchObject({ tool_response: { type: 'create' } });
    const failed = await call(['samples', 'PostToolUseFailure', '--set', 'tool_name=Write']);
    expect(failed.json()).toMatchObject({ error: 'Write failed' });
    const unknown = await call(['samples', 'PostToolUse', '--set', 'tool_name=constructor']);
    expect(unknown.json()).toMatchObject({ tool_input: {}, tool_response: {} });
  });

  it('CL-29 all of them at once, by event', async () => {
    const { json } = await folder().call(['samples']);
    expect(Object.keys(json<object>())).toEqual([...ALL_EVENTS]);
  });

  it('CL-29 with fields of one’s own', async () => {
    const { json } = await folder().call(['samples', 'PreToolUse', '--set', 'tool_input.command=date']);
    expect(json()).toMatchObject({ tool_input: { command: 'date' }, session_id: 'sample-session' });
  });
});

describe('schemas', () => {
  const written = (name: string): string =>
    readFileSync(new URL(`../../spec/schemas/${name}.json`, import.meta.url), 'utf8');

  it.each(ALL_EVENTS)('CL-28 those of %s are the published ones', async (event) => {
    const { call } = folder();
    expect((await call(['schema', event, 'input'])).out).toBe(written(`${event}.input`));
    expect((await call(['schema', event, 'answer'])).out).toBe(written(`${event}.answer`));
    expect((await call(['schema', event])).json()).toMatchObject({
      input: { title: `${event} input` },
      answer: { title: `${event} answer` },
    });
  });

  it('CL-28 that of the configuration is the published one, and test files have one', async () => {
    const { call } = folder();
    expect((await call(['schema', 'config'])).out).toBe(written('hookline.config'));
    expect((await call(['schema', 'tests'])).json()).toMatchObject({ title: 'hookline hook tests' });
    const all = (await call(['schema'])).json<{ events: object }>();
    expect(Object.keys(all.events)).toEqual([...ALL_EVENTS]);
  });
});
