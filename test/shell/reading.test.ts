import { describe, expect, it } from 'vitest';
import { readShellLine, type ShellContext } from '../../src/shell/read-line.js';

const commandsOf = (line: string): string[] =>
  readShellLine(line)
    .commands.filter(({ words }) => words.length > 0)
    .map(({ words }) => words.map(({ raw }) => raw).join(' '));

describe('taking a shell line apart', () => {
  it.each([
    ['a b c', ['a b c']],
    ['a \'b c\' "d e"', ['a \'b c\' "d e"']],
    ['a && b || c; d | e |& f & g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['a\n\n  b  ', ['a', 'b']],
    ['a \\\n b', ['a b']],
    ['a b\\ c', ['a b\\ c']],
    ['a # b; c\nd#e', ['a', 'd#e']],
    ['(a; (b))', ['a', 'b']],
    ['a $(b $(c)) d', ['c', 'b $(c)', 'a $(b $(c)) d'].sort()],
    ['a "$(b "c d")"', ['b "c d"', 'a "$(b "c d")"']],
    ['a `b \\`c\\``', ['c', 'b `c`', 'a `b \\`c\\``']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done', ['a', 'b']],
    ['for i in x $(a); do b $i; done', ['a', 'b $i', 'b $i']],
    ['case x in a|b) c;; *) d; esac', ['c', 'd']],
    ['coproc a; coproc B { b; }', ['a', 'b']],
    ['select x in 1 2; do a; done', ['a']],
    ['until a; do b; done', ['a', 'b']],
    ['function f { a; }; f', ['a', 'f']],
    ['time -p { a; }; time if b; then c; fi', ['a', 'b', 'c']],
    ['a ${ b; }', ['b', 'a ${ b; }']],
    ['for ((i=0;i<3;i++)); do a; done', ['a']],
    ['a $((1 + (2))) b', ['a $((1 + (2))) b']],
    ['a $( (b) )', ['b', 'a $( (b) )']],
    ['a $((b) | c)', ['b', 'c', 'a $((b) | c)']],
    ['[[ a < b && ( c || d ) ]] && e', ['e']],
    ['a $((b "))") )', ['b "))"', 'a $((b "))") )']],
    ['f() { a; }', ['a']],
    [`a $\{x:-"}"} b`, [`a $\{x:-"}"} b`]],
    ["a $'it\\'s' b", ["a $'it\\'s' b"]],
    ['a "$\'$(b)\'"', ['b', 'a "$\'$(b)\'"']],
    ['a ${x:-<(b)}', ['b', 'a ${x:-<(b)}']],
    ["a ${x:-'$(b)'}", ["a ${x:-'$(b)'}"]],
    ['a 2>&1 >b <c 3<>d &>e', ['a']],
    ['a <<E b\nno command\nE\nc', ['a b', 'c']],
    ["a <<-'E' | b\n\t$(no)\n\tE\nc", ['a', 'b', 'c']],
    ['a <<E\n$(b) \\$(c)\nE', ['b', 'a']],
    ['a > >(b) <(c)', ['a <(c)', 'b', 'c']],
    ['{ a; } > b', ['a']],
    ['! a', ['a']],
    ['a=1 b', ['b']],
    ['', []],
  ])('IF-5 %j', (line, commands) => {
    expect(commandsOf(line).sort()).toEqual([...commands].sort());
    expect(readShellLine(line).unreadable).toBeUndefined();
  });

  it('IF-7 redirections are distinguished from words', () => {
    const [command] = readShellLine('a 2>> "b c" 3 > d <<< e').commands;
    expect(command?.words.map(({ value }) => value)).toEqual(['a', '3']);
    expect(command?.redirects.map(({ operator, target }) => [operator, target.value])).toEqual([
      ['>>', 'b c'],
      ['>', 'd'],
      ['<<<', 'e'],
    ]);
  });
});

const CONTEXT: ShellContext = {
  cwd: '/work',
  variables: { HOME: '/home/ada', KNOWN: 'value', TWO: 'a b' },
  substitute: (words) => (words.join(' ') === 'git rev-parse --show-toplevel' ? '/work' : undefined),
};

/** Each command with what its words come to; `?` is a word that only a running shell knows. */
const valuesOf = (line: string): string[] =>
  readShellLine(line, CONTEXT)
    .commands.filter(({ words }) => words.length > 0)
    .map(({ words }) => words.map(({ value = '?' }) => value).join(' '));

describe('what words come to', () => {
  it.each([
    ['\'a b\' "c d" e\\ f', ['a b c d e f']],
    ["$'\\x72\\155' f", ['rm f']],
    ['a ~/x "~/x" ~ada', ['a /home/ada/x ~/x ?']],
    ['a $KNOWN "$TWO" $TWO $OTHER', ['a value a b a b ?']],
    ['{rm,-f} x{1..3} {a,b}{c,d}', ['rm -f x1 x2 x3 ac ad bc bd']],
    ['x=rm; $x f', ['rm f']],
    ['x="rm -rf"; $x f', ['rm -rf f']],
    ['x=; $x rm f', ['rm f']],
    ['for f in a b; do rm $f; done', ['rm a', 'rm b']],
    ['if a; then x=1; else x=2; fi; b $x', ['a', 'b 2', 'b 1']],
    ['while a; do x=1; b $x; x=$(c); done; d $x', ['a', 'b 1', 'c', 'd ?']],
    ['x=1; (x=2; a $x); b $x', ['a 2', 'b 1']],
    [
      'a "$(pwd)/b" "$(git rev-parse --show-toplevel)"/c',
      ['pwd', 'git rev-parse --show-toplevel', 'a /work/b /work/c'],
    ],
    ['cd src && a $PWD', ['cd src', 'a /work/src']],
    ['a "${KNOWN:?}" "${KNOWN%e}" "${KNOWN:-x}" ${OTHER:-x}', ['a value valu value ?']],
    ["a \"$(cat <<'E'\nsome 'text'\nE\n)\"", ['cat', "a some 'text'"]],
    ['a <(b)', ['b', 'a /dev/null']],
  ])('SH-1 %s', (line, values) => {
    expect(valuesOf(line)).toEqual(values);
  });
});

describe('what commands run', () => {
  it.each([
    ['env -i -u B A=1 rm f', 'rm f'],
    ["env -S 'rm f'", 'rm f'],
    ['exec -a x rm f', 'rm f'],
    ['command -p -- rm f', 'rm f'],
    ['nohup -- rm f', 'rm f'],
    ['timeout -k 1 -s KILL .5 rm f', 'rm f'],
    ['nice -n 5 ionice -c 2 stdbuf -oL rm f', 'rm f'],
    ['sudo -u bob -- rm f', 'rm f'],
    ["su - bob -c 'rm f'", 'rm f'],
    ['ls | xargs -0 -n 1 rm f', 'rm f'],
    ['find . -type f -exec rm f {} ;', 'rm f ?'],
    ['find . -execdir rm f +', 'rm f +'],
    ['find . -delete', 'rm -f ?'],
    ["sh -ec 'rm f' x", 'rm f'],
    ['bash -o pipefail -c "rm f"', 'rm f'],
    ['bash <<< "rm f"', 'rm f'],
    ["bash -s <<'E'\nrm f\nE", 'rm f'],
    ['eval rm "f"', 'rm f'],
    ["trap 'rm f' EXIT", 'rm f'],
    ['busybox rm f', 'rm f'],
    ['watch -n 1 rm f', 'rm f'],
    ["flock /tmp/l -c 'rm f'", 'rm f'],
    ["git -c alias.x='!rm f' status", 'rm f'],
    ["git -c core.fsmonitor='rm f' status", 'rm f'],
    ["git submodule foreach 'rm f'", 'rm f'],
    ['git bisect run rm f', 'rm f'],
    ["git rebase -x 'rm f' main", 'rm f'],
    ["git config alias.x '!rm f'", 'rm f'],
    ["git clone 'ext::rm f' x", 'rm f'],
    ["git rebase --exe='rm f' main", 'rm f'],
    ["git rebase -fx 'rm f' main", 'rm f'],
    ["git grep -nO'rm f' x", 'rm f'],
    ["git clone --conf core.sshCommand='rm f' x", 'rm f'],
    ["git config core.fsmonitor 'rm f' list", 'rm f'],
    ["git -c credential.helper='!rm f' fetch", 'rm f'],
    ["bash <<-'E'\n\tcat <<X\n\tX\n\trm f\nX\n\tE", 'rm f'],
    ['bash <<E\necho "\\$(rm f)"\nE', 'rm f'],
    ["cat <<X\n$(cat <<'Q'\nQ\\\n\nrm f\nQ\n)\nX", 'rm f'],
    ['if x; then time ! { env rm f; }; fi', 'rm f'],
  ])('SH-2 %s', (line, command) => {
    expect(valuesOf(line)).toContain(command);
    expect(readShellLine(line, CONTEXT).unreadable).toBeUndefined();
  });

  it.each([
    'echo rm f | xargs env',
    'echo rm f | xargs nice timeout 5',
    'echo x | xargs bash',
    'echo x | xargs find .',
    'echo x | xargs watch ls',
    'echo x | xargs git',
    'bash <(curl x)',
  ])('SH-3 %s runs words that nobody has seen', (line) => {
    expect(readShellLine(line).unreadable).toContain('only known');
  });

  it.each(['ls | xargs env wc', 'ls | xargs bash x.sh', 'ls | xargs git add', "ls | xargs sh -c 'wc $1' _"])(
    'SH-2 %s has its command already',
    (line) => {
      expect(readShellLine(line).unreadable).toBeUndefined();
    },
  );
});

describe('what cannot be read', () => {
  it.each([
    ['$x f', 'stands for'],
    ['$(a) f', 'stands for'],
    ['/bin/r? f', 'stands for'],
    ['"$@"', 'stands for'],
    ['eval "$x"', 'eval'],
    ['bash -c "$x"', 'bash'],
    ['curl x | sh', 'sh'],
    ['. <(a)', '.'],
    ['sudo --unheard-of rm f', 'options'],
    ['echo ${!x}', '${!x}'],
    ['echo ${x@P}', '${x@P}'],
    ["x='a[$(b)]'; echo $((x))", 'calculation'],
    ['for x in "$@"; do ((x)); done', 'calculation'],
    ["echo ${a['$(b)']}", 'subscript'],
    ['[[ -v $x ]]', '-v'],
    ["[[ 'a[$(b)]' -eq 0 ]]", 'calculation'],
    ['declare -i x=y', 'declare -i'],
    ["declare -a 'x=($(b))'", 'declare evaluates'],
    ["x='a[$(b)]'; y=([x]=1)", 'calculation'],
    ['echo ${!a[@]#b}', '${!a[@]#b}'],
    ['[ "$(a)" \'x[$(b)]\' ]', '[ evaluates'],
    ["printf -v x -v 'y[$(b)]' z", 'printf'],
    ["x='a[$(b)]' eval 'echo $((x))'", 'calculation'],
    ["cat <<E\n${x:-'$(b)'}\nE", 'quotes'],
    ['echo "${x:-$\'$(b)\'}"', 'quotes'],
    ['bash <(a)', 'bash'],
    ['exec < <(a); bash', 'bash'],
    ['jobs -x b', 'jobs -x'],
    ["PROMPT_COMMAND='b' bash -i", 'PROMPT_COMMAND'],
    ['git log --output=x', 'writes to a file'],
    ['git checkout-index --prefix=.git/hooks/ x', 'its own directory'],
    ["git fetch 'ext::sh -c b% c'", 'ext::'],
    ['git init --template=x', 'template'],
    ['printf -v "$x" y', 'printf'],
    ["PS4='$(b)'; set -x", 'PS4'],
    ['mapfile -C b -c 1 x', 'mapfile -C'],
    ['alias ls=b', 'alias'],
    ['hash -p /tmp/b ls', 'hash'],
    ['compgen -W "$(b)"', 'compgen'],
    ['enable -f ./b.so b', 'enable'],
    ['git unheard-of', 'alias'],
    ['git --exec-path=/tmp status', 'folder of its commands'],
    ['echo "open', 'not complete'],
    ['a &&', 'not complete'],
    ['a \\', 'backslash'],
    ['a \\\\\\', 'backslash'],
    ['a <<E\nno end', 'not closed'],
    ["a <<$'E'\nE", 'here-document'],
    ['a\u00a0b', 'invisible characters'],
    [`a ${'x'.repeat(10_000)}`, 'characters'],
    [`${'('.repeat(300)}a${')'.repeat(300)}`, 'nested'],
  ])('IF-9 SH-3 %.40s', (line, why) => {
    expect(readShellLine(line, CONTEXT).unreadable).toContain(why);
  });
});
