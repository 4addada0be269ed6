/** What we print for a host is what its own reader, which is held to recordings, understands. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { limited } from '../../src/dialects/host/dialect.js';
import type { Answer, HostEvent, Spelling } from '../../src/dialects/host/host.js';
import { HOSTS } from '../../src/dialects/hosts.js';
import type { AnyEvent } from '../../src/index.js';
import { PAGES, withTable } from './table.js';

const old = { command: 'old', description: 'kept' };
const input = { tool_name: 'Bash', tool_input: old };

/** One answer for each thing that an answer can do. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  refuse: { refuse: 'R-1' },
  ask: { ask: 'A-1' },
  allow: { allow: true },
  rewrite: { rewrite: { ...old, command: 'new' } },
  replace: { replace: 'O-1' },
  context: { context: 'C-1' },
  stop: { stop: 'S-1' },
  message: { message: 'M-1' },
};

function understood(spelling: Spelling, event: AnyEvent, own: HostEvent, answer: Answer): Answer {
  const { stdout, text, stderr = '', exit } = spelling.write(answer, { event, own, input });
  const printed = text ?? (stdout === undefined ? '' : JSON.stringify(stdout));
  const run = { kind: 'exited', exitCode: exit, signal: undefined, stdout: printed, stderr } as const;
  return limited(spelling.read(run, { event, own, input }), own);
}

const CASES = HOSTS.flatMap(({ spellings }) =>
  spellings.flatMap((spelling) =>
    Object.entries(spelling.events).map(
      ([event, own]) => [spelling.id, event as AnyEvent, spelling, own] as const,
    ),
  ),
);

describe('an answer in the words of a host', () => {
  it.each(CASES)('HS-2 HS-3 %s understands what it is told on %s', (_id, event, spelling, own) => {
    for (const ability of own.can) {
      const answer = ANSWERS[ability] as Answer;
      const read = understood(spelling, event, own, answer);
      // A rewrite is a permission in some hosts.
      const { allow: _, ...rest } = read;
      expect(ability === 'rewrite' ? rest : read, ability).toMatchObject(answer);
      expect(read.failure, ability).toBeUndefined();
    }
  });

  it.each(CASES)('HS-4 %s: a refusal on %s stays one, whatever else is said', (_id, event, spelling, own) => {
    if (!own.can.includes('refuse')) return;
    const beside = own.can.filter((ability) => ability === 'context' || ability === 'message');
    const answer = Object.assign({ refuse: 'R-1' }, ...beside.map((ability) => ANSWERS[ability]));
    expect(understood(spelling, event, own, answer)).toMatchObject({ refuse: 'R-1' });
  });

  it.each(PAGES)('HS-24 %s has the table as it is; run npx tsx test/hosts/table.ts', (page) => {
    const text = readFileSync(page, 'utf8');
    expect(text).toContain('before a tool: refuse');
    expect(text).toBe(withTable(text));
  });
});
