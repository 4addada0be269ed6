/** One fire: what all its hooks have in common. */

import { NO_INDEX, type Placed } from '../../base/async/indexed-set.js';
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

/** Where the messages of a fire go: to the listeners of its runner, and to those who watch this very fire. */
export interface MessageSink {
  /** Whether anybody would notice a message. */
  readonly watched: boolean;
  /** A response comes with the result that it tells of. */
  emit(message: HookMessage, result?: HookResult): void;
  /** Starts a hook as those who watch the fire want it; absent where nobody does. */
  within?<T>(hook: StartedHook, run: () => T): T;
}

/** What all fires of a runner have in common; those that are watched have another place for their messages. */
export interface FireHost {
  readonly messages: MessageSink;
  readonly background: BackgroundSet;
  /** Ends what has outlived its fire: the runner's own cancellation. */
  readonly lifetime: Cancellation;
  /** The process's clock, found once: looking for it takes as long as reading it. */
  readonly clock: { now(): number };
  nextHookId(): string;
  /** Takes in what a hook in the background has to tell. */
  onLate(answer: LateAnswer): Promise<void>;
}

export class Fire implements Placed {
  declare readonly host: FireHost;
  declare readonly event: AnyEvent;
  declare readonly subject: string | undefined;
  /** The full input with which it began. */
  declare readonly input: Input;
  /** The parts of it that hooks could change in place. */
  declare readonly parts: readonly Viewed[];
  declare readonly toolUseID: string | undefined;
  declare readonly agentId: string | undefined;
  declare readonly signal: AbortSignal | undefined;
  declare readonly depth: number;
  /** How it is counted among the open fires. */
  declare batch: Batch | undefined;
  declare readonly cancellation: Cancellation;
  /** When the clock was last read: the end of one hook is the start of the next. */
  declare now: number;
  /** What it will come to; undefined while it is only just beginning. */
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

  /** What a hook without a name is called: the event and its subject. */
  get name(): string {
    this.ownName ??= this.subject === undefined ? this.event : `${this.event}:${this.subject}`;
    return this.ownName;
  }

  /** The input as commands read it. Throws a HookError, code `invalid_input`, for data that JSON cannot hold. */
  wire(input: Input, dialect: Dialect): Uint8Array {
    this.ownWire ??= createWire(this.event);
    return this.ownWire(input, dialect);
  }
}
