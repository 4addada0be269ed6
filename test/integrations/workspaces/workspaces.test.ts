/** Snapshots, copies for peers, labels, and texts that a peer can follow. */
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerBoard } from '../../../src/injection/answer-board.js';
import { createMidStreamInjection } from '../../../src/injection/hooks/mid-stream.js';
import { createMailbox } from '../../../src/injection/mailboxes/memory/mailbox.js';
import { PeerLabels } from '../../../src/injection/peer-labels.js';
import { openWorkspaces, type WorkspacesOptions } from '../../../src/integrations/workspaces/index.js';
import { openPrivateFolder } from '../../../src/integrations/workspaces/workspaces.js';
import { freshFolder, modeOf, readTree, writeTree } from './support.js';

const AGENTS = ['ada', 'bob', 'cyd'];

/** Three agents, each with a file, and labels that can be foreseen: bob sees ada as … whatever `labels` says. */
async function bench(options: Partial<WorkspacesOptions> = {}) {
  const root = freshFolder();
  const folderOf = (agent: string): string => join(root, 'ws', agent);
  for (const agent of AGENTS) writeTree(folderOf(agent), { 'out.txt': `by ${agent}` });
  const workspaces = await openWorkspaces({
    directory: join(root, 'shared'),
    agents: Object.fromEntries(AGENTS.map((agent) => [agent, folderOf(agent)])),
    labels: new PeerLabels({ agents: AGENTS, seed: 'test' }),
    ...options,
  });
  return { root, folderOf, workspaces, labels: workspaces.labels };
}

describe('the directory', () => {
  it('WS-10: is made, is for its owner alone, and its names tell nobody who the agents are', async () => {
    const { root, workspaces } = await bench();
    await workspaces.snapshot('ada');
    await workspaces.share('ada', 'bob');
    const inside = readdirSync(join(root, 'shared'), { recursive: true, encoding: 'utf8' });
    expect(inside.filter((path) => AGENTS.some((agent) => path.includes(agent)))).toEqual([]);
    const folders = [
      '',
      'snapshots',
      'peers',
      relative(join(root, 'shared'), await workspaces.folderFor('bob')),
    ];
    expect(folders.map((path) => modeOf(join(root, 'shared', path)))).toEqual(['700', '700', '700', '700']);
  });

  it('WS-10: is refused when it is a link, is open to others, belongs to somebody else, or is no absolute path', async () => {
    const root = freshFolder();
    mkdirSync(join(root, 'open'));
    chmodSync(join(root, 'open'), 0o755);
    mkdirSync(join(root, 'mine'), { mode: 0o700 });
    symlinkSync(join(root, 'mine'), join(root, 'link'));
    writeFileSync(join(root, 'file'), '');
    for (const directory of [join(root, 'open'), join(root, 'link'), join(root, 'file'), 'relative', '/a\0b'])
      await expect(openWorkspaces({ directory }), directory).rejects.toMatchObject({
        code: 'invalid_option',
      });
    await expect(openPrivateFolder(join(root, 'mine'), (process.getuid?.() ?? 0) + 1)).rejects.toThrow(
      'belongs to another user',
    );
    await expect(openWorkspaces({ directory: join(root, 'mine'), keep: 0 })).rejects.toMatchObject({
      code: 'invalid_option',
    });
  });

  it('WS-10: inside a workspace, it is not copied', async () => {
    const { workspaces, folderOf } = await bench();
    const inner = await openWorkspaces({
      directory: join(folderOf('ada'), '.shared'),
      agents: { ada: folderOf('ada') },
    });
    const { path, leftOut } = await inner.snapshot('ada');
    expect(readTree(path)).toEqual({ 'out.txt': 'by ada' });
    expect(leftOut).toMatchObject([{ path: '.shared', reason: 'excluded' }]);
    await workspaces.clear();
  });
});

