/**
 * The agents' folders in the directory. A folder is created atomically, even if several processes create it or one of
 * them dies.
 */

import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { syncFolders, writePrivate } from '../../../base/files/private.js';
import { readJsonObject } from '../../../base/json/read-json.js';
import { ANYONE } from '../../item.js';
import { AGENT_FILE, AgentBox, BOX_FOLDERS, type Quarantine } from './agent-box.js';
import { makeFolder } from './directory.js';
import { list, look, readPrivate } from './disk.js';
import { codeOf, isFolderProblem } from './disk-error.js';
import { agentFolder, unfinishedFolder } from './file-names.js';
import type { MailboxContext } from './mailbox-context.js';

export class Boxes {
  readonly #context: MailboxContext;
  readonly #quarantine: Quarantine;
  /** By folder. */
  readonly #known = new Map<string, AgentBox>();
  readonly #strange = new Set<string>();
  /** The reported problems of folders that cannot be used now. */
  readonly #broken = new Map<string, string>();

  constructor(context: MailboxContext, quarantine: Quarantine) {
    this.#context = context;
    this.#quarantine = quarantine;
  }

  /** Returns the box of an agent and creates it if it is missing. */
  async ensure(agentId: string): Promise<AgentBox> {
    const found = await this.find(agentId);
    if (found !== undefined) return found;
    await this.#make(agentId);
    const box = this.#note(agentFolder(agentId), agentId);
    await box.check();
    return box;
  }

  /** Undefined if the agent has not joined and no item has named it. */
  async find(agentId: string): Promise<AgentBox | undefined> {
    const folder = agentFolder(agentId);
    if ((await look(join(this.#context.place.agents, folder))) === undefined) return undefined;
    const box = this.#note(folder, agentId);
    await box.check();
    return box;
  }

  /**
   * Like `find`, but also undefined if the agent's folder cannot be used. The problem is reported and affects only this
   * agent.
   */
  async tryFind(agentId: string): Promise<AgentBox | undefined> {
    return this.#unlessBroken(agentFolder(agentId), () => this.find(agentId));
  }

  /** Like `ensure`, but undefined if the agent's folder cannot be used. */
  async tryEnsure(agentId: string): Promise<AgentBox | undefined> {
    return this.#unlessBroken(agentFolder(agentId), () => this.ensure(agentId));
  }

  /**
   * Calls `work` for each agent and returns the results. The box for agents that have not joined is included only with
   * `ANYONE`. A folder that cannot be used is reported and skipped.
   */
  async mapUsable<T>(work: (box: AgentBox) => Promise<T>, withAnyone?: typeof ANYONE): Promise<readonly T[]> {
    const folders = (await list(this.#context.place.agents)).sort();
    for (const folder of this.#broken.keys()) if (!folders.includes(folder)) this.#broken.delete(folder);
    const done: T[] = [];
    for (const folder of folders) {
      if (folder === agentFolder(ANYONE) && withAnyone === undefined) continue;
      const one = await this.#unlessBroken(folder, async () => {
        const box = await this.#open(folder);
        return box && { result: await work(box) };
      });
      if (one !== undefined) done.push(one.result);
    }
    return done;
  }

  /** Whether all agents' folders were usable when they were last read. */
  get areWhole(): boolean {
    return this.#broken.size === 0;
  }

  isBroken(folder: string): boolean {
    return this.#broken.has(folder);
  }

  /** Finds a box by folder; also undefined if it cannot be used. */
  async tryFolder(folder: string): Promise<AgentBox | undefined> {
    return this.#unlessBroken(folder, () => this.#open(folder));
  }

  /** The agents that have joined. */
  async joined(): Promise<readonly AgentBox[]> {
    return (await this.mapUsable(async (box) => ((await box.isJoined()) ? [box] : []))).flat();
  }

  async #unlessBroken<T>(folder: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await work();
      this.#broken.delete(folder);
      return done;
    } catch (error) {
      if (!isFolderProblem(error)) throw error;
      const message = `An agent's folder of the mailbox cannot be used, and its items are not delivered for now: ${messageOf(error)}`;
      if (this.#broken.get(folder) !== message)
        this.#context.reportProblem(new Error(message, { cause: error }));
      this.#broken.set(folder, message);
      return undefined;
    }
  }

  #note(folder: string, agentId: string): AgentBox {
    let box = this.#known.get(folder);
    if (box === undefined) {
      box = new AgentBox(this.#context.place.agents, folder, agentId, this.#quarantine);
      this.#known.set(folder, box);
    }
    return box;
  }

  async #open(folder: string): Promise<AgentBox | undefined> {
    const box = this.#known.get(folder) ?? (await this.#read(folder));
    await box?.check();
    return box;
  }

  async #read(folder: string): Promise<AgentBox | undefined> {
    const reading = await readPrivate(join(this.#context.place.agents, folder, AGENT_FILE));
    const json = reading?.ok === true ? readJsonObject(reading.text) : undefined;
    const id = json?.ok === true ? json.value['id'] : undefined;
    if (typeof id === 'string' && agentFolder(id) === folder) return this.#note(folder, id);
    if (!this.#strange.has(folder)) {
      this.#strange.add(folder);
      const message = `The folder '${join(this.#context.place.agents, folder)}' is not an agent's folder: its '${AGENT_FILE}' does not name an agent. It is ignored.`;
      this.#context.reportProblem(new Error(message));
    }
    return undefined;
  }

  /** Created in staging and moved into place in one step: if several processes do so at once, the first one wins. */
  async #make(agentId: string): Promise<void> {
    const { staging, agents } = this.#context.place;
    const folder = agentFolder(agentId);
    const unfinished = join(staging, unfinishedFolder(folder, this.#context.owner));
    try {
      await makeFolder(unfinished);
      for (const name of BOX_FOLDERS) await makeFolder(join(unfinished, name));
      await writePrivate(join(unfinished, AGENT_FILE), `${JSON.stringify({ id: agentId })}\n`);
      await syncFolders(unfinished);
      await rename(unfinished, join(agents, folder));
      await syncFolders(agents);
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      const taken = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '');
      if (!taken || (await look(join(agents, folder))) === undefined) throw error;
    }
  }
}
