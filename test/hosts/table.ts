/** The table of hosts and what an answer can do there, from the same answers that the conformance tests read back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { limited } from '../../src/dialects/host/dialect.js';
import type { Ability, Answer, Host } from '../../src/dialects/host/host.js';
import { HOSTS } from '../../src/dialects/hosts.js';
import type { AnyEvent } from '../../src/index.js';

const input = { tool_name: 'Bash', tool_input: { command: 'old' } };

const TRIED: Readonly<Record<Ability, Answer>> = {
  refuse: { refuse: 'R' },
  ask: { ask: 'A' },
  allow: { allow: true },
  rewrite: { rewrite: { command: 'new' } },
  replace: { replace: 'O' },
  context: { context: 'C' },
  stop: { stop: 'S' },
  message: { message: 'M' },
};

/** Whether the host's own reader finds in what we print what we meant. */
function works({ spellings: [spelling] }: Host, event: AnyEvent, ability: Ability): boolean {
  const own = spelling.events[event];
  if (own === undefined || !own.can.includes(ability)) return false;
  const { stdout, text, exit, stderr = '' } = spelling.write(TRIED[ability], { event, own, input });
  const run = {
    kind: 'exited',
    exitCode: exit,
    signal: undefined,
    stdout: text ?? JSON.stringify(stdout ?? {}),
    stderr,
  } as const;
  return limited(spelling.read(run, { event, own, input }), own)[ability] !== undefined;
}

const ROWS: readonly (readonly [label: string, event: AnyEvent, ability: Ability])[] = [
  ...(['refuse', 'ask', 'rewrite', 'context', 'stop'] as const).map(
    (ability) => [`before a tool: ${ability}`, 'PreToolUse', ability] as const,
  ),
  ...(['replace', 'context', 'stop'] as const).map(
    (ability) => [`after a tool: ${ability}`, 'PostToolUse', ability] as const,
  ),
  ['prompt: refuse', 'UserPromptSubmit', 'refuse'],
  ['prompt: context', 'UserPromptSubmit', 'context'],
  ['end of a turn: go on', 'Stop', 'refuse'],
  ['start of a session: context', 'SessionStart', 'context'],
];

export function capabilityTable(): string {
  const shown = HOSTS.map(
    (host) => `${host.title}${host.verified === null ? ' (not tried)' : ` ${host.verified}`}`,
  );
  const rows = ROWS.map(
    ([label, event, ability]) =>
      `| ${label} | ${HOSTS.map((host) => (works(host, event, ability) ? 'yes' : '–')).join(' | ')} |`,
  );
  return [`| | ${shown.join(' | ')} |`, `|---${'|---'.repeat(HOSTS.length)}|`, ...rows].join('\n');
}

const MARKED = /(<!-- hosts:[^\n]*-->\n)[\s\S]*?(<!-- \/hosts -->)/;
export const PAGES: readonly string[] = ['docs/hosts/index.md', 'spec/hosts.md'].map((page) =>
  fileURLToPath(new URL(`../../${page}`, import.meta.url)),
);

export const withTable = (page: string): string => page.replace(MARKED, `$1\n${capabilityTable()}\n\n$2`);

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const page of PAGES) writeFileSync(page, withTable(readFileSync(page, 'utf8')));
