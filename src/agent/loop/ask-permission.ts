/**
 * Decides whether a tool call may run: rules and mode first, then PermissionRequest hooks, then a person. If nobody
 * can be asked, the call is denied.
 */
import { abortable } from '../../base/async/abortable.js';
import { messageOf, show } from '../../base/errors.js';
import { adviseUnasked } from '../../permissions/advice.js';
import type { PermissionCall, PermissionUpdate, PermissionVerdict } from '../../permissions/permissions.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { originOf } from './after-tool.js';
import type { Agent } from './agent.js';
import { fireDirectoriesAdded } from './directories.js';
import { notifyUnlessAnswered } from './notify.js';
import { prepareFor } from './prepare-input.js';
import type { Session, StopRequest } from './session.js';
import { type Call, stopRequestOf } from './tool-result.js';

/** A person's answer, in the Agent SDK's shape. */
export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
      readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
    }
  | {
      readonly behavior: 'deny';
      readonly message?: string | undefined;
      /** Ends the whole turn. */
      readonly interrupt?: boolean | undefined;
    };

/** Asks a person for permission; the Agent SDK's signature. If it throws or rejects, the call is denied. */
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
      /** Set if the denial also ends the turn. */
      readonly halt?: StopRequest | undefined;
    };

/** An answer, with fields that only hooks can add. */
type Answered = PermissionAnswer & { readonly by?: 'hook' | 'default'; readonly halt?: StopRequest };

export async function obtainPermission(
  session: Session,
  agent: Agent,
  call: Call,
  before: HookOutcome<'PreToolUse'>,
  signal: AbortSignal,
): Promise<Permission> {
  const verdict = decide(session, agent, call, before);
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
  // An answer is applied as a whole: if its input is not permitted, its permission updates are ignored.
  if (!permission.allowed) return permission;
  const updates = answer.updatedPermissions ?? [];
  const problem = applyUpdates(session, updates);
  if (problem !== undefined) return { allowed: false, message: problem, by: 'tool' };
  await fireDirectoriesAdded(session, agent, updates, 'permission_update', signal);
  return permission;
}

/** Returns an error message if the updates cannot be applied; the call is then denied. */
function applyUpdates(session: Session, updates: readonly PermissionUpdate[]): string | undefined {
  try {
    session.permissions.apply(updates);
    return undefined;
  } catch (error) {
    return `The permission came with updates that cannot be applied: ${messageOf(error)}`;
  }
}

function decide(
  session: Session,
  agent: Agent,
  call: Call,
  before?: HookOutcome<'PreToolUse'>,
): PermissionVerdict {
  const { decision, reason } = before ?? {};
  const hook = decision === 'allow' || decision === 'ask' ? { decision, reason } : undefined;
  return session.permissions.decide({ ...permissionCall(agent, call), hook });
}

/** The call in the form that `Permissions` takes. */
export function permissionCall({ cwd }: Agent, { tool, input }: Call): PermissionCall {
  const { name: toolName, aliases, paths, readOnly, harmless } = tool;
  return { toolName, aliases, input, paths, readOnly, harmless, cwd };
}

/** Checks an input that was changed by the answer: it must be valid, and no rule may deny it. */
function checkAgain(session: Session, agent: Agent, call: Call): Permission {
  const prepared = prepareFor(session, agent, call.tool, call.input);
  if (!prepared.ok) return { allowed: false, message: prepared.error, by: 'tool' };
  const { input } = prepared;
  const verdict = decide(session, agent, { ...call, input });
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
  // A hook that asks wants a person to decide; other hooks cannot decide instead.
  if (byHook && canUseTool === undefined) return { behavior: 'deny', by: 'hook', message: verdict.reason };
  const suggestions = byHook ? undefined : session.permissions.suggest(permissionCall(agent, call));
  const answered = await askHooks(session, agent, call, suggestions, signal);
  if (answered !== undefined) return answered;
  if (canUseTool === undefined) {
    const advice = adviseUnasked(
      { toolName: call.tool.name, readOnly: call.tool.readOnly },
      verdict,
      suggestions ?? [],
    );
    return { behavior: 'deny', by: 'default', message: `${verdict.reason} ${advice}` };
  }
  if (signal.aborted)
    return {
      behavior: 'deny',
      message: `${verdict.reason} Permission was not requested: the run was interrupted.`,
    };
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
      ...originOf(tool),
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

/** Throws if the answer is invalid: `canUseTool` may be written in plain JavaScript. */
function checkAnswer(answer: PermissionAnswer | undefined): PermissionAnswer {
  if (answer?.behavior === 'allow' || answer?.behavior === 'deny') return answer;
  throw new Error(`expected an object with the behavior 'allow' or 'deny', got ${show(answer)}`);
}

function interrupted(): never {
  throw new Error('the run was interrupted');
}
