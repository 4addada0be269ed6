/** `hookline team` on the command line: what it prints, its exit codes, its page, and the models it finds. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventsIn, listen } from '../../live/support.js';
import { until } from '../../support/process-harness.js';
import { startBrains, type Think } from '../../team/support/brain-server.js';
import { call as callTool, saidIn, thinkAnswerThenVote, toolsIn } from '../../team/support/brains.js';
import { folder } from '../support.js';

const TWO = `
agents:
  - { id: ada, backend: { type: claude, model: brain-ada } }
  - { id: ben, backend: { type: claude, model: brain-ben } }
`;

async function bench(brains: Readonly<Record<string, Think>>) {
  const made = folder();
  const server = await startBrains(brains);
  onTestFinished(() => server.close());
  vi.stubEnv('ANTHROPIC_API_KEY', 'test-key');
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
  vi.stubEnv('OPENAI_API_KEY', '');
  made.write('team.yaml', TWO);
  return { ...made, server };
}

const BRAINS = {
  'brain-ada': thinkAnswerThenVote('six legs', 'eight legs'),
  'brain-ben': thinkAnswerThenVote('eight legs', 'eight legs'),
};

describe('hookline team', () => {
  it('CL-49 runs the agents of a file with their models, shows the course on stderr and the result on stdout', async () => {
    const { call, server, workspace } = await bench(BRAINS);
    const { code, out, err } = await call(['team', 'team.yaml', 'How many legs?', '--session', 'legs']);
    expect({ code, out }).toEqual({ code: 0, out: 'Final: eight legs\n' });
    expect(err).toMatch(/team legs: ada, ben/);
    expect(err).toMatch(/ada {2}answer ada\.1 {2}six legs/);
    expect(err).toMatch(/ada {2}vote for ben\.1 {2}It says eight legs\./);
    expect(err).toMatch(/ben\.1 wins/);
    expect([...server.requests.keys()].sort()).toEqual(['brain-ada', 'brain-ben']);
    expect(existsSync(join(workspace, '.hookline', 'team', 'legs', 'workspaces', '1'))).toBe(true);
  });

  it('CL-49 says which settings of the file are misspelt', async () => {
    const { call, write } = await bench(BRAINS);
    write('typo.yaml', `${TWO}orchestrator: { max_new_answer_per_agent: 1 }\n`);
    const { code, err } = await call(['team', 'typo.yaml', 'How many legs?']);
    expect(code).toBe(0);
    expect(err).toContain('did you mean `max_new_answers_per_agent`?');
  });

  it('CL-50 --json prints the result, --stream every event and the result last', async () => {
    const { call } = await bench(BRAINS);
    const json = await call(['team', 'team.yaml', 'How many legs?', '--json']);
    expect(json.json()).toMatchObject({ status: 'decided', winner: { agentId: 'ben', votes: 2 } });
    const { out } = await call(['team', 'team.yaml', 'How many legs?', '--stream']);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines[0]).toMatchObject({ type: 'started' });
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'decided' });
    const both = await call(['team', 'team.yaml', 'x', '--json', '--stream']);
    expect({ code: both.code, err: both.err }).toMatchObject({
      code: 64,
      err: expect.stringContaining('exclude each other'),
    });
  });

  it('CL-50 ends with 1 if nobody has answered, and says why', async () => {
    const { call } = await bench({});
    const { code, err, out } = await call(['team', 'team.yaml', 'How many legs?']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('Nobody has handed in an answer.');
    expect(err).toContain('no such model: brain-ada');
  });

  it('CL-51 an unknown agent, an agent alone in memory, a bad number and a missing file are wrong usage', async () => {
    const { call } = await bench(BRAINS);
    const err = async (...args: string[]): Promise<string> => {
      const called = await call(['team', ...args]);
      expect(called.code).toBe(64);
      return called.err;
    };
    expect(await err('nowhere.yaml', 'x')).toContain('"nowhere.yaml" cannot be read');
    expect(await err('team.yaml', 'x', '--agent', 'eve')).toContain('the agents of the file are: ada, ben');
    expect(await err('team.yaml', 'x', '--agent', 'ada')).toContain('add --files DIR or --redis URL');
    expect(await err('team.yaml', 'x', '--timeout', 'soon')).toContain('--timeout is "soon"');
    expect(await err('team.yaml', 'x', '--session', '../x')).toContain('--session is "../x"');
    expect(await err('team.yaml', 'x', '--files', 'a', '--redis', 'redis://b')).toContain(
      'exclude each other',
    );
    expect(await err('team.yaml', '')).toContain('The question is empty');
    expect(await err('team.yaml')).toContain('team <file> <question>');
  });

  it('CL-52 without a key the embedded model demonstrates the team, and every agent says so', async () => {
    const { call, write } = folder();
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    vi.stubEnv('OPENAI_API_KEY', '');
    write('team.yaml', TWO.replace('claude, model: brain-ada', 'gemini, model: gemini-3-flash-preview'));
    const { code, out, err } = await call(['team', 'team.yaml', 'Write a poem']);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('The embedded model only demonstrates a team.'),
    });
    expect(err).toContain('ada: there is no key for gemini gemini-3-flash-preview');
    expect(err).toContain('ben: there is no key for claude brain-ben');
  });

  it('CL-52 a backend without a key is answered by the model that has one, and it is said', async () => {
    const { call, write } = await bench({
      ...BRAINS,
      'brain-default': thinkAnswerThenVote('ten legs', 'eight legs'),
    });
    vi.stubEnv('ANTHROPIC_MODEL', 'brain-default');
    write('team.yaml', TWO.replace('claude, model: brain-ada', 'gemini, model: gemini-3-flash-preview'));
    const { code, err } = await call(['team', 'team.yaml', 'How many legs?']);
    expect(code).toBe(0);
    expect(err).toContain(
      'ada: there is no key for gemini gemini-3-flash-preview, so brain-default answers.',
    );
  });

  it('CL-52 a script for all, or one for each agent, answers instead of models', async () => {
    const { call, write } = folder();
    write('team.yaml', 'agents: [{ id: ada }]');
    write('turns.yaml', {
      ada: [
        { tools: [{ name: 'new_answer', input: { content: 'eight' } }] },
        { tools: [{ name: 'vote', input: { agent_id: 'agent1' } }] },
        { text: 'Eight legs.' },
      ],
    });
    const { code, out } = await call(['team', 'team.yaml', 'Legs?', '--script', 'turns.yaml']);
    expect({ code, out }).toEqual({ code: 0, out: 'Eight legs.\n' });
    write('turns.yaml', { eve: [] });
    const none = await call(['team', 'team.yaml', 'Legs?', '--script', 'turns.yaml']);
    expect({ code: none.code, err: none.err }).toMatchObject({
      code: 64,
      err: expect.stringContaining('no script for the agent "ada"'),
    });
  });

  it('CL-53 --serve shows runs and votes on the page until Ctrl-C, and people can write to the agents', async () => {
    const controller = new AbortController();
    const think = thinkAnswerThenVote('six legs', 'eight legs');
    let url = '';
    const { call } = await bench({
      ...BRAINS,
      'brain-ada': async (request) => {
        const said = saidIn(request);
        const isFirstRound = toolsIn(request).includes('vote') && !said.includes('Your own answer');
        if (!isFirstRound || said.includes('Count them')) return think(request);
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ text: 'Count them', to: 'ada' });
        expect((await fetch(`${url}say`, { method: 'POST', headers, body })).status).toBe(200);
        return callTool('Glob', { pattern: '*' });
      },
    });
    const notes: string[] = [];
    const { code, out } = await call(['team', 'team.yaml', 'How many legs?', '--serve'], {
      signal: controller.signal,
      onPrint: (text) => {
        url ||= /The page: (\S+)/.exec(text)?.[1] ?? '';
        if (!text.includes('until you press Ctrl-C')) return;
        void (async () => {
          const page = await listen(url);
          const said = () =>
            eventsIn(page).flatMap((event) =>
              event.type === 'note' ? [`${event.agent}: ${event.text}`] : [],
            );
          await until(() => said().some((note) => note.includes('wins')), 'the decision on the page');
          notes.push(...said());
          controller.abort();
        })();
      },
    });
    expect({ code, out }).toEqual({ code: 0, out: 'Final: eight legs\n' });
    expect(notes).toContain('ada: answer ada.1  six legs');
    expect(notes).toContain('ada: vote for ben.1  It says eight legs.');
    expect(notes).toContain('ben: ben.1 wins');
  });
});
