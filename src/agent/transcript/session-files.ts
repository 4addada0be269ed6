/** Where the transcripts of sessions are, and how an earlier session is found again. */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { HookError, show } from '../../base/errors.js';

const ENDING = '.jsonl';
/** Names of files may have 255 bytes; the rest of a long path becomes a hash. */
const MAX_NAME = 200;
/** Nothing that a path could be made of, and nothing hidden. */
const ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Whose sessions: `home` is the directory that the program keeps its own files in. */
export interface Project {
  readonly home: string;
  readonly cwd: string;
}

export interface SessionPaths {
  /** Holds all sessions of the same working directory. */
  readonly directory: string;
  readonly transcript: string;
  /** The transcript of one of its subagents. */
  subagent(agentId: string): string;
}

/** Throws a `HookError` for an id that is no plain name: it could lead to another directory. */
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

/**
 * The transcript that was changed last, of those that have something in them; undefined: there is none. Never rejects.
 */
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

/** The transcript of exactly this session. Rejects with a `HookError` for an id that is no plain name. */
export async function findSession(
  session: Project & { readonly sessionId: string },
): Promise<string | undefined> {
  const { transcript } = sessionPaths(session);
  return (await changeOf(transcript)) === undefined ? undefined : transcript;
}

/** Undefined for what is no transcript: nothing there, a link, a directory, an empty file. */
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
    `The ${kind} id ${show(id)} cannot name a transcript: expected up to 128 letters, digits, '_', '.' and '-', not beginning with '.' or '-'. Give the id as it was when the ${kind} began.`,
  );
}
