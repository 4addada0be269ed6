/** A model that says what a script says, turn by turn: the embedded default, for tests, examples and rehearsals. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HookError, show } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import {
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type StopReason,
  type ToolUseBlock,
} from './port.js';
import { readScript, type Script, type Turn } from './scripted-schema.js';

/** How a script is spoken. */
export interface ScriptedModelOptions {
  /** Default: `scripted`. */
  readonly name?: string;
  /** How many characters a piece of text has at most; 16 when absent. */
  readonly pieceLength?: number;
}

const OPTIONS: OptionNames<ScriptedModelOptions> = { name: true, pieceLength: true };

/** A model that follows its script, and can be asked what it was asked. */
export interface ScriptedModel extends Model {
  /** Every request so far, copied when it came: what the loop changes later is not seen here. */
  readonly requests: readonly ModelRequest[];
  /** How many turns have not been used. */
  readonly remaining: number;
}

/** A turn with the ids of its tools, as it will be said. */
interface Part {
  readonly turn: Turn;
  readonly tools: readonly ToolUseBlock[];
}

/**
 * A request takes the first unused turn that is meant for it: without `when`, a turn is for the conversation itself
 * (`purpose: 'turn'`). It is taken when `stream` is called, so that calls side by side have an order.
 * What a JSON or YAML file holds goes through `readScript` first, for its type.
 *
 * Throws a `HookError`, code `invalid_option`, for a script that cannot be used. A request without a turn left for it
 * ends with a `ModelError`, code `script_exhausted`.
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
      if (part !== undefined) return perform(part, request.signal, pieceLength);
      const left = turns.length === 0 ? 'and all are used' : `and none of the ${turns.length} left is for it`;
      return exhausted(
        request.signal,
        `${name}: no turn for request ${requests.length} (${request.purpose}): the script has ${total}, ${left}. ` +
          'Add a turn, with `when` for what is not the conversation, or `repeat: true` to the last one.',
      );
    },
  };
}

async function* perform(
  { turn, tools }: Part,
  signal: AbortSignal,
  pieceLength: number,
): AsyncGenerator<ModelEvent, void> {
  signal.throwIfAborted();
  await pause(turn.delayMs ?? 0, signal);
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
  const usage = turn.usage ?? { inputTokens: 0, outputTokens: 0 };
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

/** Pieces end between characters, never within one. */
function* piecesOf(text: string, length: number): Generator<string, void> {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += length) yield characters.slice(at, at + length).join('');
}

/** Node's own timer rejects with an error of its own; the contract wants the signal's reason. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function copyOf({ signal, ...said }: ModelRequest): ModelRequest {
  return { ...structuredClone(said), signal };
}
