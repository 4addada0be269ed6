/** What counts of the files that a hook executes, and that what it only reads or writes does not. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.

import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { fingerprint } from '../../../src/config/trust/fingerprint.js';
import { trustForm } from '../../../src/config/trust/trust-store.js';
import { trustTest } from './support.js';

/** Ways to run guard.sh, which lies in hooks/. */
const WAYS: readonly (readonly [string, object?])[] = [
  ['hooks/guard.sh'],
  ['./hooks/guard.sh --strict'],
  ['"$CLAUDE_PROJECT_DIR"/hooks/guard.sh'],
  ['$CLAUDE_PROJECT_DIR/hooks/guard.sh'],
  ['"${CLAUDE_PROJECT_DIR}/hooks/guard.sh"'],
  ['"${CLAUDE_PROJECT_DIR:-.}/hooks/guard.sh"'],
  ["'hooks/guard.sh'"],
  ['hoo"ks/gua"rd.sh'],
  ['hooks/guard\\.sh'],
  ['bash hooks/guard.sh'],
  ['. hooks/guard.sh'],
  ['FOO=1 exec hooks/guard.sh'],
  ['(hooks/guard.sh)'],
  ['cat | hooks/guard.sh'],
  ['true && hooks/guard.sh'],
  ['true;hooks/guard.sh'],
  ['true\nhooks/guard.sh'],
  ['sh < hooks/guard.sh'],
  ['sh -c "hooks/guard.sh --strict"'],
  ['sh -c \'sh -c "sh hooks/guard.sh"\''],
  ["bash -c '$CLAUDE_PROJECT_DIR/hooks/guard.sh'"],
  ['echo $(hooks/guard.sh)'],
  ['echo "$(sh hooks/guard.sh)"'],
  ['echo `hooks/guard.sh`'],
  ['node -e \'require("./hooks/guard.sh")\''],
  ['python3 -c "exec(open(\'hooks/guard.sh\').read())"'],
  ['node --require=./hooks/guard.sh -e 1'],
  ['S=hooks/guard.sh; sh $S'],
  ['cd hooks && ./guard.sh'],
  ['cd "$CLAUDE_PROJECT_DIR/hooks"; sh guard.sh'],
  ['./guard.sh', { cwd: 'hooks' }],
  ['./guard.sh', { cwd: '$CLAUDE_PROJECT_DIR/hooks' }],
  ['hooks/guard.sh', { args: [] }],
  ['sh', { args: ['hooks/guard.sh'] }],
  ['sh', { args: ['${CLAUDE_PROJECT_DIR}/hooks/guard.sh'] }],
  ['sh', { args: ['-c', 'exec hooks/guard.sh'] }],
  ['$GUARD', { env: { GUARD: 'hooks/guard.sh' } }],
  ['"$DIR/guard.sh"', { env: { DIR: './hooks' } }],
  ['true', { env: { BASH_ENV: './hooks/guard.sh' } }],
  ['true', { env: { NODE_OPTIONS: '--require ./hooks/guard.sh' } }],
  ['true', { shell: 'hooks/guard.sh' }],
  ['true', { module: './hooks/guard.sh' }],
  ['sh <<EOF\nhooks/guard.sh\nEOF'],
];

