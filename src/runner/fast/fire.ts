/** One fire: the data that all its hooks share. */

import { type Indexed, NO_INDEX } from '../../base/async/indexed-set.js';
import type { Viewed } from '../../base/json/private-view.js';
import type { Dialect } from '../../config/dialect.js';
import type { AnyEvent } from '../../events/types.js';
import type { BackgroundSet } from '../../handlers/background.js';
import { Cancellation } from '../../handlers/cancellation.js';
import type { Batch } from '../../handlers/depth.js';
import type { FireOptions } from '../hook-runner.js';
import type { LateAnswer } from '../late.js';
import type { HookMessage } from '../messages/hook-messages.js';
import type { StartedHook } from '../observer.js';
import type { HookOutcome, HookResult } from '../outcome.js';
import { createWire, type Wire } from '../wire.js';
import type { CompleteInput } from './input-shapes.js';

type Input = Readonly<Record<string, unknown>>;

/** Receives the messages of a fire: for the runner's listeners, and for watchers of this fire. */
export interface MessageSink {
  /** Whether anyone receives messages. */
  readonly watched: boolean;
  /** A response message comes with the hook's result. */
  emit(message: HookMessage, result?: HookResult): void;
  /** Starts a hook through the watchers of the fire; absent without watchers. */
  within?<T>(hook: StartedHook, run: () => T): T;
}

/** What all fires of a runner share; a fire with watchers has its own message sink. */
export interface FireHost {
  readonly messages: MessageSink;
  readonly background: BackgroundSet;
  /** The runner's cancellation: ends what is still running after its fire. */
  readonly lifetime: Cancellation;
  /** The process's clock, looked up once: the lookup takes as long as reading it. */
  readonly clock: { now(): number };
  nextHookId(): string;
  /** Takes in the late answer of a background hook. */
  onLate(answer: LateAnswer): Promise<void>;
  /** A background hook wakes the agent with the context of its answer; the summary is for people. */
  onRewake(answer: LateAnswer, summary: string | undefined): Promise<void>;
}

export class Fire implements Indexed {
  declare readonly host: FireHost;
  declare readonly event: AnyEvent;
  declare readonly subject: string | undefined;
  /** The full input at the start. */
  declare readonly input: Input;
  /** The parts of the input that hooks could change in place. */
  declare readonly parts: Viewed | undefined;
  declare readonly toolUseID: string | undefined;
  declare readonly agentId: string | undefined;
  declare readonly signal: AbortSignal | undefined;
  declare readonly depth: number;
  /** The batch of open fires it is counted in. */
  declare batch: Batch | undefined;
  declare readonly cancellation: Cancellation;
  /** When the clock was last read: the end of one hook is the start of the next. */
  declare now: number;
  /** The outcome; undefined while the fire is still starting. */
  declare outcome: Promise<HookOutcome> | undefined;
  declare place: number;
  declare private ownName: string | undefined;
  declare private ownWire: Wire | undefined;

  constructor(
    host: FireHost,
    event: AnyEvent,
    subject: string | undefined,
    { record, parts }: CompleteInput,
    options: FireOptions,
    depth: number,
  ) {
    this.host = host;
    this.event = event;
    this.subject = subject;
    this.input = record;
    this.parts = parts;
    this.toolUseID = options.toolUseID ?? (record['tool_use_id'] as string | undefined);
    this.agentId = options.agentId;
    this.signal = options.signal;
    this.depth = depth;
    this.batch = undefined;
    this.cancellation = new Cancellation();
    this.now = host.clock.now();
    this.outcome = undefined;
    this.place = NO_INDEX;
    this.ownName = undefined;
    this.ownWire = undefined;
  }

  readClock(): number {
    this.now = this.host.clock.now();
    return this.now;
  }

  /** The name of a hook without a name of its own: the event and the matched value, as in `PreToolUse:Bash`. */
  get name(): string {
    this.ownName ??= this.subject === undefined ? this.event : `${this.event}:${this.subject}`;
    return this.ownName;
  }

  /** The input as commands read it. Throws a HookError, code `invalid_input`, for data that JSON cannot represent. */
  wire(input: Input, dialect: Dialect): Uint8Array {
    this.ownWire ??= createWire(this.event);
    return this.ownWire(input, dialect);
  }
}
