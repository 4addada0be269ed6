/** May this call run? Rules and modes first; where they ask, the hooks for it, then a person; without anybody, no. */
import { abortable } from '../../base/async/abortable.js';
import { messageOf, show } from '../../base/errors.js';
import { adviseUnasked } from '../../permissions/advice.js';
import type { PermissionCall, PermissionUpdate, PermissionVerdict } from '../../permissions/permissions.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { Agent } from './agent.js';
import { notifyUnlessAnswered } from './notify.js';
import { prepareFor } from './prepare-input.js';
import type { Session, StopRequest } from './session.js';
import { type Call, stopRequestOf } from './tool-result.js';

/** What a person answers, in the Agent SDK's shape. */
export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
      readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
    }
  | {
      readonly behavior: 'deny';
      readonly message?: string | undefined;
      /** The whole turn ends. */
      readonly interrupt?: boolean | undefined;
    };

/** Asks a person; the Agent SDK's signature. What it throws is a no. */
export type CanUseTool = (
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  options: {
    readonly signal: AbortSignal;
    readonly toolUseID: string;
    readonly suggestions?: readonly PermissionUpdate[] | undefined;
    readonly decisionReason?: string | undefined;
    readonly agentID?: string | undefined;
  },
) => Promise<PermissionAnswer>;

export type Permission =
  | { readonly allowed: true; readonly input: unknown }
  | {
      readonly allowed: false;
      readonly message: string;
      readonly by: string;
      /** Whoever refused wants the whole turn to end. */
      readonly halt?: StopRequest | undefined;
    };

/** An answer, and what only hooks can add to it. */
type Answered = PermissionAnswer & { readonly by?: 'hook'; readonly halt?: StopRequest };

export async function obtainPermission(
  session: Session,
  agent: Agent,
  call: Call,
  before: HookOutcome<'PreToolUse'>,
  signal: AbortSignal,
): Promise<Permission> {
  const verdict = judge(session, agent, call, before);
  if (verdict.behavior === 'allow') return { allowed: true, input: call.input };
  if (verdict.behavior === 'deny') return { allowed: false, message: verdict.reason, by: verdict.by };
  const answer = await ask(session, agent, call, verdict, signal);
  if (answer.behavior === 'deny') {
    const message = answer.message?.trim() ? answer.message : `${verdict.reason} It was refused.`;
    const interrupted = answer.interrupt === true ? ({ reason: 'permission_interrupt' } as const) : undefined;
    return { allowed: false, message, by: answer.by ?? 'person', halt: answer.halt ?? interrupted };
  }
  const permission: Permission =
    answer.updatedInput === undefined
      ? { allowed: true, input: call.input }
      : checkAgain(session, agent, { ...call, input: answer.updatedInput });
  // Nothing of an answer counts whose other half does not.
  if (!permission.allowed) return permission;
  const problem = applyUpdates(session, answer.updatedPermissions ?? []);
  return problem === undefined ? permission : { allowed: false, message: problem, by: 'tool' };
}

/** A permission whose other half cannot be kept is none. */
function applyUpdates(session: Session, updates: readonly PermissionUpdate[]): string | undefined {
  try {
    session.permissions.apply(updates);
    return undefined;
  } catch (error) {
    return `It was permitted together with changes that cannot be made: ${messageOf(error)}`;
  }
}

function judge(
  session: Session,
  agent: Agent,
  call: Call,
  before?: HookOutcome<'PreToolUse'>,
): PermissionVerdict {
  const { decision, reason } = before ?? {};
  const hook = decision === 'allow' || decision === 'ask' ? { decision, reason } : undefined;
  return session.permissions.decide({ ...permissionCall(agent, call), hook });
}

/** A call as permissions judge it. */
export function permissionCall({ cwd }: Agent, { tool, input }: Call): PermissionCall {
  const { name: toolName, aliases, paths, readOnly, harmless } = tool;
  return { toolName, aliases, input, paths, readOnly, harmless, cwd };
}