describe('snapshots', () => {
  it('WS-11: hold the files as they were, whatever becomes of them', async () => {
    const { workspaces, folderOf } = await bench();
    const snapshot = await workspaces.snapshot('ada');
    expect(snapshot).toMatchObject({ agentId: 'ada', revision: 1, files: 1, bytes: 6, leftOut: [] });
    writeTree(folderOf('ada'), { 'out.txt': 'changed', 'new.txt': 'new' });
    const copy = await workspaces.share(snapshot, 'bob');
    expect(readTree(copy.path)).toEqual({ 'out.txt': 'by ada' });
  });

  it('WS-11: are numbered; one revision is taken once, and only the latest is kept', async () => {
    const { workspaces, folderOf } = await bench();
    const first = await workspaces.snapshot('ada');
    expect(await workspaces.snapshot('ada', { revision: 1 })).toBe(first);
    writeTree(folderOf('ada'), { 'out.txt': 'second' });
    const [second, third] = await Promise.all([workspaces.snapshot('ada'), workspaces.snapshot('ada')]);
    expect([second.revision, third.revision]).toEqual([2, 3]);
    const kept = await workspaces.snapshot('ada', { revision: 1 });
    expect(kept.revision, 'the older one is gone').toBe(3);
    expect(readdirSync(dirname(kept.path))).toEqual(['3']);
    await expect(workspaces.snapshot('ada', { revision: 0 })).rejects.toMatchObject({
      code: 'invalid_option',
    });
    await expect(workspaces.snapshot('nobody')).rejects.toThrow('The folder of "nobody" is unknown');
  });

  it('WS-11: leave out what is a secret, and say so', async () => {
    const { workspaces, folderOf } = await bench({ exclude: ['*.tmp'] });
    writeTree(folderOf('ada'), { '.env': 'KEY=1', 'x.tmp': '' });
    const { leftOut, path } = await workspaces.snapshot('ada');
    expect(leftOut.map(({ path: file, reason }) => `${file} ${reason}`)).toEqual([
      '.env secret',
      'x.tmp excluded',
    ]);
    expect(readTree(path)).toEqual({ 'out.txt': 'by ada' });
  });
});

describe('copies for peers', () => {
  it('WS-12: each viewer has its own, under the label by which it knows the answer', async () => {
    const { workspaces, labels, root } = await bench();
    await workspaces.snapshot('ada');
    const [forBob, forCyd] = await Promise.all([
      workspaces.share('ada', 'bob'),
      workspaces.share('ada', 'cyd'),
    ]);
    expect(forBob.path).toBe(join(await workspaces.folderFor('bob'), labels.labelOf('bob', 'ada', 1)));
    expect(relative(join(root, 'shared', 'peers'), forCyd.path).startsWith('..')).toBe(false);
    writeTree(forBob.path, { 'out.txt': 'bob was here' });
    expect(readTree(forCyd.path)).toEqual({ 'out.txt': 'by ada' });
    expect(readTree((await workspaces.share('ada', 'eve')).path)).toEqual({ 'out.txt': 'by ada' });
  });

  it('WS-12: what a viewer has is not copied again, also when two ask at once', async () => {
    const { workspaces } = await bench();
    await workspaces.snapshot('ada');
    const [one, two] = await Promise.all([workspaces.share('ada', 'bob'), workspaces.share('ada', 'bob')]);
    writeTree(one.path, { 'note.txt': 'mine' });
    expect(two).toBe(one);
    expect(await workspaces.share('ada', 'bob')).toBe(one);
    expect(readTree(one.path)).toEqual({ 'note.txt': 'mine', 'out.txt': 'by ada' });
  });

  it('WS-12: the newest are kept, of each author so many', async () => {
    const { workspaces } = await bench();
    await workspaces.snapshot('cyd');
    await workspaces.share('cyd', 'bob');
    for (let i = 0; i < 4; i += 1) {
      await workspaces.snapshot('ada');
      await workspaces.share('ada', 'bob');
    }
    const names = readdirSync(await workspaces.folderFor('bob')).map((name) => name.split('.')[1]);
    expect(names.sort()).toEqual(['1', '3', '4']);
  });

  it('WS-12: only a snapshot can be shared', async () => {
    const { workspaces } = await bench();
    await expect(workspaces.share('ada', 'bob')).rejects.toThrow('take a `snapshot` first');
  });

  it.each(['../x', '/etc', 'a/b', '.hidden', 'a..b', '', 'a\0', 'x'.repeat(200)])(
    'WS-13: the label %j cannot name a folder',
    async (label) => {
      const { workspaces, root } = await bench();
      await workspaces.snapshot('ada');
      await expect(workspaces.share('ada', 'bob', { label })).rejects.toMatchObject({
        code: 'invalid_option',
      });
      expect(existsSync(join(root, 'x'))).toBe(false);
    },
  );

  it('WS-13: a label means one thing', async () => {
    const { workspaces } = await bench();
    await workspaces.snapshot('ada');
    await workspaces.share('ada', 'bob', { label: 'best' });
    await workspaces.snapshot('ada');
    await expect(workspaces.share('ada', 'bob', { label: 'best' })).rejects.toThrow('a unique label');
  });
});

