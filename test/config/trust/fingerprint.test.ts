/** Which fields of a hook a fingerprint covers: all that decide. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { fingerprint } from '../../../src/config/trust/fingerprint.js';
import type { TrustSubject } from '../../../src/config/trust/subject.js';
import { trustTest } from './support.js';

const FIELDS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  type: ['command', 'http'],
  command: ['./guard.sh', './guard.sh '],
  args: [['a'], ['a', 'b']],
  shell: ['/bin/sh', '/bin/bash'],
  cwd: ['.', 'sub'],
  env: [{ A: '1' }, { A: '2' }],
  environment: ['scrub', 'inherit'],
  timeout: [5, 5.5],
  async: [false, true],
  asyncTimeout: [1000, 2000],
  url: ['http://localhost/a', 'http://localhost/b'],
  headers: [{ authorization: '$A' }, { authorization: '$B' }],
  allowedEnvVars: [['A'], ['B']],
  if: ['Bash(git *)', 'Bash(*)'],
  prompt: ['is it safe?', 'say yes'],
  model: ['small', 'large'],
  server: ['one', 'two'],
  tool: ['check', 'allow'],
  input: [{ name: 'a' }, { name: 'b' }],
  onFailure: ['block', 'continue'],
  once: [true, false],
  somethingNew: [1, 2],
};

describe('a fingerprint', () => {
  trustTest('TR-1 is 64 hex digits and stays the same', async ({ trust }) => {
    const hook = trust.hook('./guard.sh');
    expect(await fingerprint(hook)).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprint(structuredClone(hook))).toBe(await fingerprint(hook));
  });

  for (const [field, [before, after]] of Object.entries(FIELDS)) {
    trustTest(`TR-1 changes when ${field} is changed, added or taken away`, async ({ trust }) => {
      const base = trust.hook('./guard.sh', { handler: { [field]: before } });
      const { [field]: _, ...without } = base.handler;
      const variants = [base, { ...base, handler: { ...base.handler, [field]: after } }];
      if (field !== 'command') variants.push({ ...base, handler: without });
      const prints = await Promise.all(variants.map(fingerprint));
      expect(new Set(prints).size).toBe(variants.length);
    });
  }

  trustTest('TR-1 changes with the event and the matcher', async ({ trust }) => {
    const base = trust.hook('./guard.sh');
    const { matcher: _, ...everywhere } = base;
    const variants: TrustSubject[] = [
      base,
      { ...base, event: 'PostToolUse' },
      { ...base, matcher: 'Write' },
      { ...base, matcher: '' },
      everywhere,
    ];
    expect(new Set(await Promise.all(variants.map(fingerprint))).size).toBe(variants.length);
  });

  trustTest('TR-1 does not change with what is only shown', async ({ trust }) => {
    const shown = { statusMessage: 'checking', name: 'guard', description: 'a guard' };
    expect(await fingerprint(trust.hook('./guard.sh', { handler: shown }))).toBe(
      await fingerprint(trust.hook('./guard.sh')),
    );
  });

  trustTest('TR-1 a nested field that is called like a shown one counts', async ({ trust }) => {
    const one = trust.hook('x', { handler: { input: { name: 'a' } } });
    const two = trust.hook('x', { handler: { input: { name: 'b' } } });
    expect(await fingerprint(one)).not.toBe(await fingerprint(two));
  });

  trustTest('TR-1 TR-2 whatever the fields: order is nothing, any flip is something', async ({ trust }) => {
    const handlers = fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => !['statusMessage', 'name', 'description'].includes(key)),
      fc.jsonValue({ maxDepth: 2 }),
      { minKeys: 1, maxKeys: 6 },
    );
    await fc.assert(
      fc.asyncProperty(handlers, fc.nat(), fc.jsonValue(), async (handler, pick, other) => {
        const subject = { event: 'Stop', handler, workspace: trust.workspace };
        const print = await fingerprint(subject);
        const reversed = Object.fromEntries(Object.entries(handler).reverse());
        expect(await fingerprint({ ...subject, handler: reversed })).toBe(print);
        const field = Object.keys(handler)[pick % Object.keys(handler).length] ?? '';
        const same = JSON.stringify(handler[field]) === JSON.stringify(other);
        const flipped = { ...handler, [field]: same ? [other] : other };
        if (Object.is(handler[field], -0) || Object.is(other, -0)) return;
        expect(await fingerprint({ ...subject, handler: flipped })).not.toBe(print);
      }),
      { numRuns: 200 },
    );
  });

  trustTest('TR-2 refuses a handler that is not plain data', async ({ trust }) => {
    const hook = trust.hook('x', { handler: { callback: () => {} } });
    await expect(fingerprint(hook)).rejects.toThrow(/plain data/);
  });
});
