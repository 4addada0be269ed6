// What the agent loop adds to a turn, beside a bare loop with the same model and tool, and what a long session needs.
// node --expose-gc bench/loop.mjs [--json]   (after npm run build; under a minute)
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { AgentLoop, defineTool } from '../dist/agent/index.js';
import { Runner } from '../dist/index.js';

const TURNS = [10, 100, 1000];
const ROUNDS = { 10: 40, 100: 15, 1000: 8 };
/** Two kilobytes, as a small file has. */
const RESULT = 'x'.repeat(2048);
/** As a service would count: a loop that is told nothing has to estimate the whole conversation in every turn. */
const usageOf = (turn) => ({ inputTokens: 600 * turn, outputTokens: 20 });

/** Calls the tool in every turn but the last. Answers at once, so that only the loops need time. */
const modelOf = (turns) => {
  let turn = 0;
  return {
    name: 'bench',
    async *stream() {
      turn += 1;
      if (turn < turns) {
        yield { type: 'text', text: `Turn ${turn}.` };
        yield { type: 'tool_use', id: `call_${turn}`, name: 'Look', input: { at: String(turn) } };
        yield { type: 'end', stopReason: 'tool_use', usage: usageOf(turn) };
      } else {
        yield { type: 'text', text: 'Done.' };
        yield { type: 'end', stopReason: 'end_turn', usage: usageOf(turn) };
      }
    },
  };
};

const tool = defineTool({
  name: 'Look',
  description: 'looks',
  input: z.strictObject({ at: z.string() }),
  readOnly: true,
  // Made anew in each call, as a real result is: nothing is shared between turns.
  run: ({ at }) => ({ ok: true, content: Buffer.from(`${at} ${RESULT}`).toString(), response: { at } }),
});

/** As short as a loop can be: no limits, no hooks, no permissions, no messages. */
async function bare(turns) {
  const model = modelOf(turns);
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }];
  for (;;) {
    const content = [];
    for await (const event of model.stream({ messages })) if (event.type !== 'end') content.push(event);
    messages.push({ role: 'assistant', content });
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return messages;
    const results = [];
    for (const { id, input } of calls) {
      const outcome = await tool.run(tool.check(input).value, {});
      results.push({ type: 'tool_result', tool_use_id: id, content: outcome.content });
    }
    messages.push({ role: 'user', content: results });
  }
}

const hook = () => undefined;
const makeRunner = () =>
  new Runner({
    hooks: Object.fromEntries(
      ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'].map((event) => [event, [{ hooks: [hook] }]]),
    ),
  });

async function loopOf(turns, { hooks, transcripts }) {
  const runner = hooks ? makeRunner() : undefined;
  const loop = new AgentLoop({
    model: modelOf(turns),
    tools: [tool],
    transcripts: transcripts ?? false,
    contextWindow: 1e9,
    ...(runner && { hooks: runner }),
  });
  for await (const message of loop.run('Go.'))
    if (message.type === 'result' && message.num_turns !== turns) throw new Error('it ended early');
  return {
    loop,
    end: async () => {
      await loop.close();
      await runner?.dispose();
    },
  };
}

const dir = mkdtempSync(join(tmpdir(), 'hookline-bench-loop-'));
const CONTENDERS = {
  bare: async (turns) => void (await bare(turns)),
  'loop alone': async (turns) => (await loopOf(turns, {})).end(),
  'with 4 hooks': async (turns) => (await loopOf(turns, { hooks: true })).end(),
  'with 4 hooks and a transcript': async (turns) =>
    (await loopOf(turns, { hooks: true, transcripts: dir })).end(),
};

async function measure(turns) {
  const times = Object.fromEntries(Object.keys(CONTENDERS).map((name) => [name, []]));
  // In turn, so that a busy moment hits all of them alike; the first round only warms up.
  for (let round = 0; round <= ROUNDS[turns]; round += 1)
    for (const [name, run] of Object.entries(CONTENDERS)) {
      const at = performance.now();
      await run(turns);
      if (round > 0) times[name].push((performance.now() - at) / turns);
    }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, Math.min(...list)]));
}

const heap = async () => {
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed / 1e6;
};

/** While the session is still open. The first one loads and compiles what all need. */
async function heapAfter(make) {
  await (await make()).end?.();
  const before = await heap();
  const kept = await make();
  const after = await heap();
  await kept.end?.();
  return after - before;
}

try {
  const megabytes = {
    bare: await heapAfter(async () => ({ messages: await bare(1000) })),
    'with 4 hooks and a transcript': await heapAfter(() => loopOf(1000, { hooks: true, transcripts: dir })),
  };
  const perTurn = {};
  for (const turns of TURNS) perTurn[turns] = await measure(turns);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ perTurn, megabytes }, undefined, 2));
  else {
    console.log('| milliseconds of a turn | 10 turns | 100 turns | 1000 turns |\n|---|---|---|---|');
    for (const name of Object.keys(CONTENDERS)) {
      const cells = TURNS.map((turns) => {
        const { [name]: ms, bare: base } = perTurn[turns];
        return name === 'bare' ? ms.toFixed(4) : `${ms.toFixed(3)} (${Math.round(ms / base)}x)`;
      });
      console.log(`| ${name} | ${cells.join(' | ')} |`);
    }
    if (globalThis.gc === undefined) console.log('\nMemory: run it with node --expose-gc.');
    else
      for (const [name, mb] of Object.entries(megabytes))
        console.log(`\nHeap of a session of 1000 turns, ${name}: ${mb.toFixed(1)} MB`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
