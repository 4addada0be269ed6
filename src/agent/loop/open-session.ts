/** Opens a session (agent, transcript, hooks) and ends it. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import { refuseUnknownOptions } from '../../base/text/known-options.js';
import { VERSION } from '../../base/version.js';
import { hasBuiltInHooks } from '../../injection/hooks/register.js';
import { injectionMessage } from '../../injection/messages.js';
import { Permissions } from '../../permissions/permissions.js';
import { NoopRunner } from '../../runner/hook-runner.js';
import { DEFAULT_AGENT_TYPE } from '../tools/agent.js';
import { builtInTools } from '../tools/built-in.js';
import { createSkillTool, type Skills } from '../tools/skill.js';
import type { Tool } from '../tools/tool.js';
import { findMessage, forkTranscript } from '../transcript/fork.js';
import { type ReadTranscript, readTranscript } from '../transcript/read-transcript.js';
import { sessionPaths } from '../transcript/session-files.js';
import { openTranscript, type Transcript } from '../transcript/transcript.js';
import { Agent, scopeOf } from './agent.js';
import type { SessionEndReason } from './agent-loop.js';
import { BackgroundAgents } from './background-agents.js';
import { defaultTranscripts } from './default-transcripts.js';
import { mailboxName } from './deliver-items.js';
import { HookDispatcher } from './hook-dispatcher.js';
import type { InitMessage, LoopMessage, NewMessage } from './messages.js';
import {
  type AgentLoopOptions,
  checkLimits,
  completeSystemPrompt,
  DEFAULT_SYSTEM_PROMPT,
  LOOP_OPTIONS,
  type LoopHooks,
} from './options.js';
import { OwnItems } from './own-items.js';
import { emitMessage, newTally, type Session } from './session.js';
import { SessionParts } from './session-parts.js';
import { fireSessionStart, type StartSource } from './session-start.js';
import { checkBudget, Spending } from './spending.js';
import { startAgent } from './start-agent.js';
import { setTitle } from './title.js';
import { wake } from './wake.js';

const NO_MAILBOX =
  'The built-in hooks of this runner put items into a mailbox, and this loop has none: they are never delivered. Give the loop the same `mailbox`.';

export interface OpenSession {
  readonly id: string;
  /** Empty if no transcript is written. */
  readonly transcriptPath: string;
  readonly session: Session;
  /** Fires Setup and SessionStart once, however often it is called; fires them again if it was aborted. */
  begin(signal: AbortSignal): Promise<void>;
  describe(): NewMessage<InitMessage>;
  /**
   * Ends all agents and everything that tools left running, fires SessionEnd with the given signal, and closes the
   * transcript.
   */
  end(reason: SessionEndReason, signal: AbortSignal): Promise<void>;
}

