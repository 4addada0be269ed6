/** Texts that a program hands to a shell: in variables, in options, and in its input. */
import { type HostileLine, hostile } from './situations.js';

/** `r` and `m` are put together by that shell, so that only reading the text as a line finds it. */
const HIDDEN = 'a=r; b=m; $a$b victim';

/** Pagers run only at a terminal. */
const PAGERS = hostile(
  'denyRemove',
  'SH-6',
  [
    `GIT_PAGER='${HIDDEN}' git -p log`,
    `GIT_PAGER='${HIDDEN}' git --paginate status`,
    `env GIT_PAGER='${HIDDEN}' git -p log`,
    `export GIT_PAGER='${HIDDEN}'; git -p log`,
    `declare -x GIT_PAGER='${HIDDEN}'; git -p log`,
    `export PAGER='${HIDDEN}' && git -p log`,
    `PAGER='${HIDDEN}' git -p log`,
    "GIT_PAGER=$(printf '\\162m victim') git -p log",
    "x=$(printf '\\162m victim'); GIT_PAGER=$x git -p log",
    "x=$(printf '\\162m victim'); export GIT_PAGER=$x; git -p log",
    "GIT_PAGER='/bin/r? victim' git -p log",
    'GIT_PAGER=\'r""m victim\' git -p log',
    'f() { git -p log; }; GIT_PAGER=\'r""m victim\' f',
    'GIT_PAGER=rm\\ victim git -p log',
    'read GIT_PAGER <<< \'r""m victim\'; export GIT_PAGER; git -p log',
    'printf -v GIT_PAGER \'r""m victim\'; export GIT_PAGER; git -p log',
    'for GIT_PAGER in \'r""m victim\'; do export GIT_PAGER; git -p log; done',
    `LESSOPEN='|${HIDDEN}' less a.txt`,
    `LESSOPEN='||-${HIDDEN}' less a.txt`,
    `export LESSOPEN='|${HIDDEN}'; less a.txt`,
  ],
  ['-terminal'],
);

const COMMIT = 'git -c user.name=a -c user.email=a@b commit --amend --allow-empty';
const VARIABLES = hostile('denyRemove', 'SH-6', [
  `GIT_EDITOR='${HIDDEN}; true' ${COMMIT}`,
  `export GIT_EDITOR='${HIDDEN}; true'; ${COMMIT}`,
  `EDITOR='${HIDDEN}; true' TERM=xterm ${COMMIT}`,
  `VISUAL='${HIDDEN}; true' TERM=xterm ${COMMIT}`,
  `GIT_EXTERNAL_DIFF='${HIDDEN};' git diff --no-index a.txt sub/note.txt`,
  `echo b > a.txt; GIT_EXTERNAL_DIFF='${HIDDEN};' git diff`,
  `GIT_SSH_COMMAND='${HIDDEN};' git ls-remote ssh://x/y`,
  `GIT_SSH_COMMAND='${HIDDEN};' git fetch ssh://x/y`,
  `x=$(printf '\\162m victim'); GIT_SSH_COMMAND="$x;" git fetch ssh://x/y`,
  `read GIT_EDITOR <<< 'r""m victim; true'; export GIT_EDITOR; ${COMMIT}`,
  `printf -v GIT_EDITOR 'r""m victim; true'; export GIT_EDITOR; ${COMMIT}`,
  `for GIT_EDITOR in 'r""m victim; true'; do export GIT_EDITOR; ${COMMIT}; done`,
  `f() { ${COMMIT}; }; GIT_EDITOR='r""m victim; true' f`,
  'TAR_OPTIONS=\'--checkpoint=1 --checkpoint-action=exec=r""m\\ victim\' tar cf x.tar a.txt sub',
]);

