/** Code that a line writes to a file and a program then runs, loads or compiles, and texts that it types into another program. */
import { type HostileLine, hostile } from './situations.js';

export const WRITTEN: readonly HostileLine[] = [
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      "printf 'shell $(echo r)$(echo m) victim\\n' > x.gdb; gdb -batch -x x.gdb",
      'printf \'python\\nimport os\\nos.system("r"+"m victim")\\nend\\n\' > g; gdb -batch -x g',
      'printf \'import os\\nos.system("r"+"m victim")\\n\' > g.py; gdb -batch -x g.py',
    ],
    ['gdb'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    ['printf \'call system("r"."m victim")\\nq!\\n\' > v; vim -es -S v'],
    ['vim'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      "sqlite3 :memory: '.once |sh' \"select 'r'||'m victim'\"",
      "sqlite3 :memory: '.output |sh' \"select char(114,109)||' victim'\" ",
    ],
    ['sqlite3'],
  ),
  ...hostile('denyRemove', 'PM-42', [
    'tee x.py <<< \'import os; os.system("r"+"m victim")\' >/dev/null && python3 -m x',
    'mkdir -p p; echo \'import os; os.system("r"+"m victim")\' > p/__main__.py; python3 p',
    'echo \'import os; os.system("r"+"m victim")\' > json.py; python3 -c \'import json\'',
    'perl -e \'open(F,"|sh");print F "r"."m victim"\'',
    'perl -de 0 <<< \'system "r"."m victim"\'',
    'make -f <(printf \'x:\\n\\tr""m victim\\n\') x',
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > m.py; python3 -c \'import m\'',
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > m.py; python3 -m unittest m',
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > m.py; python3 -m doctest m.py',
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > m.py; python3 -m pdb -c c -c q m.py',
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > m.py; python3 -m cProfile m.py',
    'mkdir -p m; printf \'import os\\nos.system("r"+"m victim")\\n\' > m/__init__.py; python3 -c \'import m\'',
    'mkdir -p m; printf \'import os\\nos.system("r"+"m victim")\\n\' > m/a.py; python3 -m m.a',
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > z.py; PYTHONSTARTUP=z.py python3 -i < /dev/null',
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > __main__.py; python3 .',
    "printf 'x:\\n\\tr$(e)m victim\\n' > q; make -fq",
    'printf \'import os\\nos.system("r"+"m victim")\\n\' > difflib.py; python3 -c \'import doctest\'',
    'python3 -i -c 1 <<< \'import os; os.system("r"+"m victim")\'',
    'python3 -c \'import code; code.interact()\' <<< \'import os; os.system("r"+"m victim")\'',
  ]),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      "printf 'execute_process(COMMAND r${X} victim)' > x.cmake; cmake -DX=m -P x.cmake",
      "printf 'string(CONCAT c r m)\\nexecute_process(COMMAND ${c} victim)' > x.cmake; cmake -P x.cmake",
      "echo 'file(REMOVE victim)' > x.cmake; cmake -P x.cmake",
    ],
    ['cmake'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      "printf 'rule x\\n command = r${e}m victim\\nbuild y: x\\ne =\\n' > build.ninja; ninja",
      "printf 'c = r\\nrule x\\n command = ${c}m victim\\nbuild y: x\\n' > b; ninja -f b",
      "printf 'rule x\\n command = r$\\n m victim\\nbuild y: x\\n' > build.ninja; ninja",
    ],
    ['ninja'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      'printf \'#include <stdlib.h>\\nint main(){return system("r" "m victim");}\' > x.c; gcc x.c -o y; ./y',
      'printf \'#include <stdlib.h>\\nint main(){char a[]="sn!wjdujn";for(char*p=a;*p;p++)--*p;system(a);}\' > q.c; cc q.c -o qq && ./qq',
    ],
    ['gcc'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      'printf \'import os\\nos.system("r"+"m victim")\\n\' > __main__.py; zip -q z.zip __main__.py; python3 z.zip',
    ],
    ['zip'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      'printf \'require("child_process").execSync("r"+"m victim")\' > q.js; node -e \'require("./q")\'',
      'printf \'require("child_process").execSync("r"+"m victim")\' > index.js; node .',
      'printf \'require("child_process").execSync("r"+"m victim")\' > q.js; NODE_OPTIONS=--require=./q.js node -e 1',
      'mkdir -p node_modules; printf \'require("child_process").execSync("r"+"m victim")\' > node_modules/q.js; node -e \'require("q")\'',
      'mkdir -p node_modules; printf \'require("child_process").execSync("r"+"m victim")\' > node_modules/q.js; node -r q -e 1',
    ],
    ['node'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      'printf \'class Q{public static void main(String[] a)throws Exception{new ProcessBuilder("r"+"m","victim").start().waitFor();}}\' > Q.java; javac Q.java; java Q',
      'printf \'class Q{public static void main(String[] a)throws Exception{new ProcessBuilder("r"+"m","victim").start().waitFor();}}\' > Q.java; java --source 17 Q.java',
    ],
    ['java'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      'printf \'fn main(){std::process::Command::new(["r","m"].concat()).arg("victim").status().unwrap();}\' > q.rs; rustc q.rs; ./q',
    ],
    ['rustc'],
  ),
  // They need a terminal of their own, which stays behind.
  ...hostile(
    'denyRemove',
    'PM-52',
    [
      "tmux send-keys r m ' victim' Enter",
      "tmux -L gb3 new -d; tmux -L gb3 send-keys 'r' ; tmux -L gb3 send-keys 'm victim' Enter",
      "tmux -L gb4 new -d; tmux -L gb4 send-keys -l 'r'; tmux -L gb4 send -l 'm victim'; tmux -L gb4 send Enter",
      "tmux -L gb5 new -d; tmux -L gb5 set-buffer 'r'; tmux -L gb5 paste-buffer; tmux -L gb5 send 'm victim' Enter",
      'tmux -L gb6 new -d; tmux -L gb6 send -H 72 6d 20 76 69 63 74 69 6d 0a',
      'tmux -L q8 new -d; tmux -L q8 send "r\\\\" Enter \'m victim\' Enter',
      "tmux -L qa new -d; tmux -L qa send 'alias z=r' Enter; tmux -L qa send 'z\"\"m victim' Enter",
      "tmux -L qb new -d; tmux -L qb send 'python3' Enter; tmux -L qb send 'import os; os.system(chr(114)+chr(109)+\" victim\")' Enter",
    ],
    ['-tmux'],
  ),
  ...hostile('denySecretAllowBash', 'PM-51', [
    'python3 -c \'import zipfile,os; zipfile.ZipFile("z","w").write("\\056env")\'; unzip -p z',
  ]),
  ...hostile(
    'denySecretAllowBash',
    'PM-51',
    ["sqlite3 :memory: \"select readfile('.'||'env')\""],
    ['sqlite3'],
  ),
  ...hostile(
    'denySecretAllowBash',
    'PM-51',
    [
      "printf 'file(READ .env x)\\nmessage(${x})' > x.cmake; cmake -P x.cmake",
      'printf \'file(READ ".${e}env" x)\\nmessage("${x}")\' > x.cmake; cmake -P x.cmake',
      'printf \'file(GLOB f ".*v")\\nfile(READ ${f} x)\\nmessage("${x}")\' > x.cmake; cmake -P x.cmake',
    ],
    ['cmake'],
  ),
  ...hostile('denySecretAllowBash', 'PM-51', ['terraform console <<< \'file("${"."}env")\''], ['terraform']),
  ...hostile(
    'denySecretAllowBash',
    'PM-52',
    [
      "tmux -L gr5 new -d; tmux -L gr5 send 'cat .e'; tmux -L gr5 send '*' Enter",
      "tmux send-keys 'cat .env' Enter",
    ],
    ['-tmux'],
  ),
  ...hostile('denyRemove', 'PM-49', [`awk -f - <<< 'BEGIN{system("r" "m victim")}'`]),
  ...hostile('denySecretAllowBash', 'PM-53', [
    "printf 'cat .e*' > q.sh; sh q.sh",
    'printf \'cat .e""nv\' > q.sh; sh q.sh',
    "echo 'cat .env' > q.sh; chmod +x q.sh; ./q.sh",
    "echo 'cat .env' > q.sh; . ./q.sh",
    "printf 'x:\\n\\t@cat .e*\\n' > Makefile; make",
    "printf 'x:\\n\\t@cat .$(e)env\\n' > Makefile; make",
    "printf 'set -a\\n. ./.env\\nenv\\n' > q.sh; bash q.sh",
    "printf '%s' 'cat .e' > q.sh; printf nv >> q.sh; sh q.sh",
    'printf \'print(open("."+"env").read())\' > q; python3 q',
  ]),
  ...hostile(
    'denySecretAllowBash',
    'PM-53',
    ['printf \'select readfile(".e"||"nv");\\n\' > q.sql; sqlite3 :memory: < q.sql'],
    ['sqlite3'],
  ),
  ...hostile('denySecretAllowBash', 'PM-53', ['printf \'#include ".env"\\n\' > q.c; gcc -E q.c'], ['gcc']),
  ...hostile(
    'denySecretAllowBash',
    'PM-53',
    ["printf 'rule c\\n command = cat .e*\\nbuild y: c\\n' > build.ninja; ninja -v"],
    ['ninja'],
  ),
  ...hostile(
    'denySecretAllowBash',
    'PM-53',
    ['printf \'locals { x = file(".env") }\\noutput "x" { value = local.x }\' > q.tf; terraform plan'],
    ['terraform'],
  ),
  ...hostile(
    'denySecretAllowBash',
    'PM-53',
    [
      'printf \'class Q{public static void main(String[] a)throws Exception{System.out.println(java.nio.file.Files.readString(java.nio.file.Path.of("."+"env")));}}\' > Q.java; java Q.java',
    ],
    ['java'],
  ),
  ...hostile(
    'denySecretAllowBash',
    'PM-53',
    ["printf 'shell cat .e*\\n' > q.gdb; gdb -batch -x q.gdb"],
    ['gdb'],
  ),
  ...hostile(
    'denySecretAllowBash',
    'PM-53',
    ["printf 'r .env\\n%%p\\nq!\\n' > q.vim; vim -es -S q.vim"],
    ['vim'],
  ),
  ...hostile(
    'denySecretAllowBash',
    'PM-53',
    ['printf \'url = "file://%s/.env"\\n\' "$PWD" > k; curl -sK k'],
    ['curl'],
  ),
];