describe('labels', () => {
  it('WS-14: are numbers that every viewer has in its own order, the same each time', () => {
    const agents = Array.from({ length: 12 }, (_, i) => `worker-${i}`);
    const labels = new PeerLabels({ agents, seed: 's' });
    const again = new PeerLabels({ agents, seed: 's' });
    const orders = agents.map((viewer) => agents.map((agent) => labels.nameOf(viewer, agent)));
    expect(agents.map((viewer) => agents.map((agent) => again.nameOf(viewer, agent)))).toEqual(orders);
    expect(new Set(orders.map(String)).size, 'not one order for all').toBeGreaterThan(1);
    expect(orders.map(String)).not.toContain(String(agents.map((_, i) => `agent${i + 1}`)));
    for (const order of orders)
      expect([...order].sort()).toEqual(agents.map((_, i) => `agent${i + 1}`).sort());
  });

  it('WS-14: stay when others come, and are understood again', () => {
    const labels = new PeerLabels({ agents: AGENTS });
    const before = AGENTS.map((agent) => labels.nameOf('bob', agent));
    expect(labels.nameOf('bob', 'dan')).toBe('agent4');
    expect(AGENTS.map((agent) => labels.nameOf('bob', agent))).toEqual(before);
    expect(labels.resolve('bob', labels.labelOf('bob', 'ada', 7))).toEqual({ agentId: 'ada', revision: 7 });
    expect(labels.resolve('bob', 'agent4')).toEqual({ agentId: 'dan', revision: undefined });
    for (const nobody of ['agent9.1', 'agent0', 'ada', 'agent1.', ' agent1', 'agent1.1.1', 'agent01'])
      expect(labels.resolve('bob', nobody), nobody).toBeUndefined();
    expect(() => new PeerLabels({ seed: '' })).toThrow('expected a string');
  });

  it('WS-15: a text speaks of agents as its reader knows them', () => {
    const labels = new PeerLabels({ agents: [...AGENTS, 'al'], seed: 'test' });
    const of = (viewer: string, agent: string, revision?: number): string =>
      revision === undefined ? labels.nameOf(viewer, agent) : labels.labelOf(viewer, agent, revision);
    const text = `I am ada. ${of('ada', 'cyd', 2)} is better than bob's (${of('ada', 'bob', 1)}).`;
    expect(labels.translate(text, 'ada', 'bob')).toBe(
      `I am ${of('bob', 'ada')}. ${of('bob', 'cyd', 2)} is better than ${of('bob', 'bob')}'s (${of('bob', 'bob', 1)}).`,
    );
  });

  it('WS-15: names in longer words, in paths and addresses, short ones, and unknown labels stay', () => {
    const labels = new PeerLabels({ agents: [...AGENTS, 'al', 'a.b+c'], seed: 'test' });
    const text =
      'Canada adam bobcat éadaé ada-2 ada.txt /ws/ada ws/ada ada@example.com al agent99 agent99.1 agent1.1.1 xagent1 axb+c';
    expect(labels.translate(text, 'ada', 'bob')).toBe(text);
    expect(labels.translate('a.b+c', 'ada', 'bob')).toBe(labels.nameOf('bob', 'a.b+c'));
    expect(new PeerLabels().translate('ada', 'x', 'y')).toBe('ada');
  });

  it('WS-15: whatever the text is, what is translated there and back is the same', () => {
    const labels = new PeerLabels({ agents: AGENTS, seed: 'test' });
    const words = fc.constantFrom(
      'agent1',
      'agent2.3',
      'agent3.10',
      'agent4',
      'and',
      'agent',
      'agent1.x',
      '(',
    );
    fc.assert(
      fc.property(fc.array(words), (list) => {
        const text = list.join(' ');
        expect(labels.translate(labels.translate(text, 'ada', 'bob'), 'bob', 'ada')).toBe(text);
      }),
    );
  });
});

