/**
 * The name of an item's file. It contains the order, the expiry and the matcher, so that items can be selected from a
 * directory listing.
 */
import { createHash } from 'node:crypto';
import { compileToolMatcher } from '../../matcher.js';
import type { InjectionItem } from '../../port.js';

export interface ItemName {
  /** Priority, epoch, sequence, writer, expiry, matcher, id: sorted as text, the first is delivered first. */
  readonly text: string;
  readonly expiresAt: number | undefined;
  /** A hash of the matcher; undefined: every tool. */
  readonly matcher: string | undefined;
  /** A hash of the item's id. */
  readonly idHash: string;
}

/** A process that puts items: epochs are unique, and a later writer has a higher one. */
export interface Writer {
  readonly epoch: number;
  readonly id: string;
}

const NAME =
  /^[0-9a-f]{16}\.[0-9a-f]{10}\.[0-9a-f]{10}\.[0-9a-f]{8}\.([0-9a-f]{16}|-)\.([0-9a-f]{16}|-)\.([0-9a-f]{32})$/;
const NONE = '-';
const ALL_BITS = 0xffff_ffff_ffff_ffffn;
const SIGN = 1n << 63n;

export function nameItem(item: InjectionItem, { epoch, id }: Writer, sequence: number): ItemName {
  const { matcher, expiresAt } = item;
  const tools = compileToolMatcher(matcher) === undefined ? undefined : digestOf(matcher ?? '').slice(0, 16);
  const idHash = hashId(item.id);
  const parts = [
    toHex(ALL_BITS ^ orderedBits(item.priority ?? 0), 16),
    toHex(epoch, 10),
    toHex(sequence, 10),
    id,
    expiresAt === undefined ? NONE : toHex(orderedBits(expiresAt), 16),
    tools ?? NONE,
    idHash,
  ];
  return { text: parts.join('.'), expiresAt, matcher: tools, idHash };
}

export function parseItemName(text: string): ItemName | undefined {
  const [, expiry, matcher, idHash] = NAME.exec(text) ?? [];
  if (expiry === undefined || matcher === undefined || idHash === undefined) return undefined;
  return {
    text,
    expiresAt: expiry === NONE ? undefined : numberOf(BigInt(`0x${expiry}`)),
    matcher: matcher === NONE ? undefined : matcher,
    idHash,
  };
}

export function isExpired({ expiresAt }: ItemName, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

export function hashId(id: string): string {
  return digestOf(id).slice(0, 32);
}

/** Hashed as JSON, because two strings with different lone surrogates would have the same bytes. */
export function digestOf(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}

export function toHex(value: number | bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const view = new DataView(new ArrayBuffer(8));

/** The bits of a number, arranged so that they sort like the numbers. */
function orderedBits(value: number): bigint {
  // Negative zero becomes zero.
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  return (bits & SIGN) === 0n ? bits | SIGN : ALL_BITS ^ bits;
}

function numberOf(ordered: bigint): number {
  view.setBigUint64(0, (ordered & SIGN) === 0n ? ALL_BITS ^ ordered : ordered ^ SIGN);
  return view.getFloat64(0);
}
