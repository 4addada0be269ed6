/** Code in another language that people and agents write every day, and that needs no question beside a rule that denies something else. */

const PYTHON = [
  `python3 -c "import json,sys; print(json.load(sys.stdin)['x'])"`,
  `curl -s http://localhost/x | python3 -c "import json,sys; d=json.load(sys.stdin); print(d['a'][0]['name'])"`,
  'python3 -m json.tool a.json',
  'python3 -m http.server 8000 --directory dist',
  'python3 -m timeit "sum(range(10))"',
  `python3 -c "from datetime import date, timedelta; print(date.today() - timedelta(days=7))"`,
  `python3 -c "import time; print(int(time.time()))"`,
  `python3 -c "print(2**10, 0x1f, 7 // 2, 'a' * 3)"`,
  `python3 -c "import sys; print(sys.version_info[:2])"`,
  `python3 -c "import os; print(os.getcwd(), os.environ.get('HOME'))"`,
  `python3 -c "import os; print(os.path.join('a', 'b'))"`,
  `python3 -c "import re; s=open('a.txt').read(); s=re.sub(r'\\bfoo\\b', 'bar', s); open('a.txt','w').write(s)"`,
  `python3 -c "import urllib.parse,sys; print(urllib.parse.quote(sys.argv[1]))" 'a b'`,
  `python3 -c "import base64; print(base64.b64encode(b'abc').decode())"`,
  `python3 -c "import csv; print(sum(float(r['n']) for r in csv.DictReader(open('a.csv'))))"`,
  `python3 -c "import yaml; print(yaml.safe_load(open('a.yml'))['name'])"`,
  `python3 -c "import secrets; print(secrets.token_hex(16))"`,
  `python3 -c "import collections; print(collections.Counter(open('a.txt').read().split()).most_common(5))"`,
  `python3 -c "import numpy; print(numpy.__version__)"`,
  `python3 -c "import mypkg; print(mypkg.load('x'))"`,
  `python3 -c "import ast; ast.parse(open('a.py').read())"`,
  `python3 -c "import socket; s=socket.create_connection(('localhost', 80)); print('open')"`,
  `python3 - <<'E'
from pathlib import Path
p = Path('src/a.ts')
text = p.read_text()
text = text.replace('old', 'new')
p.write_text(text)
print(f'{len(text):>5} characters of {p.name}')
E`,
  `python3 - <<'E'
import json, os, sys

def names():
    for folder, _, files in os.walk('src'):
        for name in files:
            if name.endswith(('.ts', '.js')):
                yield os.path.join(folder, name)

class Counter:
    def __init__(self):
        self._n = 0

total = Counter()
for each in names():
    total._n += 1 if False else 0
    with open(each) as f:
        print(each, sum(1 for _ in f), file=sys.stderr)
if __name__ == '__main__':
    print(json.dumps({'done': True}, indent=2))
E`,
  "cat > x.py <<'E'\nimport sys\nprint(sys.argv[1:])\nE\npython3 x.py a b",
  `python3 -c "import subprocess; print(subprocess.run(['git', 'log', '-1'], capture_output=True, text=True).stdout.strip())"`,
];

const JAVASCRIPT = [
  'node -p process.version',
  'node -e "console.log(process.env.HOME)"',
  `node -e "console.log(require('./package.json').version)"`,
  `node -p "Object.keys(require('./package.json').dependencies || {}).join(' ')"`,
  `node -e "const fs=require('fs'); console.log(JSON.parse(fs.readFileSync('a.json','utf8')).x)"`,
  `node -e "const fs=require('fs'); const p=JSON.parse(fs.readFileSync('package.json')); p.version='1.0.1'; fs.writeFileSync('package.json', JSON.stringify(p,null,2)+'\\n')"`,
  `node -e "for (const [k, v] of Object.entries(process.versions)) console.log(k + ': ' + v)"`,
  `node -e "const d={a:1,b:2}; for (const k in d) console.log(k, d[k])"`,
  'node -e "console.log([3,1,2].sort((a,b)=>a-b).map(x=>x*2).filter(x=>x>2).reduce((a,b)=>a+b,0))"',
  `node -e "console.log(new Date().toISOString().slice(0,10))"`,
  `node -e "console.log(require('crypto').randomBytes(16).toString('hex'))"`,
  `node -e "console.log(Buffer.from('abc').toString('base64'))"`,
  `node -e "require('http').createServer((q,r)=>r.end('ok')).listen(3000)"`,
  `node -e "fetch('http://localhost:3000').then(r=>r.json()).then(j=>console.log(j.items[0].id))"`,
  `node --input-type=module -e "import { readFile } from 'node:fs/promises'; console.log((await readFile('a.txt','utf8')).length)"`,
  `node -e "let s='';process.stdin.on('data',d=>s+=d).on('end',()=>console.log(JSON.parse(s).name))"`,
  `node -e "console.log('a-b'.split('-').map(s => s.toUpperCase()))"`,
  "node -e 'console.log(`${1 + 1} of ${[1, 2].length}`)'",
  `node -e "const { parse } = require('./lib/parse'); console.log(parse('a b'))"`,
  `npx tsx -e "import { x } from './src/x'; console.log(x)"`,
  `node -e "const m = 'v1.2.3'.match(/v(\\d+)/); console.log(m[1])"`,
  "cat > x.mjs <<'E'\nimport { x } from './x.js';\nconsole.log(x);\nE\nnode x.mjs",
  `node -e "setTimeout(() => process.exit(0), 100)"`,
];

