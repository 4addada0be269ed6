/** Runs a team: agents work on one question side by side, hand in answers, vote, and the winner presents the result. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_SYSTEM_PROMPT } from '../agent/loop/options.js';
import { builtInTools } from '../agent/tools/built-in.js';
import type { Tool } from '../agent/tools/tool.js';
import { messageOf } from '../base/errors.js';
import { makePrivateFolder } from '../base/files/private.js';
import { refuseLostProtection } from '../config/lost-protection.js';
import type { MassgenAgent, MassgenConfig } from '../dialects/loaders.js';
import { collectAtSafePoints } from '../injection/hooks/built-in.js';
import { createMailbox } from '../injection/mailboxes/memory/mailbox.js';
import { PeerLabels } from '../injection/peer-labels.js';
import type { Mailbox } from '../injection/port.js';
import { openWorkspaces } from '../integrations/workspaces/index.js';
import { Runner } from '../runner/runner.js';
import type { Choice, DecisionReason, TeamEvent } from './events.js';
import { TeamLog } from './log.js';
import { Member } from './member.js';
import { checkTeam, type TeamLimits, type TeamOptions } from './options.js';
import { TASK_TOOLS, withPlanning } from './planning.js';
import { standings } from './state.js';
import { Team } from './team.js';
import { TEAM_RULES } from './texts.js';
import { findAgent, type WiredAgent, wireMassgen } from './wire.js';

/** The newest answer of an agent, and how many votes it has. */
export interface TeamAnswer extends Choice {
  readonly content: string;
  /** A copy of the author's workspace, as it was with this answer. */
  readonly files?: string | undefined;
  readonly votes: number;
}

/** How a team ended. */
export interface TeamResult {
  readonly session: string;
  /** `no_answer`: nobody handed one in. `interrupted`: the signal aborted before there was a decision. */
  readonly status: 'decided' | 'no_answer' | 'interrupted';
  readonly reason?: DecisionReason | undefined;
  readonly winner?: TeamAnswer | undefined;
  /** The presented result, or the winning answer; empty without a winner. */
  readonly final: string;
  /** Best first. */
  readonly answers: readonly TeamAnswer[];
  readonly votes: readonly { readonly agentId: string; readonly for: Choice; readonly reason: string }[];
  /** The agents that ended early or were lost, and why. */
  readonly left: Readonly<Record<string, string>>;
}

/** Room for the longest answer as JSON. */
const LOG_LENGTH = 1_000_000;
/** A lease cannot be lost within one process. */
const LEASE_MS = 24 * 60 * 60 * 1000;
const MAX_PRESENTATION_MS = 10 * 60 * 1000;

/**
 * Runs the agents of a MassGen file on one question, as MassGen does: they work in parallel, each in its own workspace;
 * an answer reaches the others in the middle of their work; when everybody has voted in the knowledge of all answers,
 * the answer with the most votes wins, and its author presents it.
 *
 * Resolves however the agents fare: one that fails or is lost is not waited for. Rejects with a `HookError` for an
 * invalid option, and when the mailbox stays unavailable. The configuration is not disposed.
 */
export async function runTeam(
  config: MassgenConfig,
  question: string,
  options: TeamOptions,
): Promise<TeamResult> {
  const limits = checkTeam(config, question, options);
  for (const { diagnostics } of [config, ...(options.hooks ?? [])])
    refuseLostProtection(diagnostics, 'refuse', 'Repair this.');
  const all = config.settings.agents;
  const here = (options.agents ?? all.map(({ id }) => id)).map((id) => findAgent(config, id));
  const session = options.session ?? randomUUID();
  const ends: (() => unknown)[] = [];
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, ...(options.signal ? [options.signal] : [])]);
  try {
    const mailbox = options.mailbox ?? ownMailbox(all, ends);
    const logged = options.log ?? options.mailbox ?? ownMailbox([], ends);
    const log = new TeamLog(logged, `team ${session}`, limits.pollMs, limits.joinMs);
    ends.push(() => log.close());
    await makePrivateFolder(options.directory);
    const folders = Object.fromEntries(
      all.map(({ id, workspace }, i) => [
        id,
        workspace ?? join(options.directory, 'workspaces', String(i + 1)),
      ]),
    );
    const labels = new PeerLabels({ agents: all.map(({ id }) => id), seed: session });
    const workspaces = await openWorkspaces({
      directory: join(options.directory, 'shared'),
      agents: folders,
      labels,
    });
    const emit = (event: TeamEvent): void => options.onEvent?.(event);
    const ids = here.map(({ id }) => id);
    const team = new Team({
      log,
      workspaces,
      agents: all.map(({ id }) => id),
      here: new Set(ids),
      joinMs: limits.joinMs,
      lostMs: limits.lostMs,
      emit,
    });
    emit({ type: 'started', session, agents: team.parts.agents, here: ids });
    const setup: Setup = { config, question, options, limits, team, mailbox, signal, ends };
    const members: Member[] = [];
    for (const agent of here) members.push(await startMember(setup, agent, folders[agent.id] ?? ''));
    const isSpread = ids.length < all.length;
    if (isSpread) ends.push(keepAlive(team, members, limits.lostMs));
    const watched = watch(team, members, signal, () => ending.abort());
    ends.push(setTimer(team, limits.timeoutMs), () => watched);
    await Promise.all(members.map((member) => workOrLeave(member, team, isSpread)));
    await untilDecided(team, signal);
    if (ending.signal.aborted) throw await watched;
    await present(team, members, options, signal);
    // The decision stands, even if the mailbox is gone by now.
    for (const id of ids) await mailbox.carryOver(id).catch(() => []);
    return resultOf(team, session, signal);
  } finally {
    ending.abort();
    for (const end of ends.reverse()) await end();
  }
}