/** An input that came with the permission is what was permitted, if it is one at all and no rule forbids it. */
function checkAgain(session: Session, agent: Agent, call: Call): Permission {
  const prepared = prepareFor(session, agent, call.tool, call.input);
  if (!prepared.ok) return { allowed: false, message: prepared.error, by: 'tool' };
  const { input } = prepared;
  const verdict = judge(session, agent, { ...call, input });
  if (verdict.behavior === 'deny') return { allowed: false, message: verdict.reason, by: verdict.by };
  return { allowed: true, input };
}

async function ask(
  session: Session,
  agent: Agent,
  call: Call,
  verdict: PermissionVerdict,
  signal: AbortSignal,
): Promise<Answered> {
  const { canUseTool } = session.options;
  const byHook = verdict.by === 'hook';
  // A hook that asks wants a person to decide; where there is none, no other hook takes that place.
  if (byHook && canUseTool === undefined) return { behavior: 'deny', message: verdict.reason };
  const suggestions = byHook ? undefined : session.permissions.suggest(permissionCall(agent, call));
  const answered = await askHooks(session, agent, call, suggestions, signal);
  if (answered !== undefined) return answered;
  if (canUseTool === undefined) {
    const advice = adviseUnasked(
      { toolName: call.tool.name, readOnly: call.tool.readOnly },
      verdict,
      suggestions ?? [],
    );
    return { behavior: 'deny', message: `${verdict.reason} ${advice}` };
  }
  if (signal.aborted)
    return { behavior: 'deny', message: `${verdict.reason} Nobody was asked: the run was interrupted.` };
  return askPerson(session, agent, call, canUseTool, suggestions, verdict, signal);
}

async function askHooks(
  session: Session,
  agent: Agent,
  { use, tool, input }: Call,
  suggestions: readonly PermissionUpdate[] | undefined,
  signal: AbortSignal,
): Promise<Answered | undefined> {
  const outcome = await session.hooks.fire(
    'PermissionRequest',
    agent,
    {
      tool_name: tool.name,
      tool_input: input,
      ...(suggestions && { permission_suggestions: [...suggestions] }),
    },
    { signal, toolUseID: use.id },
  );
  const halt = stopRequestOf(outcome);
  if (halt !== undefined) {
    const message = outcome.reason ?? `${tool.name} was not run: a hook ended the run before it.`;
    return { behavior: 'deny', by: 'hook', message, halt };
  }
  if (outcome.decision === 'deny' || outcome.aborted) {
    const interrupt = outcome.hookSpecificOutputs.some(wantsInterrupt);
    return { behavior: 'deny', by: 'hook', message: outcome.reason, interrupt };
  }
  if (outcome.decision !== 'allow') return undefined;
  const updatedPermissions = outcome.hookSpecificOutputs.flatMap(({ decision }) =>
    decision?.behavior === 'allow' ? (decision.updatedPermissions ?? []) : [],
  );
  return { behavior: 'allow', updatedInput: outcome.updatedInput, updatedPermissions };
}

const wantsInterrupt = ({
  decision,
}: HookOutcome<'PermissionRequest'>['hookSpecificOutputs'][number]): boolean =>
  decision?.behavior === 'deny' && decision.interrupt === true;

async function askPerson(
  session: Session,
  agent: Agent,
  { use, tool, input }: Call,
  canUseTool: CanUseTool,
  suggestions: readonly PermissionUpdate[] | undefined,
  verdict: PermissionVerdict,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const stopWaiting = notifyUnlessAnswered(session, agent, tool.name, signal);
  try {
    const asking = canUseTool(tool.name, input as Readonly<Record<string, unknown>>, {
      signal,
      toolUseID: use.id,
      suggestions,
      decisionReason: verdict.reason,
      agentID: agent.identity?.id,
    });
    return checkAnswer(await abortable(asking, signal, interrupted));
  } catch (error) {
    return {
      behavior: 'deny',
      message: `${verdict.reason} The question was not answered: ${messageOf(error)}`,
    };
  } finally {
    stopWaiting();
  }
}

/** What is no answer is no permission; whoever asks a person may be written without types. */
function checkAnswer(answer: PermissionAnswer | undefined): PermissionAnswer {
  if (answer?.behavior === 'allow' || answer?.behavior === 'deny') return answer;
  throw new Error(`expected an object with the behavior 'allow' or 'deny', got ${show(answer)}`);
}

function interrupted(): never {
  throw new Error('the run was interrupted');
}
