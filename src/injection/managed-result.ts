/** The data types of the hook manager: a hook's input, its result, and the combined result of all hooks. */
import { rowOf } from '../events/registry.js';
import type { AnyEvent, HookContext, HookEvent } from '../events/types.js';
import type { HookOutcome } from '../runner/outcome.js';

type Json = Readonly<Record<string, unknown>>;
export type Injected = HookOutcome['injections'][number];

/** One tool call, before or after it ran. */
export interface ManagedCall {
  readonly hookType: AnyEvent;
  readonly sessionId: string;
  /** Empty if the host has not set it. */
  readonly orchestratorId: string;
  readonly agentId: string | null;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** The tool; for events without a tool, the value that matchers are applied to. */
  readonly toolName: string;
  /** Always an object; anything else is wrapped as `{ raw }`. */
  readonly toolInput: Json;
  /** What the tool returned, or its error, as text; null before the call. */
  readonly toolOutput: string | null;
}

/** What a hook returns. All fields are optional. */
export interface ManagedResult {
  readonly decision?: 'allow' | 'deny' | 'ask' | undefined;
  readonly reason?: string | undefined;
  /** The complete new input of the tool. */
  readonly updatedInput?: Json | undefined;
  readonly inject?: InjectedPiece | readonly InjectedPiece[] | undefined;
  /** Problems that occurred although there is a result. */
  readonly hookErrors?: readonly string[] | undefined;
}

/** Content to inject into the agent's conversation. */
export interface InjectedPiece {
  readonly content: string;
  /** Default: `tool_result`. */
  readonly strategy?: Injected['strategy'] | undefined;
}

/** The record of one hook run. */
export interface ExecutedHook {
  readonly hookName: string;
  readonly hookType: AnyEvent;
  readonly decision: 'allow' | 'deny' | 'ask' | 'error';
  readonly reason?: string;
  readonly executionTimeMs: number;
}

/** The combined result of all hooks of one event. */
export interface ExecutedHooks {
  /** Whether the tool may run without approval; false for `ask` too. */
  readonly allowed: boolean;
  readonly decision: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly updatedInput?: Json;
  /** In the order of the hooks, each with its own strategy. */
  readonly injections: readonly Injected[];
  readonly hookErrors: readonly string[];
  /** Every hook that ran, including those before one that denied. */
  readonly executedHooks: readonly ExecutedHook[];
  /** The complete outcome in hookline's own format. */
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

/** Converts camelCase names to those of the dialect; the dialect validates the rest. */
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
  // A hook of another dialect may defer the decision; here that means `ask`.
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
