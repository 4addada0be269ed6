/** Starts the run for a prompt. */
import type { AgentLoop, Run } from '../../agent/loop/agent-loop.js';

/** `/compact` and `/clear` are commands, as in other agents. */
export function startRun(loop: AgentLoop, prompt: string, signal: AbortSignal): Run {
  const [, word, rest] = /^\/(compact|clear)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
  if (word === 'compact') return loop.compact(rest || undefined, { signal });
  if (word === 'clear') return loop.clear({ signal });
  return loop.run(prompt, { signal });
}
