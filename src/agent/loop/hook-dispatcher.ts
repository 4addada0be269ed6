/** The only place where the loop fires events: adds the common input fields and handles the common output. */

import { remind } from '../../base/text/remind.js';
import { isEvent, rowOf } from '../../events/registry.js';
import type { AnyEvent, FireInput } from '../../events/types.js';
import { fireAny } from '../../runner/hook-runner.js';
import type { LateAnswer } from '../../runner/late.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { Agent } from './agent.js';
import type { InformationalMessage, NewMessage } from './messages.js';
import type { LoopHooks } from './options.js';

/** Provides the input fields that all events share. */
export interface Surroundings {
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** The name under which the agent's hooks are registered. */
  scopeOf(agent: Agent): string | undefined;
  /** Whether an agent with this scope still exists; otherwise its late answers go to the main agent. */
  exists(scope: string): boolean;
  permissionMode(): string;
  promptId(): string | undefined;
  /** The skills whose hooks run. */
  activeSkills(): readonly string[];
  emit(message: NewMessage<InformationalMessage>): void;
  /** Resolves when the conversation so far is in the transcript, because hooks read it. */
  flushTranscript(): Promise<void>;
}

type Own<E extends AnyEvent> = Omit<
  FireInput<E>,
  'session_id' | 'transcript_path' | 'cwd' | 'permission_mode' | 'prompt_id' | 'hook_event_name'
>;

export interface DispatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly toolUseID?: string | undefined;
}

/** Events that a turn does not belong to. */
const OUTSIDE_TURNS: ReadonlySet<string> = new Set(['session-begins', 'session-ends', 'prompt']);

const effortOf = (event: AnyEvent, { model: { effort } }: Agent): { effort?: { level: string } } =>
  effort === undefined || OUTSIDE_TURNS.has(rowOf(event).moment) ? {} : { effort: { level: effort } };

export class HookDispatcher {
  readonly #hooks: LoopHooks;
  readonly #surroundings: Surroundings;
  #late: LateAnswer[] = [];

  constructor(hooks: LoopHooks, surroundings: Surroundings) {
    this.#hooks = hooks;
    this.#surroundings = surroundings;
  }

  /** Rejects as `HookRunner.fire` does: for a programming error, never because of a hook. */
  async fire<E extends AnyEvent>(
    event: E,
    agent: Agent,
    own: Own<E>,
    options: DispatchOptions = {},
  ): Promise<HookOutcome<E>> {
    const { sessionId, transcriptPath, permissionMode, promptId, activeSkills } = this.#surroundings;
    const { identity } = agent;
    const prompt = promptId();
    const skills = activeSkills();
    await this.#surroundings.flushTranscript();
    // A subagent has its own transcript.
    await agent.transcript?.flush();
    const input = {
      session_id: sessionId,
      transcript_path: transcriptPath,
      cwd: agent.cwd,
      permission_mode: permissionMode(),
      ...(prompt !== undefined && { prompt_id: prompt }),
      ...(skills.length > 0 && { active_skills: skills }),
      ...(identity && { agent_id: identity.id, agent_type: identity.type }),
      ...(prompt !== undefined && effortOf(event, agent)),
      ...own,
    };
    const outcome = await fireAny(
      this.#hooks,
      event,
      // The parts match by construction, but TypeScript cannot check this for a generic event.
      input as unknown as FireInput<E>,
      { ...options, agentId: this.#surroundings.scopeOf(agent) },
    );
    this.#passOn(outcome, agent);
    return outcome;
  }

  /** Fires an event that is not in the table, such as PreModelCall. Rejects as `fire` does. */
  fireDefined(
    event: string,
    agent: Agent,
    own: Readonly<Record<string, unknown>>,
    options: DispatchOptions = {},
  ): Promise<HookOutcome> {
    return this.fire(event as AnyEvent, agent, own as unknown as Own<AnyEvent>, options);
  }

  /** Whether a hook could run. Where the runner cannot say, whether the event is known at all. */
  hasHooks(event: string, agent: Agent): boolean {
    if (!isEvent(event)) return false;
    return this.#hooks.hasHooks?.(event, this.#surroundings.scopeOf(agent)) ?? true;
  }

  /** Takes the late answers of asynchronous hooks for one agent, as reminders. */
  takeLate(agent: Agent): string[] {
    this.#late.push(...(this.#hooks.takeLate?.() ?? []));
    const scope = this.#surroundings.scopeOf(agent);
    const isMine = ({ agentId }: LateAnswer): boolean =>
      agentId === scope ||
      (agent.identity === undefined && agentId !== undefined && !this.#surroundings.exists(agentId));
    const mine = this.#late.filter(isMine);
    this.#late = this.#late.filter((answer) => !isMine(answer));
    return mine.flatMap(({ additionalContext, systemMessage }) =>
      [additionalContext, systemMessage].filter((text) => text !== undefined).map(remind),
    );
  }

  environmentFiles(): readonly string[] {
    return this.#hooks.environmentFiles?.() ?? [];
  }

  /** Passes on system messages: all of them to the user, and those for the model to the model. */
  #passOn(outcome: HookOutcome, agent: Agent): void {
    for (const { name, systemMessage, systemMessageFor } of outcome.results) {
      if (systemMessage === undefined || systemMessage.trim() === '') continue;
      const content = `${name} says: ${systemMessage}`;
      this.#surroundings.emit({ type: 'system', subtype: 'informational', content, level: 'info' });
      if (systemMessageFor !== 'people') agent.nextNotes.push(systemMessage);
    }
  }
}
