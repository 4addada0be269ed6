/** Runs scripts on the server, with a timeout. */
import { HookError, messageOf } from '../../../base/errors.js';
import { MailboxUnavailableError } from '../../unavailable-error.js';
import type { Script } from './lua/script.js';

/** The methods used of a client of the package `redis`, for one server or a cluster. Rejects when that client does. */
export interface RedisClientLike {
  readonly isOpen: boolean;
  /** Returns how many of these keys exist. */
  exists(keys: string[]): Promise<number>;
  /** Returns the value of a key; null if it does not exist. */
  get(key: string): Promise<string | null>;
  /** With `NX` and `GET`, sets the key only if it does not exist, and returns the value that it had. */
  set(key: string, value: string, options: SetOptions): Promise<unknown>;
  /** With `LT`, only shortens the time that the key has left. */
  pExpire(key: string, ms: number, mode: 'LT'): Promise<unknown>;
  /** Deletes a key. */
  del(key: string): Promise<unknown>;
  /** Runs a script that the server has cached. */
  evalSha(sha: string, options: EvalOptions): Promise<unknown>;
  /** Runs a script by its source; the server caches it. */
  eval(script: string, options: EvalOptions): Promise<unknown>;
  /** Collects commands for one connection. Used only with `waitReplicas`. */
  multi?(): RedisPipelineLike;
  /** Creates a second client for the same server, not yet connected. */
  duplicate(): RedisSubscriberLike;
}

/** Commands that one connection executes in their order, used only with `waitReplicas`. */
export interface RedisPipelineLike {
  /** Runs a script that the server has cached. */
  evalSha(sha: string, options: EvalOptions): RedisPipelineLike;
  /** Runs a script by its source; the server caches it. */
  eval(script: string, options: EvalOptions): RedisPipelineLike;
  /** Waits until so many replicas have confirmed what this connection has written. */
  wait(replicas: number, timeoutMs: number): RedisPipelineLike;
  /** Sends the commands and returns their replies. Rejects when one of them fails. */
  execAsPipeline(): Promise<readonly unknown[]>;
}

/** How a key is set; `PX` is in milliseconds. */
export interface SetOptions {
  PX: number;
  NX?: true;
  GET?: true;
}

/** The key and the arguments of a script. */
export interface EvalOptions {
  keys: string[];
  arguments: string[];
}

/** A client for subscriptions, used only with `watch`. Rejects when the client of the package does. */
export interface RedisSubscriberLike {
  /** Adds a listener for connection errors. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Resolves when the client is connected. */
  connect(): Promise<unknown>;
  /** Calls the listener for every message on a channel. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  /** Closes the connection at once. */
  destroy?(): unknown;
  /** What `redis` 4 calls it. */
  disconnect?(): unknown;
}

/** The result of a script: strings, numbers, and nested lists of them. */
export type Reply = string | number | readonly Reply[];

export class Link {
  readonly #client: RedisClientLike;
  readonly #timeoutMs: number;
  readonly #waitReplicas: number;
  /** The scripts that are being loaded into the server's cache. */
  readonly #loading = new Map<string, Promise<void>>();

