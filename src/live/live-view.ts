/** A local web page on which a person can watch agents and their hooks and write to them. */

import type { Run } from '../agent/loop/agent-loop.js';
import type { CanUseTool } from '../agent/loop/ask-permission.js';
import { MAX_TIMER_MS } from '../base/async/timeout.js';
import { HookError, show } from '../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import { MAIN_AGENT } from '../injection/hooks/built-in.js';
import { createHumanInput, type HumanInput } from '../injection/hooks/human-input.js';
import type { Mailbox } from '../injection/port.js';
import { Timeline } from './agent-registry.js';
import { Archive, type ArchivedFire } from './archive.js';
import { EarlierFires, type RecordingProblem } from './earlier.js';
import type { LiveEvent } from './events.js';
import { Repeater } from './fire-again.js';
import { detailsOf } from './fire-details.js';
import { Fires } from './fires.js';
import { checkToken } from './guard.js';
import { History } from './history.js';
import { Items, type WatchedMailbox } from './items.js';
import { loadedHooks } from './loaded-hooks.js';
import { observeFires, type WatchedRunner } from './observe-fires.js';
import { loadPage } from './page.js';
import { Questions } from './questions.js';
import { RunReader } from './runs.js';
import { type Answer, LiveServer } from './server.js';

/** Options of `startLiveView`. */
export interface LiveViewOptions {
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** The secret in the URL: at least 16 letters, digits, _ and -. Default: generated. */
  readonly token?: string | undefined;
  /** The mailbox to watch, and to which messages typed on the page are sent. */
  readonly mailbox?: Mailbox | undefined;
  /**
   * Receives messages typed on the page. Default: a new one for the mailbox. Without either, the page has no message
   * box.
   */
  readonly human?: Pick<HumanInput, 'say'> | undefined;
  /** The page title. Default: `hookline`. */
  readonly title?: string | undefined;
  /** The number of events kept for pages that connect later. Default: 50,000. */
  readonly maxEvents?: number | undefined;
  /** The folder: files in it are shown relative to it. Default: the current one. */
  readonly cwd?: string | undefined;
  /** Prompts that the page suggests until something happens. */
  readonly examples?: readonly string[] | undefined;
  /** Milliseconds between keep-alives. Default: 15,000. */
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
  cwd: true,
  examples: true,
};

/** Options of `watch` and `follow`. */
export interface WatchOptions {
  /** The agent's name. Default: the one in its fires, otherwise `main`. */
  readonly agentId?: string | undefined;
}