const PERL = [
  "perl -pe 's/a/b/g' a.txt",
  "perl -i -pe 's/foo/bar/g' a.txt",
  "perl -ne 'print if /x/' a.txt",
  "perl -lane 'print $F[1]' a.txt",
  "perl -0777 -pe 's/a\\n\\s+b/c/g' a.txt",
  'perl -ne \'print "$.: $_" if /\\bfoo\\b/i\' a.txt',
  "perl -pe 's/(\\d+)/$1+1/e' a.txt",
  'perl -e \'my %h; while (<>) { $h{$_}++ for split } print "$_ $h{$_}\\n" for sort keys %h\' a.txt',
  'perl -MPOSIX -e \'print POSIX::strftime("%Y-%m-%d", localtime), "\\n"\'',
  "perl -MTime::HiRes=time -e 'print time'",
  "perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{name}'",
  'perl -ne \'$s += $1 if /n=(\\d+)/; END { print "$s\\n" }\' a.txt',
  'perl -F, -lane \'print join(",", @F[0,2])\' a.csv',
];

const RUBY_AND_OTHERS = [
  "ruby -e 'puts 1+1'",
  "ruby -ne 'puts $_ if /x/' a.txt",
  `ruby -rjson -e 'puts JSON.parse(File.read("a.json"))["x"]'`,
  `ruby -e 'require "date"; puts (Date.today - 7).strftime("%F")'`,
  `ruby -ryaml -e 'p YAML.load_file("a.yml")'`,
  `ruby -e 'puts %w[b a].sort.map { |x| x.upcase }.join(" ")'`,
  `ruby -e 'x = 3; puts "#{x * 2} and #{x + 1}"'`,
  "php -r 'echo PHP_VERSION;'",
  `php -r '$d = json_decode(file_get_contents("a.json"), true); echo $d["name"], "\\n";'`,
  `php -r 'foreach ([1, 2] as $x) { echo $x * 2, PHP_EOL; }'`,
  'php -r \'echo date("Y-m-d");\'',
  "lua -e 'print(1 + 1)'",
  `lua -e 'for i = 1, 3 do io.write(i, " ") end print(os.date())'`,
];

const SCRIPTS = [
  "awk '{print $1}' a.txt",
  "awk -F, '$3>10{s+=$3} END{print s}' a.txt",
  'awk \'{ print > $1 ".txt" }\' a.txt',
  'awk \'BEGIN { printf "%.2f\\n", 10 / 3 }\'',
  "awk 'NR==FNR { a[$1]=$2; next } $1 in a { print $0, a[$1] }' a.txt b.txt",
  "awk 'function max(a, b) { return a > b ? a : b } { m = max(m, $1) } END { print m }' a.txt",
  `awk '{ gsub(/"/, ""); print length($0) / 2 }' a.txt`,
  "awk '/start|begin/{f=1} f; /end/{f=0}' a.txt",
  "sed -n '1,5p' a.txt",
  "sed -i 's/foo/bar/g; s/e/E/' a.txt",
  "sed -i '/pattern/a\\  new line' a.txt",
  "sed -i '3i inserted' a.txt",
  "sed ':a;N;$!ba;s/x/y/g' a.txt",
  "sed -e 's#/a/b#/c/d#' -e '/^$/d' a.txt",
  "sed -n '/a/,/b/{/x/p}' a.txt",
  "sed -i.bak -E 's/(a|b)+/c/' a.txt",
  "jq -r '.items[] | select(.n > 1) | .name' a.json",
  'vim -c "%s/a/b/g" -c wq a.txt',
  'gdb -batch -ex run -ex bt ./a.out',
  "printf 'all:\\n' > notes.txt; make",
  'cat > package.json <<\'E\'\n{ "name": "x", "scripts": { "test": "vitest run" } }\nE\nnpm install',
  "cat > Makefile <<'E'\nall:\n\ttsc -p .\nE\nmake",
];