describe('paths in a text', () => {
  it('WS-16: lead the reader to its own copy, where the name of the folder ends', async () => {
    const root = freshFolder();
    const folders = ['agent_1', 'agent_10', 'agent_1.bak'].map((name) => join(root, name));
    const [one = '', ten = '', bak = ''] = folders;
    for (const folder of folders) writeTree(folder, { 'x.txt': basename(folder) });
    const workspaces = await openWorkspaces({
      directory: join(root, 'shared'),
      agents: { one, ten },
    });
    for (const agent of ['one', 'ten']) await workspaces.snapshot(agent);
    const toOne = (await workspaces.share('one', 'reader')).path;
    const toTen = (await workspaces.share('ten', 'reader')).path;
    const readable = (text: string): string => workspaces.readableFor(text, 'one', 'reader');
    expect(readable(`See ${one}/x.txt, ${ten}/x.txt and ${bak}/x.txt. Mine is ${one}.`)).toBe(
      `See ${toOne}/x.txt, ${toTen}/x.txt and ${bak}/x.txt. Mine is ${toOne}.`,
    );
    expect(readable(`file://${ten}/x.txt "${one}" (${ten})`)).toBe(
      `file://${toTen}/x.txt "${toOne}" (${toTen})`,
    );
    expect(readTree(toTen)).toEqual({ 'x.txt': 'agent_10' });
  });

  it('WS-16: in every way in which a folder is written', async () => {
    const root = freshFolder();
    writeTree(root, { 'real/ada/out.txt': 'x', ws: { link: 'real' } });
    const workspaces = await openWorkspaces({
      directory: join(root, 'shared'),
      agents: { ada: join(root, 'ws', 'ada'), home: join(homedir(), 'some', 'work') },
    });
    await workspaces.snapshot('ada');
    const { path } = await workspaces.share('ada', 'bob');
    const text = `${root}/ws/ada/out.txt = ${root}/real/ada/out.txt`;
    expect(workspaces.readableFor(text, 'ada', 'bob')).toBe(`${path}/out.txt = ${path}/out.txt`);
    expect(workspaces.readableFor(text, 'bob', 'ada'), 'its own folder').toBe(text);
    const home = workspaces.readableFor('~/some/work/x', 'home', 'bob');
    expect(home).toBe(`(${workspaces.labels.nameOf('bob', 'home')})/x`);
  });

  it('WS-16: into copies of the author lead to the same answer, the newest one, or the work of the reader itself', async () => {
    const { workspaces, folderOf } = await bench();
    await workspaces.snapshot('ada');
    const oldForBob = await workspaces.share('ada', 'bob');
    const oldForCyd = await workspaces.share('ada', 'cyd');
    await workspaces.snapshot('ada');
    const newForBob = await workspaces.share('ada', 'bob');
    const read = (text: string, viewer: string): string => workspaces.readableFor(text, 'bob', viewer);
    expect(read(`${oldForBob.path}/out.txt`, 'cyd')).toBe(`${oldForCyd.path}/out.txt`);
    expect(read(`${newForBob.path}/out.txt`, 'cyd'), 'cyd has only the old one').toBe(
      `${oldForCyd.path}/out.txt`,
    );
    const newForCyd = await workspaces.share('ada', 'cyd');
    expect(read(`${oldForBob.path}/out.txt ${newForBob.path}/out.txt`, 'cyd')).toBe(
      `${oldForCyd.path}/out.txt ${newForCyd.path}/out.txt`,
    );
    expect(read(`${oldForBob.path}/out.txt`, 'ada')).toBe(`${folderOf('ada')}/out.txt`);
    expect(read(`${oldForBob.path}/out.txt ${folderOf('bob')}`, 'bob')).toBe(
      `${oldForBob.path}/out.txt ${folderOf('bob')}`,
    );
  });

  it('WS-16: of files that were not shared tell nobody whose they are', async () => {
    const { workspaces, folderOf, labels } = await bench();
    const text = `${folderOf('ada')}/out.txt by ada, ${folderOf('cyd')}/out.txt`;
    expect(workspaces.readableFor(text, 'ada', 'bob')).toBe(
      `(${labels.nameOf('bob', 'ada')})/out.txt by ${labels.nameOf('bob', 'ada')}, (${labels.nameOf('bob', 'cyd')})/out.txt`,
    );
  });

  it('WS-16: a workspace within another is not taken for it', async () => {
    const { workspaces, folderOf } = await bench();
    workspaces.add('inner', join(folderOf('ada'), 'sub'));
    writeTree(folderOf('ada'), { 'sub/x.txt': 'x' });
    await workspaces.snapshot('ada');
    const { path } = await workspaces.share('ada', 'inner');
    expect(
      workspaces.readableFor(`${folderOf('ada')}/sub/x.txt ${folderOf('ada')}/out.txt`, 'ada', 'inner'),
    ).toBe(`${folderOf('ada')}/sub/x.txt ${path}/out.txt`);
  });
});

