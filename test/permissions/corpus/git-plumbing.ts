/** Commands of git that do what another one does that is denied. Each removes the file `victim`. */
import { type HostileLine, hostile } from './situations.js';

/** The tree without files, which every repository knows. */
const EMPTY = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export const GIT_PLUMBING: readonly HostileLine[] = [
  ...hostile('denyGit', 'PM-50', [
    `git read-tree -u --reset ${EMPTY}`,
    `git read-tree -um HEAD ${EMPTY}`,
    `git -C sub/.. read-tree --reset -u ${EMPTY}`,
    `git -c core.abbrev=8 read-tree -u --reset ${EMPTY}`,
    `git -c alias.x='read-tree -u --reset ${EMPTY}' x`,
    `git config alias.x 'read-tree -u --reset ${EMPTY}'; git x`,
    `bash -c 'git read-tree -u --reset ${EMPTY}'`,
    `f=read; git $f-tree -u --reset ${EMPTY}`,
    `echo ${EMPTY} | xargs git read-tree -u --reset`,
    `env git read-tree -u --reset ${EMPTY}`,
    `git restore -s ${EMPTY} -- .`,
    `git restore --sour=${EMPTY} -SW .`,
    `git restore --source ${EMPTY} --work --stag .`,
    'git switch -q --orphan x',
    'git sparse-checkout set --no-cone /a.txt',
    `git diff ${EMPTY} HEAD -- victim | git apply -R`,
    `git diff ${EMPTY} HEAD -- victim | git apply --rev`,
    'git update-index --force-remove victim; git -c user.name=a -c user.email=a@b commit -qm x; git -c user.name=a -c user.email=a@b stash -qu',
    'git update-index --force-r victim; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; git commit -qm x; git stash push -q --incl',
    `python3 -c 'import subprocess; subprocess.run(["git", "read-tree", "-u", "--reset", "${EMPTY}"])'`,
  ]),
  ...hostile(
    'denyGit',
    'PM-50',
    [
      `/usr/lib/git-core/git-read-tree -u --reset ${EMPTY}`,
      `/usr/lib/git-core/git read-tree -u --reset ${EMPTY}`,
    ],
    ['/usr/lib/git-core/git'],
  ),
];
