/** Lets a runner that does not know `type: 'run'` use such hooks, wrapped as callbacks. One that does gets them as they are. */
import type { LoadedConfig, LoadedHook } from '../../src/config/loaded.js';
import { encodeHookEvent } from '../../src/dialects/massgen/event.js';
import { Cancellation } from '../../src/hooks/cancellation.js';
import type { Completion } from '../../src/hooks/completion.js';
import type { RunHook } from '../../src/hooks/hook.js';
import { type HookContext, type HookEvent, Runner } from '../../src/index.js';

export function bridged(config: LoadedConfig): LoadedConfig {
  if (runnerKnowsRun()) return config;
  return {
    ...config,
    groups: config.groups.map((group) => ({
      ...group,
      hooks: group.hooks.map((loaded) => wrap(loaded, group.event)),
    })),
  };
}

function runnerKnowsRun(): boolean {
  try {
    new Runner().on('PreToolUse', { type: 'run', run: () => ({ kind: 'returned' }) } as never);
    return true;
  } catch {
    return false;
  }
}

function wrap(loaded: LoadedHook, event: HookEvent): LoadedHook {
  const hook = loaded.hook as unknown as { type: string; name: string; run: RunHook };
  if (hook.type !== 'run') return loaded;
  const callback = async (input: object, toolUseID: string | undefined, context: HookContext) => {
    const cancellation = new Cancellation();
    const { signal, name, hookId, agentId } = context;
    signal.addEventListener('abort', () => cancellation.cancel());
    const fields = input as Readonly<Record<string, unknown>>;
    const completion = await hook.run({
      event,
      input: fields,
      toolUseID,
      agentId,
      hookId,
      name,
      timeoutMs: 60_000,
      cancellation,
      depth: 1,
      watched: true,
      wire: () => Buffer.from(`${JSON.stringify(encodeHookEvent(event, fields))}\n`),
      onProgress: (stdout, stderr) => context.progress(stdout + stderr),
    });
    return answerOf(completion);
  };
  return { ...loaded, hook: { type: 'callback', name: hook.name, callback } as never };
}

function answerOf(completion: Completion): unknown {
  if (completion.kind === 'returned') return completion.output;
  if (completion.kind === 'threw') throw completion.error;
  throw new Error('message' in completion ? completion.message : completion.kind);
}
