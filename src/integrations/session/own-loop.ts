/** The loop that one writes around a model's API: requests, tools in parallel, and their results, until the model is done. */
import { messageOf } from '../../base/errors.js';
import type { ToolEnd, ToolInput } from '../tool-call.js';
import type { HookSession } from './session.js';

/** A tool with the code that runs it. */
export interface RunnableTool {
  readonly name: string;
  /** Checks and reads an input; throws if it is invalid. Default: it is used as it is. */
  readonly parse?: (input: unknown) => unknown;
  /** Returns what the model reads, or throws. */
  readonly run: (input: never, context?: never) => unknown;
}

/** A tool without the code that runs it, as an API takes it. */
export type Definition<Tool> = Tool extends unknown ? Omit<Tool, 'run' | 'parse' | 'close'> : never;

/** A call in an answer of the model. */
export interface LoopCall {
  readonly id: string;
  readonly name: string;
  /** Reads the arguments; throws if they cannot be read. */
  readInput(): unknown;
}

/** What the model reads about a call. */
export interface LoopResult {
  readonly id: string;
  readonly content: unknown;
  readonly isError: boolean;
}

/** How an API writes answers and results. */
export interface Wire<Message, Reply> {
  /** What an answer adds to the conversation. */
  said(reply: Reply): readonly Message[];
  callsOf(reply: Reply): readonly LoopCall[];
  resultsOf(results: readonly LoopResult[]): readonly Message[];
  /** The output of a tool with texts behind it. */
  outputWith(output: unknown, texts: readonly string[]): unknown;
  /** Whether the API has only paused: the conversation is sent again. */
  isPaused(reply: Reply): boolean;
}

/** The error of a call that hooks or rules have refused. The model reads its message. */
export class ToolRefusedError extends Error {
  override readonly name = 'ToolRefusedError';
}

export interface Loop<Message, Reply> {
  readonly session: HookSession;
  readonly wire: Wire<Message, Reply>;
  /** The conversation; answers and results are added to it, a call never without its result. */
  readonly messages: Message[];
  readonly tools: readonly RunnableTool[];
  readonly signal: AbortSignal | undefined;
  request(): Reply | PromiseLike<Reply>;
}

/** Requests until the model calls no more tools, or a hook has ended the run. Rejects with the errors of the API. */
export async function runOwnLoop<Message, Reply>(loop: Loop<Message, Reply>): Promise<Reply> {
  const { session, wire, messages, signal } = loop;
  for (;;) {
    const sent = session.request();
    signal?.throwIfAborted();
    const reply = await loop.request();
    sent.answered();
    const calls = wire.callsOf(reply);
    const results = await Promise.all(calls.map((call) => resultOf(loop, call)));
    messages.push(...wire.said(reply), ...(results.length > 0 ? wire.resultsOf(results) : []));
    if (session.halt !== undefined) return reply;
    if (results.length === 0 && !wire.isPaused(reply)) return reply;
  }
}

async function resultOf<Message, Reply>(
  { session, wire, tools, signal }: Loop<Message, Reply>,
  { id, name, readInput }: LoopCall,
): Promise<LoopResult> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return { id, content: `There is no tool ${name}.`, isError: true };
  try {
    const raw = readInput();
    const input = tool.parse === undefined ? raw : tool.parse(raw);
    const end = await runTool(session, tool, input, { id, signal });
    return { id, content: outputOf(end, wire.outputWith), isError: false };
  } catch (error) {
    signal?.throwIfAborted();
    return { id, content: messageOf(error), isError: true };
  }
}

/** Runs a tool with its hooks. Rejects only with the reason of an abort. */
export function runTool(
  session: HookSession,
  tool: RunnableTool,
  input: unknown,
  { id, signal, context }: { id: string; signal?: AbortSignal | undefined; context?: unknown },
): Promise<ToolEnd<unknown>> {
  const run = tool.run as unknown as (input: unknown, context?: unknown) => unknown;
  return session.run({
    name: tool.name,
    input: input as ToolInput,
    id,
    signal,
    check: (changed) => whyUnreadable(tool, changed),
    run: (final) => run(final, context),
  });
}

/** What the model reads as the result. Throws if the call was refused or has failed: its message is the result. */
export function outputOf<Output>(
  end: ToolEnd<unknown>,
  outputWith: (output: unknown, texts: readonly string[]) => Output,
): Output {
  if (end.status === 'refused') throw new ToolRefusedError([end.reason, ...end.texts].join('\n\n'));
  if ('updatedOutput' in end) return outputWith(end.updatedOutput, end.texts);
  if (!('error' in end)) return outputWith(end.result, end.texts);
  throw new Error([messageOf(end.error), ...end.texts].join('\n\n'), { cause: end.error });
}

/** The tools as the API takes them. */
export function definitionsOf<Tool extends RunnableTool>(tools: readonly Tool[]): Definition<Tool>[] {
  return tools.map((tool) => {
    const { run: _, parse: __, close: ___, ...definition } = tool as Tool & { close?: unknown };
    return definition as unknown as Definition<Tool>;
  });
}

function whyUnreadable({ parse }: RunnableTool, input: ToolInput): string | undefined {
  try {
    parse?.(input);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