interface Setup {
  readonly config: MassgenConfig;
  readonly question: string;
  readonly options: TeamOptions;
  readonly limits: TeamLimits;
  readonly team: Team;
  readonly mailbox: Mailbox;
  readonly signal: AbortSignal;
  readonly ends: (() => unknown)[];
}

function ownMailbox(agents: readonly MassgenAgent[], ends: (() => unknown)[]): Mailbox {
  const mailbox = createMailbox({
    agents: agents.map(({ id }) => id),
    maxContentLength: LOG_LENGTH,
    leaseMs: LEASE_MS,
  });
  ends.push(() => mailbox.close());
  return mailbox;
}

async function startMember(setup: Setup, agent: MassgenAgent, workspace: string): Promise<Member> {
  const { config, question, options, limits, team, mailbox, signal, ends } = setup;
  const { id: agentId } = agent;
  await mkdir(workspace, { recursive: true });
  const runner = new Runner({ cwd: workspace, onWarning: () => {} });
  ends.push(() => runner.dispose());
  // Before the built-in hooks, so that they see what other processes have published.
  collectAtSafePoints(runner, 'team-log', () => team.refresh());
  let member: Member | undefined;
  const wired: WiredAgent = wireMassgen(config, runner, {
    agentId,
    mailbox,
    peers: {
      board: team.board,
      workspaces: team.parts.workspaces,
      isVoteOnly: () => member?.takesNoUpdates() ?? true,
    },
  });
  // Each runner ends with its member, and must not end the hooks of the others.
  for (const { dispose: _dispose, ...shared } of options.hooks ?? []) runner.use(shared);
  const unwatch = options.view?.watch(runner);
  if (unwatch !== undefined) ends.push(unwatch);
  const peers = await team.parts.workspaces.folderFor(agentId);
  member = new Member({
    team,
    agentId,
    question,
    model: options.modelFor(agent),
    runner,
    wired,
    mailbox,
    workspace,
    tools: toolsOf(agent, config, options, workspace),
    loop: {
      systemPrompt: `${agent.systemMessage ?? DEFAULT_SYSTEM_PROMPT}\n\n${TEAM_RULES}`,
      transcripts: options.transcripts ?? false,
      permissions: {
        mode: 'acceptEdits',
        ...options.permissions,
        additionalDirectories: [...(options.permissions?.additionalDirectories ?? []), peers],
      },
      ...(options.canUseTool !== undefined && { canUseTool: options.canUseTool(agentId) }),
    },
    maxAnswers: limits.maxAnswers,
    maxAnswerLength: limits.maxAnswerLength,
    signal,
    follow: (run) => {
      const watched = options.view?.follow(run, { agentId }) ?? run;
      return options.onEvent === undefined ? watched : emitMessages(watched, agentId, options.onEvent);
    },
  });
  return member;
}

async function* emitMessages(
  run: ReturnType<NonNullable<TeamOptions['view']>['follow']>,
  agentId: string,
  emit: (event: TeamEvent) => void,
): typeof run {
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    emit({ type: 'message', agentId, message: step.value });
    yield step.value;
  }
}

