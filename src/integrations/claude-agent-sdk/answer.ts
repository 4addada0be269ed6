/** Writes an outcome down as the answer that the Agent SDK takes for an event. Pure. */
import type { SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import type { HookEvent } from '../../events/types.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { endsBeforeTool } from '../model-texts.js';
import { fieldOf } from '../tool-content.js';
import { formFor } from './roles.js';

type Json = Readonly<Record<string, unknown>>;

export interface Answering {
  /** What the model is to read with this event; where the SDK takes none, it is left out. */
  readonly context: string;
  /** Overrules what the outcome would mean for the end of a turn: go on, and tell why. */
  readonly goOn?: string | undefined;
  readonly onAsk: 'ask' | 'deny';
  /** Said to people beside what the hooks say. */
  readonly notice?: string | undefined;
}

/** Contract: never an asynchronous answer, never a field that the SDK does not know for the event. */
export function toSdkAnswer(
  event: HookEvent,
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

/** For the events whose refusal is a `block`: it stands at the top, and keeps an agent going where it would end. */
function decisionOf(
  event: HookEvent,
  outcome: HookOutcome,
  { goOn }: Answering,
): Pick<SyncHookJSONOutput, 'decision' | 'reason'> {
  const { decides, role } = formFor(event);
  if (decides !== 'block') return {};
  if (role === 'turn-ends' || role === 'subagent-ends')
    return goOn === undefined ? {} : { decision: 'block', reason: goOn };
  if (outcome.decision !== 'deny' && outcome.decision !== 'defer') return {};
  return { decision: 'block', reason: outcome.reason ?? `Refused by a hook of ${event}` };
}

function specificOf(
  event: HookEvent,
  outcome: HookOutcome,
  input: Json,
  { context, onAsk }: Answering,
): Pick<SyncHookJSONOutput, 'hookSpecificOutput'> {
  const { decides, tells, rewritesOutput } = formFor(event);
  const fields: Json = {
    ...(decides === 'permission' && permissionOf(outcome, onAsk)),
    ...(decides === 'permission-request' && permissionRequestOf(outcome)),
    ...(rewritesOutput && 'updatedOutput' in outcome && outputOf(input, outcome.updatedOutput)),
    ...(tells && context !== '' && { additionalContext: context }),
  };
  if (Object.keys(fields).length === 0) return {};
  // The event is only known when it comes; its form says that these are the fields that it has.
  return { hookSpecificOutput: { hookEventName: event, ...fields } as never };
}

/** No decision leaves the host's own rules to decide, about the rewritten input. */
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
  // The host runs a tool although it is told to end; only a refusal keeps it from running.
  if (endsBeforeTool(outcome)) return decide('deny', stopReason ?? 'A hook has ended the run.');
  if (decision === 'defer')
    return decide('deny', `Put off, to be decided later${reason ? `: ${reason}` : ''}`);
  if (decision === 'ask' && onAsk === 'deny')
    return decide('deny', `This needs a person's agreement${reason ? `: ${reason}` : ''}`);
  return decision === undefined ? {} : decide(decision, reason);
}

/** Undecided, or to be asked about: the host asks whoever it would ask. */
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

/** Hosts take a rewritten output of their own tools under another name, if at all; for MCP tools, blocks or a text. */
function outputOf(input: Json, output: unknown): Json {
  if (!String(input['tool_name']).startsWith('mcp__')) return { updatedToolOutput: output };
  const inner = fieldOf(output, 'content');
  if (typeof output === 'string' || isBlocks(output)) return { updatedMCPToolOutput: output };
  if (isBlocks(inner)) return { updatedMCPToolOutput: inner };
  // Anything else ends the run of some hosts.
  return { updatedMCPToolOutput: JSON.stringify(output) };
}

const isBlocks = (value: unknown): boolean =>
  Array.isArray(value) && value.every((block) => typeof fieldOf(block, 'type') === 'string');
