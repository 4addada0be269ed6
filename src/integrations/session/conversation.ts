/** What the hooks of every host have in common: they belong to one conversation, which ends once. */
import type { HookSession, SubagentOptions } from './session.js';

/** Hooks of one conversation in a host. Its methods never throw. */
export abstract class Conversation<Options> {
  protected readonly options: Options;
  protected readonly session: HookSession;

  /** Use `createHooks`. */
  constructor(options: Options, session: HookSession) {
    this.options = options;
    this.session = session;
  }

  /** Hooks of a subagent: a tool that runs an agent of its own. Items of `agentId` reach it, if given. */
  subagent(subagent: SubagentOptions): this {
    const Hooks = this.constructor as new (options: Options, session: HookSession) => this;
    return new Hooks(this.options, this.session.subagent(subagent));
  }

  /** Releases undelivered items and fires SessionEnd, once. */
  async end(reason?: string): Promise<void> {
    await this.session.end(reason);
  }

  /** The same as `end`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}
