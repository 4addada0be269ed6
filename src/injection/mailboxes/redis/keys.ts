/** The names of the keys. The part in braces is the cluster's hash tag: all keys of one agent are in one slot. */

/** Every other character becomes `%` and hexadecimal digits, so that names cannot collide with other keys. */
const UNSAFE = /[^\w.@-]/gu;

/** Contract: injective; `unescapeName` reverses it. */
export function escapeName(name: string): string {
  return name.replaceAll(UNSAFE, (character) =>
    /^\p{Surrogate}$/u.test(character)
      ? `%u${character.charCodeAt(0).toString(16)}`
      : [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

export function unescapeName(escaped: string): string {
  return escaped.replaceAll(/%u([\da-f]{4})|((?:%[\da-f]{2})+)/g, (_all, half?: string, bytes = '') =>
    half === undefined
      ? Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()
      : String.fromCharCode(Number.parseInt(half, 16)),
  );
}

export interface Keys {
  /** The data that all agents share. */
  readonly common: string;
  readonly channel: string;
  agent(agentId: string): string;
  item(id: string): string;
}

/** Counts the ways in which the data was stored: what another version has stored is not read. */
const LAYOUT = 2;

export function makeKeys(prefix: string): Keys {
  const name = `${escapeName(prefix)}:${LAYOUT}`;
  return {
    common: `{${name}}`,
    channel: `{${name}}:changes`,
    agent: (agentId) => `{${name}:agent:${escapeName(agentId)}}`,
    item: (id) => `{${name}:item:${escapeName(id)}}`,
  };
}
