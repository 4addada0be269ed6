/** Ways to run a script of the workspace, each with the file that has to be covered. All of the files are there. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Spelling = readonly [command: string, covered: string, handler?: object];

/** The idioms that hooks in use are written in. */
export const IDIOMS: readonly Spelling[] = [
  ['"$(git rev-parse --show-toplevel)"/guard.sh', 'guard.sh'],
  ['$(git rev-parse --show-toplevel)/hooks/guard.sh', 'hooks/guard.sh'],
  ['"$(git rev-parse --show-toplevel 2>/dev/null || pwd)"/guard.sh', 'guard.sh'],
  ['cd "$(git rev-parse --show-toplevel)" && ./guard.sh', 'guard.sh'],
  ['$(pwd)/guard.sh', 'guard.sh'],
  ['`pwd`/guard.sh', 'guard.sh'],
  ['"$PWD/guard.sh"', 'guard.sh'],
  ['"${CLAUDE_PROJECT_DIR:?}"/guard.sh', 'guard.sh'],
  ['"${CLAUDE_PROJECT_DIR:?is not set}/guard.sh"', 'guard.sh'],
  ['${CLAUDE_PROJECT_DIR%/}/guard.sh', 'guard.sh'],
  ['"${CLAUDE_PROJECT_DIR:-.}"/guard.sh', 'guard.sh'],
  ['"${CLAUDE_PROJECT_DIR-$PWD}"/guard.sh', 'guard.sh'],
  ['"${NOBODY_SETS_THIS:-$CLAUDE_PROJECT_DIR}/guard.sh"', 'guard.sh'],
  ['X=guard; ./$X.sh', 'guard.sh'],
  ['D=hooks F=guard.sh; "./$D/${F}"', 'hooks/guard.sh'],
  ['D="$CLAUDE_PROJECT_DIR/hooks"; bash "$D/guard.sh"', 'hooks/guard.sh'],
  ['export D=hooks && sh $D/guard.sh', 'hooks/guard.sh'],
  ['./{guard,other}.sh', 'guard.sh'],
  ['cd a && cd b && ./g.sh', 'a/b/g.sh'],
  ['cd a/b; ./g.sh', 'a/b/g.sh'],
  ['cd a; cd b; sh g.sh', 'a/b/g.sh'],
  ['(cd a/b && ./g.sh)', 'a/b/g.sh'],
  ['cd "$CLAUDE_PROJECT_DIR/a" && ./b/g.sh', 'a/b/g.sh'],
  ['node .', 'index.js'],
  ['node ./app', 'app/lib/main.js'],
  ['node app/', 'app/package.json'],
  ['node lib', 'lib/index.js'],
  ['node guard', 'guard.js'],
  ['node ./guard', 'guard.js'],
  ['node --no-warnings --stack-trace-limit 5 guard.js', 'guard.js'],
  ['node --require ./preload.cjs guard.js', 'preload.cjs'],
  ['node -r ./index guard.js', 'index.js'],
  ['node --import ./guard.mjs -e 1', 'guard.mjs'],
  ['node --import=./guard.mjs index.js', 'guard.mjs'],
  ['node < guard.js', 'guard.js'],
  ['node -e "require(\'./guard.js\')"', 'guard.js'],
  ["node -e \"require('child_process').execSync('sh hooks/guard.sh')\"", 'hooks/guard.sh'],
  ['python3 -c \'import subprocess as s; s.run(["./guard.sh"], check=True)\'', 'guard.sh'],
  ["python3 -c 'import sys, mod'", 'mod.py'],
  ["python3 -c 'from pkg.sub import main; main()'", 'pkg/sub.py'],
  ['python3 -c \'import runpy; runpy.run_module("mod")\'', 'mod.py'],
  ['node --input-type=module -e "import \'./guard.mjs\'"', 'guard.mjs'],
  ['NODE_OPTIONS="--require ./preload.cjs" node -e 1', 'preload.cjs'],
  ['python3 pkg', 'pkg/__main__.py'],
  ['python3 -m mod', 'mod.py'],
  ['python3 -um pkg', 'pkg/__main__.py'],
  ['python3 -m pkg.sub', 'pkg/sub.py'],
  ['python3 -m pkg.sub', 'pkg/__init__.py'],
  ['PYTHONPATH=pylib python3 -m far', 'pylib/far.py'],
  ['cd pylib && python3 -m far', 'pylib/far.py'],
  ['python3 -W ignore -X utf8 guard.py', 'guard.py'],
  ['python3 - < guard.py', 'guard.py'],
  ['python3 -c "exec(open(\'guard.py\').read())"', 'guard.py'],
  ['PATH=./bin:$PATH tool', 'bin/tool'],
  ['PATH="$CLAUDE_PROJECT_DIR/bin:$PATH"; tool', 'bin/tool'],
  ['export PATH=bin:$PATH && tool --check', 'bin/tool'],
  ['env PATH=./bin:/usr/bin:/bin tool', 'bin/tool'],
  ['tool', 'bin/tool', { env: { PATH: './bin:/usr/bin:/bin' } }],
];

