/** Starts the run for a prompt. */
import type { AgentLoop, Run, RunOptions } from '../../agent/loop/agent-loop.js';

/** `/compact` and `/clear` are commands, as in other agents. Null: the agent reads what waits for it. */
export function startRun(
  loop: AgentLoop,
  prompt: string | null,
  signal: AbortSignal,
  source?: RunOptions['source'],
): Run {
  const [, word, rest] = /^\/(compact|clear)(?:\s+([\s\S]*))?$/.exec(prompt?.trim() ?? '') ?? [];
  if (word === 'compact') return loop.compact(rest || undefined, { signal });
  if (word === 'clear') return loop.clear({ signal });
  return loop.run(prompt ?? undefined, { signal, source });
}
