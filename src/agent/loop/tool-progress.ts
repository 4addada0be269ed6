/** Emits messages while a tool call runs, so that people see that it is alive. */
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import type { ToolProgress } from '../tools/tool.js';
import type { Agent } from './agent.js';
import { DEFAULT_PROGRESS_SECONDS } from './options.js';
import { emitMessage, type Session } from './session.js';
import type { Call } from './tool-result.js';

/** A call that prints nothing is mentioned less often. */
const QUIET_INTERVALS = 10;

export interface WatchedProgress {
  readonly update: (progress: ToolProgress) => void;
  stop(): void;
}

export function watchProgress(session: Session, agent: Agent, { use, tool }: Call): WatchedProgress {
  const { progressInterval: seconds = DEFAULT_PROGRESS_SECONDS } = session.options;
  const startedAt = performance.now();
  let latest: ToolProgress | undefined;
  let shown: ToolProgress | undefined;
  let quiet = 0;
  const tick = (): void => {
    quiet += 1;
    if (latest === shown && quiet < QUIET_INTERVALS) return;
    quiet = 0;
    shown = latest;
    const { totalLines, totalBytes } = latest ?? {};
    emitMessage(session, {
      type: 'tool_progress',
      tool_use_id: use.id,
      tool_name: tool.name,
      parent_tool_use_id: agent.parentToolUseId,
      elapsed_time_seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      ...(totalLines !== undefined && { total_lines: totalLines }),
      ...(totalBytes !== undefined && { total_bytes: totalBytes }),
    });
  };
  const ms = seconds * 1000;
  const timer = ms > MAX_TIMER_MS ? undefined : setInterval(tick, ms);
  timer?.unref();
  return {
    update: (progress) => {
      latest = progress;
    },
    stop: () => clearInterval(timer),
  };
}
