/** Agents, their turns and what reaches them. */
import { describe, expect, it } from 'vitest';
import { agentTool, type LoopMessage, scriptedModel } from '../../src/agent/index.js';
import { createHumanInput, createMailbox } from '../../src/injection/index.js';
import { until } from '../support/process-harness.js';
import { eventsOf, look, looks, makeGate, makeLoop, makeRunner, openView } from './support.js';

async function readAll(run: AsyncIterable<LoopMessage>): Promise<LoopMessage[]> {
  const messages: LoopMessage[] = [];
  for await (const message of run) messages.push(message);
  return messages;
}

describe('agents and turns', () => {
  it('LV-9 two agents on one runner have each their own place, and turns begin with prompts', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('SessionStart', { name: 'start' }, () => undefined);
    runner.on('PreToolUse', { name: 'guard' }, () => undefined);
    const { loop: ada } = makeLoop([looks('a'), { text: 'One.' }, { text: 'Two.' }], {
      hooks: runner,
      agentId: 'ada',
    });
    const { loop: ben } = makeLoop([looks('b'), { text: 'Three.' }], { hooks: runner, agentId: 'ben' });
    await Promise.all([readAll(live.follow(ada.run('first'))), readAll(live.follow(ben.run('other')))]);
    await readAll(live.follow(ada.run('second')));
    const turns = eventsOf(live, 'turn').map(
      ({ agent, turn, prompt }) => `${agent} ${turn} ${prompt ?? '-'}`,
    );
    expect(turns.toSorted()).toEqual(['ada 0 -', 'ada 1 first', 'ada 2 second', 'ben 0 -', 'ben 1 other']);
    const fires = eventsOf(live, 'fire').map(({ agent, turn, event }) => `${agent} ${turn} ${event}`);
    expect(fires.toSorted()).toEqual([
      'ada 0 SessionStart',
      'ada 1 PreToolUse',
      'ben 0 SessionStart',
      'ben 1 PreToolUse',
    ]);
    const texts = eventsOf(live, 'text').map(({ agent, turn, text }) => `${agent} ${turn} ${text}`);
    expect(texts.toSorted()).toEqual(['ada 1 One.', 'ada 2 Two.', 'ben 1 Three.']);
    expect(new Set(eventsOf(live, 'agent').map(({ agent }) => agent))).toEqual(new Set(['ada', 'ben']));
    expect(eventsOf(live, 'turn_end').every(({ ok, reason }) => ok && reason === 'completed')).toBe(true);
  });

  it('LV-9 a subagent has its own place, under its kind', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    runner.on('PreToolUse', { name: 'guard' }, () => undefined);
    const scout = scriptedModel([looks('the hill'), { text: 'A hill.' }]);
    const { loop } = makeLoop(
      [
        {
          tools: [
            { name: 'Agent', input: { description: 'look around', prompt: 'Look.', subagent_type: 'scout' } },
          ],
        },
        { text: 'It sees a hill.' },
      ],
      {
        hooks: runner,
        tools: [look, agentTool],
        agents: { scout: { description: 'Looks', prompt: 'You look.', model: scout } },
      },
    );
    await readAll(live.follow(loop.run('Look around.')));
    const agents = new Map(eventsOf(live, 'agent').map(({ agent, label }) => [agent, label]));
    const label = (agent: string): string => agents.get(agent)?.replace(/ \w+$/, '') ?? '';
    expect(eventsOf(live, 'text').map(({ agent, text }) => `${label(agent)}: ${text}`)).toEqual([
      'scout: A hill.',
      'main: It sees a hill.',
    ]);
    const fires = eventsOf(live, 'fire').map(({ agent, tool }) => `${label(agent)}: ${tool?.name}`);
    expect(fires).toEqual(['main: Agent', 'scout: Look']);
    expect(eventsOf(live, 'turn').map(({ agent, prompt }) => `${label(agent)}: ${prompt}`)).toContain(
      'scout: look around',
    );
  });

  it('LV-9 agentId names an agent whose fires do not', async () => {
    const live = await openView();
    const { loop } = makeLoop([{ text: 'Hello.' }]);
    await readAll(live.follow(loop.run('hi'), { agentId: 'eve' }));
    expect(eventsOf(live, 'text')).toEqual([expect.objectContaining({ agent: 'eve', text: 'Hello.' })]);
  });
});

