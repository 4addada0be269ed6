/** Runs fires: from the caller's input to the outcome, including everything that was started in the background. */
import { randomUUID } from 'node:crypto';
import { SafeEmitter, warnOnce } from '../base/async/emitter.js';
import { createLimiter } from '../base/async/limiter.js';
import { HookError, show } from '../base/errors.js';
import { createIdSequence } from '../base/id-sequence.js';
import type { AnyEvent } from '../events/types.js';
import { BackgroundSet } from '../handlers/background.js';
import { Cancellation } from '../handlers/cancellation.js';
import type { CommandRuntime } from '../handlers/command/command.js';
import { EnvFiles } from '../handlers/command/env-files.js';
import { nextDepth } from '../handlers/depth.js';
import { runLimited, type Turn } from '../process/run-limited.js';
import { type ProcessRequest, type RunningProcess, runProcess } from '../process/run-process.js';
import { createSpawnHelper, type SpawnHelper } from '../process/spawn-helper.js';
import { type SpawnMode, shouldUseHelper } from '../process/spawn-mode.js';
import { aggregate, emptyOutcome, type Precedence, resultsOf, saysSomething } from './aggregate.js';
import { capLate, capTexts } from './cap-text.js';
import { withVariables } from './command-variables.js';
import { checkSignal, tooDeep } from './errors.js';
import { type Conclude, OpenFires } from './fast/call-hooks.js';
import { Fire, type FireHost } from './fast/fire.js';
import type { FireOptions } from './hook-runner.js';
import { completeInput } from './input.js';
import { type LateAnswer, LateAnswers, type WakeUp } from './late.js';
import type { MessageStream } from './messages/message-stream.js';
import type { Settings } from './options.js';
import type { HookOutcome } from './outcome.js';
import type { EventPlans, Plan } from './plan.js';
import { SpillStore } from './spill-store.js';
import type { WatchedFire } from './watched-fire.js';

