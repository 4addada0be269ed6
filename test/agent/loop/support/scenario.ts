/** One scenario, the same on every format and in every dialect, with the exact messages that the model has to get. */
import { expect, it } from 'vitest';
import type { Tool } from '../../../../src/agent/tools/tool.js';
import type { HookConfig } from '../../../../src/index.js';
import { type ClaudeHooks, useClaudeHooks } from './claude-hooks.js';
import {
  PROMPT,
  runOnWire,
  type WireCall,
  type WireName,
  type WireRun,
  type WireSetup,
} from './run-on-wire.js';
import { testTools } from './tools.js';

/** Expected messages, as each format has them. */
export type Expected<T> = { readonly anthropic: T; readonly chat: T; readonly responses?: T };

export interface ScenarioRun extends WireRun {
  /** What the tools of the test were given, in the order in which they ran. */
  readonly ran: readonly { readonly name: string; readonly text: string }[];
}

export interface Scenario extends Omit<WireSetup, 'hooks'> {
  /** Hooks in code. A function, where they remember something. */
  readonly hooks?: HookConfig | (() => HookConfig);
  /** The same as shell commands of a Claude settings file; run as a test of its own. */
  readonly claude?: ClaudeHooks;
  /** Runs while a tool of the test does. */
  readonly inside?: (name: string, text: string) => unknown;
  /** Beside the tools of the test; made anew each time. */
  readonly tools?: () => readonly Tool[];
  /** What else is to be looked at. */
  readonly also?: (run: ScenarioRun) => unknown;
}

/** Requests by their number, counted from 1. */
export type Requests = Readonly<Record<number, readonly unknown[]>>;

/** Every request that is given has exactly these messages. */
export function itAsks(title: string, scenario: Scenario & Expected<Requests>): void {
  inEveryWay(title, scenario, async (run, wire) => {
    for (const [number, messages] of Object.entries(scenario[wire] ?? {}))
      expect(run.requests[Number(number) - 1]?.messages, `request ${number}`).toEqual(messages);
    await scenario.also?.(run);
  });
}

/** The model makes these calls at once; given is what follows its answer in the next request, which is the last. */
export function itReads(
  title: string,
  scenario: Omit<Scenario, 'answers'> & { readonly calls: readonly WireCall[] } & Expected<
      readonly unknown[]
    >,
): void {
  const { calls } = scenario;
  const answers = [{ calls }, { text: 'Done.' }];
  inEveryWay(title, { ...scenario, answers }, async (run, wire) => {
    expect(run.requests[1]?.messages).toEqual([...opening(wire, calls), ...(scenario[wire] ?? [])]);
    await scenario.also?.(run);
  });
}

/** The prompt and the answer to it. */
export function opening(wire: WireName, calls: readonly WireCall[]): readonly unknown[] {
  const json = ({ input }: WireCall): string => JSON.stringify(input);
  if (wire === 'anthropic')
    return [
      { role: 'user', content: [{ type: 'text', text: PROMPT }] },
      { role: 'assistant', content: calls.map((call) => ({ type: 'tool_use', ...call })) },
    ];
  if (wire === 'chat')
    return [
      { role: 'user', content: PROMPT },
      {
        role: 'assistant',
        content: null,
        tool_calls: calls.map((call) => ({
          id: call.id,
          type: 'function',
          function: { name: call.name, arguments: json(call) },
        })),
      },
    ];
  return [
    { role: 'user', content: PROMPT },
    ...calls.map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: json(call),
    })),
  ];
}

type Ways = Scenario & Expected<unknown>;

function inEveryWay(
  title: string,
  scenario: Ways,
  check: (run: ScenarioRun, wire: WireName) => Promise<void>,
): void {
  const wires = (['anthropic', 'chat', 'responses'] as const).filter((wire) => scenario[wire] !== undefined);
  const { claude, hooks } = scenario;
  for (const wire of wires) {
    if (hooks !== undefined || claude === undefined)
      it(`${title} (${wire})`, async () => check(await play(wire, scenario, undefined), wire));
    // Formats and dialects know nothing of each other: where hooks in code go through all formats, one is enough.
    if (claude !== undefined && (hooks === undefined || wire === 'anthropic'))
      it(`${title} (${wire}, settings file)`, async () => check(await play(wire, scenario, claude), wire));
  }
}

async function play(wire: WireName, scenario: Ways, claude: ClaudeHooks | undefined): Promise<ScenarioRun> {
  const { ran, tools } = testTools(scenario.inside);
  const hooks = typeof scenario.hooks === 'function' ? scenario.hooks() : scenario.hooks;
  const run = await runOnWire(wire, {
    ...scenario,
    hooks: claude === undefined ? hooks : undefined,
    prepare: async (made) => {
      if (claude !== undefined) await useClaudeHooks(claude, made);
      await scenario.prepare?.(made);
    },
    options: { tools: [...tools, ...(scenario.tools?.() ?? [])], ...scenario.options },
  });
  expect(run.runs.flatMap(({ result }) => result.errors ?? [])).toEqual([]);
  expect(run.requests).toHaveLength(scenario.answers.length);
  return { ...run, ran };
}
