/** The one way to the server: a script, the key that says where it runs, and a deadline. */
import pTimeout from 'p-timeout';
import { messageOf } from '../../../base/errors.js';
import type { Script } from './lua/script.js';
import { MailboxUnavailableError } from './unavailable-error.js';

/** What is needed of a client of the package `redis`: one for a server, or one for a cluster. It rejects as that does. */
export interface RedisClientLike {
  readonly isOpen: boolean;
  /** Runs a script that the server knows. */
  evalSha(sha: string, options: EvalOptions): Promise<unknown>;
  /** Runs a script that the server learns by it. */
  eval(script: string, options: EvalOptions): Promise<unknown>;
  /** A second connection to the same server, not connected yet. */
  duplicate(): RedisSubscriberLike;
}

/** What a script is given. */
export interface EvalOptions {
  keys: string[];
  arguments: string[];
}

/** A connection that listens; only needed with `watch`. It rejects as that of the package does. */
export interface RedisSubscriberLike {
  /** Told of a connection that is lost. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Resolves when it can be used. */
  connect(): Promise<unknown>;
  /** Hears everything that is said on a channel. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  /** Ends the connection at once. */
  destroy(): unknown;
}

/** What a script answers: texts, and lists of them. */
export type Reply = string | readonly Reply[];

export class Link {
  readonly #client: RedisClientLike;
  readonly #timeoutMs: number;
  /** The scripts that the server is being told. */
  readonly #telling = new Map<string, Promise<void>>();

  constructor(client: RedisClientLike, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  /** Rejects with a MailboxUnavailableError that says whether it may have happened all the same. */
  async run(call: string, script: Script, key: string, args: readonly string[]): Promise<Reply> {
    const options = { keys: [key], arguments: [...args] };
    try {
      return await pTimeout(this.#evaluate(script, options), {
        milliseconds: this.#timeoutMs,
        message: `it has not answered for ${this.#timeoutMs} ms`,
      });
    } catch (error) {
      throw explain(call, error);
    }
  }

  /** A server that has been started anew does not know the scripts any more. One call tells it; the others wait for that. */
  async #evaluate(script: Script, options: EvalOptions): Promise<Reply> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        // The scripts answer nothing but texts and lists.
        return (await this.#client.evalSha(script.sha, options)) as Reply;
      } catch (error) {
        if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      }
      const telling = this.#telling.get(script.sha);
      if (telling === undefined || !isFirst) break;
      await telling;
    }
    const told = this.#client.eval(script.text, options);
    const settled = told.then(
      () => {},
      () => {},
    );
    this.#telling.set(script.sha, settled);
    try {
      return (await told) as Reply;
    } finally {
      this.#telling.delete(script.sha);
    }
  }
}

/** What the server answers when it has done nothing: it is starting, is no longer in charge, has no memory or no disk. */
const REFUSAL =
  /^(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF|NOREPLICAS|OOM|NOAUTH|NOPERM|WRONGPASS)\b/;
/** The server's own words begin with a code in capitals; the client's do not. */
const ANSWER = /^[A-Z]{2,}\b/;
const NOT_SENT = /^Client(Offline|Closed)Error$/;

function explain(call: string, error: unknown): MailboxUnavailableError {
  const message = messageOf(error);
  if (ANSWER.test(message)) {
    const refusal = REFUSAL.exec(message)?.[1];
    const hint =
      refusal === 'OOM' ? ' It has no memory left: have items taken, or raise its `maxmemory`.' : '';
    return new MailboxUnavailableError(`Redis refused ${call}: ${message}.${hint}`, {
      mayHaveHappened: refusal === undefined,
      outOfMemory: refusal === 'OOM',
      cause: error,
    });
  }
  const notSent = error instanceof Error && NOT_SENT.test(error.constructor.name);
  const what = notSent
    ? `${call} was not carried out`
    : `it is not known whether ${call} was carried out. An item that has an id can be put again: it is never there twice`;
  return new MailboxUnavailableError(
    `Redis cannot be reached (${message}); ${what}. The connection comes back by itself; try again.`,
    { mayHaveHappened: !notSent, cause: error },
  );
}
