/** What the table of handler kinds says about trust: which files a kind executes, and which fields identify a hook. */
import { describe, expect, it, vi } from 'vitest';
import { fingerprint } from '../../../src/config/trust/fingerprint.js';
import { identityOf } from '../../../src/config/trust/subject.js';
import { trustForm } from '../../../src/config/trust/trust-store.js';
import { FILE_KINDS, HANDLER_KINDS, kindOf } from '../../../src/handlers/kinds.js';
import { trustTest } from './support.js';

describe('handler kinds and trust', () => {
  trustTest(
    'TR-3 the files that a kind executes count, whatever its fields are called',
    async ({ trust }) => {
      using executes = vi.spyOn(HANDLER_KINDS.http, 'executes');
      executes.mockImplementation(({ url }) => ({ files: [String(url)] }));
      const hook = trust.hook('', { handler: { type: 'http', url: 'guard.js' } });
      trust.write('guard.js', 'one');
      const before = await fingerprint(hook);
      trust.write('guard.js', 'two');
      expect(await fingerprint(hook)).not.toBe(before);
      expect((await trustForm(hook)).files).toMatchObject([{ path: 'guard.js' }]);
    },
  );

  trustTest('TR-3 so does the line that a kind runs', async ({ trust }) => {
    using executes = vi.spyOn(HANDLER_KINDS.http, 'executes');
    executes.mockReturnValue({ command: 'sh guard.sh' });
    const hook = trust.hook('', { handler: { type: 'http', url: 'x' } });
    expect((await trustForm(hook)).files).toMatchObject([{ path: 'guard.sh' }]);
  });

  trustTest('TR-3 a handler of an unknown kind counts as a command', async ({ trust }) => {
    const hook = trust.hook('sh guard.sh', { handler: { type: 'from-elsewhere' } });
    expect((await trustForm(hook)).files).toMatchObject([{ path: 'guard.sh' }]);
  });

  it('TR-14 hooks of every kind that files can contain are distinguished by what they run or ask', () => {
    for (const type of FILE_KINDS) {
      const { identity } = kindOf(type) as { identity: readonly string[] };
      expect(identity, type).not.toEqual([]);
      const subject = (value: string) => ({
        event: 'PreToolUse',
        handler: { type, ...Object.fromEntries(identity.map((field) => [field, value])) },
        workspace: '/',
      });
      expect(identityOf(subject('a')), type).not.toBe(identityOf(subject('b')));
    }
  });
});
