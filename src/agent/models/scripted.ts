/** A model that answers from a script, turn by turn. It is the built-in default, for tests, examples and dry runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import {
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
  type StopReason,
  type ToolUseBlock,
} from './port.js';
import { readScript, type Script, type Turn } from './scripted-schema.js';

/** Options of `scriptedModel`. */
export interface ScriptedModelOptions {
  /** Default: `scripted`. */
  readonly name?: string;
  /** The maximum number of characters in a piece of text. Default: 16. */
  readonly pieceLength?: number;
}

const OPTIONS: OptionNames<ScriptedModelOptions> = { name: true, pieceLength: true };

/** A model that follows a script and records its requests. */
export interface ScriptedModel extends Model {
  /** All requests so far, copied on arrival: later changes by the loop do not show here. */
  readonly requests: readonly ModelRequest[];
  /** The number of unused turns. */
  readonly remaining: number;
}

/** A turn together with the ids of its tool calls. */
interface Part {
  readonly turn: Turn;
  readonly tools: readonly ToolUseBlock[];
}

/**
 * Creates a model that answers from a script. A request takes the first unused turn that matches it; a turn without
 * `when` matches the conversation itself (`purpose: 'turn'`). The turn is taken when `stream` is called, so that
 * concurrent calls have a defined order. Pass the content of a JSON or YAML file through `readScript` first.
 *
 * Throws a `HookError` with code `invalid_option` if the script is invalid. If no turn matches a request, the stream
 * throws a `ModelError` with code `script_exhausted`.
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  refuseUnknownOptions('scriptedModel', options, OPTIONS);
  const { name = 'scripted', pieceLength = 16 } = options;
  if (!(Number.isInteger(pieceLength) && pieceLength > 0)) {
    const expected = `\`pieceLength\` must be a positive whole number, not ${show(pieceLength)}`;
    throw new HookError('invalid_option', `scriptedModel: ${expected}`);
  }
  const turns = [...readScript(script)];
  const total = turns.length;
  const requests: ModelRequest[] = [];
  let toolCount = 0;

  const takePart = (request: ModelRequest): Part | undefined => {
    const index = turns.findIndex((turn) => isMeantFor(turn, request));
    const turn = turns[index];
    if (turn === undefined) return undefined;
    if (turn.repeat !== true) turns.splice(index, 1);
    const tools = (turn.tools ?? []).map(({ id, name: tool, input }): ToolUseBlock => {
      toolCount += 1;
      const given = id ?? `toolu_script_${String(toolCount).padStart(4, '0')}`;
      return { type: 'tool_use', id: given, name: tool, input: structuredClone(input ?? {}) };
    });
    return { turn, tools };
  };

  return {
    name,
    requests,
    get remaining() {
      return turns.length;
    },
    stream(request) {
      requests.push(copyOf(request));
      const part = takePart(request);
      if (part !== undefined) return perform(part, name, request.signal, pieceLength);
      const left = turns.length === 0 ? 'and all are used' : `and none of the ${turns.length} left matches`;
      return exhausted(
        request.signal,
        `${name}: no turn for request ${requests.length} (${request.purpose}): the script has ${total}, ${left}. ` +
          'Add a turn (with `when` for requests outside the conversation), or `repeat: true` to the last one.',
      );
    },
  };
}

async function* perform(
  { turn, tools }: Part,
  model: string,
  signal: AbortSignal,
  pieceLength: number,
): AsyncGenerator<ModelEvent, void> {
  signal.throwIfAborted();
  await pause(turn.delayMs ?? 0, signal);
  const thinking = turn.thinking ?? '';
  for (const piece of piecesOf(thinking, pieceLength)) {
    yield { type: 'thinking_delta', thinking: piece };
    signal.throwIfAborted();
  }
  if (thinking !== '') yield { type: 'thinking', thinking, provider: 'scripted', model };
  for (const text of piecesOf(turn.text ?? '', pieceLength)) {
    yield { type: 'text', text };
    signal.throwIfAborted();
  }
  if (turn.error !== undefined) {
    const { code, message, status } = turn.error;
    throw new ModelError(code, message, status === undefined ? {} : { status });
  }
  for (const tool of tools) {
    yield tool;
    signal.throwIfAborted();
  }
  const natural: StopReason = tools.length > 0 ? 'tool_use' : 'end_turn';
  const usage = (turn.usage ?? { inputTokens: 0, outputTokens: 0 }) as ModelUsage;
  yield { type: 'end', stopReason: turn.stopReason ?? natural, usage };
}

// biome-ignore lint/correctness/useYield: a stream that fails before its first event
async function* exhausted(signal: AbortSignal, message: string): AsyncGenerator<ModelEvent, void> {
  signal.throwIfAborted();
  throw new ModelError('script_exhausted', message);
}

function isMeantFor({ when = 'turn' }: Turn, request: ModelRequest): boolean {
  return typeof when === 'function' ? when(request) : when === request.purpose;
}

/** Never splits a character. */
function* piecesOf(text: string, length: number): Generator<string, void> {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += length) yield characters.slice(at, at + length).join('');
}

/** Node's timer rejects with its own abort error; the contract requires the signal's reason. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function copyOf({ signal, ...rest }: ModelRequest): ModelRequest {
  return { ...structuredClone(rest), signal };
}
