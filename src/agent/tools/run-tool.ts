/** Runs a tool to exactly one outcome: never throws, ends by its timeout, and ends promptly when aborted. */
import pTimeout from 'p-timeout';
import { abortable, onAbort } from '../../base/async/abortable.js';
import { messageOf } from '../../base/errors.js';
import { plainCopy } from '../../base/json/plain-copy.js';
import { capContent, capText, MAX_CONTENT_CHARACTERS } from './cap-content.js';
import { prepareInput } from './input-paths.js';
import { type ScheduleOptions, scheduleCalls } from './schedule.js';
import type { Tool, ToolContext, ToolOutcome } from './tool.js';

/** How long an aborted tool may take to clean up before it is abandoned. */
const ENDING_GRACE_MS = 800;

export interface ToolCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly context: ToolContext;
}

/** Runs all calls: concurrent tools in parallel, the others alone. Returns the outcomes in call order. */
export function runTools(calls: readonly ToolCall[], options?: ScheduleOptions): Promise<ToolOutcome[]> {
  return scheduleCalls(
    calls.map(({ tool, input, context }) => ({
      concurrent: tool.concurrent,
      run: () => runTool(tool, input, context),
    })),
    options,
  );
}

/**
 * Runs a tool as the loop does: makes paths absolute, validates the input, enforces the timeout and validates the
 * outcome. Contract: never rejects.
 */
export async function runTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  if (context.signal.aborted) return interruption(tool);
  const prepared = prepareInput(tool, input, context);
  if (!prepared.ok) return failure(prepared.error);
  return finish(tool, await runBounded(tool, prepared.value, context));
}

type Ended = 'aborted' | 'timed-out';

async function runBounded(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const controller = new AbortController();
  let ended: Ended | undefined;
  const end = (reason: Ended): void => {
    ended ??= reason;
    controller.abort();
  };
  const deadline = setTimeout(() => end('timed-out'), tool.timeoutMs);
  const stop = onAbort(context.signal, () => end('aborted'));
  try {
    const inner = insideContext(context, controller.signal, () => ended !== undefined);
    const attempted = attempt(tool, input, inner);
    const outcome = await abortable(attempted, controller.signal, () =>
      pTimeout(attempted, { milliseconds: ENDING_GRACE_MS, fallback: () => undefined }),
    );
    if (ended) return endedOutcome(tool, ended, outcome);
    return outcome ?? failure(`${tool.name} returned nothing instead of an outcome.`);
  } finally {
    clearTimeout(deadline);
    stop();
  }
}

/** A tool that keeps running after its end must not change the agent's directory. */
function insideContext(context: ToolContext, signal: AbortSignal, isOver: () => boolean): ToolContext {
  return {
    cwd: context.cwd,
    setCwd: (path) => {
      if (!isOver()) context.setCwd(path);
    },
    signal,
    environmentFiles: context.environmentFiles,
    toolUseId: context.toolUseId,
    mayRead: context.mayRead,
    progress:
      context.progress &&
      ((progress) => {
        if (!isOver()) context.progress?.(progress);
      }),
    host: context.host,
  };
}

/** Returns undefined if it threw because it was aborted. */
async function attempt(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome | undefined> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    if (context.signal.aborted) return undefined;
    return failure(`${tool.name} failed: ${messageOf(error)}`);
  }
}

/**
 * If the tool succeeded anyway, its outcome counts; otherwise the error says why it was ended and what the tool
 * reported.
 */
function endedOutcome(tool: Tool, ended: Ended, outcome: ToolOutcome | undefined): ToolOutcome {
  if (outcome?.ok === true) return outcome;
  const own = outcome?.error ?? '';
  if (ended === 'aborted') return outcome?.interrupted ? outcome : interruption(tool);
  const sentence = `${tool.name} did not finish within ${tool.timeoutMs / 1000} s and was terminated.`;
  return failure(own === '' ? sentence : `${sentence}\n${own}`);
}

/** Tools may be written in plain JavaScript, so their outcome is validated. */
function finish(tool: Tool, outcome: ToolOutcome): ToolOutcome {
  try {
    if (outcome.ok === false) {
      const error = capText(String(outcome.error), MAX_CONTENT_CHARACTERS);
      return outcome.interrupted === true ? { ok: false, error, interrupted: true } : failure(error);
    }
    const response = plainCopy(outcome.response);
    if (!response.ok)
      return failure(`${tool.name} returned a response that cannot be used: ${response.problem}.`);
    return { ok: true, content: capContent(outcome.content), response: response.value ?? null };
  } catch (error) {
    return failure(`${tool.name} returned an invalid outcome: ${messageOf(error)}`);
  }
}

const failure = (error: string): ToolOutcome => ({ ok: false, error });

const interruption = (tool: Tool): ToolOutcome => ({
  ok: false,
  error: `${tool.name} was interrupted.`,
  interrupted: true,
});
