/** A tool of the host with its hooks around it. */
import { messageOf } from '../../base/errors.js';
import { checkWithSchema } from '../check-input.js';
import type { HookSession, ToolCall, ToolEnd, ToolInput } from '../session/index.js';
import { addTexts, renderWithTexts } from '../tool-output.js';
import { whileRunning } from '../while-running.js';
import type { Execute, ExecuteOptions, HostTool } from './host.js';
import { isApproved } from './messages.js';

/** The error of a call that hooks, rules or a person have refused. The model reads its message. */
export class ToolRefusedError extends Error {
  override readonly name = 'ToolRefusedError';
}

/** A tool without `execute` runs elsewhere, so it is returned as it is. */
export function hookTool<T extends HostTool>(session: HookSession, name: string, tool: T): T {
  const { execute } = tool;
  if (typeof execute !== 'function') return tool;
  const callOf = (input: unknown, options: ExecuteOptions): Omit<ToolCall<unknown>, 'run'> => ({
    name,
    input: input as ToolInput,
    id: options.toolCallId,
    signal: options.abortSignal,
    check: (changed) => checkWithSchema(tool.inputSchema, changed),
  });
  const run = async (input: unknown, options: ExecuteOptions, start: Execute): Promise<unknown> => {
    const end = await session.run(
      { ...callOf(input, options), run: (final) => start(final, options) },
      { approved: isApproved(options.messages ?? [], options.toolCallId) },
    );
    return outputOf(end, tool.toModelOutput !== undefined);
  };
  const needsApproval = async (input: unknown, options: ExecuteOptions): Promise<boolean> => {
    const { behavior } = await session.judge({ ...callOf(input, options), run: () => undefined });
    if (behavior === 'deny') return false;
    return behavior === 'ask' || (await asksItself(tool.needsApproval, input, options));
  };
  return {
    ...tool,
    execute: isGenerator(execute)
      ? (input: unknown, options: ExecuteOptions) => runGenerator(run, execute, input, options)
      : (input: unknown, options: ExecuteOptions) =>
          run(input, options, async (final) => lastOf(await execute(final, options))),
    needsApproval,
    toModelOutput: renderWithTexts(tool.toModelOutput as never),
  };
}

/** What the host keeps as the output. A refusal and a failure are errors to it. */
function outputOf(end: ToolEnd<unknown>, rendersItself: boolean): unknown {
  if (end.status === 'refused') throw new ToolRefusedError([end.reason, ...end.texts].join('\n\n'));
  if ('updatedOutput' in end) return addTexts(end.updatedOutput, end.texts, rendersItself);
  if (!('error' in end)) return addTexts(end.result, end.texts, rendersItself);
  if (end.texts.length === 0) throw end.error;
  throw new Error([messageOf(end.error), ...end.texts].join('\n\n'), { cause: end.error });
}

async function asksItself(needs: unknown, input: unknown, options: ExecuteOptions): Promise<boolean> {
  return typeof needs === 'function' ? (await needs(input, options)) === true : needs === true;
}

const isGenerator = (execute: Execute): boolean => execute.constructor.name === 'AsyncGeneratorFunction';

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function lastOf(value: unknown, each: (output: unknown) => void = () => {}): Promise<unknown> {
  if (!isIterable(value)) return value;
  let last: unknown;
  for await (last of value) each(last);
  return last;
}

/** Outputs on the way are passed on as they come; the last one is the tool's result. */
async function* runGenerator(
  run: (input: unknown, options: ExecuteOptions, start: Execute) => Promise<unknown>,
  execute: Execute,
  input: unknown,
  options: ExecuteOptions,
): AsyncGenerator<unknown> {
  yield yield* whileRunning((pass) => run(input, options, (final) => lastOf(execute(final, options), pass)));
}
