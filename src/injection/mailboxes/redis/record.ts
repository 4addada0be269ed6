/** Encodes items as the fields stored on the server, and decodes them. */
import { createHash } from 'node:crypto';
import { freezeItem, itemSchema } from '../../item.js';
import type { InjectionItem } from '../../port.js';
import { escapeName, unescapeName } from './keys.js';

/** In the order the scripts expect: `id`, `h`, `r`, `p`, `m`, `x`. */
export function encodeItem(item: InjectionItem): readonly string[] {
  const { id, strategy, source, ...rest } = item;
  const { matcher = '', priority = 0, expiresAt } = item;
  return [
    escapeName(id),
    JSON.stringify({ strategy, source }),
    JSON.stringify(rest),
    // The lowest rank is delivered first.
    String(0 - priority),
    escapeName(matcher),
    expiresAt === undefined ? '' : String(expiresAt),
  ];
}

/** Undefined for an invalid item: other programs can write to the server too. */
export function decodeItem(id: string, head: string, rest: string): InjectionItem | undefined {
  try {
    const data: unknown = {
      id: unescapeName(id),
      ...(JSON.parse(head) as object),
      ...(JSON.parse(rest) as object),
    };
    const read = itemSchema.safeParse(data);
    return read.success ? freezeItem(read.data) : undefined;
  } catch {
    return undefined;
  }
}

/** Equal items have equal fingerprints. */
export function fingerprint(item: InjectionItem): string {
  return createHash('sha256').update(JSON.stringify(item)).digest('base64url').slice(0, 22);
}
