/** Which commands of git can do the same as the one that a rule names: a rule about `git push` may be about `git send-pack`. */
import { basename } from 'node:path/posix';
import { matchesWildcard } from '../base/text/wildcard.js';
import type { ShellCommand, ShellWord } from '../shell/read-line.js';
import { readBefore } from '../shell/reading-git.js';

/** They create, move and remove branches and tags. */
const REFS =
  'update-ref, symbolic-ref, fast-import, receive-pack, send-pack, fetch *:*, push .|./*|../*|/*|file:*';
/** They write files of a commit over those of the folder. */
const FILES = 'read-tree, checkout-index, checkout--worker, apply -R|--reverse';
const OBJECTS = 'commit-tree, fast-import, hash-object -t -w, unpack-objects, index-pack, replay';
const OVERWRITES =
  'checkout -f|--force|--|.|HEAD*|:*, switch -f|-C|--force|--discard-changes|--force-create, reset --hard|--merge|--keep';
const RESTORES = 'restore !-S|--staged, restore -W|--worktree';
const REMOTES =
  'fetch-pack, http-fetch, remote-*, subtree, svn, p4, lfs fetch|pull, unpack-objects, index-pack, bundle unbundle';
const INDEX = 'update-index --add|--cacheinfo|--index-info|--remove|--force-remove|--stdin|--again|-g|*';
/** Each command with what can do the same. `a|b`: one of these words has to be there; `!a`: none of these. */
const SAME: Readonly<Record<string, string>> = {
  push: 'send-pack, http-push, remote-*, receive-pack, shell, subtree push, svn dcommit|set-tree|commit-diff|branch|tag, p4 submit, cvsexportcommit, lfs push, annex',
  commit: `${OBJECTS}, am, quiltimport, filter-branch`,
  reset: `${REFS}, ${FILES}, branch -f|-M|-C|--force`,
  'reset --hard': `${RESTORES}, ${OVERWRITES}`,
  'reset HEAD': 'restore, update-index',
  restore: `${FILES}, checkout, reset --hard|--merge|--keep`,
  checkout: `${FILES}, ${RESTORES}, switch, symbolic-ref, update-ref, reset --hard|--merge|--keep`,
  switch: 'checkout, symbolic-ref, update-ref, read-tree',
  clean:
    'stash -u|-a|--include-untracked|--all, worktree remove, submodule deinit, read-tree, checkout -f|--force',
  branch: `${REFS}, checkout -B, switch -C|--force-create, worktree -B`,
  tag: `${REFS}, mktag, hash-object -t -w`,
  rm: `${INDEX}, read-tree, sparse-checkout`,
  mv: `${INDEX}, read-tree`,
  add: `${INDEX}, stage, read-tree, apply --cached|--index, commit -a|-i|-o|-p|--all|--include|--only|--patch`,
  merge: `${REFS}, read-tree, merge-file, merge-index, merge-one-file, merge-recursive*, merge-resolve, merge-octopus, merge-ours, merge-subtree, pull, subtree, commit-tree`,
  rebase: `${REFS}, ${OBJECTS}, am, cherry-pick, filter-branch, filter-repo, pull -r|--rebase, svn rebase, p4 rebase`,
  am: `${OBJECTS}, quiltimport, rebase`,
  'cherry-pick': `${OBJECTS}, am, rebase, merge-recursive*`,
  revert: `${OBJECTS}, apply -R|--reverse`,
  stash: 'reflog delete|expire|drop, update-ref',
  'stash drop': 'stash pop, stash clear',
  'stash clear': 'stash pop, stash drop',
  reflog: 'gc, prune, repack, maintenance, update-ref',
  gc: 'prune, repack, maintenance, reflog expire, prune-packed',
  prune: 'gc, repack, maintenance',
  fetch: `${REMOTES}, remote update, pull, clone, submodule`,
  pull: `${REMOTES}, read-tree`,
  clone: `${REMOTES}, submodule`,
  remote: 'config *remote.*',
  submodule: 'submodule--helper, config *submodule.*',
  notes: REFS,
  'update-ref': `${REFS}, branch, tag`,
  'symbolic-ref': 'update-ref, checkout, switch',
  'filter-branch': `${OBJECTS}, filter-repo`,
};
/** They offer most of the others in a window. */
const FRONT_ENDS = 'gui, citool';
/** Options of git before its command. */
const START = /^git(?: -[Cc] \S+| --?[A-Za-z][\w-]*(?:=\S*)?)* /;

/** A command that can do the same, with groups of words: one of each has to be there. */
interface Alike {
  readonly command: string;
  readonly groups: readonly { readonly isAbsent: boolean; readonly words: readonly string[] }[];
}

/** What can do the same as the commands that the pattern of a rule matches. */
export function alikeCommands(pattern: string): readonly Alike[] {
  if (!START.test(pattern)) return [];
  const named = pattern.replace(START, '').split(' ');
  if (named[0] === '*') return [];
  const isAbout = (command: string): boolean =>
    command.split(' ').every((word, at) => named[at] === undefined || matchesWildcard(named[at], word));
  const entries = Object.entries(SAME).filter(([command]) => isAbout(command));
  const texts = entries.length === 0 ? [] : [...entries.map(([, text]) => text), FRONT_ENDS];
  return [...new Set(texts.flatMap((text) => text.split(', ')))].map(parse);
}

function parse(text: string): Alike {
  const [command = '', ...groups] = text.split(' ');
  return {
    command,
    groups: groups.map((group) => ({
      isAbsent: group.startsWith('!'),
      words: group.replace('!', '').split('|'),
    })),
  };
}

/** Whether a command of a line is, or may be, one of them. */
export function isAlike({ words: [name, ...args], fed }: ShellCommand, alike: readonly Alike[]): boolean {
  const program = basename(name?.value ?? '').toLowerCase();
  const texts = args.map(({ value }) => value ?? '');
  const command = program === 'git' ? readBefore(texts).command : /^git-(.+)/.exec(program)?.[1];
  if (command === undefined) return false;
  const rest = program === 'git' ? args.slice(texts.indexOf(command) + 1) : args;
  return alike.some(
    (each) =>
      matchesWildcard(each.command, command) &&
      each.groups.every(({ isAbsent, words }) =>
        isAbsent
          ? !words.some((word) => rest.some((arg) => isWord(arg, word)))
          : fed === true || words.some((word) => rest.some((arg) => isUnknown(arg) || isWord(arg, word))),
      ),
  );
}

const isUnknown = ({ value, globs }: ShellWord): boolean => value === undefined || globs;

/** Git accepts the beginning of a long option, and several letters in one word. */
function isWord({ value = '' }: ShellWord, word: string): boolean {
  if (word === '--' || !word.startsWith('-'))
    return !value.startsWith('-') || word === '--' ? matchesWildcard(word, value) : false;
  if (!word.startsWith('--')) return new RegExp(`^-[A-Za-z]*${word.slice(1)}`).test(value);
  const [option = ''] = value.split('=');
  return option.length > 2 && word.startsWith(option);
}

/** The beginnings of their lines, to be looked for in a text. */
export function beginningsOf(alike: readonly Alike[]): readonly (readonly string[])[] {
  return alike.flatMap(({ command, groups }) => {
    const [first] = groups.filter(({ isAbsent }) => !isAbsent);
    const name = command.replace('*', '');
    const endings = (first?.words ?? ['']).map((word) => word.replace(/\*.*$/, ''));
    return [...new Set(endings)].flatMap((word) => {
      const rest = word === '' ? [] : [word];
      return [
        ['git', name, ...rest],
        [`git-${name}`, ...rest],
      ];
    });
  });
}