  constructor(client: RedisClientLike, timeoutMs: number, waitReplicas = 0) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#waitReplicas = waitReplicas;
  }

  /** Rejects with a MailboxUnavailableError that says whether the call may have been executed. */
  run(name: string, script: Script, key: string, args: readonly string[]): Promise<Reply> {
    const options = { keys: [key], arguments: [...args] };
    return this.call(name, () => this.#evaluate(script, options));
  }

  /** Sends a plain command. Rejects as `run` does. */
  async call<T>(name: string, send: (client: RedisClientLike) => Promise<T>): Promise<T> {
    try {
      return await withTimeout(send(this.#client), this.#timeoutMs);
    } catch (error) {
      throw explain(name, error);
    }
  }

  /** A restarted server has no cached scripts. One call loads a script; the others wait for it. */
  async #evaluate(script: Script, options: EvalOptions): Promise<Reply> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        // The scripts return nothing else.
        return (await this.#call('evalSha', script.sha, options)) as Reply;
      } catch (error) {
        if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      }
      const loading = this.#loading.get(script.sha);
      if (loading === undefined || !isFirst) break;
      await loading;
    }
    const loaded = this.#call('eval', script.text, options);
    const settled = loaded.then(
      () => {},
      () => {},
    );
    this.#loading.set(script.sha, settled);
    try {
      return (await loaded) as Reply;
    } finally {
      this.#loading.delete(script.sha);
    }
  }

  /**
   * Runs a script and, if asked to, waits for replicas: in one pipeline, because WAIT is about the writes of its own
   * connection. If the connection breaks in between, both are rejected.
   */
  async #call(how: 'evalSha' | 'eval', script: string, options: EvalOptions): Promise<unknown> {
    const wanted = this.#waitReplicas;
    if (wanted === 0) return this.#client[how](script, options);
    for (let redirections = 0; ; redirections++) {
      try {
        const pipeline = pipelineOf(this.#client)[how](script, options);
        const replies = await pipeline.wait(wanted, this.#waitMs).execAsPipeline();
        const [reply, confirmed] = replies;
        if (Number(confirmed) >= wanted) return reply;
        throw new UnconfirmedError(
          `${confirmed} of ${wanted} replicas confirmed it within ${this.#waitMs} ms`,
        );
      } catch (error) {
        if (!/^(MOVED|ASK) /.test(messageOf(error)) || redirections >= MAX_REDIRECTIONS) throw error;
        // Nothing was executed: the slot has moved. A call outside a pipeline makes the client learn the new place.
        await this.#client.eval('return 0', { keys: options.keys, arguments: [] });
      }
    }
  }

  /** Ends before the call itself times out, so that the error says what is missing. */
  get #waitMs(): number {
    return Math.max(1, Math.floor(this.#timeoutMs * 0.8));
  }
}

const MAX_REDIRECTIONS = 16;

/** Creates its error only when time is up: the stack of one for each call takes longer than the call. */
function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Throws a HookError for a client that cannot pipeline. */
export function pipelineOf(client: RedisClientLike): RedisPipelineLike {
  const pipeline = client.multi?.();
  if (pipeline !== undefined) return pipeline;
  throw new HookError(
    'invalid_option',
    '`waitReplicas` needs a `client` with `multi`, as those of the package redis have.',
  );
}

/** Thrown for a change that was executed, but not confirmed by enough replicas. */
class UnconfirmedError extends Error {}

/**
 * Error codes of calls that were not executed: the server is starting, is not the primary, or has no memory or disk
 * left.
 */
const REFUSAL =
  /^(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF|NOREPLICAS|OOM|NOAUTH|NOPERM|WRONGPASS)\b/;
const HINTS: Readonly<Record<string, string>> = {
  OOM: ' It has no memory left: take items out, or raise its `maxmemory`.',
  CLUSTERDOWN: ' The cluster has no master for this part until a replica takes over: retry later.',
  LOADING: ' The server is starting: retry later.',
};
/** Error messages of the server start with an upper-case code; those of the client do not. */
const ANSWER = /^[A-Z]{2,}\b/;
/** By its words, which no version of the client has changed: bundlers change the names of its classes. */
const NOT_SENT = /^The client is (closed|offline)$/;

function explain(call: string, error: unknown): MailboxUnavailableError {
  const message = messageOf(error);
  if (error instanceof UnconfirmedError)
    return new MailboxUnavailableError(
      `Redis executed ${call}, but ${message}, so it may be lost if the server fails now. Repeat it: an item with an id is put once.`,
      { mayHaveHappened: true, cause: error },
    );
  if (ANSWER.test(message)) {
    const refusal = REFUSAL.exec(message)?.[1];
    const hint = HINTS[refusal ?? ''] ?? '';
    return new MailboxUnavailableError(`Redis refused ${call}: ${message}.${hint}`, {
      mayHaveHappened: refusal === undefined,
      outOfMemory: refusal === 'OOM',
      cause: error,
    });
  }
  const notSent = NOT_SENT.test(message);
  const what = notSent
    ? `${call} was not executed`
    : `it is unknown whether ${call} was executed. An item with an id can be put again without creating a duplicate`;
  return new MailboxUnavailableError(
    `Redis cannot be reached (${message}); ${what}. The client reconnects automatically; retry later.`,
    { mayHaveHappened: !notSent, cause: error },
  );
}
