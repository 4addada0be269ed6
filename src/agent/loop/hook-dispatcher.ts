/** The one place where the loop fires events: fills in who and where, and passes on what hooks say to all alike. */
import type { AnyEvent, FireInput } from '../../events/types.js';
import { fireAny } from '../../runner/hook-runner.js';
import type { LateAnswer } from '../../runner/late.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { Agent } from './agent.js';
import type { InformationalMessage, NewMessage } from './messages.js';
import type { LoopHooks } from './options.js';
import { remind } from './reminders.js';

/** What every input says beside what its event is about. */
export interface Surroundings {
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** Whose hooks an agent's are. */
  scopeOf(agent: Agent): string | undefined;
  /** Whether there is still an agent of this scope; what comes for one that is gone is the main one's. */
  isThere(scope: string): boolean;
  permissionMode(): string;
  promptId(): string | undefined;
  say(message: NewMessage<InformationalMessage>): void;
  /** Settles when what was said so far is in the transcripts: hooks read them. */
  transcribed(): Promise<void>;
}

type Own<E extends AnyEvent> = Omit<
  FireInput<E>,
  'session_id' | 'transcript_path' | 'cwd' | 'permission_mode' | 'prompt_id' | 'hook_event_name'
>;

export interface DispatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly toolUseID?: string | undefined;
}

export class HookDispatcher {
  readonly #hooks: LoopHooks;
  readonly #surroundings: Surroundings;
  #late: LateAnswer[] = [];

  constructor(hooks: LoopHooks, surroundings: Surroundings) {
    this.#hooks = hooks;
    this.#surroundings = surroundings;
  }

  /** Rejects as `HookRunner.fire` does: for a mistake in the program, never because of a hook. */
  async fire<E extends AnyEvent>(
    event: E,
    agent: Agent,
    own: Own<E>,
    options: DispatchOptions = {},
  ): Promise<HookOutcome<E>> {
    const { sessionId, transcriptPath, permissionMode, promptId } = this.#surroundings;
    const { identity } = agent;
    const prompt = promptId();
    await this.#surroundings.transcribed();
    // A subagent has one of its own.
    await agent.transcript?.flush();
    const input = {
      session_id: sessionId,
      transcript_path: transcriptPath,
      cwd: agent.cwd,
      permission_mode: permissionMode(),
      ...(prompt !== undefined && { prompt_id: prompt }),
      ...(identity && { agent_id: identity.id, agent_type: identity.type }),
      ...own,
    };
    const outcome = await fireAny(
      this.#hooks,
      event,
      // The parts fit together by construction; TypeScript cannot see that for an event it does not know.
      input as unknown as FireInput<E>,
      { ...options, agentId: this.#surroundings.scopeOf(agent) },
    );
    this.#passOn(outcome, agent);
    return outcome;
  }

  /** Reminders of what hooks in the background have told by now, for one agent. */
  takeLate(agent: Agent): string[] {
    this.#late.push(...(this.#hooks.takeLate?.() ?? []));
    const scope = this.#surroundings.scopeOf(agent);
    const isMine = ({ agentId }: LateAnswer): boolean =>
      agentId === scope ||
      (agent.identity === undefined && agentId !== undefined && !this.#surroundings.isThere(agentId));
    const mine = this.#late.filter(isMine);
    this.#late = this.#late.filter((answer) => !isMine(answer));
    return mine.flatMap(({ additionalContext, systemMessage }) =>
      [additionalContext, systemMessage].filter((text) => text !== undefined).map(remind),
    );
  }

  environmentFiles(): readonly string[] {
    return this.#hooks.environmentFiles?.() ?? [];
  }

  /** System messages: people see them all, the model those that are meant for it. */
  #passOn(outcome: HookOutcome, agent: Agent): void {
    for (const { name, systemMessage, systemMessageFor } of outcome.results) {
      if (systemMessage === undefined || systemMessage.trim() === '') continue;
      const content = `${name} says: ${systemMessage}`;
      this.#surroundings.say({ type: 'system', subtype: 'informational', content, level: 'info' });
      if (systemMessageFor !== 'people') agent.nextSystem.push(systemMessage);
    }
  }
}
