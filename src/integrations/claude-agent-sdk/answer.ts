/** Converts an outcome to the response that the Agent SDK expects for an event. Pure. */
import type { SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { endsBeforeTool } from '../model-texts.js';
import { fieldOf } from '../tool-content.js';
import { formFor } from './roles.js';

type Json = Readonly<Record<string, unknown>>;

export interface Answering {
  /** What the model should read with this event; omitted where the SDK does not accept it. */
  readonly context: string;
  /** Overrides the outcome at the end of a turn: continue, for this reason. */
  readonly goOn?: string | undefined;
  readonly onAsk: 'ask' | 'deny';
  /** Shown to people in addition to the hooks' messages. */
  readonly notice?: string | undefined;
}

/** Contract: never an asynchronous response, never a field that the SDK does not support for the event. */
export function toSdkAnswer(
  event: AnyEvent,
  outcome: HookOutcome,
  input: Json,
  answering: Answering,
): SyncHookJSONOutput {
  const systemMessage = [...outcome.systemMessages, ...(answering.notice ? [answering.notice] : [])].join(
    '\n',
  );
  return {
    ...(outcome.continue === false && { continue: false }),
    ...(outcome.continue === false && outcome.stopReason !== undefined && { stopReason: outcome.stopReason }),
    ...(outcome.suppressOutput && { suppressOutput: true }),
    ...(systemMessage !== '' && { systemMessage }),
    ...decisionOf(event, outcome, answering),
    ...specificOf(event, outcome, input, answering),
  };
}

/** For events that are denied with a top-level `block`; at the end of a turn it makes the agent continue. */
function decisionOf(
  event: AnyEvent,
  outcome: HookOutcome,
  { goOn }: Answering,
): Pick<SyncHookJSONOutput, 'decision' | 'reason'> {
  const { decisionForm, role } = formFor(event);
  if (decisionForm !== 'block') return {};
  if (role === 'turn-ends' || role === 'subagent-ends')
    return goOn === undefined ? {} : { decision: 'block', reason: goOn };
  if (outcome.decision !== 'deny' && outcome.decision !== 'defer') return {};
  return { decision: 'block', reason: outcome.reason ?? `Refused by a hook of ${event}` };
}

function specificOf(
  event: AnyEvent,
  outcome: HookOutcome,
  input: Json,
  { context, onAsk }: Answering,
): Pick<SyncHookJSONOutput, 'hookSpecificOutput'> {
  const { decisionForm, acceptsContext, rewritesOutput } = formFor(event);
  const fields: Json = {
    ...carriedOf(event, outcome),
    ...(decisionForm === 'permission' && permissionOf(outcome, onAsk)),
    ...(decisionForm === 'permission-request' && permissionRequestOf(outcome)),
    ...(rewritesOutput && 'updatedOutput' in outcome && outputOf(input, outcome.updatedOutput)),
    ...(acceptsContext && context !== '' && { additionalContext: context }),
  };
  if (Object.keys(fields).length === 0) return {};
  // The event is only known at run time; its format says that it has these fields.
  return { hookSpecificOutput: { hookEventName: event, ...fields } as never };
}

/** Fields that are folded into the outcome, and written from it. */
const FOLDED: ReadonlySet<string> = new Set([
  ...['additionalContext', 'permissionDecision', 'permissionDecisionReason', 'decision'],
  ...['updatedInput', 'updatedMCPToolOutput', 'updatedToolOutput'],
]);

/** The event's other fields, such as `retry` or `sessionTitle`, as the hooks gave them. The last hook wins. */
function carriedOf(event: AnyEvent, { hookSpecificOutputs }: HookOutcome): Json {
  const known = Object.keys(rowOf(event).answer).filter((name) => !FOLDED.has(name));
  const given: Json = Object.assign({}, ...hookSpecificOutputs);
  return Object.fromEntries(
    known.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

/** Without a decision, the host's own rules decide, about the rewritten input. */
function permissionOf(outcome: HookOutcome, onAsk: 'ask' | 'deny'): Json {
  const { updatedInput } = outcome;
  return { ...permissionDecisionOf(outcome, onAsk), ...(updatedInput !== undefined && { updatedInput }) };
}

function permissionDecisionOf(outcome: HookOutcome, onAsk: 'ask' | 'deny'): Json {
  const { decision, reason, stopReason } = outcome;
  const decide = (permissionDecision: string, why: string | undefined): Json => ({
    permissionDecision,
    ...(why !== undefined && { permissionDecisionReason: why }),
  });
  if (decision === 'deny') return decide('deny', reason);
  // The host runs a tool even if the run should end; only a deny prevents it.
  if (endsBeforeTool(outcome)) return decide('deny', stopReason ?? 'A hook has ended the run.');
  if (decision === 'defer')
    return decide('deny', `Deferred, to be decided later${reason ? `: ${reason}` : ''}`);
  if (decision === 'ask' && onAsk === 'deny')
    return decide('deny', `This needs a person's approval${reason ? `: ${reason}` : ''}`);
  return decision === undefined ? {} : decide(decision, reason);
}

/** Without a decision, or with `ask`, the host asks as usual. */
function permissionRequestOf({ decision, reason, updatedInput, hookSpecificOutputs }: HookOutcome): Json {
  const answers = hookSpecificOutputs.map((output) => fieldOf(output, 'decision'));
  if (decision === 'allow') {
    const updates = answers.flatMap((answer) => fieldOf(answer, 'updatedPermissions') ?? []);
    return {
      decision: {
        behavior: 'allow',
        ...(updatedInput !== undefined && { updatedInput }),
        ...(updates.length > 0 && { updatedPermissions: updates }),
      },
    };
  }
  if (decision !== 'deny' && decision !== 'defer') return {};
  const interrupt = answers.some((answer) => fieldOf(answer, 'interrupt') === true);
  return {
    decision: {
      behavior: 'deny',
      ...(reason !== undefined && { message: reason }),
      ...(interrupt && { interrupt }),
    },
  };
}

/**
 * Some hosts accept a rewritten output of their own tools under another name; for MCP tools they accept blocks or text.
 */
function outputOf(input: Json, output: unknown): Json {
  if (!String(input['tool_name']).startsWith('mcp__')) return { updatedToolOutput: output };
  const inner = fieldOf(output, 'content');
  if (typeof output === 'string' || isBlocks(output)) return { updatedMCPToolOutput: output };
  if (isBlocks(inner)) return { updatedMCPToolOutput: inner };
  // Any other value crashes some hosts.
  return { updatedMCPToolOutput: JSON.stringify(output) };
}

const isBlocks = (value: unknown): boolean =>
  Array.isArray(value) && value.every((block) => typeof fieldOf(block, 'type') === 'string');
