/** What git runs because of the repository around a folder: settings, and hooks unless the command only reads. */
import { dirname, join } from 'node:path';
import { analyseGit } from '../../../shell/reading-git.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { findGitTop, settingsIn } from './git-top.js';
import { isExecutable, isFile, namesIn, pathFrom, readText } from './places.js';

/** Settings that change in everyday work and never make git run a program. All others are covered. */
const HARMLESS =
  /^(?:(?:user|branch|color|advice|extensions|status)\..*|core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|excludesfile|untrackedcache|preloadindex|compression|abbrev)|remote\..*\.(?:url|fetch|pushurl|prune|tagopt|gh-resolved)|submodule\..*\.(?:url|active|branch|path)|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|(?:init|remote)\.\w*default\w*)$/;

export function followGit({ args, folders, setting }: Run, executed: ExecutedFiles): void {
  const [folder] = folders ?? [];
  addConfigOf(args, folder, executed);
  const found = folder === undefined ? undefined : findGitTop(folder);
  if (!found) return;
  const { config, top } = found;
  executed.folders.add(config);
  const settings = settingsIn(readText(config) ?? '');
  for (const [name, value] of settings) {
    if (HARMLESS.test(name)) continue;
    executed.addPart(config, name, value);
    // `textconv = sh x.sh`: git hands many of them to a shell.
    executed.guess((trial) =>
      trial.readLine(value.replace(/^!/, ''), { ...setting, folder: top, depth: setting.depth + 1 }),
    );
  }
  const words = args.map(({ value }) => value ?? '$');
  if (analyseGit(words) !== undefined) return;
  const named = settings.get('core.hookspath');
  const hooks = named === undefined ? join(dirname(config), 'hooks') : pathFrom(top, named);
  executed.folders.add(hooks);
  for (const name of namesIn(hooks)) {
    const path = join(hooks, name);
    if (/^[a-z-]+$/.test(name) && isExecutable(path)) executed.add(path, { needed: false, program: false });
  }
}

/** `git --git-dir=x/.git`: another repository, whose settings count as a whole. */
function addConfigOf(args: Run['args'], folder: string | undefined, executed: ExecutedFiles): void {
  for (const [at, { value = '' }] of args.entries()) {
    const named =
      /^--git-dir=(.+)$/.exec(value)?.[1] ?? (value === '--git-dir' ? args[at + 1]?.value : undefined);
    const config =
      named === undefined || folder === undefined ? undefined : pathFrom(folder, `${named}/config`);
    if (config !== undefined && executed.isOurs(config) && isFile(config))
      executed.add(config, { needed: false, program: false });
  }
}
