/** Lines for a shell: what is read for sure is judged, the rest is left alone. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.

import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { furnish, preflightTest } from './support.js';

/** A line, and what is found in it. Lines without a finding are as important as those with one. */
const LINES: Readonly<Record<string, readonly (readonly [line: string, finding?: string])[]>> = {
  'PF-7': [
    ['./ok.sh'],
    ['./gone.sh', 'error missing_script'],
    ['no-such-program -x', 'error missing_program'],
    ['"$CLAUDE_PROJECT_DIR"/ok.sh'],
    ['"$CLAUDE_PROJECT_DIR"/gone.sh', 'error missing_script'],
    ['${CLAUDE_PROJECT_DIR}/gone.sh', 'error missing_script'],
    ['"$PWD"/ok.sh'],
    ['$PWD/gone.sh', 'error missing_script'],
    ["'./gone.sh'", 'error missing_script'],
    ['A=1 B="x y" ./gone.sh', 'error missing_script'],
    ['exec ./gone.sh', 'error missing_script'],
    ['env A=1 ./gone.sh', 'error missing_script'],
    ['time ./gone.sh', 'error missing_script'],
    ['! ./gone.sh', 'error missing_script'],
    ['(./gone.sh)', 'error missing_script'],
    ['cat | ./gone.sh', 'error missing_script'],
    ['./gone.sh </dev/null >/dev/null 2>&1', 'error missing_script'],
    ['>/dev/null ./gone.sh', 'error missing_script'],
    ['./gone.sh # a comment', 'error missing_script'],
    ['# only a comment'],
    ['cd hooks && ./inner.sh'],
    ['cd hooks && ./ok.sh', 'error missing_script'],
    ['cd hooks; ./ok.sh', 'error missing_script'],
    ['cd "$CLAUDE_PROJECT_DIR/hooks" && ./inner.sh'],
    ['cd gone && ./ok.sh', 'error missing_cwd'],
    ['cd gone; ./ok.sh'],
    ['echo hello'],
    ['[ -f ./gone ]'],
    ['[[ -f ./gone ]]'],
    ['test -f gone'],
    ['exit 2'],
    ['command -v no-such-program'],
    ['env -i no-such-program'],
    ['exec -a name no-such-program'],
    ['if true; then no-such-program; fi'],
    ['for f in *; do no-such-program; done'],
    ['while read -r x; do :; done'],
    ['case x in a) no-such-program;; esac'],
    ['f() { echo; }; f'],
    ['function f { echo; }; f'],
    ['((1 + 1))'],
    ['$UNKNOWN_VARIABLE_OF_NOBODY/gone.sh'],
    ['$(which node) x'],
    ['`which node` x'],
    ['./*.sh'],
    ['./{ok,gone}.sh'],
    ['~nobody/gone.sh'],
    ['$1'],
    ['X=./gone.sh; $X', 'error missing_script'],
    ['X=$(cat); $X'],
    ['export X=1; no-such-program', 'error missing_program'],
    ['export PATH=/elsewhere; no-such-program'],
    ['PATH=/elsewhere; no-such-program'],
    ['true && ./gone.sh', 'error missing_script'],
    ['true && python3 hooks/gone.py', 'error missing_script'],
    ['echo checking; ./gone.sh', 'error missing_script'],
    ['set -e\n./gone.sh', 'error missing_script'],
    ['input=$(cat) && echo "$input" | ./gone.sh', 'error missing_script'],
    ['printf x >/dev/null 2>&1 && ./gone.sh', 'error missing_script'],
    ['true && : && ./ok.sh && ./gone.sh'],
    ['true && ./gone.sh || true', 'warning missing_script'],
    ['true || ./gone.sh'],
    ['true & ./gone.sh'],
    ['[ -f gone.sh ] && ./gone.sh'],
    ['test -x gone.sh && ./gone.sh'],
    ['command -v no-such-program && no-such-program'],
    ['echo "exit 0" > made.sh && sh made.sh'],
    ['echo $(sh ok.sh) && ./gone.sh'],
    ['x=$(sh ok.sh); ./gone.sh'],
    ['CLAUDE_PROJECT_DIR=/elsewhere; "$CLAUDE_PROJECT_DIR"/gone.sh', 'error missing_script'],
    ['PATH=/elsewhere no-such-program'],
    ['PATH=/elsewhere ./gone.sh', 'error missing_script'],
    ['. ./gone.sh'],
    ['eval "no-such-program"'],
    ['{ ./ok.sh; }'],
    [''],
    ['   '],
    ['&&'],
  ],
  'PF-8': [
    ['sh ok.sh'],
    ['sh gone.sh', 'error missing_script'],
    ['bash -eu gone.sh', 'error missing_script'],
    ['bash -c "gone.sh"'],
    ['sh -s < gone.sh'],
    ['sh folder', 'error not_a_file'],
    ['python3 ok.py'],
    ['python3 gone.py', 'error missing_script'],
    ['python3 -u gone.py', 'error missing_script'],
    ['python3 -m gone'],
    ['python3 -c "print()"'],
    ['python3 -W ignore gone.py'],
    ['python3 - < ok.py'],
    ['python3 folder'],
    ['/usr/bin/env python3 gone.py'],
    ['node ok.js'],
    ['node imports.mjs', 'error missing_package'],
    ['node --import ./loader.mjs imports.mjs'],
    ['node installed.mjs'],
    ['node text.mjs'],
    ['node ok'],
    ['node gone.js', 'error missing_script'],
    ['node --no-warnings gone.mjs', 'error missing_script'],
    ['node --require ./gone.js'],
    ['node -e "1" gone.js'],
    ['node "$CLAUDE_PROJECT_DIR"/gone.js', 'error missing_script'],
    ['node "$(pwd)/gone.js"', 'error missing_script'],
    ['node "$(cat)/gone.js"'],
    ['npx tsx gone.ts', 'error missing_script'],
    ['npx --yes tsx gone.ts', 'error missing_script'],
    ['npx prettier gone.ts'],
    ['perl gone.pl', 'error missing_script'],
    ['exec node gone.js', 'error missing_script'],
  ],
  'PF-6': [
    ['sh crlf.sh', 'warning crlf_script'],
    ['bash ./crlf.sh', 'warning crlf_script'],
    ['python3 crlf.sh'],
  ],
  'PF-9': [
    ['no-such-program || true', 'warning missing_program'],
    ['no-such-program; ./ok.sh', 'warning missing_program'],
    ['no-such-program && ./ok.sh', 'error missing_program'],
    ['no-such-program | ./ok.sh', 'error missing_program'],
    ['./ok.sh && no-such-program'],
    ['./ok.sh || no-such-program'],
    ['no-such-program &', 'error missing_program'],
    ['no-such-program;', 'error missing_program'],
  ],
  'PF-11': [
    ["echo 'open", 'error unbalanced_quotes'],
    ['echo "open', 'error unbalanced_quotes'],
    ['echo `open', 'error unbalanced_quotes'],
    ['echo $(open', 'error unbalanced_quotes'],
    ["echo it's", 'error unbalanced_quotes'],
    ['echo "a $(b "c") d"'],
    [`echo "it's"`],
    [`echo 'say "hi'`],
    ["echo it\\'s"],
    ['echo \\"'],
    ["echo # it's a comment"],
    ["echo $'it\\'s'"],
    ["cat <<EOF\nit's fine\nEOF"],
    ['echo ${x:-"}"}'],
    ["$(case x in a) echo ')';; esac)"],
    [`echo "$(case x in a) echo ' " ';; esac)"`],
  ],
};