/** What stands between a line and its script. */
export const CARRIED: readonly Spelling[] = [
  ['bash -c \'"$CLAUDE_PROJECT_DIR"/guard.sh\'', 'guard.sh'],
  ['bash -lc "cd hooks && ./guard.sh"', 'hooks/guard.sh'],
  ['sh -c \'sh -c "sh hooks/guard.sh"\'', 'hooks/guard.sh'],
  ['bash -euo pipefail hooks/guard.sh', 'hooks/guard.sh'],
  ['bash --rcfile hooks/guard.sh -i', 'hooks/guard.sh'],
  ['eval ./guard.sh', 'guard.sh'],
  ['exec -a name ./guard.sh', 'guard.sh'],
  ['env A=1 ./guard.sh', 'guard.sh'],
  ['env -S "node guard.js"', 'guard.js'],
  ['/usr/bin/env bash guard.sh', 'guard.sh'],
  ['nohup ./guard.sh >/dev/null 2>&1 &', 'guard.sh'],
  ['timeout 5 ./guard.sh', 'guard.sh'],
  ['timeout -k 1 5 node guard.js', 'guard.js'],
  ['time ./guard.sh', 'guard.sh'],
  ['nice -n 5 ./guard.sh', 'guard.sh'],
  ['setsid -w ./guard.sh', 'guard.sh'],
  ['command ./guard.sh', 'guard.sh'],
  ['trap ./guard.sh EXIT', 'guard.sh'],
  ['. ./guard.sh', 'guard.sh'],
  ['source hooks/guard.sh', 'hooks/guard.sh'],
  ['sh < guard.sh', 'guard.sh'],
  ['bash -s -- x < guard.sh', 'guard.sh'],
  ['sh <<EOF\nhooks/guard.sh\nEOF', 'hooks/guard.sh'],
  ["bash <<'EOF'\ncd hooks\n./guard.sh\nEOF", 'hooks/guard.sh'],
  ['bash <<< ./guard.sh', 'guard.sh'],
  ['echo x | xargs ./guard.sh', 'guard.sh'],
  ["xargs -I{} sh -c './guard.sh {}'", 'guard.sh'],
  ['find . -name "*.ts" -exec ./guard.sh {} +', 'guard.sh'],
  ['for f in hooks/*.sh; do bash "$f"; done', 'hooks/guard.sh'],
  ['for f in guard other; do ./$f.sh; done', 'guard.sh'],
  ['if ./guard.sh; then echo ok; fi', 'guard.sh'],
  ['while read -r l; do ./guard.sh "$l"; done', 'guard.sh'],
  ['case "$1" in x) ./guard.sh;; esac', 'guard.sh'],
  ['[[ -x guard.sh ]] && ./guard.sh', 'guard.sh'],
  ['test -f guard.py && python3 guard.py || true', 'guard.py'],
  ['echo "$(sh guard.sh)"', 'guard.sh'],
  ['x=`./guard.sh`; echo $x', 'guard.sh'],
  ['cat <(./guard.sh)', 'guard.sh'],
  ['echo $(( $(./guard.sh) + 1 ))', 'guard.sh'],
  ['cat | ./guard.sh | jq .', 'guard.sh'],
  ['! ./guard.sh', 'guard.sh'],
  ['{ ./guard.sh; } > /dev/null', 'guard.sh'],
  ['f() { true; }; ./guard.sh; f', 'guard.sh'],
  ['./hooks/*.sh', 'hooks/guard.sh'],
  ['./a/../guard.sh', 'guard.sh'],
  ['strace -f ./guard.sh', 'guard.sh'],
  ['some-wrapper --quiet ./guard.sh', 'guard.sh'],
  ['hooks/guard.sh ./guard.js', 'guard.js'],
  ['BASH_ENV=hooks/guard.sh bash -c true', 'hooks/guard.sh'],
  ['GIT_EXTERNAL_DIFF=./guard.sh git diff', 'guard.sh'],
];

