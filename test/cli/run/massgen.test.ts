/** A MassGen file on the command line: what `check` says about it, and as which of its agents `run` works. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBrains } from '../../team/support/brain-server.js';
import { call as callTool, saidIn } from '../../team/support/brains.js';
import { folder } from '../support.js';

const FILE = `
ui: { display_type: rich_terminal }
agents:
  - id: ada
    backend: { type: claude, timeout_settings: { initial_round_timeout_seconds: 0, round_timeout_grace_seconds: 0 } }
  - { id: ben, backend: { type: claude } }
hooks: { PreToolUse: [{ type: command, handler: "true" }] }
`;
const TURNS = [{ tools: [{ name: 'TaskList' }] }, { tools: [{ name: 'TaskList' }] }, { text: 'Done.' }];

describe('a MassGen file', () => {
  it('MG-39 check names the keys that are not read, and they are no failure, not even with --strict', async () => {
    const { call, write } = folder();
    write('config.yaml', FILE);
    for (const strict of [[], ['--strict']]) {
      const { code, out } = await call(['check', '--massgen', 'config.yaml', ...strict]);
      expect(out).toContain('config.yaml:2:1  note  Not read here, so without effect: ui. (not_read_here)');
      expect(out).toContain('Fine: 1 hook checked, nothing found.');
      expect(code).toBe(0);
    }
    const { problems } = (await call(['check', '--massgen', 'config.yaml', '--json'])).json<{
      problems: unknown;
    }>();
    expect(problems).toMatchObject([{ severity: 'info', code: 'not_read_here' }]);
  });

  it('RU-15 run --agent works as that agent of the file, with its settings', async () => {
    const { call, write } = folder();
    write('config.yaml', FILE);
    write('turns.json', TURNS);
    const run = (...more: string[]) =>
      call([
        'run',
        '-p',
        'go',
        '--script',
        'turns.json',
        '--massgen',
        'config.yaml',
        '--output-format',
        'stream-json',
        '--verbose',
        ...more,
      ]);
    const ada = await run('--agent', 'ada');
    expect(ada.out).toContain('TaskList is refused (1 in a row)');
    expect(ada.err).toContain('Not read here');
    expect((await run('--agent', 'ben')).out).not.toContain('is refused');
    const none = await run();
    expect(none.err).toContain(
      'none of the agents ada, ben, so only the hooks for all apply. Choose one with --agent',
    );
    expect(none.code).toBe(0);
    const unknown = await run('--agent', 'eve');
    expect(unknown.err).toContain('--agent is "eve", and the agents of --massgen are: ada, ben');
    expect(unknown.code).toBe(64);
  });

  it('RU-15 run applies the folder, the system message and the model of its agent; flags win', async () => {
    const { call, write, workspace } = folder();
    const server = await startBrains({
      'brain-ben': (request) =>
        saidIn(request).includes('tool_result')
          ? { text: 'Done.' }
          : callTool('Write', { file_path: 'legs.txt', content: 'eight\n' }),
      other: () => ({ text: 'Other.' }),
    });
    onTestFinished(() => server.close());
    vi.stubEnv('ANTHROPIC_API_KEY', 'test-key');
    vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
    const own =
      '{ id: ben, system_message: Be brief., backend: { type: claude, model: brain-ben, cwd: files/work } }';
    write('config.yaml', FILE.replace('{ id: ben, backend: { type: claude } }', own));
    const run = (...more: string[]) =>
      call(['run', '-p', 'go', '--massgen', 'config.yaml', '--agent', 'ben', ...more]);
    const { code, out, err } = await run('--permission-mode', 'acceptEdits');
    expect({ code, out }).toEqual({ code: 0, out: 'Done.\n' });
    expect(err).not.toContain('ben');
    expect(readFileSync(join(workspace, 'files', 'work', 'legs.txt'), 'utf8')).toBe('eight\n');
    expect(server.requests.get('brain-ben')?.[0]?.system).toMatch(/^.{0,40}Be brief\./);
    expect((await run('--model', 'other', '--system-prompt', 'Be long.')).out).toBe('Other.\n');
    expect(server.requests.get('other')?.[0]?.system).toMatch(/^.{0,40}Be long\./);
    expect(server.requests.get('other')?.[0]?.system).not.toContain('Be brief.');
    await run('--model', 'other', '--append-system-prompt', 'And kind.');
    expect(server.requests.get('other')?.[1]?.system).toMatch(/Be brief\..*And kind\./);
    // What comes later finds the session by the agent's folder.
    expect((await run('--model', 'other', '--continue')).code).toBe(0);
    expect(JSON.stringify(server.requests.get('other')?.at(-1)?.messages)).toContain('Other.');
  });

  it('RU-15 a folder that cannot be made and a model without a key are said', async () => {
    const { call, write } = folder();
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    vi.stubEnv('OPENAI_API_KEY', '');
    write('config.yaml', 'agent: { id: ada, backend: { cwd: taken } }');
    write('taken', 'a file');
    write('turns.json', TURNS);
    const run = (...more: string[]) => call(['run', '-p', 'go', '--massgen', 'config.yaml', ...more]);
    const taken = await run('--script', 'turns.json');
    expect(taken).toMatchObject({ code: 64, err: expect.stringContaining('(`cwd`) cannot be made') });
    write('config.yaml', 'agent: { id: ada, backend: { type: gemini, model: gemini-3 } }');
    expect((await run('--init-only')).err).toContain('so the embedded one answers');
    vi.stubEnv('ANTHROPIC_API_KEY', 'key');
    vi.stubEnv('ANTHROPIC_MODEL', 'brain');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
    const { err } = await run('--init-only');
    expect(err).toContain('ada: there is no key for gemini gemini-3, so brain answers.');
  });

  it('RU-15 with task planning, run has the tools of MassGen', async () => {
    const { call, write, workspace } = folder();
    write(
      'config.yaml',
      'agent: { id: ada, backend: { cwd: work } }\norchestrator: { coordination: { enable_agent_task_planning: true, task_planning_filesystem_mode: true } }',
    );
    write('turns.json', [
      { tools: [{ name: 'create_task_plan', input: { tasks: [{ description: 'Count.' }] } }] },
      { text: 'Planned.' },
    ]);
    const { out } = await call(['run', '-p', 'go', '--massgen', 'config.yaml', '--script', 'turns.json']);
    expect(out).toBe('Planned.\n');
    expect(readFileSync(join(workspace, 'work', 'tasks', 'plan.json'), 'utf8')).toContain('Count.');
  });

  it('MG-40 run and team do not start with wrong settings, and name file, line and column', async () => {
    const { call, write } = folder();
    write('config.yaml', 'agents:\n  - { id: ada, backend: { debug_delay_after_n_tools: 2.5 } }\n');
    write('turns.json', TURNS);
    for (const args of [
      ['run', '-p', 'go', '--massgen', 'config.yaml'],
      ['team', 'config.yaml', 'go'],
    ]) {
      const { code, out, err } = await call([...args, '--script', 'turns.json']);
      expect({ code, out }).toEqual({ code: 78, out: '' });
      expect(err).toMatch(/config\.yaml:2:54: `agents\[\]\.backend\.debug_delay_after_n_tools` is 2\.5/);
    }
  });

  it('RU-15 the only agent of a file need not be named', async () => {
    const { call, write } = folder();
    write('config.yaml', FILE.replace('  - { id: ben, backend: { type: claude } }\n', ''));
    write('turns.json', TURNS);
    const { out } = await call([
      'run',
      '-p',
      'go',
      '--script',
      'turns.json',
      '--massgen',
      'config.yaml',
      '--output-format',
      'stream-json',
      '--verbose',
    ]);
    expect(out).toContain('TaskList is refused (1 in a row)');
  });
});
