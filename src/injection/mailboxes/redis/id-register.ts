/** Stores which ids exist, so that the same item is put once and its state can be queried. */
import type { InjectionItem } from '../../port.js';
import type { SetOptions } from './link.js';
import { REGISTER } from './lua/register.js';
import { fingerprint } from './record.js';
import type { RedisContext } from './redis-context.js';

export class IdRegister {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /** `same`: the same item exists. `other`: a different item has this id. */
  async add(item: InjectionItem): Promise<'new' | 'same' | 'other'> {
    const value = `${fingerprint(item)} ${JSON.stringify(item.to)}`;
    const known = await this.#set(item.id, value, { NX: true, GET: true });
    if (known === null || known === '') return 'new';
    return known === value ? 'same' : 'other';
  }

  /** Like `add`, for an id that nobody else can have. */
  async addNew(item: InjectionItem): Promise<void> {
    await this.#set(item.id, `${fingerprint(item)} ${JSON.stringify(item.to)}`, {});
  }

  /** A plain command costs the server half of a script, but only scripts wait for replicas. */
  async #set(id: string, value: string, options: Omit<SetOptions, 'PX'>): Promise<unknown> {
    const { link, keys, settings } = this.#context;
    const { retentionMs, waitReplicas } = settings;
    const key = keys.item(id);
    if (waitReplicas > 0) return link.run('put', REGISTER, key, [value, String(retentionMs)]);
    return link.call('put', (client) => client.set(key, value, { PX: retentionMs, ...options }));
  }

  /** The agents an item is for. */
  async find(id: string): Promise<InjectionItem['to'] | undefined> {
    const { link, keys } = this.#context;
    const known = await link.call('status', (client) => client.get(keys.item(id)));
    // Written by `add`, after the fingerprint.
    return known ? (JSON.parse(known.slice(known.indexOf(' ') + 1)) as InjectionItem['to']) : undefined;
  }

  /** Marks an item as ended: it is kept only for a limited time from now on. */
  async settle(id: string): Promise<void> {
    const { link, keys, settings } = this.#context;
    await link.call('tidying up', (client) => client.pExpire(keys.item(id), settings.rememberMs, 'LT'));
  }

  async remove(id: string): Promise<void> {
    const { link, keys } = this.#context;
    await link.call('tidying up', (client) => client.del(keys.item(id)));
  }
}