/** Programs that run what another file says. */
export const RUNNERS: readonly Spelling[] = [
  ['npm run lint', 'scripts/lint.sh'],
  ['npm run --silent lint -- --fix', 'package.json'],
  ['npm run lint', 'node_modules/.bin/eslint'],
  ['npm run lint', 'guard.js'],
  ['npm test', 'guard.js'],
  ['npm --prefix web run build', 'web/build.js'],
  ['cd web && npm run build', 'web/build.js'],
  ['npm exec -- eslint .', 'node_modules/.bin/eslint'],
  ['npm ci', 'scripts/lint.sh'],
  ['node --run lint', 'scripts/lint.sh'],
  ['pnpm lint', 'scripts/lint.sh'],
  ['pnpm -C web run build', 'web/build.js'],
  ['yarn lint', 'scripts/lint.sh'],
  ['yarn --cwd web build', 'web/build.js'],
  ['yarn node guard.js', 'guard.js'],
  ['bun run lint', 'scripts/lint.sh'],
  ['bun run guard.ts', 'guard.ts'],
  ['bun guard.ts', 'guard.ts'],
  ['bun --preload ./guard.mjs run guard.ts', 'guard.mjs'],
  ['bunx eslint .', 'node_modules/.bin/eslint'],
  ['npx eslint --fix .', 'node_modules/.bin/eslint'],
  ['npx --yes eslint@9 .', 'node_modules/.bin/eslint'],
  ['npx @scope/tool', 'node_modules/@scope/tool/cli.js'],
  ['npx tsx guard.ts', 'guard.ts'],
  ['npx -c "eslint . && ./guard.sh"', 'guard.sh'],
  ['tsx --tsconfig tsconfig.json guard.ts', 'guard.ts'],
  ['tsx watch guard.ts', 'guard.ts'],
  ['deno run -A --config deno.json guard.ts', 'guard.ts'],
  ['deno task lint', 'scripts/lint.sh'],
  ['uv run guard.py', 'guard.py'],
  ['uv run --script "$CLAUDE_PROJECT_DIR/hooks/guard"', 'hooks/guard'],
  ['uv run --with rich --python 3.12 guard.py', 'guard.py'],
  ['uv run --quiet -m mod', 'mod.py'],
  ['uv run python guard.py', 'guard.py'],
  ['uv run tool', '.venv/bin/tool'],
  ['poetry run python guard.py', 'guard.py'],
  ['.venv/bin/python guard.py', '.venv/bin/python'],
  ['make check', 'Makefile'],
  ['make -C web check', 'web/Makefile'],
  ['make -f build/rules.mk', 'build/rules.mk'],
  ['make -fbuild/rules.mk -j4 check', 'build/rules.mk'],
  ['make -f Makefile --file=build/rules.mk', 'build/rules.mk'],
  ['if [ -d app ]; then cd app; else cd web; fi; npm run build', 'web/build.js'],
  ['if [ -d app ]; then cd app; else cd web; fi && make', 'web/Makefile'],
  ['just check', 'justfile'],
  ['perl -e \'system("./guard.sh"); exit($? >> 8)\'', 'guard.sh'],
  ['ruby -e \'exec "node guard.js"\'', 'guard.js'],
  ['awk \'BEGIN { exit system("./guard.sh") }\'', 'guard.sh'],
  ['ruby -w guard.rb', 'guard.rb'],
  ['perl -MJSON::PP guard.pl', 'guard.pl'],
  ['php -f guard.php', 'guard.php'],
  ['awk -f guard.awk data.txt', 'guard.awk'],
  ['go run ./cmd', 'cmd/main.go'],
  ['java -jar guard.jar', 'guard.jar'],
  ['pwsh -NoProfile -File guard.ps1', 'guard.ps1'],
  ['cross-env CI=1 node guard.js', 'guard.js'],
  ['dotenv -- ./guard.sh', 'guard.sh'],
];

