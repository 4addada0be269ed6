/** A web page, on this machine only, on which a person watches agents and their hooks at work and talks to them. */

import type { Run } from '../agent/loop/agent-loop.js';
import type { CanUseTool } from '../agent/loop/ask-permission.js';
import { MAX_TIMER_MS } from '../base/async/timeout.js';
import { HookError, show } from '../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import { MAIN_AGENT } from '../injection/hooks/built-in.js';
import { createHumanInput, type HumanInput } from '../injection/hooks/human-input.js';
import type { Mailbox } from '../injection/port.js';
import type { LiveEvent } from './events.js';
import { Fires } from './fires.js';
import { checkToken } from './guard.js';
import { History } from './history.js';
import { Items, type WatchedMailbox } from './items.js';
import { observeFires, type WatchedRunner } from './observe-fires.js';
import { loadPage } from './page.js';
import { Questions } from './questions.js';
import { RunReader } from './runs.js';
import { LiveServer } from './server.js';
import { Timeline } from './timeline.js';

/** What a live view is started with. */
export interface LiveViewOptions {
  /** Default: any that is free. */
  readonly port?: number | undefined;
  /** What the URL holds so that nobody else can open the page: at least 16 letters, digits, _ and -. Default: drawn. */
  readonly token?: string | undefined;
  /** Watched; and where what people type on the page is put. */
  readonly mailbox?: Mailbox | undefined;
  /** What people type on the page is said here. Default: one for the mailbox. Without both there is no box to type in. */
  readonly human?: Pick<HumanInput, 'say'> | undefined;
  /** Default: `hookline`. */
  readonly title?: string | undefined;
  /** How many events are kept for pages that come later. Default: 5,000. */
  readonly maxEvents?: number | undefined;
  /** Milliseconds between signs of life. Default: 15,000. */
  readonly keepAliveMs?: number | undefined;
}

const OPTIONS: OptionNames<LiveViewOptions> = {
  port: true,
  token: true,
  mailbox: true,
  human: true,
  title: true,
  maxEvents: true,
  keepAliveMs: true,
};

/** How what is watched is shown. */
export interface WatchOptions {
  /** How the agent is called. Default: what its fires say, else `main`. */
  readonly agentId?: string | undefined;
}

/**
 * A live view that is open. Its methods throw a HookError, `disposed` or `invalid_option`, for mistakes of the caller.
 */
export interface LiveView {
  /** The address of the page, with its token: whoever has it can watch and talk. */
  readonly url: string;
  /**
   * Another address that leads to the page once, within a minute: for places where others may read it, such as the
   * arguments of a program. Never throws.
   */
  invite(): string;
  /**
   * Shows what a runner fires and what its hooks do, or what becomes of a mailbox's items, until the returned function
   * is called. A run is read to its end by nobody else; the function ends it with its next message.
   */
  watch(source: WatchedRunner | WatchedMailbox | Run, options?: WatchOptions): () => void;
  /** Shows a run that somebody else reads: what is returned is the run, message for message, and rejects as it does. */
  follow(run: Run, options?: WatchOptions): Run;
  /** Asks on the page whether a call may run: what an agent loop takes as `canUseTool`. */
  canUseTool(agentId?: string): CanUseTool;
  /** What has happened so far, as far as it is kept. */
  readonly events: readonly LiveEvent[];
  /** Ends everything: the page is told, nothing is watched any more. The second call waits for the first. */
  close(): Promise<void>;
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const MAX_SIZE = 8 * 1024 * 1024;
const STALL_MS = 30_000;
const REQUEST_MS = 10_000;

/**
 * Starts the page, on the loopback address only. Rejects with a HookError for options that make no sense, and for a port
 * that cannot be had.
 */
export async function startLiveView(options: LiveViewOptions = {}): Promise<LiveView> {
  refuseUnknownOptions('startLiveView', options, OPTIONS);
  const { port = 0, mailbox, title = 'hookline', maxEvents = 5000, keepAliveMs = 15_000 } = options;
  checkNumber('port', port, 0, 65_535);
  checkNumber('maxEvents', maxEvents, 10, 1_000_000);
  checkNumber('keepAliveMs', keepAliveMs, 10, MAX_TIMER_MS);
  const human = options.human ?? (mailbox && createHumanInput({ mailbox }));
  const history = new History({ maxEvents, maxSize: MAX_SIZE });
  const view = new View(history);
  const server = new LiveServer({
    port,
    token: checkToken(options.token),
    title,
    history,
    page: await loadPage(),
    keepAliveMs,
    stallMs: Math.max(keepAliveMs, STALL_MS),
    requestMs: REQUEST_MS,
    say:
      human &&
      (async (content, to) => (await human.say({ content, to: to === null ? { all: true } : to })).id),
    answer: (question, answer) => view.questions.answer(question, answer),
  });
  const url = await server.listen();
  if (mailbox !== undefined) view.watch(mailbox);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= view.end().then(() => server.close());
    return closed;
  };
  return {
    url,
    invite: () => server.invite(),
    watch: (source, given) => view.watch(source, given),
    follow: (run, given) => view.follow(run, given),
    canUseTool: (agentId = MAIN_AGENT) => view.questions.askFor(agentId),
    get events() {
      return history.events;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** All that is watched, and where it is written down. */
class View {
  readonly questions: Questions;
  readonly #timeline: Timeline;
  readonly #fires: Fires;
  readonly #items: Items;
  readonly #stops = new Set<() => void>();
  #ended = false;

  constructor(history: History) {
    this.#timeline = new Timeline(history);
    this.questions = new Questions(this.#timeline);
    this.#fires = new Fires(this.#timeline);
    this.#items = new Items(this.#timeline);
  }

  watch(source: WatchedRunner | WatchedMailbox | Run, options?: WatchOptions): () => void {
    if (this.#ended) throw new HookError('disposed', 'The live view has been closed; start another one.');
    const end = this.#start(source, options);
    const stop = (): void => {
      if (this.#stops.delete(stop)) end();
    };
    this.#stops.add(stop);
    return stop;
  }

  async *follow(run: Run, { agentId }: WatchOptions = {}): Run {
    const reader = new RunReader(this.#timeline, this.#fires, this.#items, agentId);
    let isDone = false;
    try {
      for (;;) {
        const step = await run.next();
        if (step.done) {
          isDone = true;
          return step.value;
        }
        if (!this.#ended) reader.read(step.value);
        yield step.value;
      }
    } finally {
      // Whoever stops reading here does not want the rest there; what a run returns then is nobody's.
      if (!isDone) await run.return(undefined as never);
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    for (const stop of [...this.#stops]) stop();
    this.questions.close();
  }

  #start(source: WatchedRunner | WatchedMailbox | Run, options?: WatchOptions): () => void {
    if (typeof source === 'object' && source !== null) {
      if ('observe' in source) return observeFires(source, this.#fires);
      if ('onChange' in source) return this.#items.watch(source);
      if (Symbol.asyncIterator in source) return this.#readAlone(source, options);
    }
    throw new HookError(
      'invalid_option',
      `A live view watches a runner, a mailbox or a run; ${show(source)} is given.`,
    );
  }

  #readAlone(run: Run, options?: WatchOptions): () => void {
    const following = this.follow(run, options);
    const read = async (): Promise<void> => {
      for await (const _ of following);
    };
    // What ends a run early is told to those who made it; here nobody is left to be told.
    read().catch(() => {});
    return () => void following.return(undefined as never).catch(() => {});
  }
}

function checkNumber(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new HookError(
    'invalid_option',
    `The option ${option} of a live view is a whole number from ${least} to ${most}; ${show(value)} is given.`,
  );
}
