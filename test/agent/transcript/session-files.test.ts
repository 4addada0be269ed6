/** Where transcripts are, and how a session is found again. */
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLatestSession, findSession, sessionPaths } from '../../../src/agent/transcript/session-files.js';
import { openTranscript } from '../../../src/agent/transcript/transcript.js';
import { HookError } from '../../../src/base/errors.js';
import { type Desk, deskTest, said, userSays } from './support.js';

const cwd = '/home/me/my project_2';
const BAD_IDS = [
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a\\b',
  '/etc/passwd',
  '.hidden',
  '-rf',
  'a\0b',
  'a\n',
  'é',
  'x'.repeat(129),
];

/** A transcript that was changed at this second. */
function put(desk: Desk, sessionId: string, changedAt: number, content = '{}\n'): string {
  const { transcript } = sessionPaths({ home: desk.directory, cwd, sessionId });
  mkdirSync(dirname(transcript), { recursive: true });
  writeFileSync(transcript, content);
  utimesSync(transcript, changedAt, changedAt);
  return transcript;
}

describe('the files of a session', () => {
  it('TS-25: are in a directory that is named like the working directory', () => {
    const paths = sessionPaths({ home: '/home/me/.hookline', cwd, sessionId: 'abc-123' });
    const directory = '/home/me/.hookline/projects/-home-me-my-project-2';
    expect(paths.directory).toBe(directory);
    expect(paths.transcript).toBe(`${directory}/abc-123.jsonl`);
    expect(paths.subagent('a7')).toBe(`${directory}/abc-123/subagents/agent-a7.jsonl`);
  });

  deskTest('TS-25: exist for every working directory, however long its path is', async (desk) => {
    const long = `/${'deep/'.repeat(200)}`;
    const { transcript, directory } = sessionPaths({ home: desk.directory, cwd: `${long}a`, sessionId: 's' });
    expect(basename(directory).length).toBeLessThan(256);
    expect(sessionPaths({ home: desk.directory, cwd: `${long}b`, sessionId: 's' }).directory).not.toBe(
      directory,
    );
    const problems: string[] = [];
    const onProblem = (problem: string): void => void problems.push(problem);
    await openTranscript({ path: transcript, sessionId: 's', version: '1', cwd: () => long, onProblem });
    expect(problems).toEqual([]);
  });

  it.each(BAD_IDS)('TS-26: an id that is no plain name is refused: %j', async (id) => {
    const home = '/nowhere';
    const refusal = expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringContaining('id "'),
    });
    expect(() => sessionPaths({ home, cwd, sessionId: id })).toThrow(refusal);
    expect(() => sessionPaths({ home, cwd, sessionId: 's' }).subagent(id)).toThrow(HookError);
    await expect(findSession({ home, cwd, sessionId: id })).rejects.toThrow(refusal);
  });

  it.each(['4c3e095a-1111-4222-8333-444455556666', 'session_1', 'v1.2', 'A'])(
    'TS-26: %j is a plain name',
    (id) => {
      expect(basename(sessionPaths({ home: '/h', cwd, sessionId: id }).transcript)).toBe(`${id}.jsonl`);
    },
  );
});

describe('finding a session', () => {
  deskTest('TS-27: the latest is the one whose transcript was changed last', async (desk) => {
    const here = { home: desk.directory, cwd };
    expect(await findLatestSession(here)).toBeUndefined();
    put(desk, 'b', 2000);
    const latest = put(desk, 'a', 3000);
    put(desk, 'c', 1000);
    expect(await findLatestSession(here)).toBe(latest);
    expect(await findLatestSession({ ...here, cwd: '/elsewhere' })).toBeUndefined();
  });

  deskTest(
    'TS-27: what is empty, a link, a directory or no transcript at all does not count',
    async (desk) => {
      const latest = put(desk, 'a', 1000);
      const directory = dirname(latest);
      put(desk, 'empty', 5000, '');
      mkdirSync(join(directory, 'folder.jsonl'));
      writeFileSync(join(directory, 'notes.txt'), 'x');
      writeFileSync(join(directory, '.hidden.jsonl'), 'x');
      writeFileSync(join(desk.directory, 'outside.jsonl'), 'x');
      symlinkSync(join(desk.directory, 'outside.jsonl'), join(directory, 'link.jsonl'));
      expect(await findLatestSession({ home: desk.directory, cwd })).toBe(latest);
    },
  );

  deskTest('TS-27: a session that has been opened and said nothing is not the latest', async (desk) => {
    const latest = put(desk, 'a', 1000);
    const { transcript: path } = sessionPaths({ home: desk.directory, cwd, sessionId: 'new' });
    const transcript = await openTranscript({ path, sessionId: 'new', version: '1', cwd: () => cwd });
    expect(await findLatestSession({ home: desk.directory, cwd })).toBe(latest);
    await transcript.append(userSays(said('now it has')));
    expect(await findLatestSession({ home: desk.directory, cwd })).toBe(path);
  });

  deskTest('TS-28: a session is found by its exact id', async (desk) => {
    const path = put(desk, 'abc', 1000);
    put(desk, 'abcd', 1000);
    put(desk, 'empty', 1000, '');
    symlinkSync(path, join(dirname(path), 'link.jsonl'));
    const find = (sessionId: string) => findSession({ home: desk.directory, cwd, sessionId });
    expect(await find('abc')).toBe(path);
    for (const id of ['ab', 'ABC.', 'empty', 'link']) expect(await find(id), id).toBeUndefined();
  });
});