/** An open live view. Its methods throw a HookError (`disposed` or `invalid_option`) if they are used incorrectly. */
export interface LiveView {
  /** The URL of the page, including its token: anyone who has it can watch and write. The browser then shows `watchUrl`. */
  readonly url: string;
  /** A URL to pass on: it shows everything, and can change nothing. */
  readonly watchUrl: string;
  /**
   * A URL that opens the page once, within a minute. Use it where others may read it, such as in the arguments of a
   * program. Never throws.
   */
  invite(): string;
  /**
   * Shows the fires of a runner and its hooks, or the items of a mailbox, until the returned function is called.
   * Reads a run to its end, so nothing else may read it; calling the function ends the run at its next message.
   */
  watch(source: WatchedRunner | WatchedMailbox | Run, options?: WatchOptions): () => void;
  /** Shows a run that you read yourself: returns a run with the same messages, which rejects as the original does. */
  follow(run: Run, options?: WatchOptions): Run;
  /** Returns a `canUseTool` for an agent loop that asks on the page. */
  canUseTool(agentId?: string): CanUseTool;
  /**
   * Lists the fires of a recording, such as an exported session. Resolves with the lines that cannot be shown; rejects
   * with a HookError if the file cannot be read.
   */
  showRecording(file: string): Promise<readonly RecordingProblem[]>;
  /** The events so far, as far as they are kept. */
  readonly events: readonly LiveEvent[];
  /** Closes the view: stops watching and tells the pages. Later calls wait for the first. */
  close(): Promise<void>;
  /** Same as `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const MAX_SIZE = 32 * 1024 * 1024;
const MAX_FIRES = 20_000;
const STALL_MS = 30_000;
const REQUEST_MS = 10_000;

/**
 * Starts the page, on the loopback address only. Rejects with a HookError if an option is invalid or the port is not
 * available.
 */
export async function startLiveView(options: LiveViewOptions = {}): Promise<LiveView> {
  refuseUnknownOptions('startLiveView', options, OPTIONS);
  const { port = 0, mailbox, title = 'hookline', maxEvents = 50_000, keepAliveMs = 15_000 } = options;
  checkNumber('port', port, 0, 65_535);
  checkNumber('maxEvents', maxEvents, 10, 1_000_000);
  checkNumber('keepAliveMs', keepAliveMs, 10, MAX_TIMER_MS);
  const human = options.human ?? (mailbox && createHumanInput({ mailbox }));
  const history = new History({ maxEvents, maxSize: MAX_SIZE });
  const view = new View(history, options.cwd ?? process.cwd());
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
    examples: options.examples ?? [],
    lookUp: (name) => view.lookUp(name),
    fireAgain: (fire) => view.fireAgain(fire),
  });
  const { url, watchUrl } = await server.listen();
  if (mailbox !== undefined) view.watch(mailbox);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= view.end().then(() => server.close());
    return closed;
  };
  return {
    url,
    watchUrl,
    invite: () => server.invite(),
    watch: (source, given) => view.watch(source, given),
    follow: (run, given) => view.follow(run, given),
    showRecording: (file) => view.earlier.show(file),
    canUseTool: (agentId = MAIN_AGENT) => view.questions.askFor(agentId),
    get events() {
      return history.events;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Connects everything that is watched with the event history. */
class View {
  readonly questions: Questions;
  readonly earlier: EarlierFires;
  readonly #timeline: Timeline;
  readonly #fires: Fires;
  readonly #items: Items;
  readonly #archive = new Archive({ maxFires: MAX_FIRES, maxSize: MAX_SIZE });
  readonly #repeater = new Repeater();
  readonly #runners = new Set<WatchedRunner>();
  readonly #stops = new Set<() => void>();
  readonly #cwd: string;
  #ended = false;

  constructor(history: History, cwd: string) {
    this.#cwd = cwd;
    this.#timeline = new Timeline(history);
    this.questions = new Questions(this.#timeline);
    this.earlier = new EarlierFires(this.#timeline, this.#archive);
    this.#fires = new Fires(this.#timeline, this.#archive, cwd);
    this.#items = new Items(this.#timeline);
  }

  /** Details of a fire, the loaded hooks, or everything as a recording. */
  lookUp(name: string): Answer | undefined {
    if (name === 'fires.jsonl')
      return { type: 'application/jsonl', content: this.#archive.recording(), fileName: name };
    if (name === 'hooks') return json(loadedHooks(this.#runners, this.#cwd));
    const [, id = '', ending] = /^fires\/([\w-]+)(\.yaml)?$/.exec(name) ?? [];
    const fire = this.#archive.get(id);
    if (fire === undefined) return undefined;
    const details = detailsOf(fire, this.#runnerOf(fire), this.#cwd);
    if (ending === undefined) return json(details);
    return { type: 'application/yaml', content: details.test, fileName: 'hookline.test.yaml' };
  }

  fireAgain(id: string): string {
    const fire = this.#archive.get(id);
    if (fire === undefined) throw new HookError('invalid_option', 'This fire is no longer available.');
    return this.#repeater.fire(id, fire, this.#runnerOf(fire));
  }

  /** Only a runner that is still watched; for a fire of an earlier session, the first one. */
  #runnerOf({ runner }: ArchivedFire): WatchedRunner | undefined {
    const [first] = this.#runners;
    if (runner === undefined) return first;
    return this.#runners.has(runner) ? runner : undefined;
  }

  watch(source: WatchedRunner | WatchedMailbox | Run, options?: WatchOptions): () => void {
    if (this.#ended) throw new HookError('disposed', 'The live view has been closed; start a new one.');
    const end = this.#start(source, options);
    const stop = (): void => {
      if (this.#stops.delete(stop)) end();
    };
    this.#stops.add(stop);
    return stop;
  }

  async *follow(run: Run, { agentId }: WatchOptions = {}): Run {
    const reader = new RunReader(this.#timeline, this.#fires, this.#items, this.questions, agentId);
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
      // If the reader stops early, end the original run too; its return value is not needed.
      if (!isDone) await run.return(undefined as never);
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#repeater.close();
    for (const stop of [...this.#stops]) stop();
    this.questions.close();
  }

  #start(source: WatchedRunner | WatchedMailbox | Run, options?: WatchOptions): () => void {
    if (typeof source === 'object' && source !== null) {
      if ('observe' in source) return this.#observe(source);
      if ('onChange' in source) return this.#items.watch(source);
      if (Symbol.asyncIterator in source) return this.#readAlone(source, options);
    }
    throw new HookError(
      'invalid_option',
      `A live view can watch a runner, a mailbox or a run, not ${show(source)}.`,
    );
  }

  #observe(runner: WatchedRunner): () => void {
    const stop = observeFires(runner, this.#fires);
    this.#runners.add(runner);
    return () => {
      this.#runners.delete(runner);
      stop();
    };
  }

  #readAlone(run: Run, options?: WatchOptions): () => void {
    const following = this.follow(run, options);
    const read = async (): Promise<void> => {
      for await (const _ of following);
    };
    // The error is reported to the code that created the run.
    read().catch(() => {});
    return () => void following.return(undefined as never).catch(() => {});
  }
}

const json = (value: object): Answer => ({ type: 'application/json', content: JSON.stringify(value) });

function checkNumber(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new HookError(
    'invalid_option',
    `The option ${option} of a live view must be a whole number from ${least} to ${most}, not ${show(value)}.`,
  );
}
