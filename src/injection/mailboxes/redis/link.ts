/** Runs scripts on the server, with a timeout. */
import pTimeout from 'p-timeout';
import { messageOf } from '../../../base/errors.js';
import type { Script } from './lua/script.js';
import { MailboxUnavailableError } from './unavailable-error.js';

/** The methods used of a client of the package `redis`, for one server or a cluster. Rejects when that client does. */
export interface RedisClientLike {
  readonly isOpen: boolean;
  /** Runs a script that the server has cached. */
  evalSha(sha: string, options: EvalOptions): Promise<unknown>;
  /** Runs a script by its source; the server caches it. */
  eval(script: string, options: EvalOptions): Promise<unknown>;
  /** Creates a second client for the same server, not yet connected. */
  duplicate(): RedisSubscriberLike;
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

/** The result of a script: strings, and nested lists of them. */
export type Reply = string | readonly Reply[];

export class Link {
  readonly #client: RedisClientLike;
  readonly #timeoutMs: number;
  /** The scripts that are being loaded into the server's cache. */
  readonly #loading = new Map<string, Promise<void>>();

  constructor(client: RedisClientLike, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  /** Rejects with a MailboxUnavailableError that says whether the call may have been executed. */
  async run(call: string, script: Script, key: string, args: readonly string[]): Promise<Reply> {
    const options = { keys: [key], arguments: [...args] };
    try {
      return await pTimeout(this.#evaluate(script, options), {
        milliseconds: this.#timeoutMs,
        message: `no response within ${this.#timeoutMs} ms`,
      });
    } catch (error) {
      throw explain(call, error);
    }
  }

  /** A restarted server has no cached scripts. One call loads a script; the others wait for it. */
  async #evaluate(script: Script, options: EvalOptions): Promise<Reply> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        // The scripts return only strings and lists.
        return (await this.#client.evalSha(script.sha, options)) as Reply;
      } catch (error) {
        if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      }
      const loading = this.#loading.get(script.sha);
      if (loading === undefined || !isFirst) break;
      await loading;
    }
    const loaded = this.#client.eval(script.text, options);
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
}

/**
 * Error codes of calls that were not executed: the server is starting, is not the primary, or has no memory or disk
 * left.
 */
const REFUSAL =
  /^(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF|NOREPLICAS|OOM|NOAUTH|NOPERM|WRONGPASS)\b/;
/** Error messages of the server start with an upper-case code; those of the client do not. */
const ANSWER = /^[A-Z]{2,}\b/;
const NOT_SENT = /^Client(Offline|Closed)Error$/;

function explain(call: string, error: unknown): MailboxUnavailableError {
  const message = messageOf(error);
  if (ANSWER.test(message)) {
    const refusal = REFUSAL.exec(message)?.[1];
    const hint = refusal === 'OOM' ? ' It has no memory left: take items out, or raise its `maxmemory`.' : '';
    return new MailboxUnavailableError(`Redis refused ${call}: ${message}.${hint}`, {
      mayHaveHappened: refusal === undefined,
      outOfMemory: refusal === 'OOM',
      cause: error,
    });
  }
  const notSent = error instanceof Error && NOT_SENT.test(error.constructor.name);
  const what = notSent
    ? `${call} was not executed`
    : `it is unknown whether ${call} was executed. An item with an id can be put again without creating a duplicate`;
  return new MailboxUnavailableError(
    `Redis cannot be reached (${message}); ${what}. The client reconnects automatically; retry later.`,
    { mayHaveHappened: !notSent, cause: error },
  );
}
