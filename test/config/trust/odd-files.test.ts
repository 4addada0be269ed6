/** Links, pipes, huge files and lines that nobody would write: none of them is a way around a fingerprint. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect } from 'vitest';
import { fingerprint } from '../../../src/config/trust/fingerprint.js';
import { UnresolvedError } from '../../../src/config/trust/problem.js';
import { trustForm } from '../../../src/config/trust/trust-store.js';
import { processorMs } from '../../support/processor-time.js';
import { trustTest } from './support.js';

describe('links', () => {
  trustTest('TR-6 the content of the target counts', async ({ trust }) => {
    const target = join(trust.root, 'outside.sh');
    writeFileSync(target, 'a');
    symlinkSync(target, join(trust.workspace, 'linked.sh'));
    const hook = trust.hook('sh linked.sh');
    const before = await fingerprint(hook);
    appendFileSync(target, 'b');
    expect(await fingerprint(hook)).not.toBe(before);
  });

  trustTest('TR-6 that the target is outside is part of the form', async ({ trust }) => {
    const link = join(trust.workspace, 'linked.sh');
    trust.write('inside.sh', 'same');
    writeFileSync(join(trust.root, 'outside.sh'), 'same');
    symlinkSync('inside.sh', link);
    const [inside] = (await trustForm(trust.hook('sh linked.sh'))).files;
    const before = await fingerprint(trust.hook('sh linked.sh'));
    rmSync(link);
    symlinkSync(join(trust.root, 'outside.sh'), link);
    const [outside] = (await trustForm(trust.hook('sh linked.sh'))).files;
    expect(inside).toMatchObject({ path: 'linked.sh', target: 'inside.sh' });
    expect(inside).not.toHaveProperty('leaves');
    expect(outside).toMatchObject({ path: 'linked.sh', leaves: true, content: inside?.content });
    expect(await fingerprint(trust.hook('sh linked.sh'))).not.toBe(before);
  });

  trustTest('TR-6 a linked directory on the way is followed', async ({ trust }) => {
    const outside = join(trust.root, 'elsewhere');
    mkdirSync(outside);
    writeFileSync(join(outside, 'guard.sh'), 'a');
    symlinkSync(relative(trust.workspace, outside), join(trust.workspace, 'hooks'));
    const hook = trust.hook('hooks/guard.sh');
    expect((await trustForm(hook)).files).toMatchObject([{ path: 'hooks/guard.sh', leaves: true }]);
  });

  trustTest('TR-6 a link that leads nowhere, or round in a circle, is no way in', async ({ trust }) => {
    symlinkSync('later.sh', join(trust.workspace, 'dangling.sh'));
    symlinkSync('loop.sh', join(trust.workspace, 'loop.sh'));
    const dangling = await fingerprint(trust.hook('./dangling.sh'));
    const loop = await fingerprint(trust.hook('./loop.sh'));
    trust.write('later.sh', 'exit 0');
    rmSync(join(trust.workspace, 'loop.sh'));
    trust.write('loop.sh', 'exit 0');
    expect(await fingerprint(trust.hook('./dangling.sh'))).not.toBe(dangling);
    expect(await fingerprint(trust.hook('./loop.sh'))).not.toBe(loop);
  });
});

describe('strange files', () => {
  trustTest('TR-7 a pipe is not waited for', async ({ trust }) => {
    execFileSync('mkfifo', [join(trust.workspace, 'pipe.sh')]);
    const { files } = await trustForm(trust.hook('sh ./pipe.sh /dev/zero'));
    expect(files).toEqual([{ path: 'pipe.sh', content: 'special' }]);
  });

  trustTest('TR-7 a huge file is not read, and still an edit shows', async ({ trust }) => {
    const huge = trust.write('huge.sh', '#!/bin/sh\n');
    truncateSync(huge, 1024 ** 4);
    const started = processorMs();
    const before = await fingerprint(trust.hook('./huge.sh'));
    expect(processorMs() - started).toBeLessThan(2000);
    appendFileSync(huge, 'x');
    expect(await fingerprint(trust.hook('./huge.sh'))).not.toBe(before);
  });

  for (const [what, line] of [
    [
      'more words than anybody reads',
      'x '.repeat(10) + Array.from({ length: 3000 }, (_, i) => `w${i}`).join(' '),
    ],
    ['an endless line', `sh ${'y'.repeat(70_000)}`],
    ['code in code in code', '$('.repeat(5000)],
  ] as const) {
    trustTest(`TR-7 cannot be trusted: ${what}`, async ({ trust }) => {
      await expect(fingerprint(trust.hook(line))).rejects.toThrow(/script/);
    });
  }

  trustTest('TR-7 TR-21 odd characters do no harm', async ({ trust }) => {
    for (const line of [
      'a\0b',
      `./${'n'.repeat(5000)}`,
      '\ud800',
      '',
      '"',
      '`',
      '${',
      '\\',
      '$',
      "$'",
      '<',
      '\r\n',
    ]) {
      const found = await fingerprint(trust.hook(line)).catch((error: unknown) => error);
      if (typeof found === 'string') expect(found, line).toMatch(/^\w{64}$/);
      else expect(found, line).toBeInstanceOf(UnresolvedError);
    }
  });

  trustTest('TR-8 nothing is executed', async ({ trust }) => {
    const canary = join(trust.root, 'canary');
    const script = trust.write('guard.sh', `#!/bin/sh\ntouch '${canary}'\n`);
    const lines = ['./guard.sh', `echo $(${script})`, `: \`${script}\``, `sh -c "${script}"`, '. ./guard.sh'];
    await Promise.all(lines.map((line) => fingerprint(trust.hook(line))));
    await trust.store.status(
      trust.workspace,
      lines.map((line) => trust.hook(line)),
    );
    await trust.store.approve(
      trust.workspace,
      lines.map((line) => trust.hook(line)),
    );
    expect(existsSync(canary)).toBe(false);
  });
});