const OPTIONS = hostile('denyRemove', 'SH-6', [
  `split --filter='${HIDDEN}' a.txt`,
  `split --filter '${HIDDEN}' a.txt`,
  `split --filt='${HIDDEN}' a.txt`,
  `split -l1 --filter='${HIDDEN}' a.txt`,
  `tar cf x.tar --checkpoint=1 --checkpoint-action=exec='${HIDDEN}' a.txt sub`,
  `tar cf x.tar --checkpoint=1 --checkpoint-action 'exec=${HIDDEN}' a.txt sub`,
  `tar cf x.tar --checkpoint=1 --checkpoint-act='exec=${HIDDEN}' a.txt sub`,
  `tar cf x.tar a.txt; tar xf x.tar --to-command='${HIDDEN}'`,
  'tar -I \'r""m victim #\' -cf x.tar a.txt; tar cf x.tar --to-command=x a.txt; rm victim',
  `sort --compress-program='./x' a.txt; printf '%s' '${HIDDEN}' | sh`,
  `script -qc '${HIDDEN}' /dev/null`,
  `script -q -c '${HIDDEN}' /dev/null`,
  `script --command='${HIDDEN}' /dev/null`,
  'x=$(printf \'\\162m victim\'); split --filter="$x" a.txt',
]);
const OPTIONS_OF_OTHERS = [
  ...hostile(
    'denyRemove',
    'SH-6',
    [
      `rsync -e '${HIDDEN};' a.txt x:y`,
      `rsync -ave '${HIDDEN};' a.txt x:y`,
      `rsync --rsh='${HIDDEN};' a.txt x:y`,
    ],
    ['rsync', '-shell'],
  ),
  ...hostile(
    'denyRemove',
    'SH-6',
    [
      `vim -c '!${HIDDEN}' -c q`,
      `vim '+!${HIDDEN}' +q`,
      `vim -c ':r !${HIDDEN}' -c q!`,
      `vim --cmd '!${HIDDEN}'`,
      `nvim -c '%w !${HIDDEN}'`,
      `ex -c '!${HIDDEN}' a.txt`,
    ],
    ['-vim'],
  ),
  ...hostile(
    'denyRemove',
    'SH-6',
    [
      `ssh -o ProxyCommand='r""m victim' x`,
      `ssh -oProxyCommand='r""m victim' x`,
      `ssh -o 'proxycommand r""m victim' x`,
      `scp -o ProxyCommand='r""m victim' a.txt x:`,
      `sftp -oProxyCommand='r""m victim' x`,
    ],
    ['ssh'],
  ),
  ...hostile(
    'denyRemove',
    'SH-6',
    [`zip -T -TT '${HIDDEN}' x.zip a.txt`, `zip -T --unzip-command '${HIDDEN}' x.zip a.txt`],
    ['zip'],
  ),
  ...hostile(
    'denyRemove',
    'SH-6',
    [`man -P '${HIDDEN}' ls`, `man --pager='${HIDDEN}' ls`, `MANPAGER='${HIDDEN}' man ls`],
    ['-man'],
  ),
  ...hostile(
    'denyRemove',
    'SH-6',
    [`sqlite3 x '.shell ${HIDDEN}'`, `psql -c '\\! ${HIDDEN}'`, `gdb -batch -ex '!  ${HIDDEN}'`],
    ['-psql'],
  ),
];

const INPUT = hostile(
  'denyRemove',
  'SH-6',
  [
    `sudo -s <<< '${HIDDEN}'`,
    `sudo -i <<< '${HIDDEN}'`,
    `sudo --shell <<< '${HIDDEN}'`,
    `su <<< '${HIDDEN}'`,
    `su - root <<< '${HIDDEN}'`,
    `doas -s <<< '${HIDDEN}'`,
    `at now <<< '${HIDDEN}'`,
    `at now <<E\n${HIDDEN}\nE`,
    `batch <<< '${HIDDEN}'`,
    `parallel <<< '${HIDDEN}'`,
    `parallel -j2 <<< '${HIDDEN}'`,
    `echo '${HIDDEN}' | sudo -s`,
    `echo '${HIDDEN}' | su`,
    `echo '${HIDDEN}' | batch`,
  ],
  ['-sudo'],
);

const IN_CODE = [
  ...hostile('denyRemove', 'PM-41', [
    `awk 'BEGIN { system("$(echo r)m victim") }'`,
    `awk 'BEGIN { print | "$(echo r)m victim" }'`,
    "sed '1e $(echo r)m victim' a.txt",
    `python3 -c 'import os; os.system("$(echo r)m victim")'`,
    `perl -e 'system("\\$(echo r)m victim")'`,
  ]),
  ...hostile(
    'denyRemove',
    'SH-6',
    ["ed -s a.txt <<< '!$(echo r)m victim'", "ed a.txt <<E\n!r''m victim\nE"],
    ['ed'],
  ),
  ...hostile(
    'denyRemove',
    'SH-6',
    [
      "ex -s a.txt <<< '!$(echo r)m victim'",
      "vim -es a.txt <<< '!$(echo r)m victim'",
      "sqlite3 x <<< '.shell $(echo r)m victim'",
      "make --eval='x:;$(echo r)m victim'",
      'MANOPT=\'-P "$(echo r)m victim"\' man ls',
      'sudo X=1 rm victim',
      `sudo GIT_PAGER='r""m victim' git -p log`,
      'sudo -s < <(echo r""m victim)',
    ],
    ['-vim'],
  ),
];

/** A rule for the program does not allow what the program is given to run. */
const ALLOWED_GIT = [
  ...hostile('allowGit', 'SH-6', [
    `GIT_EDITOR='touch made; true' ${COMMIT}`,
    "GIT_SSH_COMMAND='touch made;' git ls-remote ssh://x/y",
    "git bisect start && git bisect bad && git bisect view -c alias.x='!touch made' x; git -c alias.x='!touch made' x",
  ]),
  ...hostile(
    'allowGit',
    'SH-6',
    [
      "GIT_PAGER='touch made' git -p log",
      "PAGER='touch made' git -p log",
      "GIT_PAGER='cat; touch made' git -p log",
      "git bisect start && git bisect bad && git bisect view git -c core.pager='touch made' -p log",
    ],
    ['-terminal'],
  ),
  // They show what is left of a search in a history with more than one commit.
  ...hostile(
    'allowGit',
    'SH-6',
    [
      'git bisect view --output=made',
      'git bisect view -p --output=made',
      'git bisect visualize log --output=made',
      "git bisect view git -c alias.x='!touch made' x",
      'git bisect view tig',
      'git bisect view x',
    ],
    ['-history'],
  ),
];

export const HANDED: readonly HostileLine[] = [
  ...PAGERS,
  ...VARIABLES,
  ...OPTIONS,
  ...OPTIONS_OF_OTHERS,
  ...INPUT,
  ...IN_CODE,
  ...ALLOWED_GIT,
];
