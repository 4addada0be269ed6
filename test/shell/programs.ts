/** Makes shell programs: sound ones, and the same with something put in. `ma`, `mb` and `mc` are the commands to be found. */
import fc from 'fast-check';

const commands = fc.constantFrom(
  ...[
    'ma',
    'mb',
    'mc',
    'ma x',
    "mb 'y z'",
    'x=1 ma',
    ':',
    'echo a',
    'true',
    '"ma"',
    "m'b'",
    "$'ma'",
    'm\\a',
    '{ma,x}',
  ],
  ...['"$(echo ma)"', '$x', '${x}', 'm$y', './ma', '$PWD/mb', 'ma # mb', 'ma;# mb'],
);

const carriers = fc.constantFrom(
  ...[
    'env ',
    'env A=1 ',
    'env -i PATH="$PATH" ',
    'command ',
    'command -p ',
    'exec ',
    'nohup ',
    'time ',
    'time -p ',
    'time -- ',
  ],
  ...[
    'timeout 5 ',
    'timeout -s KILL 5 ',
    'nice -n 1 ',
    'xargs ',
    'echo x | xargs -n1 ',
    'builtin ',
    '! ',
    'eval ',
    'stdbuf -o L ',
  ],
  ...[
    "sh -c '",
    'bash -c "',
    'eval "',
    "eval '",
    "env -S '",
    "trap '",
    "bash <<< '",
    'echo x | ',
    'coproc ',
    'setsid -w ',
  ],
);

const text = fc.constantFrom(
  ...[
    "'a[$(ma)]'",
    "'$(mb)'",
    '"$(mc)"',
    'a',
    '1',
    '*',
    "'`ma`'",
    '"`mb`"',
    '~',
    '$((1))',
    '{1..3}',
    '$x',
    '"$y"',
    "$'\\x6da'",
  ],
);

/** Two programs in one. */
const JOINTS: readonly (readonly [string, string, string])[] = [
  ...([' && ', '; ', ' | ', '\n', ' || ', ' & ', ' |& ', ';\n\n'] as const).map(
    (between) => ['', between, ''] as const,
  ),
  ['(', ' || ', ')'],
  ['{ ', '; ', '; }'],
  ['echo $(', ') `', '`'],
  ['echo "$(', ') ', '"'],
  ['echo ', ' <(', ')'],
  ['if ', '; then ', '; fi'],
  ['if ', '; then :; elif ', '; then :; else :; fi'],
  ['while ', '; do ', '; break; done'],
  ['until ! ', '; do ', '; break; done'],
  ['for x in $(', '); do ', '; done'],
  ['for x in ma mb; do ', '; $x; ', '; done'],
  ['for ((i=0;i<2;i++)); do ', '; ', '; done'],
  ['for ((i=0;i<2;i++)) { ', '; ', '; }'],
  ['case a in a) ', ';; *) ', ';; esac'],
  ['case a in b) ', ';; a|c) ', ';& *) :;; esac'],
  ['echo ${x:-$(', ')} $(( $(', ') ))'],
  ['cat <<E ; ', '\n$(', ')\nE'],
  ["cat <<'E' ; ", '\n$(', ')\nE'],
  ['cat <<-E ; ', '\n\t`', '`\n\tE'],
  ["cat <<$'E' ; ", '\nE\n', ''],
  ['cat <<"E" && ', '\nE\n', ''],
  ['cat <<E\nE\\\n\n', '\n', ''],
  ['[[ -n $(', ') ]] && ', ''],
  ['[[ $(', ') -eq 0 ]]; ', ''],
  ['x=$(', ') ', ''],
  ['x=', '; $x; ', ''],
  ['f() { ', '; }; f; ', ''],
  ['function f { ', '; }; f | ', ''],
  ['echo "${x:-$(', ')}" ${x:-<(', ')}'],
  ['echo "$\'$(', ")' ${y:-'$(", ')\'}"'],
  ['echo "`', '` ', '"'],
  ['echo "`echo \\"$(', ')\\"` ', '"'],
  ['ma() { ', '; }; ', ''],
  ['time { ', '; }; time if ', '; then :; fi'],
  ['> >(', ') ', ''],
  ['cat < <(', '); ', ''],
  ['a=(1 $(', ') 2); ', ''],
  ['a[$(', ')0]=1; ', ''],
  ['echo ${a[$(', ')0]} ', ''],
  ['((x = $(', ')0)); ', ''],
  ['echo $[ $(', ')1 ]; ', ''],
  ['set -- $(', '); "$@"; ', ''],
  ['read x <<< "$(', ')"; $x; ', ''],
  ['printf "%s\\n" ma | while read -r x; do ', '; $x; ', '; done'],
  ['shopt -s expand_aliases\nalias q=ma\n', '\nq\n', ''],
  ["cat <<E\n${x:-'$(", ")'}\nE\n", ''],
  ["cat <<E\n$(cat <<'Q'\nQ\\\n\n", '\nQ\n)\nE\n', ''],
  ['cat <<-E\n\t$(cat <<Q\n\tQ\n\t', '\nQ\n\t)\nE\n', ''],
  ["bash <<-'E'\n\tcat <<Q\n\tQ\n\t", '\nQ\n\tE\n', ''],
  ['bash <<E\necho "\\$(', ')"\nE\n', ''],
  ['bash <<E\n\\`', '\\`\nE\n', ''],
  ['cat <<A <<B\n$(', ')\nA\n$(', ')\nB\n'],
  ['echo "${x:-$\'$(', ')\'}" ', ''],
  ['echo ${#+$(', ')} ${?+$(', ')}'],
  ['select x in 1; do ', '; break; done <<< 1; ', ''],
  ['coproc { ', '; }; wait; ', ''],
  ['exec 3< <(', '); cat <&3; ', ''],
  ['declare y=($(', ')); ', ''],
  ['x=y eval "', '"; ', ''],
];

