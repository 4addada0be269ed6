/**
 * The only path on which a tool runs: input check, PreToolUse hooks, permission, the tool, then the hooks after it.
 * It is used by the main agent, subagents and retries.
 */

import type { HookOutcome } from '../../runner/outcome.js';
import type { ToolUseBlock } from '../models/port.js';
import { runTool } from '../tools/run-tool.js';
import type { Tool, ToolContext } from '../tools/tool.js';
import { afterFailure, afterSuccess, originOf } from './after-tool.js';
import type { Agent } from './agent.js';
import { obtainPermission, type Permission, permissionCall } from './ask-permission.js';
import { prepareFor } from './prepare-input.js';
import { reasonOf, refusals, remindOfContext } from './reminders.js';
import type { Session, StopRequest } from './session.js';
import { hostFor } from './tool-host.js';
import { watchProgress } from './tool-progress.js';
import { type Call, defer, refuse, reject, stopRequestOf, type UsedTool } from './tool-result.js';

/** Contract: always returns a result for the call; rejects only as `HookRunner.fire` does. */
export async function useTool(
  session: Session,
  agent: Agent,
  use: ToolUseBlock,
  signal: AbortSignal,
): Promise<UsedTool> {
  const tool = agent.findTool(use.name);
  if (tool === undefined) return reject(session, agent, use, unknownTool(agent, use.name));
  const prepared = prepareFor(session, agent, tool, use.input);
  if (!prepared.ok) return reject(session, agent, use, prepared.error);
  const asked = { use, tool, input: prepared.input };
  // A rule that denies the tool itself hides it from the model; its hooks have nothing to decide.
  if (session.permissions.hides(tool.name, tool.aliases)) {
    const { reason } = session.permissions.decide(permissionCall(agent, asked));
    return deny(session, agent, asked, { message: reason, by: 'rule' }, signal);
  }
  const before = await fireBefore(session, agent, asked, signal);
  const reminders = remindOfContext(`PreToolUse:${tool.name}`, before.additionalContext);
  const used = await decideAndRun(session, agent, asked, before, signal);
  return {
    tool: tool.name,
    input: asked.input,
    ...used,
    reminders: [...reminders, ...used.reminders],
    injections: [...before.injections, ...used.injections],
    halt: used.halt ?? stopRequestOf(before),
  };
}

async function decideAndRun(
  session: Session,
  agent: Agent,
  asked: Call,
  before: HookOutcome<'PreToolUse'>,
  signal: AbortSignal,
): Promise<UsedTool> {
  const { use, tool } = asked;
  if (signal.aborted || before.aborted) return reject(session, agent, use, notRun(tool));
  if (before.decision === 'deny') return refuse(session, agent, asked, refusalText(tool, before));
  if (before.decision === 'defer') return defer(asked);
  if (before.continue === false && !before.results.every(letsToolFinish))
    return reject(session, agent, use, `${tool.name} was not run: a hook ended the run before it.`);
  const prepared = prepareFor(session, agent, tool, before.updatedInput ?? asked.input);
  if (!prepared.ok)
    return reject(session, agent, use, `A hook changed the input of ${tool.name}. ${prepared.error}`);
  const call = { ...asked, input: prepared.input };
  const permission = await obtainPermission(session, agent, call, before, signal);
  if (!permission.allowed) return deny(session, agent, call, permission, signal);
  return run(session, agent, { ...call, input: permission.input }, signal);
}

async function run(session: Session, agent: Agent, call: Call, signal: AbortSignal): Promise<UsedTool> {
  const { use, tool, input } = call;
  const startedAt = performance.now();
  let halt: StopRequest | undefined;
  const context = contextFor(session, agent, call, signal, (asked) => {
    halt = asked;
  });
  const progress = watchProgress(session, agent, call);
  const outcome = await runTool(tool, input, { ...context, progress: progress.update });
  progress.stop();
  // An abort ends the whole run, so no hooks fire for the interrupted tool.
  if (!outcome.ok && outcome.interrupted === true) return reject(session, agent, use, outcome.error);
  const duration = Math.round(performance.now() - startedAt);
  const used = outcome.ok
    ? await afterSuccess(session, agent, call, outcome, duration, signal)
    : await afterFailure(session, agent, call, outcome.error, duration, signal);
  if (agent.cwd !== context.cwd)
    await session.hooks.fire('CwdChanged', agent, { old_cwd: context.cwd, new_cwd: agent.cwd }, { signal });
  return { ...used, input, halt: used.halt ?? halt };
}

/** Denials that neither a hook nor a person has decided. */
const AUTOMATIC: ReadonlySet<string> = new Set(['rule', 'mode', 'default']);

/** Denies a call. If rules or the mode did, PermissionDenied hooks learn of it. */
async function deny(
  session: Session,
  agent: Agent,
  call: Call,
  { message, by, halt }: Pick<Extract<Permission, { allowed: false }>, 'message' | 'by' | 'halt'>,
  signal: AbortSignal,
): Promise<UsedTool> {
  const { use, tool, input } = call;
  let advice = '';
  if (AUTOMATIC.has(by)) {
    const own = { tool_name: tool.name, tool_input: input, tool_use_id: use.id, reason: message };
    const outcome = await session.hooks.fire(
      'PermissionDenied',
      agent,
      { ...own, ...originOf(tool) },
      { signal, toolUseID: use.id },
    );
    // What a rule denies stays denied.
    const mayChange = by !== 'rule';
    if (mayChange && outcome.hookSpecificOutputs.some(({ retry }) => retry === true)) advice = MAY_RETRY;
  }
  return { ...refuse(session, agent, call, `${message}${advice}`, by), halt };
}

const MAY_RETRY = '\nA PermissionDenied hook says that you may try this call again.';

function fireBefore(
  session: Session,
  agent: Agent,
  { use, tool, input }: Call,
  signal: AbortSignal,
): Promise<HookOutcome<'PreToolUse'>> {
  const own = { tool_name: tool.name, tool_input: input, tool_use_id: use.id, ...originOf(tool) };
  return session.hooks.fire('PreToolUse', agent, own, { signal, toolUseID: use.id });
}

function contextFor(
  session: Session,
  agent: Agent,
  call: Call,
  signal: AbortSignal,
  onStopRequest: (halt: StopRequest) => void,
): ToolContext {
  let mayRead: ((path: string) => boolean) | undefined;
  return {
    cwd: agent.cwd,
    setCwd: (path) => {
      agent.cwd = path;
    },
    signal,
    environmentFiles: session.hooks.environmentFiles(),
    toolUseId: call.use.id,
    mayRead: (path) => {
      mayRead ??= session.permissions.readFilter(permissionCall(agent, call));
      return mayRead(path);
    },
    host: hostFor(session, agent, onStopRequest),
  };
}

const letsToolFinish = (result: HookOutcome['results'][number]): boolean =>
  result.continue !== false || result.toolFinishes === true;

function refusalText(tool: Tool, before: HookOutcome<'PreToolUse'>): string {
  const [first] = refusals(before.results);
  const reason = before.reason || (first === undefined ? 'no reason given' : reasonOf(first));
  return `PreToolUse:${tool.name} hook refused this call: ${reason}`;
}

const notRun = ({ name }: Tool): string => `${name} was not run: the run was interrupted.`;

function unknownTool(agent: Agent, name: string): string {
  return `There is no tool ${name}. Available: ${agent.tools.map((tool) => tool.name).join(', ') || 'none'}.`;
}
