/** All other hosts whose hooks we understand. A new host is one entry here, and its folder. */
import { HookError, show } from '../base/errors.js';
import { didYouMean } from '../base/text/suggest.js';
import { abacus } from './abacus/index.js';
import { cline } from './cline/index.js';
import { codex } from './codex/index.js';
import { copilot } from './copilot/index.js';
import { cursor } from './cursor/index.js';
import { factory } from './factory/index.js';
import { firebender } from './firebender/index.js';
import { gemini } from './gemini/index.js';
import type { Host } from './host/host.js';
import { iflow } from './iflow/index.js';
import { kimi } from './kimi/index.js';
import { letta } from './letta/index.js';
import { opencode } from './opencode/index.js';
import { openhands } from './openhands/index.js';
import { qwen } from './qwen/index.js';
import { windsurf } from './windsurf/index.js';

export const HOSTS: readonly Host[] = [
  gemini,
  codex,
  qwen,
  copilot,
  opencode,
  cline,
  cursor,
  factory,
  windsurf,
  letta,
  openhands,
  kimi,
  iflow,
  abacus,
  firebender,
];

/** Throws a HookError, code `invalid_option`, for an unknown name. */
export function hostNamed(name: string): Host {
  const host = HOSTS.find((each) => each.name === name);
  if (host !== undefined) return host;
  const names = HOSTS.map((each) => each.name);
  throw new HookError(
    'invalid_option',
    `There is no host ${show(name)}.${didYouMean(name, names)} The hosts are ${names.join(', ')}.`,
  );
}

/** The hosts of a `--host` option: one, several, or `all`, which are those that were tried. */
export function hostsNamed(names: readonly string[]): readonly Host[] {
  return names.includes('all') ? HOSTS.filter(({ verified }) => verified !== null) : names.map(hostNamed);
}
