/** The agents that have a folder in the directory. A folder appears whole, whoever makes it and whoever dies at it. */

import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../base/errors.js';
import { syncFolders, writePrivate } from '../../../base/files/private.js';
import { readJsonObject } from '../../../base/json/read-json.js';
import { ANYONE } from '../../item.js';
import { AGENT_FILE, AgentBox, BOX_FOLDERS, type MoveAside } from './agent-box.js';
import { makeFolder } from './directory.js';
import { list, look, readPrivate } from './disk.js';
import { codeOf, isFolderProblem } from './disk-error.js';
import { agentFolder, unfinishedFolder } from './file-names.js';
import type { Desk } from './mailbox-context.js';

export class Boxes {
  readonly #desk: Desk;
  readonly #moveAside: MoveAside;
  /** By folder. */
  readonly #known = new Map<string, AgentBox>();
  readonly #strange = new Set<string>();
  /** What is wrong with folders that cannot be used now, as it was told. */
  readonly #broken = new Map<string, string>();

  constructor(desk: Desk, moveAside: MoveAside) {
    this.#desk = desk;
    this.#moveAside = moveAside;
  }

  /** The box of an agent, made where it is missing. */
  async ensure(agentId: string): Promise<AgentBox> {
    const found = await this.find(agentId);
    if (found !== undefined) return found;
    await this.#make(agentId);
    const box = this.#note(agentFolder(agentId), agentId);
    await box.check();
    return box;
  }

  /** Undefined: nothing was ever put for it by name, and it has not come. */
  async find(agentId: string): Promise<AgentBox | undefined> {
    const folder = agentFolder(agentId);
    if ((await look(join(this.#desk.place.agents, folder))) === undefined) return undefined;
    const box = this.#note(folder, agentId);
    await box.check();
    return box;
  }

  /** As `find`, and undefined also where the agent's folder cannot be used: that concerns this agent alone, and is told. */
  async tryFind(agentId: string): Promise<AgentBox | undefined> {
    return this.#unlessBroken(agentFolder(agentId), () => this.find(agentId));
  }

  /** As `ensure`, and undefined where the agent's folder cannot be used. */
  async tryEnsure(agentId: string): Promise<AgentBox | undefined> {
    return this.#unlessBroken(agentFolder(agentId), () => this.ensure(agentId));
  }

  /**
   * What `work` returns for each agent; the box of nobody in particular is among them only with `ANYONE`. An agent whose
   * folder cannot be used is told of and left out.
   */
  async mapUsable<T>(work: (box: AgentBox) => Promise<T>, withAnyone?: typeof ANYONE): Promise<readonly T[]> {
    const folders = (await list(this.#desk.place.agents)).sort();
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

  /** Whether all agents' folders could be used when they were last looked at. */
  get areWhole(): boolean {
    return this.#broken.size === 0;
  }

  isBroken(folder: string): boolean {
    return this.#broken.has(folder);
  }

  /** By folder, for files that name one; undefined also where it cannot be used. */
  async tryFolder(folder: string): Promise<AgentBox | undefined> {
    return this.#unlessBroken(folder, () => this.#open(folder));
  }

  /** The agents that are there. */
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
      const message = `An agent's folder of the mailbox cannot be used, and what it holds waits: ${messageOf(error)}`;
      if (this.#broken.get(folder) !== message) this.#desk.tellProblem(new Error(message, { cause: error }));
      this.#broken.set(folder, message);
      return undefined;
    }
  }

  #note(folder: string, agentId: string): AgentBox {
    let box = this.#known.get(folder);
    if (box === undefined) {
      box = new AgentBox(this.#desk.place.agents, folder, agentId, this.#moveAside);
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
    const reading = await readPrivate(join(this.#desk.place.agents, folder, AGENT_FILE));
    const json = reading?.ok === true ? readJsonObject(reading.text) : undefined;
    const id = json?.ok === true ? json.value['id'] : undefined;
    if (typeof id === 'string' && agentFolder(id) === folder) return this.#note(folder, id);
    if (!this.#strange.has(folder)) {
      this.#strange.add(folder);
      const message = `The folder '${join(this.#desk.place.agents, folder)}' is no agent's: '${AGENT_FILE}' in it does not say whose. It is left alone.`;
      this.#desk.tellProblem(new Error(message));
    }
    return undefined;
  }

  /** Made aside and moved into its place in one step: of several who do so at once the first one wins. */
  async #make(agentId: string): Promise<void> {
    const { staging, agents } = this.#desk.place;
    const folder = agentFolder(agentId);
    const unfinished = join(staging, unfinishedFolder(folder, this.#desk.owner));
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
