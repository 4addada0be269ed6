/** What a terminal shows of a run, computed from its messages: permanent lines, and what is running now. */

import {
  type LoopMessage,
  type PartialMessage,
  type ResultMessage,
  retryLine,
  type UserMessage,
} from '../../../agent/loop/messages.js';
import { escapeControls } from '../../../base/json/escape-controls.js';
import { injectionLine } from '../../../injection/messages.js';
import type { HookMessage, HookResponseMessage } from '../../../runner/messages/hook-messages.js';
import type { HookResult } from '../../../runner/outcome.js';
import { wordOf } from '../../../testing/verdict.js';
import { duration } from '../../hooks/show-fire.js';
import type { Paint } from '../../printer.js';
import { renderMarkdown } from './markdown.js';
import { callText, firstLine, indent, resultText } from './texts.js';

/** A running tool or hook. */
export interface Running {
  readonly id: string;
  readonly kind: 'tool' | 'hook';
  readonly name: string;
  readonly detail: string;
  readonly since: number;
  /** The last lines of its output. */
  readonly said: readonly string[];
  /** Why a call was denied. */
  readonly refused?: string;
  /** The reasons of hooks that denied something while it ran; their lines show them. */
  readonly reasons?: readonly string[];
}

export interface View {
  /** In the order in which they started. */
  readonly running: readonly Running[];
  /** The answer that the model is giving, as far as it has arrived. */
  readonly partial: string;
  /** The permanent lines that the last message adds. */
  readonly lines: readonly string[];
}

export const EMPTY_VIEW: View = { running: [], partial: '', lines: [] };

/** What the view needs to know besides the messages. */
export interface ViewContext {
  readonly now: number;
  readonly paint: Paint;
  /** The width of the terminal. */
  readonly columns: number;
  /** The result of a hook whose response has arrived, if known. */
  resultOf(hookId: string): HookResult | undefined;
  /** How long a person was asked about a call, or since the prompt about all of them. */
  waitedMs(toolUseId?: string): number;
}

const MAX_SAID = 3;
const MAX_OUTPUT = 5;
const MAX_RESULT = 5;

/** The view after one more message. Pure, if the functions of the context are. */
export function advance(view: View, message: LoopMessage, context: ViewContext): View {
  if (message.type === 'stream_event') return { ...view, partial: partialOf(view, message), lines: [] };
  const partial = message.type === 'assistant' || message.type === 'result' ? '' : view.partial;
  return { partial, ...read(view.running, message, context) };
}

function partialOf({ partial }: View, { event, parent_tool_use_id: parent }: PartialMessage): string {
  return parent === null && event.delta.type === 'text_delta' ? partial + event.delta.text : partial;
}

type Change = Pick<View, 'running' | 'lines'>;

function read(running: readonly Running[], message: LoopMessage, context: ViewContext): Change {
  const { now, paint, columns } = context;
  switch (message.type) {
    case 'assistant': {
      const texts = message.message.content.flatMap((block) =>
        block.type === 'text' ? renderMarkdown(block.text, paint, columns) : [],
      );
      const tools = message.message.content.flatMap((block): Running[] =>
        block.type === 'tool_use'
          ? [
              {
                id: block.id,
                kind: 'tool',
                name: block.name,
                detail: callText(block.input),
                since: now,
                said: [],
              },
            ]
          : [],
      );
      const shown = message.parent_tool_use_id === null ? texts : texts.map((text) => paint.dim(`  ${text}`));
      return { running: [...running, ...tools], lines: shown };
    }
    case 'user':
      return readResults(running, message, context);
    case 'result':
      return { running: [], lines: endLines(message, paint, context.waitedMs()) };
    case 'system':
      return readSystem(running, message, context);
    default:
      return { running, lines: [] };
  }
}

