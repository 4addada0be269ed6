/** The agents that have a folder in the directory. A folder appears whole, whoever makes it and whoever dies at it. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ANYONE } from '../../injection/item.js';
import { readJsonObject } from '../../json/read-json.js';
import { AGENT_FILE, AgentBox, BOX_FOLDERS, type MoveAside } from './agent-box.js';
import type { Desk } from './desk.js';
import { makeFolder } from './directory.js';
import { list, look, readPrivate, syncFolders, writeNew } from './disk.js';
import { codeOf } from './disk-error.js';
import { agentFolder, unfinishedFolder } from './file-names.js';

export class Boxes {
  readonly #desk: Desk;
  readonly #moveAside: MoveAside;
  /** By folder. */
  readonly #known = new Map<string, AgentBox>();
  readonly #strange = new Set<string>();

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

  /** Those of agents; the one of nobody in particular is not among them. */
  async all(): Promise<AgentBox[]> {
    const boxes: AgentBox[] = [];
    for (const folder of (await list(this.#desk.place.agents)).sort()) {
      if (folder === agentFolder(ANYONE)) continue;
      const box = this.#known.get(folder) ?? (await this.#read(folder));
      if (box === undefined) continue;
      await box.check();
      boxes.push(box);
    }
    return boxes;
  }

  /** Also the one of nobody in particular, where it exists. */
  async everyone(): Promise<AgentBox[]> {
    const nobody = await this.find(ANYONE);
    return nobody === undefined ? this.all() : [...(await this.all()), nobody];
  }

  /** By folder, for files that name one. */
  async byFolder(folder: string): Promise<AgentBox | undefined> {
    return this.#known.get(folder) ?? this.#read(folder);
  }

  /** The agents that are there. */
  async joined(): Promise<AgentBox[]> {
    const boxes = await this.all();
    const isThere = await Promise.all(boxes.map((box) => box.isJoined()));
    return boxes.filter((_, i) => isThere[i]);
  }

  #note(folder: string, agentId: string): AgentBox {
    let box = this.#known.get(folder);
    if (box === undefined) {
      box = new AgentBox(this.#desk.place.agents, folder, agentId, this.#moveAside);
      this.#known.set(folder, box);
    }
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
      await writeNew(join(unfinished, AGENT_FILE), `${JSON.stringify({ id: agentId })}\n`);
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
