/** What a line runs counts however the line names it: in code of any language, as what a program is given, by a folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { DATA_FILES, type EditedLine, EVERY_DAY, GIVEN_OR_FOUND, NAMED_IN_CODE } from './edited-lines.js';
import { LOADED_AS_DATA, MADE_BY_THE_LINE, NAMED_AFTER_TOOLS } from './found-lines.js';
import { trustTest } from './support.js';

const GROUPS: Readonly<Record<string, readonly EditedLine[]>> = {
  'a file that code names': NAMED_IN_CODE,
  'a file that a program is given or finds': GIVEN_OR_FOUND,
  'a file that is named after its tool': NAMED_AFTER_TOOLS,
  'a file that looks like data': LOADED_AS_DATA,
};

const put = (folder: string, path: string, content: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const manifest = (line: string): string => JSON.stringify({ scripts: { x: line }, tasks: { x: line } });

describe.each(Object.entries(GROUPS))('%s', (_, lines) => {
  for (const [line, file, others = {}] of lines)
    trustTest(`TR-3 ends the trust: ${JSON.stringify(line)} runs ${file}`, async ({ trust }) => {
      const [before, after] = file.endsWith('.json') ? [manifest('ls'), manifest('date')] : ['# x', 'date'];
      mkdirSync(join(trust.workspace, '.git'));
      mkdirSync(join(trust.workspace, 'd'));
      put(trust.workspace, file, before);
      for (const [path, content] of Object.entries(others)) put(trust.workspace, path, content);
      const hook = trust.hook(line);
      await trust.store.approve(trust.workspace, [hook]);
      expect(await trust.store.status(trust.workspace, [hook])).toEqual(['trusted']);
      put(trust.workspace, file, after);
      expect(await trust.store.status(trust.workspace, [hook])).toEqual(['modified']);
    });
});

describe('a program that only its words call a checker', () => {
  const RUN = [
    'foo -C d lint g.sh',
    'foo lint --cwd=d ./g.sh',
    'foo a eslint EXEC:d/g.sh',
    "x-lint 'd/*.sh'",
  ];
  for (const line of [...RUN, 'foo check ./d/g.sh', 'foo a b jest --with ./d/g.sh'])
    trustTest(`TR-3 covers a file that can be executed: ${line}`, async ({ trust }) => {
      const hook = trust.hook(line);
      trust.write('d/g.sh', '# x');
      await trust.store.approve(trust.workspace, [hook]);
      trust.write('d/g.sh', 'date');
      expect(await trust.store.status(trust.workspace, [hook])).toEqual(['modified']);
    });
});

describe('code that names more than is looked for', () => {
  trustTest('TR-21 cannot be approved', async ({ trust }) => {
    put(trust.workspace, 'g.txt', '1');
    const names = Array.from({ length: 450 }, (_, at) => `"a${at}"`).join();
    const line = (list: string): string => `python3 -c 'l = [${list}]; f = open("g.txt"); exec(f.read())'`;
    await trust.store.approve(trust.workspace, [trust.hook(line('"a"'))]);
    await expect(trust.store.approve(trust.workspace, [trust.hook(line(names))])).rejects.toMatchObject({
      code: 'hook_unresolved',
    });
  });
});

describe('what the line itself makes', () => {
  trustTest.for(MADE_BY_THE_LINE)('TR-21 cannot be approved: %s', async (line, { trust }) => {
    for (const path of ['g.tmpl', 'g.c', 'g.ts', 'x.js', 'data.json', 'data.txt', 'g.sh', 'x.sh.gz'])
      put(trust.workspace, path, '{}');
    trust.write('x.sh', '');
    await expect(trust.store.approve(trust.workspace, [trust.hook(line)])).rejects.toMatchObject({
      code: 'hook_unresolved',
    });
  });

  trustTest('TR-3 is covered when the line has all of it', async ({ trust }) => {
    const hook = trust.hook("cat > x.sh <<'E'\nexit 0\nE\nsh x.sh");
    trust.write('x.sh', 'exit 0\n');
    await trust.store.approve(trust.workspace, [hook]);
    expect(await trust.store.status(trust.workspace, [hook])).toEqual(['trusted']);
  });
});

describe('more than is looked at', () => {
  const list = (count: number, word: (name: string) => string): string =>
    Array.from({ length: count }, (_, at) => word(`d${at}`)).join(' ');
  const LINES: Readonly<Record<string, (count: number) => string>> = {
    'folders that a program is given': (count) => `eslint ${list(count, (name) => name)}`,
    'folders that a program moves to': (count) => `foo ${list(count, (name) => `--cwd=${name}`)}`,
    'folders that code names': (count) =>
      `python3 -c 'import os; ${list(count, (name) => `os.chdir("${name}");`)} exec(x)'`,
    'words of a program that is not known': (count) => `foo ${list(count, (name) => `w${name}`)} sh d/g.sh`,
    'folders in a text that may be a line': (count) =>
      `foo "python3 -c 'import os; ${list(count, (name) => `os.chdir(\\"${name}\\");`)} exec(x)'"`,
  };
  for (const [what, line] of Object.entries(LINES))
    trustTest(`TR-21 cannot be approved: ${what}`, async ({ trust }) => {
      for (let at = 0; at < 45; at++) put(trust.workspace, `d${at}/x.txt`, '');
      put(trust.workspace, 'd/g.sh', '');
      await trust.store.approve(trust.workspace, [trust.hook(line(5))]);
      await expect(trust.store.approve(trust.workspace, [trust.hook(line(45))])).rejects.toMatchObject({
        code: 'hook_unresolved',
      });
    });

  trustTest('TR-3 many folders are all looked through', async ({ trust }) => {
    for (let at = 0; at < 20; at++) put(trust.workspace, `d${at}/x.txt`, '');
    put(trust.workspace, 'd5/build.ninja', '1');
    const lines = [`eslint ${list(20, (name) => name)}`, `ninja ${list(6, (name) => `-C${name}`)}`];
    const hooks = lines.map((line) => trust.hook(line));
    await trust.store.approve(trust.workspace, hooks);
    put(trust.workspace, 'd5/build.ninja', '2');
    put(trust.workspace, 'd19/eslint.config.js', '1');
    expect(await trust.store.status(trust.workspace, hooks)).toEqual(['modified', 'modified']);
  });
});

describe('a script of a package', () => {
  trustTest('TR-3 counts when it appears after the approval', async ({ trust }) => {
    const hook = trust.hook('npm ci');
    put(trust.workspace, 'package.json', '{}');
    await trust.store.approve(trust.workspace, [hook]);
    put(trust.workspace, 'package.json', '{"scripts":{"preinstall":"date"}}');
    expect(await trust.store.status(trust.workspace, [hook])).toEqual(['modified']);
  });
});

describe('a line of every day', () => {
  trustTest('TR-4 is approved, and stays trusted while only data change', async ({ trust }) => {
    const fill = (content: string): void => {
      for (const path of DATA_FILES) put(trust.workspace, path, `${content}\n`);
      const scripts = { test: 'vitest run', lint: 'eslint .' };
      trust.write('scripts/run.sh', content);
      put(trust.workspace, 'package.json', JSON.stringify({ version: content, scripts }));
    };
    fill('1');
    put(trust.workspace, 'Makefile', 'check:\n');
    mkdirSync(join(trust.workspace, '.git'));
    const hooks = EVERY_DAY.map((line) => trust.hook(line));
    await trust.store.approve(trust.workspace, hooks);
    fill('2');
    const status = await trust.store.status(trust.workspace, hooks);
    expect(EVERY_DAY.filter((_, at) => status[at] !== 'trusted')).toEqual([]);
  });
});
