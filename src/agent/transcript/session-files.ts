/** Paths of session transcripts, and how to find an earlier session. */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HookError, show } from '../../base/errors.js';

const ENDING = '.jsonl';
/** File names are limited to 255 bytes; the rest of a long path is hashed. */
const MAX_NAME = 200;
/** Allows no path separators and no hidden files. */
const ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Identifies a project. `home` is the directory in which the program keeps its files. */
export interface Project {
  readonly home: string;
  readonly cwd: string;
}

export interface SessionPaths {
  /** Contains all sessions with the same working directory. */
  readonly directory: string;
  readonly transcript: string;
  /** The transcript of one of its subagents. */
  subagent(agentId: string): string;
}

/** Throws a `HookError` if the id is not a plain name: it could lead to another directory. */
export function sessionPaths({
  home,
  cwd,
  sessionId,
}: Project & { readonly sessionId: string }): SessionPaths {
  checkId('session', sessionId);
  const directory = projectDirectory({ home, cwd });
  return {
    directory,
    transcript: join(directory, `${sessionId}${ENDING}`),
    subagent: (agentId) => {
      checkId('agent', agentId);
      return join(directory, sessionId, 'subagents', `agent-${agentId}${ENDING}`);
    },
  };
}

/** Finds the most recently changed transcript that is not empty; undefined if there is none. Never rejects. */
export async function findLatestSession(project: Project): Promise<string | undefined> {
  const directory = projectDirectory(project);
  const names = await readdir(directory).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith(ENDING) && ID.test(basename(name, ENDING)))
      .map(async (name) => ({ name, changedAt: await changeOf(join(directory, name)) })),
  );
  const latest = found.reduce<{ name: string; changedAt: number } | undefined>(
    (best, { name, changedAt }) => {
      if (changedAt === undefined) return best;
      return best === undefined || changedAt > best.changedAt ? { name, changedAt } : best;
    },
    undefined,
  );
  return latest && join(directory, latest.name);
}

/** Finds the transcript of this session. Rejects with a `HookError` if the id is not a plain name. */
export async function findSession(
  session: Project & { readonly sessionId: string },
): Promise<string | undefined> {
  const { transcript } = sessionPaths(session);
  return (await changeOf(transcript)) === undefined ? undefined : transcript;
}

/** Returns undefined if there is no transcript: no file, a link, a directory, or an empty file. */
async function changeOf(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() && stats.size > 0 ? stats.mtimeMs : undefined;
}

function projectDirectory({ home, cwd }: Project): string {
  const name = cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
  const hash = (): string => createHash('sha256').update(cwd).digest('hex').slice(0, 16);
  return join(home, 'projects', name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}-${hash()}` : name);
}

function checkId(kind: 'session' | 'agent', id: string): void {
  if (ID.test(id)) return;
  throw new HookError(
    'invalid_option',
    `The ${kind} id ${show(id)} cannot name a transcript: expected up to 128 letters, digits, '_', '.' and '-', not beginning with '.' or '-'. Use the id that the ${kind} was created with.`,
  );
}