describe('with the built-in hook for peers', () => {
  it('WS-17: an answer comes with the files that belong to it, and its paths lead there', async () => {
    const { workspaces, folderOf } = await bench();
    const board = new AnswerBoard({ labels: workspaces.labels });
    const mailbox = createMailbox();
    const midStream = createMidStreamInjection({ mailbox, board, workspaces });
    board.publish('ada', { content: `Done: ${folderOf('ada')}/out.txt`, workspace: folderOf('ada') });
    await workspaces.snapshot('ada', { revision: 1 });
    writeTree(folderOf('ada'), { 'out.txt': 'already the next one' });
    await midStream.beginRound('bob');
    const texts = (await mailbox.take({ agentId: 'bob' })).items.map(({ content }) => content);
    const ada = workspaces.labels.nameOf('bob', 'ada');
    const copy = join(await workspaces.folderFor('bob'), `${ada}.1`);
    expect(texts[0]).toContain(`the files of ${ada} can be read in ${copy}`);
    expect(texts[1]).toBe(`Done: ${copy}/out.txt`);
    expect(readTree(copy)).toEqual({ 'out.txt': 'by ada' });
  });

  it('WS-17: an answer that names three workspaces is readable, anonymous and consistent for each of its readers', async () => {
    const agents = ['alice', 'bobby', 'carol', 'david'];
    const root = freshFolder();
    const folderOf = (agent: string): string => join(root, 'ws', `${agent}_ws`);
    for (const agent of agents) writeTree(folderOf(agent), { 'out.py': `by ${agent}` });
    const workspaces = await openWorkspaces({
      directory: join(root, 'shared'),
      agents: Object.fromEntries(agents.map((agent) => [agent, folderOf(agent)])),
    });
    const { labels } = workspaces;
    const board = new AnswerBoard({ labels });
    const mailbox = createMailbox();
    const midStream = createMidStreamInjection({ mailbox, board, workspaces });
    const publish = async (agent: string, content: string): Promise<void> => {
      const revision = board.publish(agent, { content });
      await workspaces.snapshot(agent, { revision });
    };
    const receive = async (agent: string) => {
      await midStream.beginRound(agent);
      const lease = await mailbox.take({ agentId: agent });
      await lease.acknowledge();
      return lease.items;
    };
    await publish('carol', 'mine is done');
    await receive('alice');
    const carolForAlice = join(await workspaces.folderFor('alice'), labels.labelOf('alice', 'carol', 1));
    const inAlicesWords = labels.nameOf('alice', 'carol');
    await publish(
      'alice',
      `I (alice) merged ${folderOf('carol')}/out.py and ${carolForAlice}/out.py from carol (${inAlicesWords}) into ${folderOf('alice')}/out.py, not ${folderOf('bobby')}/out.py`,
    );
    for (const viewer of ['bobby', 'david']) {
      const items = await receive(viewer);
      const [alice, carol] = ['alice', 'carol'].map((agent) => labels.nameOf(viewer, agent));
      const answer = items.find(({ source }) => source.kind === 'peer' && source.label === alice);
      const folder = await workspaces.folderFor(viewer);
      const bobby = viewer === 'bobby' ? folderOf('bobby') : `(${labels.nameOf(viewer, 'bobby')})`;
      expect(answer?.content).toBe(
        `I (${alice}) merged ${folder}/${carol}.1/out.py and ${folder}/${carol}.1/out.py from ${carol} (${carol}) into ${folder}/${alice}.1/out.py, not ${bobby}/out.py`,
      );
      expect(readTree(`${folder}/${carol}.1`)).toEqual({ 'out.py': 'by carol' });
      expect(readTree(`${folder}/${alice}.1`)).toEqual({ 'out.py': 'by alice' });
      expect(items.find(({ source }) => source.kind === 'system')?.content).toContain(
        `the files of ${carol} can be read in ${folder}/${carol}.1`,
      );
    }
  });

  it('WS-17: the files of another agent that an answer names are shared too, before its own answer has arrived', async () => {
    const { workspaces, folderOf, labels } = await bench();
    const { signal } = new AbortController();
    await workspaces.snapshot('cyd');
    const update = { author: 'ada', name: '', label: '', revision: 1, content: `${folderOf('cyd')}/out.txt` };
    const { content } = await workspaces.shareAnswer(update, 'bob', signal);
    const copy = join(await workspaces.folderFor('bob'), labels.labelOf('bob', 'cyd', 1));
    expect(content).toBe(`${copy}/out.txt`);
    expect(readTree(copy)).toEqual({ 'out.txt': 'by cyd' });
  });

  it('WS-17: where nobody knows the folder, there are no files; where it is first heard of, it is copied then', async () => {
    const { workspaces, root } = await bench();
    const update = { author: 'dan', name: 'agent4', label: 'agent4.1', revision: 1, content: 'x' };
    const { signal } = new AbortController();
    expect(await workspaces.shareAnswer(update, 'bob', signal)).toEqual({ content: 'x', path: undefined });
    const workspace = writeTree(join(root, 'ws', 'dan'), { 'd.txt': 'd' });
    const { path } = await workspaces.shareAnswer({ ...update, workspace }, 'bob', signal);
    expect(readTree(path ?? '')).toEqual({ 'd.txt': 'd' });
  });
});