function readResults(
  running: readonly Running[],
  message: UserMessage,
  { now, paint, waitedMs }: ViewContext,
): Change {
  let left = running;
  const lines: string[] = [];
  for (const block of message.message.content) {
    // What hooks and a compaction put in; a line of the user is shown with its state.
    if (block.type === 'text' && message.isSynthetic === true)
      lines.push(...indent(block.text, MAX_OUTPUT).map(paint.dim));
    if (block.type !== 'tool_result') continue;
    const tool = running.find(({ id, kind }) => kind === 'tool' && id === block.tool_use_id);
    if (tool === undefined) continue;
    left = left.filter((each) => each !== tool);
    const failed = block.is_error === true;
    const mark = tool.refused !== undefined ? paint.magenta('⊘') : failed ? paint.red('✗') : paint.green('●');
    const what = `${mark} ${paint.bold(clean(tool.name))} ${tool.detail}`.trimEnd();
    const took = paint.dim(duration(now - tool.since - waitedMs(tool.id)));
    lines.push(`${what} ${tool.refused === undefined ? took : paint.magenta('refused')}`);
    if (tool.refused !== undefined) lines.push(...refusalLines(tool.refused, tool, paint));
    else if (failed) lines.push(...indent(resultText(block), MAX_OUTPUT).map(paint.red));
    else lines.push(...indent(resultText(block), MAX_RESULT).map(paint.dim));
  }
  return { running: left, lines };
}

/** The reason of a call that was denied, unless the line of a hook has shown it. */
function refusalLines(refused: string, { reasons = [] }: Running, paint: Paint): string[] {
  if (reasons.some((reason) => refused.endsWith(reason))) return [];
  return indent(refused, MAX_OUTPUT).map(paint.magenta);
}

type SystemMessage = Extract<LoopMessage, { type: 'system' }>;

function readSystem(
  running: readonly Running[],
  message: SystemMessage,
  { now, paint, resultOf }: ViewContext,
): Change {
  switch (message.subtype) {
    case 'hook_started':
    case 'hook_progress':
      return readHook(running, message, now);
    case 'hook_response':
      return readResponse(running, message, now, paint, resultOf(message.hook_id));
    case 'permission_denied':
      return {
        running: running.map((each) =>
          each.kind === 'tool' && each.id === message.tool_use_id
            ? { ...each, refused: message.message }
            : each,
        ),
        lines: [],
      };
    case 'informational': {
      const colour = message.level === 'warning' ? paint.magenta : paint.dim;
      return { running, lines: indent(message.content, MAX_OUTPUT).map(colour) };
    }
    case 'injection':
      return {
        running,
        lines: message.state === 'delivered' ? [paint.bold(`  ${injectionLine(message)}`)] : [],
      };
    case 'api_retry':
      return { running, lines: [paint.dim(`  ${retryLine(message)}`)] };
    case 'compact_boundary':
      return { running, lines: [paint.dim('  The conversation goes on from a summary.')] };
    case 'task_started':
      return {
        running,
        lines: [paint.dim(`  ${clean(message.subagent_type)}: ${clean(message.description)}`)],
      };
    case 'task_notification':
      return { running, lines: [paint.dim(`  An agent in the background has ended: ${message.status}.`)] };
    default:
      return { running, lines: [] };
  }
}

function readHook(
  running: readonly Running[],
  message: Exclude<HookMessage, HookResponseMessage>,
  now: number,
): Change {
  const { hook_id: id, hook_name: name } = message;
  if (message.subtype === 'hook_started') {
    const hook = { id, kind: 'hook', name, detail: eventText(message), since: now, said: [] } as const;
    return { running: [...running, hook], lines: [] };
  }
  const said = escapeControls(message.output)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return {
    running: running.map((each) =>
      each.kind === 'hook' && each.id === id
        ? { ...each, said: [...each.said, ...said].slice(-MAX_SAID) }
        : each,
    ),
    lines: [],
  };
}

