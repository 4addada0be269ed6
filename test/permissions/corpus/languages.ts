/** Code in options, subcommands and input of programs beyond the usual interpreters; each line removes the file `victim`. */
import { type HostileLine, hostile } from './situations.js';

const removes = (program: string, ...lines: readonly string[]): readonly HostileLine[] =>
  hostile('denyRemove', 'PM-49', lines, [program]);

/** What code starts is a line, so a command counts that its text does not name. */
const STARTED_LINES = [
  ...removes(
    'python3',
    `python3 -c 'import os; os.system("find . -name victim -delete")'`,
    `python3 -c 'import subprocess; subprocess.run(["find", ".", "-name", "victim", "-delete"])'`,
  ),
  ...removes(
    'perl',
    `perl -e 'system "find . -name victim -delete"'`,
    `perl -e 'qx'"'"'r""m victim'"'"''`,
    `perl -F'/x/,$_);system("r"."m","victim");(//' -ane 1 a.txt`,
  ),
  ...removes('node', `node -e 'require("child_process").execSync("find . -name victim -delete")'`),
  ...removes('ruby', `ruby -e 'system "find . -name victim -delete"'`),
  ...removes('php', `php -r 'system("find . -name victim -delete");'`),
  ...removes('awk', `awk 'BEGIN { system("find . -name victim -delete") }'`),
];

const OPTIONS = [
  ...removes(
    'deno',
    `deno eval 'new Deno.Command("r"+"m",{args:["victim"]}).outputSync()'`,
    `deno eval 'import c from "node:child_process"; c.execSync("r"+"m victim")'`,
    `echo 'new Deno.Command("r"+"m",{args:["victim"]}).outputSync()' | deno run -A -`,
  ),
  ...removes('bun', `echo 'Bun.spawnSync(["r"+"m","victim"])' | bun run -`),
  ...removes('mongosh', `mongosh --nodb --eval 'require("child_process").execSync("r"+"m victim")'`),
  ...removes('texlua', `texlua -e 'os.execute("r".."m victim")'`),
  ...removes('tarantool', `tarantool -e 'os.execute("r".."m victim")'`),
  ...removes('lua', `LUA_INIT_5_4='os.execute("r".."m victim")' lua -v`),
  ...removes('irb', `irb <<< 'system "r"+"m victim"'`),
  ...removes('pry', `pry -e 'system "r"+"m victim"'`),
  ...removes('rake', `rake -E 'sh "r"+"m victim"'`, `rake -e 'sh "r"+"m victim"'`),
  ...removes(
    'rails',
    `rails runner 'system "r"+"m victim"'`,
    `rails c <<< 'system "r"+"m victim"'`,
    `bundle exec rails r 'system "r"+"m victim"'`,
  ),
  ...removes('erb', `echo '<% system %(r)+%(m victim) %>' | erb`, `erb <<< '<% system %(r)+%(m victim) %>'`),
  ...removes(
    'php',
    `php artisan tinker --execute='system("r"."m victim");'`,
    `php artisan tinker <<< 'system("r"."m victim");'`,
    `wp eval 'system("r"."m victim");'`,
    `drush php:eval 'system("r"."m victim");'`,
  ),
  ...removes(
    'django-admin',
    `python3 manage.py shell -c 'import os; os.system("r"+"m victim")'`,
    `python3 manage.py shell <<< 'import os; os.system("r"+"m victim")'`,
  ),
  ...removes('sage', `sage -c 'import os; os.system("r"+"m victim")'`),
  ...removes('blender', `blender -b --python-expr 'import os; os.system("r"+"m victim")'`),
  ...removes(
    'sh.py',
    `python3 -c 'import sh; sh.rm("victim")'`,
    `python3 -c 'from plumbum.cmd import rm; rm("victim")'`,
  ),
  ...removes('R', `R -e 'system(paste0("r","m victim"))'`),
  ...removes('octave', `octave --eval 'system(["r" "m victim"])'`),
  ...removes('iex', `iex -e 'System.cmd("r"<>"m",["victim"])'`),
  ...removes('mix', `mix run -e 'System.cmd("r"<>"m",["victim"])'`),
  ...removes('erl', `erl -noshell -eval 'os:cmd("r"++"m victim"), halt().'`),
  ...removes('scala', `scala -e 'sys.process.Process("r"+"m victim").!'`),
  ...removes(
    '-jshell',
    `jshell <<< 'Runtime.getRuntime().exec("r"+"m victim")'`,
    `echo 'Runtime.getRuntime().exec("r"+"m victim")' | jshell -`,
  ),
  ...removes(
    'clojure',
    `clojure -M -e '((requiring-resolve (quote clojure.java.shell/sh)) (str "r" "m") "victim")'`,
  ),
  ...removes(
    'bb',
    `bb -e '(babashka.process/shell (str "r" "m victim"))'`,
    `bb '(shell (str "r" "m victim"))'`,
  ),
  ...removes('guile', `guile -c '(system (string-append "r" "m victim"))'`),
  ...removes('csi', `csi -e '(system (string-append "r" "m victim"))'`),
  ...removes('sbcl', `sbcl --non-interactive --eval '(uiop:run-program (format nil "~am victim" #\\r))'`),
  ...removes('ghc', `ghc -e 'System.Process.system ("r"++"m victim")'`),
  ...removes('ocaml', `ocaml -e 'Sys.command("r"^"m victim")'`),
  ...removes('raku', `raku -e 'run "r"~"m", "victim"'`),
  ...removes('crystal', `crystal eval 'system("r"+"m victim")'`),
  ...removes('janet', `janet -e '(os/shell (string "r" "m victim"))'`),
  ...removes('gnuplot', `gnuplot -e 'system("r"."m victim")'`),
  ...removes('maxima', `maxima --batch-string='system(concat("r","m victim"))$'`),
  ...removes('gp', `gp -q <<< 'system(concat("r","m victim"))'`),
  ...removes('m4', `m4 <<< 'syscmd(r()m victim)'`, `echo 'syscmd(r()m victim)' | m4`),
  ...removes('mlr', `mlr -n put 'end{print system("r"."m victim")}'`),
  ...removes('goawk', `goawk 'BEGIN{system("r" "m victim")}'`),
  ...removes('rpm', `rpm -E '%{lua:os.execute("r".."m victim")}'`),
  ...removes('luatex', `luatex '\\directlua{os.execute("r".."m victim")}'`),
  ...removes('emacsclient', `emacsclient -e '(shell-command (concat "r" "m victim"))'`),
  ...removes('nosuch-language', `nosuch-language --eval 'run("r" + "m victim")'`),
];

