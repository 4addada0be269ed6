/** The data of the hook manager: what a hook is told, what it answers, and what all of them come to. */
import { rowOf } from '../events/registry.js';
import type { AnyEvent, HookContext, HookEvent } from '../events/types.js';
import type { HookOutcome } from '../runner/outcome.js';

type Json = Readonly<Record<string, unknown>>;
export type Injected = HookOutcome['injections'][number];

/** One call of a tool, before or after it. */
export interface ManagedCall {
  readonly hookType: AnyEvent;
  readonly sessionId: string;
  /** Empty where the host has not said it. */
  readonly orchestratorId: string;
  readonly agentId: string | null;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** The tool; on events without one, what matchers look at. */
  readonly toolName: string;
  /** Always an object; anything else is wrapped as `{ raw }`. */
  readonly toolInput: Json;
  /** What the tool has returned, or its error, as text; null before the call. */
  readonly toolOutput: string | null;
}

/** What a hook answers. Everything may be left out. */
export interface ManagedResult {
  readonly decision?: 'allow' | 'deny' | 'ask' | undefined;
  readonly reason?: string | undefined;
  /** The whole new input of the tool. */
  readonly updatedInput?: Json | undefined;
  readonly inject?: InjectedPiece | readonly InjectedPiece[] | undefined;
  /** Things that went wrong although there is an answer. */
  readonly hookErrors?: readonly string[] | undefined;
}

/** Something the agent is to be told. */
export interface InjectedPiece {
  readonly content: string;
  /** Default: `tool_result`. */
  readonly strategy?: Injected['strategy'] | undefined;
}

/** One line of the record. */
export interface ExecutedHook {
  readonly hookName: string;
  readonly hookType: AnyEvent;
  readonly decision: 'allow' | 'deny' | 'ask' | 'error';
  readonly reason?: string;
  readonly executionTimeMs: number;
}

/** What all hooks of one event came to. */
export interface ExecutedHooks {
  /** Whether the tool may run without anybody being asked: false for an ask too. */
  readonly allowed: boolean;
  readonly decision: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly updatedInput?: Json;
  /** In the order of the hooks, each with its own strategy. */
  readonly injections: readonly Injected[];
  readonly hookErrors: readonly string[];
  /** Every hook that ran, also those before one that denied. */
  readonly executedHooks: readonly ExecutedHook[];
  /** The same in hookline's own terms, and more of it. */
  readonly outcome: HookOutcome;
}

export function toCall(event: HookEvent, input: Json, context: HookContext): ManagedCall {
  const output = input['tool_response'] ?? input['error'];
  const given = input['tool_input'];
  return {
    hookType: event,
    sessionId: textOr(input['session_id'], ''),
    orchestratorId: textOr(input['orchestrator_id'], ''),
    agentId: context.agentId ?? textOr(input['agent_id'], null),
    timestamp: new Date().toISOString(),
    toolName: textOr(input[rowOf(event).matcherField ?? 'tool_name'], ''),
    toolInput: isRecord(given) ? given : given === undefined || given === null ? {} : { raw: given },
    toolOutput: output === undefined ? null : typeof output === 'string' ? output : JSON.stringify(output),
  };
}

/** Our names become those of the dialect; all else is left for the dialect to judge. */
export function toWire(result: unknown): unknown {
  if (!isRecord(result)) return result;
  const { updatedInput, hookErrors, ...rest } = result;
  return {
    ...rest,
    ...(updatedInput !== undefined && { updated_input: updatedInput }),
    ...(hookErrors !== undefined && { hook_errors: hookErrors }),
  };
}

const REPORTED = 'it reports: ';

export function toExecuted(outcome: HookOutcome): ExecutedHooks {
  const { decision: decided, reason, updatedInput, injections, failures, notes, results, event } = outcome;
  // A hook of another dialect may put the decision off; here that is a question too.
  const decision = decided === 'defer' ? 'ask' : (decided ?? 'allow');
  return {
    allowed: decision === 'allow',
    decision,
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    injections,
    hookErrors: [
      ...failures.map(({ name, message }) => `${name}: ${message}`),
      ...notes
        .filter(({ message }) => message.startsWith(REPORTED))
        .map(({ name, message }) => `${name}: ${message.slice(REPORTED.length)}`),
    ],
    executedHooks: results.map((result) => ({
      hookName: result.name,
      hookType: event,
      decision:
        result.failure !== undefined
          ? 'error'
          : result.decision === 'defer'
            ? 'ask'
            : (result.decision ?? 'allow'),
      ...(result.reason !== undefined && { reason: result.reason }),
      executionTimeMs: result.durationMs,
    })),
    outcome,
  };
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
