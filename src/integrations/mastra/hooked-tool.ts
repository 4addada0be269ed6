/** A tool of the host with its hooks around it. */
import { messageOf } from '../../base/errors.js';
import { checkWithSchema } from '../check-input.js';
import type { HookSession, ToolEnd, ToolInput } from '../session/index.js';
import { fieldOf } from '../tool-content.js';
import { addTexts, renderWithTexts } from '../tool-output.js';
import type { Execute, ExecuteContext, HostTool } from './host.js';

/** The question of a hook, with which the host suspends the run. Resume it with `{ approved }`. */
export interface ToolApproval {
  readonly type: 'tool_approval';
  readonly toolName: string;
  /** Includes changes by hooks. */
  readonly input: ToolInput;
  readonly reason: string | undefined;
}

/** The error of a call that hooks, rules or a person have refused. The model reads its message. */
export class ToolRefusedError extends Error {
  override readonly name = 'ToolRefusedError';
}

/** The tool has suspended the run; it is called again later. */
class Suspended extends Error {}

/** What a call of a tool needs of its conversation. */
export interface ToolHost {
  readonly session: HookSession;
  /** Whether the host asks a person. */
  readonly asksHost: boolean;
  nextId(): string;
}

/** A tool without `execute` runs elsewhere, so it is returned as it is. */
export function hookTool<T extends HostTool>(host: ToolHost, name: string, tool: T): T {
  const { execute, inputSchema, toModelOutput } = tool;
  if (typeof execute !== 'function') return tool;
  const run = execute as unknown as Execute;
  const own = {
    execute: (input: unknown, context: ExecuteContext = {}) =>
      runCall(host, { name, inputSchema, run, rendersItself: toModelOutput !== undefined }, input, context),
    toModelOutput: renderWithTexts(toModelOutput as never),
  };
  // The host tells its tools by their class.
  return Object.assign(
    Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool)),
    own,
  ) as T;
}

interface Described {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly run: Execute;
  readonly rendersItself: boolean;
}

async function runCall(
  { session, asksHost, nextId }: ToolHost,
  { name, inputSchema, run, rendersItself }: Described,
  input: unknown,
  context: ExecuteContext,
): Promise<unknown> {
  const { agent } = context;
  const call = {
    name,
    input: input as ToolInput,
    id: agent?.toolCallId ?? context.toolCallId ?? nextId(),
    signal: context.abortSignal,
    check: (changed: ToolInput) => checkWithSchema(inputSchema, changed),
    failureIn: invalidInput,
    pauses: (error: unknown) => error instanceof Suspended,
  };
  const judgement = await session.judge({ ...call, run: () => undefined });
  const answer = fieldOf(agent?.resumeData, 'approved');
  if (asksHost && judgement.behavior === 'ask' && answer === undefined && agent?.suspend !== undefined) {
    const { reason } = judgement;
    const question: ToolApproval = { type: 'tool_approval', toolName: name, input: judgement.input, reason };
    return agent.suspend(question);
  }
  try {
    const end = await session.run(
      { ...call, run: (final) => runUntilSuspended(run, final, context) },
      { approved: answer === true },
    );
    return outputOf(end, rendersItself);
  } catch (error) {
    if (error instanceof Suspended) return undefined;
    throw error;
  }
}

/** A tool that suspends the run has not ended. */
async function runUntilSuspended(run: Execute, input: ToolInput, context: ExecuteContext): Promise<unknown> {
  const { agent } = context;
  const suspend = agent?.suspend;
  if (suspend === undefined) return run(input, context);
  let isSuspended = false;
  const watched = {
    ...agent,
    suspend: (...args: Parameters<typeof suspend>) => {
      isSuspended = true;
      return suspend(...args);
    },
  };
  const result = await run(input, { ...context, agent: watched as ExecuteContext['agent'] });
  if (isSuspended) throw new Suspended();
  return result;
}

/** The host's tools return what is wrong with an input. */
const invalidInput = (result: unknown): string | undefined =>
  fieldOf(result, 'error') === true && fieldOf(result, 'validationErrors') !== undefined
    ? String(fieldOf(result, 'message'))
    : undefined;

/** What the host keeps as the output. A refusal and a failure are errors to it. */
function outputOf(end: ToolEnd<unknown>, rendersItself: boolean): unknown {
  if (end.status === 'refused') throw new ToolRefusedError([end.reason, ...end.texts].join('\n\n'));
  if ('updatedOutput' in end) return addTexts(end.updatedOutput, end.texts, rendersItself);
  if (!('error' in end)) return addTexts(end.result, end.texts, rendersItself);
  if (end.texts.length === 0) throw end.error;
  throw new Error([messageOf(end.error), ...end.texts].join('\n\n'), { cause: end.error });
}
