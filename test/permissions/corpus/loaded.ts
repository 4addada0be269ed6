/** Lines in which code that starts a program is not the argument of an interpreter: a script of awk or an editor, an option, a variable, the input of a compiler, a hook of git. */
import { type HostileLine, hostile } from './situations.js';

/** `import c from "child_process";c.execSync("rm victim")` */
const ENCODED =
  'data:text/javascript;base64,aW1wb3J0IGMgZnJvbSAiY2hpbGRfcHJvY2VzcyI7Yy5leGVjU3luYygicm0gdmljdGltIik=';
/** `import f from "fs";f.writeFileSync("made","")` */
const WRITES = 'data:text/javascript;base64,aW1wb3J0IGYgZnJvbSAiZnMiO2Yud3JpdGVGaWxlU3luYygibWFkZSIsIiIp';

export const LOADED: readonly HostileLine[] = [
  ...hostile('denyRemove', 'PM-42', [
    'awk \'BEGIN{system("r" "m victim")}\'',
    'awk \'BEGIN { x = "r"; print "x" | x "m victim" }\'',
    'awk -v x=r \'BEGIN{system(x "m victim")}\'',
    'awk \'BEGIN{printf "%c%c victim",114,109 | "sh"}\'',
    'awk \'/a|b/{ print "r\\155 victim" | "xargs env" }\' a.txt',
    'awk \'BEGIN{ ("r" "m victim") | getline; close("r" "m victim") }\'',
    'perl -e \'exec chr(114)."m","victim"\'',
    'perl -e \'open F,"|r"."m victim"\'',
    'perl -e \'open(my $f,"r"."m victim|"); <$f>\'',
    'perl -e \'eval pack "H*","73797374656d22726d2076696374696d22"\'',
    'perl \'-Mstrict;system("r"."m","victim");\' -e 1',
    'PERL5OPT=\'-Mstrict;system(chr(114).chr(109),"victim");\' perl -e 1',
    'PERL5DB=\'BEGIN{system(chr(114)."m","victim")}\' perl -d a.txt',
    'export PERL5OPT=\'-Mstrict;system("r"."m","victim");\'; perl -e 1',
    `node --import '${ENCODED}' -e 1`,
    `node '--import=${ENCODED}' -p 1`,
    `NODE_OPTIONS='--import=${ENCODED}' node -e 1`,
    `NODE_OPTIONS='--import=${ENCODED}' npm -v`,
    `export NODE_OPTIONS='--import ${ENCODED}'; node -e 1`,
    `env 'NODE_OPTIONS=--import=${ENCODED}' node -e 1`,
    'node -pe \'require("child_process").spawnSync([114,109].map(x=>String.fromCharCode(x)).join(""),["victim"])\'',
    "python3 -c \"getattr(__import__('os'),'sys'+'tem')('mr'[::-1]+' victim')\"",
    "mkdir -p .git/hooks; printf '#!/bin/sh\\nr\\\\m victim' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git -c user.name=a -c user.email=a@b commit --allow-empty -m x",
  ]),
  ...hostile('denyRemove', 'PM-42', ['vim -es +\'call system("r"."m victim")\' +q'], ['vim']),
  ...hostile(
    'denyRemove',
    'PM-42',
    ['gdb -batch -ex \'python import os; os.system("r"+"m victim")\''],
    ['gdb'],
  ),
  ...hostile(
    'denyRemove',
    'SH-6',
    ["sqlite3 :memory: '.sh r$(:)m victim'", "sqlite3 :memory: '.once |r$(:)m victim' 'select 1'"],
    ['sqlite3'],
  ),
  ...hostile(
    'denyRemove',
    'PM-42',
    [
      'gcc -x c - -o x <<< \'int main(){return execlp("r" "m","x","victim",0);}\'; ./x',
      'echo \'main(){execlp("r" "m","x","victim",0);}\' | gcc -w -xc -; ./a.out',
    ],
    ['gcc'],
  ),
  ...hostile('denySecretAllowBash', 'PM-47', [
    'node -p \'require("fs").readdirSync(".").map(f=>{try{return fs.readFileSync(f)+""}catch{}})\'',
  ]),
  ...hostile(
    'allowScripts',
    'SH-6',
    [
      `npm run x '--node-options=--import=${WRITES}'`,
      `npm run x --node-opt '--import=${WRITES}'`,
      `npm run --node-options '--import=${WRITES}' x`,
      'npm run x --script-shell=./sub/safe.sh',
      'npm run x --script-sh ./sub/safe.sh',
      'npm run x --userconfig=./sub/npmrc',
    ],
    ['-npm'],
  ),
];