describe('runs', () => {
  it('LV-10 follow gives the run on, message for message, with its result', async () => {
    const live = await openView();
    const { loop } = makeLoop([looks('a', 'I look.'), { text: 'Done.' }]);
    const run = live.follow(loop.run('go'));
    const kinds: string[] = [];
    for (;;) {
      const step = await run.next();
      if (step.done) {
        expect(step.value).toMatchObject({ type: 'result', result: 'Done.' });
        break;
      }
      kinds.push(step.value.type);
    }
    expect(kinds).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
    expect(eventsOf(live, 'tool_result')).toEqual([expect.objectContaining({ ok: true, text: 'saw a' })]);
  });

  it('LV-10 whoever stops reading ends the run; a run that cannot be had rejects as it does', async () => {
    const live = await openView();
    const { loop } = makeLoop([looks('a'), { text: 'Next.' }]);
    for await (const message of live.follow(loop.run('go'))) if (message.type === 'assistant') break;
    expect(eventsOf(live, 'text')).toEqual([]);
    // Another one would be refused while the first goes on.
    await readAll(live.follow(loop.run('again')));
    expect(eventsOf(live, 'text').map(({ text }) => text)).toEqual(['Next.']);
    await loop.close();
    await expect(live.follow(loop.run('more')).next()).rejects.toMatchObject({ code: 'disposed' });
  });

  it('LV-10 watch reads a run alone', async () => {
    const live = await openView();
    const { loop } = makeLoop([{ text: 'Alone.' }]);
    live.watch(loop.run('go'), { agentId: 'ada' });
    await until(() => eventsOf(live, 'turn_end').length === 1, 'the end of the run');
    expect(eventsOf(live, 'text')[0]?.text).toBe('Alone.');
  });

  it('LV-10 what was said before a fire stands before it, and hooks are shown once', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    for (const event of ['PreToolUse', 'PostToolUse', 'Stop'] as const)
      runner.on(event, { name: event }, () => undefined);
    const { loop } = makeLoop([looks('a', 'I look.'), { text: 'Done.' }], { hooks: runner });
    await readAll(live.follow(loop.run('go')));
    const story = live.events.flatMap((event) => {
      if (event.type === 'text') return [event.text];
      if (event.type === 'hook') return [event.name];
      return event.type === 'tool' || event.type === 'turn_end' ? [event.type] : [];
    });
    expect(story).toEqual(['I look.', 'tool', 'PreToolUse', 'PostToolUse', 'Done.', 'Stop', 'turn_end']);
  });

  it('LV-10 without the runner, hooks are still shown from the messages of the run', async () => {
    const runner = makeRunner();
    const live = await openView();
    runner.on('Stop', { name: 'guard' }, () => undefined);
    const { loop } = makeLoop([{ text: 'Done.' }], { hooks: runner });
    await readAll(live.follow(loop.run('go'), { agentId: 'ada' }));
    expect(eventsOf(live, 'hook')).toEqual([expect.objectContaining({ name: 'guard', agent: 'ada' })]);
    expect(eventsOf(live, 'hook_end')).toHaveLength(1);
  });
});

describe('items', () => {
  it('LV-11 every change is told once, with what the item says, whoever else tells of it', async () => {
    const mailbox = createMailbox({ agents: ['ada', 'ben'] });
    const human = createHumanInput({ mailbox, label: 'Eva' });
    const live = await openView({ mailbox, human });
    const gate = makeGate();
    const runner = makeRunner();
    live.watch(runner);
    runner.on('PreToolUse', () => gate.opened);
    const options = { mailbox, hooks: runner } as const;
    const { loop: ada } = makeLoop([looks('a'), { text: 'Done.' }], { ...options, agentId: 'ada' });
    const { loop: ben } = makeLoop([looks('b'), { text: 'Done.' }], { ...options, agentId: 'ben' });
    const runs = [readAll(live.follow(ada.run('go'))), readAll(live.follow(ben.run('go')))];
    await until(() => eventsOf(live, 'tool').length === 2, 'both at work');
    await human.say({ content: 'Hurry.', to: 'ada', id: 'one' });
    gate.open();
    await Promise.all(runs);
    const told = eventsOf(live, 'item').map(({ item, to, state, label }) => [item, to, state, label]);
    expect(told).toEqual([
      ['one', 'ada', 'queued', 'Eva'],
      ['one', 'ada', 'delivered', 'Eva'],
    ]);
    expect(eventsOf(live, 'item_text')).toEqual([expect.objectContaining({ item: 'one', text: 'Hurry.' })]);
    expect(eventsOf(live, 'item').at(-1)).toMatchObject({ agent: 'ada', turn: 1 });
  });

  it('LV-11 what waited before anybody watched is shown too, and many at once are looked up together', async () => {
    const mailbox = createMailbox({ agents: ['ada'] });
    await mailbox.put({ content: 'early', to: 'ada', id: 'early' });
    let asked = 0;
    const counting = {
      agents: mailbox.agents,
      onChange: mailbox.onChange.bind(mailbox),
      pending: (agentId: string) => {
        asked += 1;
        return mailbox.pending(agentId);
      },
    };
    const live = await openView();
    live.watch(counting);
    await until(() => eventsOf(live, 'item_text').length === 1, 'the early one');
    for (let i = 0; i < 100; i += 1) await mailbox.put({ content: `text ${i}`, to: 'ada', id: `item-${i}` });
    await until(() => eventsOf(live, 'item_text').length === 101, 'all texts');
    expect(eventsOf(live, 'item').map(({ item, state }) => [item, state])).toContainEqual([
      'early',
      'queued',
    ]);
    expect(asked).toBeLessThanOrEqual(101);
  });
});

describe('long texts', () => {
  it('LV-12 are cut, and say so', async () => {
    const runner = makeRunner();
    const live = await openView();
    live.watch(runner);
    const long = 'x'.repeat(100_000);
    runner.on('PreToolUse', { name: `n${long}` }, (_input, _id, { progress }) => {
      progress(long);
      return { decision: 'block', reason: long };
    });
    const { loop } = makeLoop([looks(long, long), { text: 'Done.' }], { hooks: runner });
    await readAll(live.follow(loop.run(long)));
    const longest = Math.max(...live.events.map((event) => JSON.stringify(event).length));
    expect(longest).toBeLessThan(21_000);
    expect(eventsOf(live, 'tool')[0]?.input.length).toBe(4000);
    expect(eventsOf(live, 'tool')[0]?.input).toMatch(/\[cut: \d+ characters in all\]$/);
    expect(eventsOf(live, 'hook')[0]?.name.length).toBe(200);
    expect(eventsOf(live, 'text')[0]?.text.length).toBe(20_000);
  });
});
