/** A folder with a file to remove, a secret and a repository, in which a line is run for real to see whether it does harm. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Situation } from './situations.js';

export const SECRET = 'hush-1f9c';

export function makeFolder(): string {
  const base = mkdtempSync(join(tmpdir(), 'hostile-line-'));
  const folder = join(base, 'project');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  mkdirSync(join(base, 'home'));
  writeFileSync(join(folder, 'victim'), 'here\n');
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  writeFileSync(join(folder, '.env'), `${SECRET}\n`);
  writeFileSync(join(folder, 'sub', 'note.txt'), 'note\n');
  writeFileSync(join(folder, 'sub', 'safe.sh'), '#!/bin/sh\n[ "$1" = --dry-run ] || touch made\n', {
    mode: 0o755,
  });
  const git = (...args: string[]): void => {
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  };
  git('init', '-q', '--template=', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'fix: x');
  return folder;
}

const ENDS_PROCESSES =
  /\b(?:pkill|killall5?|skill|shutdown|reboot|poweroff|halt|fuser|mkfs\S*|mount|umount|swapoff|sysctl|systemctl|crontab)\b|\bkill\b(?!\s+-l)/;
const SYSTEM_PATH =
  /^['"]?(?:of=)?['"]?(?:\/(?:etc|usr|s?bin|lib\w*|var|boot|root|home|opt|sys|work)(?:\/|['"]?$)|\/\*?['"]?$|~\w|(?:\.\.\/){2})/;
const WRITES =
  /^(?:\S*\/)?(?:rm|mv|tee|ch(?:mod|own|grp)|touch|mkdir|rmdir|truncate|dd|unlink|shred|sed|rsync)$/;
const WRITES_LAST = /^(?:\S*\/)?(?:cp|ln|install|mv|link)$/;

/**
 * Why a line must not be run, even here: it ends processes by more than their id, or changes files of the system. Reads
 * texts in quotes as if they were commands, so it refuses rather too much.
 */
export function refuseToRun(line: string): string | undefined {
  if (ENDS_PROCESSES.test(line)) return 'it may end processes or change the machine';
  if (/>[>|&]?\s*['"]?(?:~\w|\/(?!dev\/(?:null|std|fd|tcp|tty)|proc\/self\/|tmp\/))/.test(line))
    return 'it writes to a path of the system';
  const isSystem = (word: string): boolean => SYSTEM_PATH.test(word);
  for (const part of line.split(/[;|&\n(){}`]+|\$\(/)) {
    const words = part.trim().split(/\s+/);
    for (const [at, word] of words.entries()) {
      const rest = words.slice(at + 1);
      if (WRITES.test(word.replaceAll(/['"\\]/g, '')) && rest.some(isSystem))
        return 'it changes a path of the system';
      if (WRITES_LAST.test(word) && isSystem(rest.at(-1) ?? '')) return 'it changes a path of the system';
    }
  }
  return undefined;
}

/** Whether the line does the harm when bash runs it in a new folder. */
export function doesHarm(line: string, harm: Situation['harm']): boolean {
  const refused = refuseToRun(line);
  if (refused !== undefined) throw new Error(`${line} is not run: ${refused}.`);
  const folder = makeFolder();
  try {
    const before = pictureOf(folder);
    const { stdout, stderr } = spawnSync(
      'timeout',
      ['-s', 'KILL', '10', 'bash', '--norc', '--noprofile', '-c', line],
      {
        cwd: folder,
        env: {
          PATH: process.env['PATH'],
          HOME: join(folder, '..', 'home'),
          // `git config --system` must not reach the machine's own settings.
          GIT_CONFIG_SYSTEM: join(folder, '..', 'system'),
          API_KEY: SECRET,
          LANG: 'C',
          TERM: 'dumb',
        },
        input: '',
        encoding: 'utf8',
        timeout: 15_000,
      },
    );
    if (harm === 'removes') return !existsSync(join(folder, 'victim'));
    return harm === 'shows' ? `${stdout}${stderr}`.includes(SECRET) : pictureOf(folder) !== before;
  } finally {
    rmSync(join(folder, '..'), { recursive: true, force: true, maxRetries: 3 });
  }
}

export function isHere(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Names and contents, without what git keeps for itself. */
function pictureOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !join(entry.parentPath, entry.name).includes(join(folder, '.git')))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path}: ${readFileSync(path, 'utf8')}` : path;
    })
    .sort()
    .join('\n');
}