describe('a line', () => {
  for (const [rule, lines] of Object.entries(LINES)) {
    for (const [line, finding] of lines) {
      preflightTest(`${rule} ${JSON.stringify(line)}: ${finding ?? 'nothing'}`, async ({ preflight }) => {
        furnish(preflight);
        expect(await preflight.find(line)).toEqual(finding === undefined ? [] : [finding]);
      });
    }
  }

  preflightTest('PF-8 the exec form knows scripts as well', async ({ preflight }) => {
    furnish(preflight);
    expect(await preflight.find('python3', { args: ['gone.py'] })).toEqual(['error missing_script']);
    expect(await preflight.find('python3', { args: ['ok.py', 'gone.py'] })).toEqual([]);
    expect(await preflight.find('node', { args: ['$HOME/gone.js'] })).toEqual(['error missing_script']);
  });

  preflightTest('PF-8 that python would exit with 2, as a refusal does, is said', async ({ preflight }) => {
    const [found] = await preflight.check('python3 gone.py');
    expect(found?.message).toContain('exit with 2, which means deny');
  });

  preflightTest('PF-8 runners that are not installed here', async ({ preflight }) => {
    for (const name of ['uv', 'deno', 'bun']) preflight.write(`bin/${name}`, '#!/bin/sh\n');
    const env = { PATH: `${join(preflight.dir, 'bin')}:${process.env['PATH']}` };
    const findings: Array<[string, string[]]> = [
      ['uv run gone.py', ['error missing_script']],
      ['uv run pytest', []],
      ['uv sync gone.py', []],
      ['deno run -A --allow-read=. gone.ts', ['error missing_script']],
      ['deno run https://deno.land/x.ts', []],
      ['deno fmt gone.ts', []],
      ['bun gone.ts', ['error missing_script']],
      ['bun run gone.ts', ['error missing_script']],
      ['bun run lint', []],
    ];
    for (const [line, expected] of findings) {
      expect(await preflight.find(line, { env }), line).toEqual(expected);
    }
  });

  preflightTest('PF-1 CDPATH makes a cd uncertain', async ({ preflight }) => {
    const env = { ...process.env, CDPATH: '/elsewhere' };
    expect(await preflight.find('cd gone && ./ok.sh', { env })).toEqual([]);
  });
});