function toolsOf(
  agent: MassgenAgent,
  { settings }: MassgenConfig,
  options: TeamOptions,
  workspace: string,
): readonly Tool[] {
  // Without planning the agents have no list of tasks, as in MassGen.
  const builtIn = builtInTools().filter(
    ({ name }) => !TASK_TOOLS.has(name) && (name !== 'Bash' || agent.commandLine),
  );
  return [...withPlanning(builtIn, settings, workspace), ...(options.tools?.(agent) ?? [])];
}

/** A member that cannot go on leaves, so that nobody waits for it. Rejects when the mailbox does. */
async function workOrLeave(member: Member, team: Team, isSpread: boolean): Promise<void> {
  const { agentId, run } = member;
  const leave = (reason: string): Promise<unknown> =>
    team.parts.log.append({ type: 'left', agentId, run, reason });
  try {
    await member.work();
  } catch (error) {
    await leave(messageOf(error));
    await team.refresh();
    return;
  }
  // Other processes need not wait until it counts as lost.
  if (isSpread && team.state.decision === undefined && !team.state.left.has(agentId))
    await leave('it was interrupted').catch(() => {});
}

/** Repeats that the members of this process are alive. Returns a function that stops it. */
function keepAlive(team: Team, members: readonly Member[], lostMs: number): () => void {
  const say = (): void => {
    for (const { agentId, run } of members)
      team.parts.log.append({ type: 'alive', agentId, run }, lostMs).catch(() => {});
  };
  say();
  const timer = setInterval(say, lostMs / 4);
  return () => clearInterval(timer);
}

function setTimer(team: Team, timeoutMs: number): () => void {
  const timer = setTimeout(() => {
    team.isTimedOut = true;
    team.parts.log.wake();
  }, timeoutMs);
  return () => clearTimeout(timer);
}

/**
 * Interrupts rounds that a change of the log has made pointless, until there is a decision. When the log stays
 * unavailable, calls `fail` and resolves with the error.
 */
async function watch(
  team: Team,
  members: readonly Member[],
  signal: AbortSignal,
  fail: () => void,
): Promise<unknown> {
  try {
    while (!signal.aborted && team.state.decision === undefined) {
      await team.change(signal);
      for (const member of members) member.noteChange();
    }
    return undefined;
  } catch (error) {
    fail();
    return error;
  }
}

async function untilDecided(team: Team, signal: AbortSignal): Promise<void> {
  while (team.state.decision === undefined && !signal.aborted) await team.change(signal);
}

/** The winner presents, here or in another process; its answer stands if it cannot. */
async function present(
  team: Team,
  members: readonly Member[],
  { presentation = true }: TeamOptions,
  signal: AbortSignal,
): Promise<void> {
  const presenter = team.state.decision?.presenter;
  if (presenter === undefined || !presentation || signal.aborted) return;
  const own = members.find(({ agentId }) => agentId === presenter);
  if (own !== undefined) {
    if (team.state.presentation !== undefined) return;
    const answer = team.state.answers.get(presenter)?.content ?? '';
    const text = (await own.present().catch(() => undefined)) ?? answer;
    if (signal.aborted) return;
    await team.parts.log.append({ type: 'presented', agentId: presenter, text });
    return team.refresh();
  }
  const end = performance.now() + MAX_PRESENTATION_MS;
  while (team.state.presentation === undefined && !signal.aborted && performance.now() < end) {
    if (!team.isExpected(presenter)) return;
    await team.change(signal);
  }
}

function resultOf(team: Team, session: string, signal: AbortSignal): TeamResult {
  const { state } = team;
  const { decision, presentation } = state;
  const answers = standings(state, team.parts.agents).map(({ answer, votes }): TeamAnswer => {
    const { agentId, revision, content, files } = answer;
    return { agentId, revision, content, files, votes };
  });
  const winner = answers.find(({ agentId }) => agentId === decision?.winner?.agentId);
  const isInterrupted = decision === undefined && signal.aborted;
  return {
    session,
    status: isInterrupted ? 'interrupted' : winner === undefined ? 'no_answer' : 'decided',
    reason: decision?.reason,
    winner,
    final: winner === undefined ? '' : (presentation?.text ?? winner.content),
    answers,
    votes: [...state.ballots.values()].flatMap((ballot) =>
      ballot.type === 'vote' ? [{ agentId: ballot.agentId, for: ballot.for, reason: ballot.reason }] : [],
    ),
    left: { ...decision?.lost, ...Object.fromEntries(state.left) },
  };
}
