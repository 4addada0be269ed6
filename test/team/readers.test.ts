/** An answer that names the workspaces of three agents, as two different readers get it. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Model, ModelRequest } from '../../src/agent/models/port.js';
import { loadMassgenConfig } from '../../src/dialects/massgen/load.js';
import { runTeam } from '../../src/team/index.js';
import { authorOf, type BrainModel, brainModel, call, saidIn, toolsIn } from './support/brains.js';

const IDS = ['alice', 'bob', 'carol'] as const;
const MARK = 'merged from three';

/** The text of what a request says, without JSON's escapes. */
const textOf = (request: ModelRequest | undefined): string =>
  saidIn(request as ModelRequest)
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"');

describe('an answer that names three workspaces', () => {
  it('TM-11 is readable, anonymous and consistent for two different readers', async () => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-readers-')));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const work = (id: string): string => join(dir, `${id}_workspace`);
    const agents = IDS.map((id) => `{ id: ${id}, backend: { cwd: ${id}_workspace } }`).join(', ');
    const config = await loadMassgenConfig({ text: `agents: [${agents}]`, file: join(dir, 'team.yaml') });
    let firstTwo = 0;
    let release = (): void => {};
    const bothAnswered = new Promise<void>((resolve) => {
      release = resolve;
    });
    /** Bob and Carol hand in a file each, and vote for what Alice makes of it. */
    const first = (id: string): BrainModel =>
      brainModel((request) => {
        if (!toolsIn(request).includes('vote')) return { text: 'Final' };
        const best = authorOf(request, MARK);
        if (best !== undefined) return call('vote', { agent_id: best, reason: '' });
        if (textOf(request).includes('Your own answer')) return { text: 'I wait.' };
        if (!textOf(request).includes('tool_result'))
          return call('Write', { file_path: `${id}.txt`, content: `by ${id}\n` });
        return call('new_answer', { content: `See ${work(id)}/${id}.txt` });
      });
    const models: Readonly<Record<(typeof IDS)[number], BrainModel>> = {
      alice: brainModel(async (request) => {
        if (!toolsIn(request).includes('vote')) return { text: 'Final' };
        const best = authorOf(request, MARK);
        if (best !== undefined) return call('vote', { agent_id: best, reason: '' });
        await bothAnswered;
        const text = textOf(request);
        // With the copies that Alice reads, and the folders that she knows of.
        const copies = [...text.matchAll(/can be read in (\S+)/g)].map(([, path]) => path);
        if (copies.length < 2) return { text: 'I wait.' };
        writeFileSync(join(work('alice'), 'merged.txt'), 'by alice\n');
        return call('new_answer', {
          content: `${MARK}: ${work('alice')}/merged.txt, ${work('bob')}/bob.txt, ${work('carol')}/carol.txt, and ${copies.join(' and ')}. Thanks to bob and carol, says alice.`,
        });
      }),
      bob: first('bob'),
      carol: first('carol'),
    };
    const { winner } = await runTeam(config, 'Merge them.', {
      modelFor: ({ id }): Model => models[id as 'alice'],
      directory: join(dir, 'shared'),
      session: 'readers',
      pollMs: 20,
      onEvent: (event) => {
        if (event.type === 'answer') firstTwo += 1;
        if (firstTwo === 2) release();
      },
    });
    expect(winner).toMatchObject({ agentId: 'alice', votes: 3 });

    for (const [reader, other] of [
      ['bob', 'carol'],
      ['carol', 'bob'],
    ] as const) {
      const request = models[reader].requests.find((each) => authorOf(each, MARK) !== undefined);
      const text = textOf(request);
      const [frame = ''] = /┌──[^┌]*merged from three[\s\S]*?└──/.exec(text) ?? [];
      const paths = [...frame.matchAll(/\/[\w./-]+/g)].map(([path]) => path.replace(/\.$/, ''));
      // Readable: every path of the answer leads to a file or a folder that the reader may open.
      expect(paths).toHaveLength(5);
      expect(paths.filter((path) => !existsSync(path))).toEqual([]);
      const [merged = '', a = '', b = '', ...folders] = paths;
      const contents = [merged, a, b].map((path) => readFileSync(path, 'utf8')).sort();
      expect(contents).toEqual(['by alice\n', 'by bob\n', 'by carol\n']);
      // Anonymous: no path or word says who is who, but for the reader's own folder.
      const own = work(reader);
      for (const id of IDS.filter((each) => each !== reader)) {
        expect(paths.filter((path) => path.includes(`${id}_workspace`))).toEqual([]);
        expect(frame.replaceAll(`${id}.txt`, '')).not.toMatch(new RegExp(`\\b${id}\\b`));
      }
      expect(paths.filter((path) => path.startsWith(own))).toHaveLength(2);
      // Consistent: the frame, the folders and the sentence use the same names for the same agents.
      const name = (path: string): string | undefined => /\/(agent\d)\.\d/.exec(path)?.[1];
      const author = authorOf(request as ModelRequest, MARK);
      expect(name(merged)).toBe(author);
      const otherFile = [a, b].find((path) => path.endsWith(`${other}.txt`)) ?? '';
      const otherName = name(otherFile);
      expect(folders.map(name).filter(Boolean)).toEqual([otherName]);
      const [, one, two, last] = /Thanks to (agent\d) and (agent\d), says (agent\d)/.exec(frame) ?? [];
      const [bobName, carolName] = [one, two];
      expect(reader === 'bob' ? carolName : bobName).toBe(otherName);
      expect(last).toBe(author);
      expect(new Set([one, two, last]).size).toBe(3);
    }
  });
});