/** A value that a shell evaluates once more, and the place where it does. */
const EVALUATED: readonly (readonly [string, string])[] = [
  ['x=', '; echo $((x))'],
  ['x=', '; echo ${y:x}'],
  ['x=', '; echo ${y[x]}'],
  ['x=', '; echo ${!x}'],
  ['x=', '; echo "${x@P}"'],
  ['x=', '; ((x)); :'],
  ['x=', '; [[ x -eq 1 ]]'],
  ['x=', '; [[ -v $x ]]'],
  ['x=', '; test -v "$x"'],
  ['x=', '; [ -v $x ]'],
  ['x=', '; let x'],
  ['x=', '; declare -i y=x'],
  ['x=', '; unset "$x"'],
  ['x=', '; printf -v "$x" a'],
  ['x=', '; read "$x" <<< a'],
  ['x=', '; eval $x'],
  ['x=', '; eval "echo $x"'],
  ['x=', '; PS4=$x; set -x; :'],
  ['x=', '; for ((i=x; i<1; i++)); do :; done'],
  ['x=', '; a[x]=1'],
  ['x=', '; declare -n r=$x; echo $r'],
  ['x=', '; bash -c "$x"'],
  ['x=', '; trap "$x" EXIT'],
  ['for x in ', '; do echo $((x)); done'],
  ['echo ${x:=', '} $((x))'],
  [': ', '; echo $((_))'],
  ['x=', '; y=([x]=1)'],
  ['y=([', ']=1)'],
  ['x=', '; y=(x); echo ${!y[@]@P}'],
  ['y=(', '); echo ${!y[@]#a}'],
  ['printf -v ok -v ', ' x'],
  ['sleep 0 & wait -n -p ', ''],
  ['[ "$(echo -v)" ', ' ]'],
  ['declare -a "y=("', '")"'],
  ['x=', '; declare -a y; declare y="($x)"'],
  ['x=', " eval 'echo $((x))'"],
  ['x=', ' let y=x'],
  ['set -- ', '; echo $(($1))'],
  ['f() { echo $(($1)); }; f ', ''],
  ['read x <<< ', '; echo $((x))'],
  ['mapfile -t y <<< ', '; echo $((y))'],
  ['exec <<< ', '; bash'],
  ['bash <(echo ', ')'],
  ['bash < <(echo ', ')'],
  ['jobs -x ', ''],
  ['env PROMPT_COMMAND=', ' bash -i <<< :'],
];

const disturbance = fc.constantFrom(
  ...['ma', 'mb', ' ma ', ' mc ', ' ', '\n', ';', ' && ', ' || ', ' | ', ' & ', '"', "'", '`', '\\', '\\\n'],
  ...[
    '$(',
    ')',
    '(',
    '$((',
    '))',
    '((',
    '${x:-',
    '}',
    '{ ',
    '; }',
    ' <(',
    '$x',
    '$',
    '#',
    '=',
    '1',
    '${ ',
    '${x@',
  ],
  ...[
    'if ',
    '; then ',
    '; fi',
    ' else ',
    'for x in ',
    '; do ',
    '; done',
    '! ',
    '[[ ',
    ' ]]',
    ' -n ',
    'in ',
    '!',
  ],
  ...[
    ' <<E\n',
    '\nE\n',
    " <<'E'\n",
    ' <<<',
    " $'",
    '+',
    'time ',
    'case x in ',
    '>(',
    '${x#',
    '"${x:-',
    ' x) ',
    ';; esac',
    '[',
    '*',
    '~',
    '@(',
    '?(',
  ],
);

const { program } = fc.letrec<{ program: string }>((tie) => ({
  program: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: commands, weight: 4 },
    {
      arbitrary: fc.tuple(carriers, tie('program')).map(([carrier, inner]) => {
        const quote = carrier.at(-1);
        if (quote !== "'" && quote !== '"') return carrier + inner;
        const end = carrier.startsWith('trap') ? `${quote} EXIT` : quote;
        return (
          carrier +
          (quote === "'" ? inner.replaceAll("'", "'\\''") : inner.replaceAll(/["$`\\]/g, '\\$&')) +
          end
        );
      }),
      weight: 4,
    },
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...JOINTS), tie('program'), tie('program'))
        .map(([[before, between, after], one, two]) => before + one + between + two + after),
      weight: 10,
    },
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...EVALUATED), text)
        .map(([[before, after], value]) => before + value + after),
      weight: 2,
    },
  ),
}));

/** The same with something put in, so that they mean something else, or nothing. */
export const anyProgram: fc.Arbitrary<string> = fc
  .tuple(
    program,
    fc.oneof(
      { arbitrary: fc.constant([]), weight: 2 },
      {
        arbitrary: fc.array(fc.tuple(fc.nat({ max: 120 }), disturbance), { minLength: 1, maxLength: 2 }),
        weight: 1,
      },
    ),
  )
  .map(([line, extras]) =>
    extras.reduce((made, [at, extra]) => made.slice(0, at) + extra + made.slice(at), line),
  );
