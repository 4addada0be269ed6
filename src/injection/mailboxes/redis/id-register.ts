/** Which ids are known, so that the same item is put once, and so that its state can be asked for. */
import type { InjectionItem } from '../../port.js';
import { LOOK_UP, REGISTER, SETTLE, UNREGISTER } from './lua/register.js';
import { fingerprint } from './record.js';
import type { Ground } from './redis-context.js';

export class IdRegister {
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** `same`: this very item was put before. `other`: another one has its id. */
  async add(item: InjectionItem): Promise<'new' | 'same' | 'other'> {
    const { link, keys, settings } = this.#ground;
    const args = [fingerprint(item), JSON.stringify(item.to), String(settings.retentionMs)];
    // The script answers one of the three.
    return (await link.run('put', REGISTER, keys.item(item.id), args)) as 'new' | 'same' | 'other';
  }

  /** Whom an item is for. */
  async find(id: string): Promise<InjectionItem['to'] | undefined> {
    const { link, keys } = this.#ground;
    const to = await link.run('status', LOOK_UP, keys.item(id), []);
    // It was written by `add`.
    return typeof to === 'string' && to !== '' ? (JSON.parse(to) as InjectionItem['to']) : undefined;
  }

  /** It has ended: from now on it is remembered for a while only. */
  async settle(id: string): Promise<void> {
    const { link, keys, settings } = this.#ground;
    await link.run('tidying up', SETTLE, keys.item(id), [String(settings.rememberMs)]);
  }

  async remove(id: string): Promise<void> {
    const { link, keys } = this.#ground;
    await link.run('tidying up', UNREGISTER, keys.item(id), []);
  }
}