describe('several processes', () => {
  it('WS-19: a snapshot of another process is shared, and its copies are recognised in texts', async () => {
    const { workspaces: others, root, labels } = await bench();
    const { workspaces: mine } = await bench({ directory: join(root, 'shared') });
    const { signal } = new AbortController();
    // Another process: Cyd answers, and Ada reads a copy of it.
    const cyd = await others.snapshot('cyd');
    const adasCopy = await others.share('cyd', 'ada');
    // This process: Bob reads what Ada says about her copy.
    mine.adopt({ agentId: 'cyd', revision: 1, path: cyd.path });
    const update = {
      author: 'ada',
      name: '',
      label: '',
      revision: 1,
      content: `see ${adasCopy.path}/out.txt`,
    };
    const { content } = await mine.shareAnswer(update, 'bob', signal);
    const copy = join(await mine.folderFor('bob'), labels.labelOf('bob', 'cyd', 1));
    expect(content).toBe(`see ${copy}/out.txt`);
    expect(readTree(copy)).toEqual({ 'out.txt': 'by cyd' });
  });

  it('WS-19: an author that works on another machine has no files here', async () => {
    const { workspaces, labels } = await bench();
    workspaces.add('dan', '/nowhere/at/all');
    const update = { author: 'dan', name: '', label: '', revision: 1, content: 'see /nowhere/at/all/x' };
    const shared = await workspaces.shareAnswer(update, 'bob', new AbortController().signal);
    expect(shared).toEqual({ content: `see (${labels.nameOf('bob', 'dan')})/x`, path: undefined });
  });
});

describe('giving up and clearing away', () => {
  it('WS-18: who aborts waits no longer; the copy is finished for the next who asks', async () => {
    const { workspaces } = await bench();
    await workspaces.snapshot('ada');
    const giveUp = new AbortController();
    const waiting = workspaces.share('ada', 'bob', { signal: giveUp.signal });
    const other = workspaces.share('ada', 'bob');
    giveUp.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(readTree((await other).path)).toEqual({ 'out.txt': 'by ada' });
    await expect(workspaces.snapshot('ada', { signal: giveUp.signal })).rejects.toThrow('enough');
  });

  it('WS-18: `clear` takes everything away, and all can begin anew', async () => {
    const { workspaces, root } = await bench();
    const taking = workspaces.snapshot('ada');
    await workspaces.clear();
    await taking;
    expect(readdirSync(join(root, 'shared'), { recursive: true }).sort()).toEqual(['peers', 'snapshots']);
    expect((await workspaces.snapshot('ada')).revision).toBe(1);
  });

  it('WS-18: what could not be copied can be tried again', async () => {
    const { workspaces, root } = await bench();
    workspaces.add('ada', join(root, 'late'));
    await expect(workspaces.snapshot('ada', { revision: 1 })).rejects.toMatchObject({
      code: 'invalid_option',
    });
    writeTree(root, { 'late/x.txt': 'x' });
    expect(readTree((await workspaces.snapshot('ada', { revision: 1 })).path)).toEqual({ 'x.txt': 'x' });
  });
});
