/** Stores which ids exist, so that the same item is put once and its state can be queried. */
import type { InjectionItem } from '../../port.js';
import { LOOK_UP, REGISTER, SETTLE, UNREGISTER } from './lua/register.js';
import { fingerprint } from './record.js';
import type { RedisContext } from './redis-context.js';

export class IdRegister {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /** `same`: the same item exists. `other`: a different item has this id. */
  async add(item: InjectionItem): Promise<'new' | 'same' | 'other'> {
    const { link, keys, settings } = this.#context;
    const args = [fingerprint(item), JSON.stringify(item.to), String(settings.retentionMs)];
    // The script returns one of the three.
    return (await link.run('put', REGISTER, keys.item(item.id), args)) as 'new' | 'same' | 'other';
  }

  /** The agents an item is for. */
  async find(id: string): Promise<InjectionItem['to'] | undefined> {
    const { link, keys } = this.#context;
    const to = await link.run('status', LOOK_UP, keys.item(id), []);
    // Written by `add`.
    return typeof to === 'string' && to !== '' ? (JSON.parse(to) as InjectionItem['to']) : undefined;
  }

  /** Marks an item as ended: it is kept only for a limited time from now on. */
  async settle(id: string): Promise<void> {
    const { link, keys, settings } = this.#context;
    await link.run('tidying up', SETTLE, keys.item(id), [String(settings.rememberMs)]);
  }

  async remove(id: string): Promise<void> {
    const { link, keys } = this.#context;
    await link.run('tidying up', UNREGISTER, keys.item(id), []);
  }
}