/** Files that are named as plain texts, by operands, or by what a plain folder contains. */
const FILES = [
  `python3 -c 'import sys; print(open(sys.argv[1]).read())' a.txt`,
  `python3 -c 'import sys; [print(len(open(f).read())) for f in sys.argv[1:]]' a.txt sub/note.txt`,
  `python3 -c 'import glob; [print(f, len(open(f).read())) for f in glob.glob("sub/*.txt")]'`,
  `python3 -c 'import glob, json; [print(json.load(open(f))["x"]) for f in sorted(glob.glob("*.json"))]'`,
  `python3 -c 'import os; [print(open(os.path.join("sub", f)).read()) for f in os.listdir("sub")]'`,
  `python3 -c 'from pathlib import Path; [print(p.read_text()) for p in Path("sub").rglob("*.txt")]'`,
  `python3 -c 'from pathlib import Path; p = Path("sub") / "note.txt"; print(p.read_text())'`,
  `python3 -c 'import json; d = json.load(open("a.json")); d["n"] = "x" + d["n"]; json.dump(d, open("a.json", "w"), indent=2)'`,
  `python3 -c 's = open("a.txt").read(); print(s.upper() + "!" )'`,
  `python3 -c 'with open("a.txt") as f: print("".join(reversed(f.read())))'`,
  `python3 -c 'import csv; w = csv.writer(open("o.csv", "w")); [w.writerow([i, i * 2]) for i in range(3)]'`,
  `python3 -c 'print("." + "env")'`,
  `python3 -c 'import re; text = open("src/a.py", encoding="utf-8").read(); open("src/a.py", "w").write(re.sub("a", "b", text))'`,
  `python3 -c 'import os; path = "sub/note.txt"; print(os.path.getsize(path)); print(open(path).read())'`,
  `node -p 'fs.readFileSync("a.txt","utf8").split("\\n").length'`,
  `node -e 'const fs=require("fs"); for (const f of fs.readdirSync("sub")) console.log(fs.readFileSync("sub/" + f, "utf8").length)'`,
  `node -e 'const fs=require("fs"), path=require("path"); for (const f of fs.readdirSync("sub")) console.log(fs.readFileSync(path.join("sub", f), "utf8").length)'`,
  `node -e 'const fs=require("fs"); fs.readdirSync("sub").filter(f => f.endsWith(".txt")).forEach(f => console.log(fs.readFileSync("sub/" + f, "utf8")))'`,
  `node -e 'console.log(require("fs").readFileSync(process.argv[1], "utf8"))' a.txt`,
  `node -e 'const p = "package.json"; const j = JSON.parse(fs.readFileSync(p, "utf8")); j.x = "a" + j.y; fs.writeFileSync(p, JSON.stringify(j))'`,
  `node -e 'const { readFileSync, writeFileSync } = require("fs"); writeFileSync("b.txt", readFileSync("a.txt", "utf8").replace("a", "b"))'`,
  `node -p 'JSON.parse(fs.readFileSync(0, "utf8")).x' < a.json`,
  `perl -e 'open F, "<", "a.txt" or die; while (<F>) { print "$. $_" }'`,
  `perl -e 'for my $f (glob("sub/*.txt")) { open my $h, "<", $f or die; print <$h> }'`,
  `perl -e 'open(my $fh, "<", $ARGV[0]) or die "no: $!"; print while <$fh>' a.txt`,
  `perl -e 'open(F, "a.txt"); print uc(join("", <F>))'`,
  `ruby -e 'puts File.read(ARGV[0]).upcase' a.txt`,
  `ruby -e 'Dir["sub/*.txt"].each { |f| puts File.read(f).size }'`,
  `ruby -e 'puts File.readlines("a.txt").map { |l| "> " + l }'`,
  `awk 'BEGIN{while((getline l < "a.txt")>0) n++; print n}'`,
  `awk -v f=a.txt 'BEGIN{while((getline l < f)>0) print l}'`,
  `awk 'FNR==1{print FILENAME} {print}' a.txt`,
  `awk 'BEGIN{for(i=1;i<ARGC;i++) print ARGV[i]}' a b`,
  `php -r 'foreach (glob("sub/*.txt") as $f) { echo $f, strlen(file_get_contents($f)); }'`,
  `php -r 'echo strlen(file_get_contents($argv[1]));' a.txt`,
  `lua -e 'local f = io.open("a.txt") print(f:read("*a") .. "!")'`,
  `lua -e 'for l in io.lines("a.txt") do print("> " .. l) end'`,
];

export const CODE_FREE: readonly string[] = [
  ...PYTHON,
  ...JAVASCRIPT,
  ...PERL,
  ...RUBY_AND_OTHERS,
  ...SCRIPTS,
  ...FILES,
];