/** What is loaded or run by a name, or by a text that a program is given. */
export const NAMED: readonly Spelling[] = [
  ['PYTHONPATH=pylib python3 -c "import far"', 'pylib/far.py'],
  ['python3 -c "import json, mod"', 'mod.py'],
  ['python3 -c "from pkg import sub"', 'pkg/sub.py'],
  ['python3 -c "import sys; sys.path.insert(0, \'pylib\'); import far"', 'pylib/far.py'],
  ['python3 -c "__import__(\'mod\')"', 'mod.py'],
  ['python3 -c "import runpy; runpy.run_module(\'mod\')"', 'mod.py'],
  ["python3 - <<'E'\nimport mod\nE", 'mod.py'],
  ['python3 -c "import os; os.system(\'./guard.sh\')"', 'guard.sh'],
  ["python3 -c \"import subprocess; subprocess.run(['sh', 'hooks/guard.sh'])\"", 'hooks/guard.sh'],
  ['node -e "require(\'@scope/tool\')"', 'node_modules/@scope/tool/cli.js'],
  ['node --import @scope/tool guard.js', 'node_modules/@scope/tool/cli.js'],
  ['node -r @scope/tool guard.js', 'node_modules/@scope/tool/package.json'],
  ["node -e \"require('child_process').execSync('./guard.sh')\"", 'guard.sh'],
  ["node -e \"eval(require('fs').readFileSync('guard.js', 'utf8'))\"", 'guard.js'],
  ['node -e "require(process.cwd() + \'/guard.js\')"', 'guard.js'],
  ['perl -Ilib -MGuard -e 1', 'lib/Guard.pm'],
  ['PERL5LIB=lib perl -MGuard guard.pl', 'lib/Guard.pm'],
  ['PERL5OPT="-Ilib -MGuard" perl -e 1', 'lib/Guard.pm'],
  ['perl -e \'do "./guard.pl"\'', 'guard.pl'],
  ['ruby -Ilib -rguard guard.rb', 'lib/guard.rb'],
  ['awk \'BEGIN { system("./guard.sh") }\'', 'guard.sh'],
  ["sed '1e ./guard.sh' data.txt", 'guard.sh'],
  ['sed -nf guard.sed data.txt', 'guard.sed'],
  ['jq -rf guard.jq', 'guard.jq'],
  ['jq --from-file --arg a b guard.jq', 'guard.jq'],
  ['run-parts hooks', 'hooks/guard.sh'],
  ['tar cf /dev/null --checkpoint-action=exec=./guard.sh data.txt', 'guard.sh'],
  ['make SHELL=./guard.sh check', 'guard.sh'],
  ['MAKEFILES=build/rules.mk make check', 'build/rules.mk'],
  ['npm_config_script_shell=./guard.sh npm run lint', 'guard.sh'],
  ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./guard.sh git status', 'guard.sh'],
  ['GIT_CONFIG_GLOBAL=data.txt git status', 'data.txt'],
  ['PYTHONSTARTUP=guard.py python3 -i < /dev/null', 'guard.py'],
  ["printf -v 'a[$(./guard.sh)]' x", 'guard.sh'],
  ['./gradlew check', 'build.gradle'],
  ['docker compose run --rm check', 'compose.yaml'],
  ['"$HOOKS"/guard.sh', 'hooks/guard.sh', { settingsEnv: { HOOKS: 'hooks' } }],
];