export class Engine {
  readonly #settings: Settings;
  readonly #precedence: () => Precedence;
  readonly #processes: ProcessPool;
  readonly #background: BackgroundSet;
  readonly #envFiles = new EnvFiles();
  readonly #spills = new SpillStore();
  readonly #late = new LateAnswers();
  readonly #wakers = new SafeEmitter<{ wake: (wakeUp: WakeUp) => void }>(
    warnOnce('A listener of onRewake', 'HOOKLINE_LISTENER'),
  );
  /** Ends what is still running after its fire. */
  readonly #lifetime = new Cancellation();
  readonly #open: OpenFires;
  readonly #host: FireHost;

  constructor(
    settings: Settings,
    spawn: SpawnMode | undefined,
    messages: MessageStream,
    precedence: () => Precedence,
  ) {
    this.#settings = settings;
    this.#open = new OpenFires(settings.maxDepth, this.#conclude);
    this.#precedence = precedence;
    this.#processes = new ProcessPool(settings.maxProcesses, spawn);
    this.#background = new BackgroundSet(settings.maxBackground);
    this.#host = {
      messages,
      background: this.#background,
      lifetime: this.#lifetime,
      clock: performance,
      nextHookId: createIdSequence(createPrefixes()),
      onLate: this.#onLate,
      onRewake: this.#onRewake,
    };
  }

  get closed(): boolean {
    return this.#lifetime.cancelled;
  }

  /** What commands need to start. */
  get commands(): CommandRuntime {
    const start: CommandRuntime['start'] = (request, turn) =>
      this.#processes.start(withVariables(request), turn);
    const canWake = (): boolean => this.#wakers.size > 0;
    return { projectDir: this.#settings.base.cwd, envFiles: this.#envFiles, canWake, start };
  }

  /**
   * Undefined: hooks are registered, but none applies to this input. Throws a HookError for a mistake of the caller.
   */
  start(
    event: AnyEvent,
    own: object,
    options: FireOptions,
    plans: EventPlans,
    watched: WatchedFire | undefined,
  ): Promise<HookOutcome> | undefined {
    const { maxDepth, base } = this.#settings;
    const depth = nextDepth(maxDepth);
    if (depth > maxDepth) throw tooDeep(event, maxDepth);
    if (options.signal !== undefined) checkSignal(event, options.signal);
    const extra = { agent_id: options.agentId, tool_use_id: options.toolUseID };
    const input = completeInput(event, own, base, extra, plans.shapes);
    const subject = plans.subject === null ? undefined : (input.record[plans.subject] as string);
    const plan = plans.planFor(subject);
    if (plan.steps.length === 0) return undefined;
    const fire = new Fire(
      watched === undefined ? this.#host : { ...this.#host, messages: watched },
      event,
      subject,
      input,
      options,
      depth,
    );
    if (plan.wires.length > 0) encodeFor(plan, fire);
    return this.#open.callHooks(plan, fire);
  }

  takeLate(agentId: string | undefined): LateAnswer[] {
    return this.#late.take(agentId);
  }

  /** Listens until the returned function is called. */
  onRewake(listener: (wakeUp: WakeUp) => void): () => void {
    const stop = this.#wakers.on('wake', listener);
    return () => void stop();
  }

  environmentFiles(): string[] {
    return this.#envFiles.written();
  }

  drain(): Promise<void> {
    return this.#background.drain();
  }

  /** Resolves when the fires that are running now have ended. */
  settled(): Promise<void> {
    return this.#open.settled();
  }

  async close(): Promise<void> {
    this.#lifetime.cancel();
    this.#open.cancel();
    // A hook that calls this before its first await belongs to a fire that has no outcome promise yet.
    await Promise.resolve();
    await this.settled();
    await this.#background.drain();
    await this.#processes.close();
    this.#envFiles.remove();
  }

  readonly #conclude: Conclude = (fire, stages) => {
    const { event, cancellation } = fire;
    // Most hooks answer nothing: then there is nothing to fold.
    if (!stages.some(saysSomething)) return emptyOutcome(event, cancellation.cancelled, resultsOf(stages));
    const outcome = aggregate(event, stages, this.#precedence(), cancellation.cancelled);
    return capTexts(outcome, this.#settings.maxTextLength, this.#spills);
  };

  readonly #onLate = async (answer: LateAnswer): Promise<void> => {
    this.#late.add(await capLate(answer, this.#settings.maxTextLength, this.#spills));
  };

  readonly #onRewake = async (answer: LateAnswer, summary: string | undefined): Promise<void> => {
    const {
      additionalContext,
      systemMessage: _,
      ...from
    } = await capLate(answer, this.#settings.maxTextLength, this.#spills);
    const message = additionalContext ?? '';
    this.#wakers.emit('wake', { ...from, message, summary: summary ?? `${answer.event} hook feedback` });
  };
}

/** An input that cannot be written as JSON is the caller's mistake, and is found before any hook runs. */
function encodeFor({ wires }: Plan, fire: Fire): void {
  for (const dialect of wires) fire.wire(fire.input, dialect);
}

/** Prefixes for the ids of a runner's hooks: unique per runner, and counting up. */
function createPrefixes(): () => string {
  const ofRunner = randomUUID().slice(0, 8);
  let count = 0;
  return () => {
    count += 1;
    return `${ofRunner}-${count}-`;
  };
}

class ProcessPool {
  readonly #mode: SpawnMode;
  readonly #limiter;
  #helper: SpawnHelper | undefined;

  constructor(limit: number, mode: SpawnMode = 'auto') {
    if (mode !== 'auto' && mode !== 'direct' && mode !== 'helper') {
      throw new HookError('invalid_option', `spawn is ${show(mode)}; use 'auto', 'direct' or 'helper'.`);
    }
    this.#mode = mode;
    this.#limiter = createLimiter(limit);
  }

  readonly start = (request: ProcessRequest, turn?: Turn): RunningProcess =>
    runLimited(this.#limiter, request, this.#launch, turn);

  readonly #launch = (request: ProcessRequest): RunningProcess => {
    if (!shouldUseHelper(this.#mode)) return runProcess(request);
    this.#helper ??= createSpawnHelper();
    return this.#helper.run(request);
  };

  async close(): Promise<void> {
    await this.#helper?.close();
  }
}
