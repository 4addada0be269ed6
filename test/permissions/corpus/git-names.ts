/** Names that git turns into programs and scripts: tools and strategies given by a path, short forms of options, wildcards for a folder. */
import { type HostileLine, hostile } from './situations.js';

/** A patch that makes a hook of the repository. */
const HOOK =
  'diff --git a/.git/hooks/post-checkout b/.git/hooks/post-checkout\nnew file mode 100755\n--- /dev/null\n+++ b/.git/hooks/post-checkout\n@@ -0,0 +1,2 @@\n+#!/bin/sh\n+touch made\n';

export const GIT_NAMES: readonly HostileLine[] = [
  ...hostile('allowGit', 'SH-3', [
    'git difftool -y -t ../../../..$PWD/sub/safe.sh 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD',
    'git difftool -y --tool=../../../..$PWD/sub/safe.sh 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD',
    'git difftool -yt../../../..$PWD/sub/safe.sh 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD',
    'git -c diff.tool=../../../..$PWD/sub/safe.sh difftool -y 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD',
    'git -c merge.tool=../../../..$PWD/sub/safe.sh difftool -y 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD',
    'git config merge.tool ../../../..$PWD/sub/safe.sh; git difftool -y 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD',
    "git clone -q --co core.fsmonitor='touch made;' . z",
    'git clone -q --co=core.hooksPath=sub . z',
    'git init -q --t=sub x',
    'git init -q --t sub x',
    'git mv sub git-merge-x && git rebase --strategy=x/safe.sh HEAD',
    'git mv sub git-merge-x && git cherry-pick --strategy x/safe.sh HEAD',
    'git mv sub git-merge-x && git revert --no-edit --strategy=x/safe.sh HEAD',
    'git mv sub git-merge-x && git pull --rebase -s x/safe.sh . main',
    'git mv sub git-merge-x && git -c pull.twohead=x/safe.sh cherry-pick HEAD',
    `git apply --unsafe-paths <<'E'\n${HOOK}E\ngit checkout -q HEAD`,
    `git apply --unsafe <<'E'\n${HOOK}E\ngit checkout -q HEAD`,
    'git mv sub git && git mv git/safe.sh git/post-checkout && git -c core.hooksPath=git checkout -q HEAD',
  ]),
  ...hostile('denySecretAllowBash', 'SH-3', [
    'git config core.worktree ../..; git add -A; git show :project/.env',
  ]),
  ...hostile('allowGit', 'PM-37', ['git -C s* status; git -C s* init -q']),
];