/** Without a shell. */
export const DIRECT: readonly Spelling[] = [
  ['./guard.sh', 'guard.sh', { args: [] }],
  ['sh', 'hooks/guard.sh', { args: ['hooks/guard.sh'] }],
  ['sh', 'hooks/guard.sh', { args: ['${CLAUDE_PROJECT_DIR}/hooks/guard.sh'] }],
  ['sh', 'guard.sh', { args: ['-c', 'exec ./guard.sh'] }],
  ['node', 'guard.js', { args: ['guard'] }],
  ['node', 'preload.cjs', { args: ['--require', './preload.cjs', 'guard.js'] }],
  ['env', 'guard.py', { args: ['A=1', 'python3', 'guard.py'] }],
  ['npm', 'scripts/lint.sh', { args: ['run', 'lint'] }],
  ['./g.sh', 'a/b/g.sh', { args: [], cwd: 'a/b' }],
  ['true', 'hooks/guard.sh', { env: { BASH_ENV: './hooks/guard.sh' } }],
  ['true', 'preload.cjs', { env: { NODE_OPTIONS: '--require ./preload.cjs' } }],
  ['true', 'guard.sh', { shell: './guard.sh' }],
];

const SCRIPTS = [
  ...['guard.sh', 'other.sh', 'hooks/guard.sh', 'hooks/guard', 'a/b/g.sh', 'bin/tool', 'scripts/lint.sh'],
  ...['index.js', 'guard.js', 'guard.mjs', 'preload.cjs', 'app/lib/main.js', 'lib/index.js', 'web/build.js'],
  ...['guard.ts', 'guard.py', 'mod.py', 'pylib/far.py', 'guard.rb', 'guard.pl', 'guard.php', 'guard.awk'],
  ...['pkg/__main__.py', 'pkg/__init__.py', 'pkg/sub.py', 'guard.ps1', 'guard.jar', 'cmd/main.go'],
  ...['lib/Guard.pm', 'lib/guard.rb', 'guard.sed', 'guard.jq', 'gradlew', 'build.gradle', 'compose.yaml'],
  ...['Makefile', 'web/Makefile', 'build/rules.mk', 'justfile'],
  ...['node_modules/.bin/eslint', 'node_modules/@scope/tool/cli.js', '.venv/bin/python', '.venv/bin/tool'],
];

/** Puts all of the files into a folder. */
export function furnish(folder: string): void {
  const write = (path: string, content: unknown, mode = 0o755): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(file, mode);
  };
  for (const path of SCRIPTS) write(path, '');
  write('data.txt', 'a line\n', 0o644);
  write('package.json', {
    scripts: {
      prelint: 'node guard.js',
      lint: 'eslint . && ./scripts/lint.sh',
      test: 'npm run lint',
      prepare: './scripts/lint.sh',
    },
  });
  write('web/package.json', { scripts: { build: 'node build.js' } });
  write('app/package.json', { main: './lib/main' });
  write('deno.json', { tasks: { lint: './scripts/lint.sh' } });
  write('node_modules/@scope/tool/package.json', { main: 'cli.js', bin: { tool: './cli.js' } });
  mkdirSync(join(folder, '.git'));
}

/** Edits a file so that what it does is another thing, and it can still be read. */
export function edited(path: string): unknown {
  if (path === 'package.json') return { scripts: { lint: 'touch OWNED' } };
  if (path === 'node_modules/@scope/tool/package.json') return { exports: '../../../../guard.js' };
  if (path === 'app/package.json') return { main: '../guard.js' };
  return '#!/bin/sh\ntouch OWNED\n';
}
