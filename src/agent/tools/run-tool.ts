/** Runs one tool to exactly one outcome: never throws, ends by its deadline, ends promptly when aborted. */
import pTimeout from 'p-timeout';
import { abortable, onAbort } from '../../base/async/abortable.js';
import { messageOf } from '../../base/errors.js';
import { plainCopy } from '../../base/json/plain-copy.js';
import { capContent, capText, MAX_CONTENT_CHARACTERS } from './cap-content.js';
import { prepareInput } from './input-paths.js';
import { type ScheduleOptions, scheduleCalls } from './schedule.js';
import type { Tool, ToolContext, ToolOutcome } from './tool.js';

/** How long a tool that was told to end may take to clean up; after that nobody waits for it. */
const ENDING_GRACE_MS = 800;

export interface ToolCall {
  readonly tool: Tool;
  readonly input: unknown;
  readonly context: ToolContext;
}

/** All of them, tools that only read beside each other, the rest alone; outcomes in the order of the calls. */
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
 * Runs a tool as the loop does: paths are made absolute, the input is checked, the run is bounded, the outcome is made safe. Contract: never
 * rejects.
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
    return outcome ?? failure(`${tool.name} returned nothing, which is no outcome.`);
  } finally {
    clearTimeout(deadline);
    stop();
  }
}

/** A tool that goes on after its end must not move the agent any more. */
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
    host: context.host,
  };
}

/** Undefined when it threw because it was told to end. */
async function attempt(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome | undefined> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    if (context.signal.aborted) return undefined;
    return failure(`${tool.name} failed: ${messageOf(error)}`);
  }
}

/** What was done all the same is told as it is; otherwise the reason of the end, with what the tool said to it. */
function endedOutcome(tool: Tool, ended: Ended, outcome: ToolOutcome | undefined): ToolOutcome {
  if (outcome?.ok === true) return outcome;
  const own = outcome?.error ?? '';
  if (ended === 'aborted') return outcome?.interrupted ? outcome : interruption(tool);
  const sentence = `${tool.name} did not finish within ${tool.timeoutMs / 1000} s and was ended.`;
  return failure(own === '' ? sentence : `${sentence}\n${own}`);
}

/** Tools may be written without types, so what they return is looked at before anybody relies on it. */
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
    return failure(`${tool.name} returned something that is no outcome: ${messageOf(error)}`);
  }
}

const failure = (error: string): ToolOutcome => ({ ok: false, error });

const interruption = (tool: Tool): ToolOutcome => ({
  ok: false,
  error: `${tool.name} was interrupted.`,
  interrupted: true,
});