function readResponse(
  running: readonly Running[],
  message: HookResponseMessage,
  now: number,
  paint: Paint,
  result: HookResult | undefined,
): Change {
  const hook = running.find((each) => each.kind === 'hook' && each.id === message.hook_id);
  const { mark, how, below } = endOf(message, paint, result);
  const took = hook === undefined ? '' : ` ${paint.dim(duration(now - hook.since))}`;
  const where = eventText(message);
  const line = `  ${mark} ${clean(message.hook_name)}${where && ` ${paint.dim(where)}`}${how && ` ${how}`}${took}`;
  const reason =
    result?.decision === 'deny' && result.failure === undefined ? result.reason?.trim() : undefined;
  const left = running.filter((each) => each !== hook);
  return { running: reason ? left.map((each) => withReason(each, reason)) : left, lines: [line, ...below] };
}

const withReason = (each: Running, reason: string): Running =>
  each.kind === 'tool' ? { ...each, reasons: [...(each.reasons ?? []), reason] } : each;

interface HookEnd {
  readonly mark: string;
  readonly how: string;
  readonly below: readonly string[];
}

/** A hook that decided has succeeded, whatever its exit code; one that failed has not. */
function endOf(
  { outcome, exit_code: code, output }: HookResponseMessage,
  paint: Paint,
  result?: HookResult,
): HookEnd {
  if (result?.decision !== undefined && result.failure === undefined) {
    const mark = result.decision === 'deny' ? paint.magenta('⊘') : paint.green('✓');
    const below = [
      ...indent(result.reason ?? '', MAX_OUTPUT, 4).map(paint.magenta),
      ...rewriteLines(result, paint),
    ];
    return { mark, how: wordOf(result), below };
  }
  // Messages call a hook that took too long cancelled, as one that was interrupted.
  const tooLong = result?.failure?.kind === 'timed-out';
  const ended = tooLong ? 'error' : outcome;
  const mark = { success: paint.green('✓'), error: paint.red('✗'), cancelled: paint.magenta('-') }[ended];
  const exit = code === undefined ? '' : `, exit ${code}`;
  const how = tooLong ? 'took too long' : outcome === 'success' ? '' : `${outcome}${exit}`;
  const said = outcome === 'error' ? indent(output, MAX_OUTPUT, 4).map(paint.red) : [];
  return { mark, how, below: [...said, ...rewriteLines(result, paint)] };
}

/** The tool gets another input than the line of the call shows. */
function rewriteLines(result: HookResult | undefined, paint: Paint): string[] {
  const specific: object = result?.hookSpecificOutput ?? {};
  if (!('updatedInput' in specific) || specific.updatedInput === undefined) return [];
  return [paint.dim(`    new input: ${callText(specific.updatedInput)}`)];
}

/** A hook without a name is named after its event. */
const eventText = ({ hook_name, hook_event }: HookMessage): string =>
  hook_name.startsWith(hook_event) ? '' : `(${hook_event})`;

function endLines(result: ResultMessage, paint: Paint, waitedMs: number): readonly string[] {
  const { errors = [], num_turns: turns, duration_ms: ms, terminal_reason: reason } = result;
  // A hook's text in place of an answer is shown nowhere else.
  const instead = reason === 'completed' || errors.length > 0 ? [] : indent(result.result, MAX_OUTPUT, 0);
  const calls = `${turns} ${turns === 1 ? 'turn' : 'turns'}`;
  const cost = result.total_cost_usd > 0 ? `, $${result.total_cost_usd.toFixed(4)} so far` : '';
  return [
    ...errors.flatMap((error) => indent(error, MAX_OUTPUT, 0)).map(paint.red),
    ...instead.map(paint.magenta),
    paint.dim(`${reason.replaceAll('_', ' ')}, ${calls}, ${duration(ms - waitedMs)}${cost}`),
  ];
}

const clean = (text: string): string => firstLine(escapeControls(text));