describe('a script that is run', () => {
  for (const [command, handler] of WAYS) {
    const title = `${JSON.stringify(command)}${handler ? ` ${JSON.stringify(handler)}` : ''}`;
    trustTest(`TR-3 counts with its content: ${title}`, async ({ trust }) => {
      trust.write('hooks/guard.sh', '#!/bin/sh\nexit 2\n');
      const hook = trust.hook(command, handler ? { handler } : {});
      const before = await fingerprint(hook);
      expect(await fingerprint(hook)).toBe(before);
      trust.write('hooks/guard.sh', '#!/bin/sh\nexit 0\n');
      expect(await fingerprint(hook)).not.toBe(before);
    });

    trustTest(`TR-5 counts when it is made after the approval: ${title}`, async ({ trust }) => {
      const hook = trust.hook(command, handler ? { handler } : {});
      const before = await fingerprint(hook);
      trust.write('hooks/guard.sh', 'echo made later\n');
      expect(await fingerprint(hook)).not.toBe(before);
    });
  }

  trustTest('TR-3 counts in a workspace whose name has blanks and quotes', async ({ trust }) => {
    const workspace = join(trust.root, `it's a "work space"`);
    mkdirSync(workspace);
    const hook = { ...trust.hook('sh "$CLAUDE_PROJECT_DIR/guard.sh"'), workspace };
    const before = await fingerprint(hook);
    writeFileSync(join(workspace, 'guard.sh'), 'exit 0');
    expect(await fingerprint(hook)).not.toBe(before);
  });

  trustTest('TR-3 counts below the plugin', async ({ trust }) => {
    const pluginRoot = join(trust.root, 'plugin');
    mkdirSync(pluginRoot);
    const hook = { ...trust.hook('cat | node "${CLAUDE_PLUGIN_ROOT}/rules.js"'), pluginRoot };
    const before = await fingerprint(hook);
    writeFileSync(join(pluginRoot, 'rules.js'), '{}');
    expect(await fingerprint(hook)).not.toBe(before);
  });

  trustTest('TR-3 counts when only its loader knows it', async ({ trust }) => {
    trust.write('guards/check.py', 'a');
    const hook = { ...trust.hook(''), handler: { handler: 'guards.check.run' }, files: ['guards/check.py'] };
    const before = await fingerprint(hook);
    trust.write('guards/check.py', 'b');
    expect(await fingerprint(hook)).not.toBe(before);
  });

  trustTest('TR-3 outside of the workspace only programs and scripts count', async ({ trust }) => {
    const outside = join(trust.root, 'tool.sh');
    const prints = async (): Promise<string[]> => {
      const lines = [outside, `bash ${outside}`, `cat ${outside}`, '/bin/bash -c true'];
      const exec = trust.hook('python3', { handler: { args: ['-u', outside] } });
      return Promise.all([exec, ...lines.map((line) => trust.hook(line))].map(fingerprint));
    };
    writeFileSync(outside, 'a');
    const before = await prints();
    writeFileSync(outside, 'b');
    const after = await prints();
    expect(after.map((print, i) => print === before[i])).toEqual([false, false, false, true, true]);
  });

  trustTest('TR-3 the home directory is found', async ({ trust }) => {
    const { files } = await trustForm(trust.hook('~/no-such-hookline-script.sh'));
    expect(files).toEqual([{ path: join(homedir(), 'no-such-hookline-script.sh'), content: 'absent' }]);
  });

  trustTest('TR-3 interpreters are not part of a hook', async ({ trust }) => {
    const { files } = await trustForm(trust.hook('/bin/sh -c true', { handler: { shell: '/bin/bash' } }));
    expect(files).toEqual([]);
  });

  trustTest('TR-3 a fingerprint does not depend on where the workspace is', async ({ trust }) => {
    const other = join(trust.root, 'clone');
    mkdirSync(other);
    writeFileSync(join(other, 'guard.sh'), 'exit 0', { mode: 0o755 });
    trust.write('guard.sh', 'exit 0');
    const hook = trust.hook('"$CLAUDE_PROJECT_DIR"/guard.sh');
    expect(await fingerprint({ ...hook, workspace: other })).toBe(await fingerprint(hook));
  });
});

describe('what a hook writes', () => {
  for (const line of [
    'jq . >> log.jsonl',
    'jq . 2>log.jsonl',
    'jq . &> "$CLAUDE_PROJECT_DIR"/log.jsonl',
    'cat | tee -a log.jsonl',
    "sh -c 'cat >> log.jsonl'",
    'echo "$(jq . >log.jsonl)"',
    'audit --state log.jsonl',
    'LOG=log.jsonl audit',
    'jest --outputFile=log.jsonl',
    'ssh host cat < /dev/null >> log.jsonl',
  ]) {
    trustTest(`TR-4 does not count: ${line}`, async ({ trust }) => {
      const before = await fingerprint(trust.hook(line));
      writeFileSync(join(trust.workspace, 'log.jsonl'), 'a line\n');
      expect(await fingerprint(trust.hook(line))).toBe(before);
    });
  }

  for (const line of [
    'eslint x.js',
    'prettier --write x.js',
    'shellcheck x.js',
    'cat x.js',
    'build --output=x.js',
  ]) {
    trustTest(`TR-4 a file that is only checked or written does not count: ${line}`, async ({ trust }) => {
      const before = await fingerprint(trust.hook(line));
      writeFileSync(join(trust.workspace, 'x.js'), 'a line\n');
      expect(await fingerprint(trust.hook(line))).toBe(before);
    });
  }

  for (const line of ['echo exit 0 > x.sh; sh x.sh', "node -e 'a=>import(`./x.sh`)'"]) {
    trustTest(`TR-4 counts when it is run as well: ${line}`, async ({ trust }) => {
      const before = await fingerprint(trust.hook(line));
      trust.write('x.sh', 'a line\n');
      expect(await fingerprint(trust.hook(line))).not.toBe(before);
    });
  }

  trustTest('TR-5 a directory that is made changes nothing', async ({ trust }) => {
    const hook = trust.hook('mkdir -p .cache/logs && sh ./guard.sh');
    const before = await fingerprint(hook);
    mkdirSync(join(trust.workspace, '.cache/logs'), { recursive: true });
    expect(await fingerprint(hook)).toBe(before);
  });
});