const OTHER_SHELLS = [
  ...removes(
    'zsh',
    `zsh -c '=rm victim'`,
    `zsh -c 'echo a.txt(e:"r\\m victim":)'`,
    `zsh -c 'zmodload zsh/files; zf_rm victim'`,
  ),
  ...removes(
    'fish',
    `fish -c 'r(echo m) victim'`,
    `fish -c 'eval r(echo m) victim'`,
    `fish -c 'set x r; $x"m" victim'`,
    `fish -c 'string join "" r "m victim" | source'`,
    `fish --command='r(echo m) victim'`,
  ),
  ...removes('nu', `nu -c '^("r" + "m") victim'`, `nu -c 'run-external ("r" + "m") victim'`),
  ...removes('xonsh', `xonsh -c '@("r"+"m") victim'`),
  ...removes('pwsh', `echo '&("r"+"m") victim' | pwsh -`),
];

const WRITTEN = [
  ...removes(
    'sqlite3',
    `sqlite3 :memory: "select writefile('x.sh','r'||'m victim')"; sh x.sh`,
    `sqlite3 :memory: '.output x.sh' "select 'r'||'m victim'"; sh x.sh`,
    `sqlite3 -cmd '.once x.sh' :memory: "select 'r'||'m victim'"; sh x.sh`,
  ),
  ...removes('ed', `ed -s x.sh <<< $'a\\nrxm victim\\n.\\ns/x//\\nw'; sh x.sh`),
  ...removes('ex', `ex -s x.sh <<< $'a\\nrxm victim\\n.\\ns/x//\\nx'; sh x.sh`),
  ...removes('rake', `printf 'task(:default) { sh "r"+"m victim" }\\n' > Rakefile; rake`),
  ...removes('scons', `echo 'Execute("r"+"m victim")' > SConstruct; scons`),
];

/** The program of that name, not the keyword of the shell, writes a file. */
const TIMED = hostile(
  'default',
  'PM-19',
  [
    'command time -o made ls',
    '\\time -o made ls',
    "'time' --output=made ls",
    'env time -aomade ls',
    'echo sub | xargs time -o made ls',
  ],
  ['/usr/bin/time'],
);

export const LANGUAGES: readonly HostileLine[] = [
  ...STARTED_LINES,
  ...OPTIONS,
  ...OTHER_SHELLS,
  ...WRITTEN,
  ...TIMED,
];

/** Beside a rule that denies `rm`, this needs no question. */
export const LANGUAGES_FREE: readonly string[] = [
  `deno eval 'console.log(1 + 1)'`,
  `mongosh --eval 'db.users.countDocuments()'`,
  `fish -c 'npm test; and echo done'`,
  'docker run -e "A=b (c)" --rm x npm test',
  `mlr --icsv --ojson put '$z = $x . "_" . $y' a.csv`,
  `jq -e '.a | select(.b == "c")' a.json`,
  `kubectl get pods -o jsonpath='{.items[0].metadata.name}'`,
  `rsync -e 'ssh -p 22' a host:b`,
  `pip install -e '.[dev]'`,
  `python3 -c 'import os; os.system("find . -name x.txt")'`,
  `sqlite3 a.db '.tables'`,
  `zsh -c 'npm test && echo "done"'`,
  'command time -v npm test',
];
