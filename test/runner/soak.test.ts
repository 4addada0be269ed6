import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { hookline } from '../../src/dialects/hookline/index.js';
import { type HookMessage, Runner } from '../../src/index.js';
import { SAMPLES, soon, turns, watchProcess } from '../support/runner.js';

watchProcess();

/** The collector, whether or not the process was started with it exposed; undefined where it cannot be had. */
function collector(): (() => void) | undefined {
  const given = (globalThis as { gc?: () => void }).gc;
  if (given !== undefined) return given;
  try {
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc') as () => void;
  } catch {
    return undefined;
  }
}

async function heapAfter(collect: () => void): Promise<number> {
  for (let i = 0; i < 4; i++) {
    collect();
    await turns(2);
  }
  return process.memoryUsage().heapUsed;
}

const resources = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** A runner with a hook of every temper. */
function busyRunner(): Runner {
  const impatient = { ...hookline, name: 'impatient', async: { ...hookline.async, waits: false } };
  const runner = new Runner({ timeout: 30 });
  runner.on('PreToolUse', { matcher: 'Bash' }, [
    () => undefined,
    async () => ({ systemMessage: 'async' }),
    (input) => {
      const tool = input.tool_input as Record<string, unknown>;
      tool['command'] = `${tool['command']} -a`;
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: tool } };
    },
  ]);
  runner.on('PreToolUse', { matcher: 'mcp__*', parallel: true }, [
    async () => {
      await turns(1);
      throw new Error('broken');
    },
    (_input, _id, { signal }) => ({ suppressOutput: signal.aborted }),
    () => ({ async: true, result: Promise.resolve({ decision: 'approve' as const }) }),
  ]);
  runner.on('Notification', { dialect: impatient }, () => ({
    async: true,
    result: turns(1).then(() => undefined),
  }));
  runner.on('Stop', async () => {
    await runner.fire('Notification', SAMPLES.Notification);
  });
  return runner;
}

async function someFires(runner: Runner, count: number, signal: AbortSignal): Promise<void> {
  const gone = AbortSignal.abort();
  for (let i = 0; i < count / 5; i++) {
    const agent = runner.forAgent(`agent ${i}`);
    const dispose = agent.on('PreToolUse', { override: i % 2 === 0 }, () => undefined);
    const mcp = { ...SAMPLES.PreToolUse, tool_name: `mcp__server__${i}` };
    await Promise.all([
      runner.fire('PreToolUse', SAMPLES.PreToolUse, { signal }),
      agent.fire('PreToolUse', mcp, { signal }),
      runner.fire('PreToolUse', mcp, { signal: gone }),
      runner.fire('Stop', SAMPLES.Stop),
      runner.fire('SessionEnd', SAMPLES.SessionEnd),
    ]);
    dispose();
  }
}

describe('many fires', () => {
  it('AB-2 FA-6 20,000 fires of every kind leave nothing behind', async () => {
    const runner = busyRunner();
    const { signal } = new AbortController();
    await someFires(runner, 3000, signal);
    await soon(runner.drain());
    const collect = collector();
    const resourcesBefore = resources();
    const heapBefore = collect && (await heapAfter(collect));

    await someFires(runner, 20_000, signal);
    await soon(runner.drain());
    await turns();

    expect(getEventListeners(signal, 'abort')).toEqual([]);
    for (const [kind, count] of Object.entries(resources())) {
      expect(count, `active resources of kind ${kind}`).toBeLessThanOrEqual((resourcesBefore[kind] ?? 0) + 2);
    }
    if (collect !== undefined && heapBefore !== undefined) {
      const grown = (await heapAfter(collect)) - heapBefore;
      expect(grown / 1e6, 'megabytes that the heap has grown by').toBeLessThan(8);
    }
    await soon(runner.dispose());
  });

  it('MS-6 MS-1 a watched runner keeps no messages for those who have read them', async () => {
    const runner = busyRunner();
    const counts = { hook_started: 0, hook_progress: 0, hook_response: 0 };
    const count = ({ subtype }: HookMessage): void => {
      counts[subtype] += 1;
    };
    const { signal } = new AbortController();
    const reading = (async () => {
      for await (const message of runner.messages) count(message);
    })();
    await someFires(runner, 5000, signal);
    await soon(runner.drain());
    await soon(runner.dispose());
    await soon(reading);
    expect(counts.hook_started).toBeGreaterThan(5000);
    expect(counts.hook_response).toBe(counts.hook_started);
  });
});