export async function openSession(
  options: AgentLoopOptions,
  emit: (message: LoopMessage) => void,
  onWake: () => void,
): Promise<OpenSession> {
  refuseUnknownOptions('new AgentLoop', options, LOOP_OPTIONS);
  checkLimits(options);
  checkBudget(options);
  const resumed = options.resume === undefined ? undefined : resolve(options.resume);
  const isFork = checkFork(options);
  const lastLine = resumed === undefined ? undefined : await findLastLine(resumed, options.resumeSessionAt);
  const past = resumed === undefined ? undefined : await readPast(resumed, lastLine);
  // What comes after the message was spent all the same, and the new lines follow it in the file.
  const isRewound = resumed !== undefined && lastLine !== undefined && !isFork;
  const whole = isRewound ? await readPast(resumed) : past;
  const id = options.sessionId ?? (isFork ? undefined : past?.sessionId) ?? randomUUID();
  const cwd = resolve(options.cwd ?? '.');
  const paths =
    options.transcripts === false
      ? undefined
      : sessionPaths({ home: options.transcripts ?? defaultTranscripts(), cwd, sessionId: id });
  const isNew = resumed === undefined || isFork;
  const transcriptPath = paths === undefined ? '' : isNew ? paths.transcript : resumed;
  if (isNew && paths !== undefined) await refuseUsedId(id, paths.transcript);
  if (isFork && resumed !== undefined && paths !== undefined)
    await forkTranscript({ from: resumed, to: paths.transcript, sessionId: id, lastLine });
  const hooks: LoopHooks = options.hooks ?? new NoopRunner();
  const background = new BackgroundAgents();
  const permissions = new Permissions({ root: cwd, ...options.permissions });
  // Problems that occur before the run is read; emitted when it begins.
  const early: string[] = [...(past?.problems ?? [])];
  if (options.mailbox === undefined && hasBuiltInHooks(hooks)) early.push(NO_MAILBOX);
  let isOpen = false;
  const onTranscriptProblem = (content: string): void => {
    if (isOpen) emitMessage(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
    else early.push(content);
  };

  let main: Agent | undefined;
  const transcript: Transcript | undefined =
    paths === undefined
      ? undefined
      : await openTranscript({
          path: transcriptPath,
          sessionId: id,
          version: VERSION,
          cwd: () => main?.cwd ?? cwd,
          parentUuid: whole?.lastUuid,
          onProblem: onTranscriptProblem,
        });
  main = new Agent({
    model: options.model,
    tools: withSkills(options.tools ?? builtInTools(), options.skills ?? {}),
    system: completeSystemPrompt(options.systemPrompt ?? DEFAULT_SYSTEM_PROMPT, options),
    cwd,
    maxTurns: options.maxTurns,
    transcript,
    messages: past?.messages ?? [],
    contextTokens: past?.contextTokens,
  });
  if (isRewound) main.writeAgain();
  const dispatcher = new HookDispatcher(hooks, {
    sessionId: id,
    transcriptPath,
    scopeOf: (agent) => scopeOf(agent, options),
    exists: (scope) => background.has(scope),
    permissionMode: () => permissions.mode,
    promptId: () => session.promptId,
    activeSkills: () => [...session.activeSkills],
    emit: (message) => emitMessage(session, message),
    flushTranscript: async () => transcript?.flush(),
  });
  const session: Session = {
    id,
    options,
    hooks: dispatcher,
    permissions,
    background,
    parts: new SessionParts(),
    items: new OwnItems([mailboxName({ options }, main), ...(options.members ?? [])]),
    main,
    spending: new Spending(options.prices, whole?.spending),
    startAgent,
    emit,
    subagentTranscript: (agentId) => paths?.subagent(agentId),
    onTranscriptProblem,
    activeSkills: new Set(),
    firstPrompts: [],
    title: past?.title,
    promptId: undefined,
    lastAnswerAt: past?.lastAssistantAt,
    halt: undefined,
    tally: newTally(),
  };
  if (options.title !== undefined) setTitle(session, options.title);
  const unwatch = [
    options.onWake && hooks.onRewake?.((wakeUp) => wake(session, wakeUp, onWake)),
    hooks.messages?.on('message', emit),
    options.mailbox?.onChange((change) => {
      if (session.items.has(change)) emit(injectionMessage(change, id));
    }),
  ];

  let begun: Promise<void> | undefined;
  let hasStarted = false;
  const begin = async (signal: AbortSignal): Promise<void> => {
    isOpen = true;
    hasStarted = true;
    for (const problem of early) onTranscriptProblem(problem);
    if (options.setup !== undefined)
      await dispatcher.fire('Setup', session.main, { trigger: options.setup }, { signal });
    await fireSessionStart(session, sourceOf(past, isFork), signal, past);
  };
  return {
    id,
    transcriptPath,
    session,
    begin: async (signal) => {
      begun ??= begin(signal);
      await begun;
      // Interrupted hooks have not finished, so the next run fires the events again.
      if (signal.aborted) begun = undefined;
    },
    describe: () => describe(session),
    end: async (reason, signal) => {
      await background.end();
      await session.parts.close();
      // The runner may already have been disposed.
      if (hasStarted)
        await dispatcher.fire('SessionEnd', session.main, { reason }, { signal }).catch(() => {});
      for (const stop of unwatch) stop?.();
      session.spending.record(transcript);
      await transcript?.close();
    },
  };
}

function sourceOf(past: ReadTranscript | undefined, isFork: boolean): StartSource {
  if (past === undefined) return 'startup';
  return isFork ? 'fork' : 'resume';
}

/** Throws if the options do not belong together. */
function checkFork({ resume, forkSession = false, resumeSessionAt }: AgentLoopOptions): boolean {
  if (forkSession && resume === undefined)
    throw new HookError('invalid_option', 'forkSession needs `resume`: the transcript to fork.');
  if (resumeSessionAt !== undefined && resume === undefined)
    throw new HookError('invalid_option', 'resumeSessionAt needs `resume`: the transcript with the message.');
  return forkSession;
}

/** Undefined: all lines. Rejects if there is no such message. */
async function findLastLine(path: string, at: string | undefined): Promise<number | undefined> {
  if (at === undefined) return undefined;
  const line = await findMessage(path, at).catch(() => undefined);
  if (line !== undefined) return line;
  throw new HookError(
    'invalid_option',
    `The transcript ${path} has no message ${show(at)}. Give the id of an answer or the uuid of a line.`,
  );
}

/** Rejects if the transcript cannot be resumed, rather than starting a new session silently. */
async function readPast(path: string, lastLine?: number): Promise<ReadTranscript> {
  const past = await readTranscript(path, { lastLine });
  if (past.sessionId !== undefined) return past;
  const why = past.problems.length > 0 ? past.problems.join(' ') : `${path} is not a transcript.`;
  throw new HookError('invalid_option', `The session cannot be resumed. ${why}`);
}

/** Rejects if the id is in use: two conversations with the same id would be read as one. */
async function refuseUsedId(id: string, path: string): Promise<void> {
  const used = await stat(path).catch(() => undefined);
  if (used === undefined || used.size === 0) return;
  throw new HookError(
    'invalid_option',
    `A session ${show(id)} already exists. Resume it, or choose another id.`,
  );
}

function withSkills(tools: readonly Tool[], skills: Skills): readonly Tool[] {
  const tool = createSkillTool(skills);
  return tool === undefined || tools.some(({ name }) => name === tool.name) ? tools : [...tools, tool];
}

function describe({ main, permissions, options }: Session): NewMessage<InitMessage> {
  return {
    type: 'system',
    subtype: 'init',
    cwd: main.cwd,
    model: main.model.name,
    permissionMode: permissions.mode,
    tools: main.tools.map(({ name }) => name),
    mcp_servers: options.mcpServers ?? [],
    agents: [DEFAULT_AGENT_TYPE, ...Object.keys(options.agents ?? {})],
    ...(options.skills !== undefined && { skills: Object.keys(options.skills) }),
  };
}
