/** How keys are called. What stands between braces decides where a cluster keeps a key: everything of one agent together. */

/** Everything else becomes `%` and hexadecimal digits, so that no name reaches into another one's keys. */
const UNSAFE = /[^\w.@-]/gu;

/** Contract: different names stay different, and `unescapeName` gives the name back. */
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
  /** What all agents share. */
  readonly common: string;
  readonly channel: string;
  agent(agentId: string): string;
  item(id: string): string;
}

export function makeKeys(prefix: string): Keys {
  const name = escapeName(prefix);
  return {
    common: `{${name}}`,
    channel: `{${name}}:changes`,
    agent: (agentId) => `{${name}:agent:${escapeName(agentId)}}`,
    item: (id) => `{${name}:item:${escapeName(id)}}`,
  };
}
