/** A MassGen file on the command line: what `check` says about it, and as which of its agents `run` works. */
import { describe, expect, it } from 'vitest';
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

  it('RU-15 run says what it leaves out of the settings of its agent', async () => {
    const { call, write } = folder();
    const own = '{ id: ben, system_message: Be brief., backend: { type: claude, model: m, cwd: work } }';
    write('config.yaml', FILE.replace('{ id: ben, backend: { type: claude } }', own));
    write('turns.json', TURNS);
    const run = (agent: string) =>
      call(['run', '-p', 'go', '--script', 'turns.json', '--massgen', 'config.yaml', '--agent', agent]);
    expect((await run('ben')).err).toContain('but not: model, cwd, system_message. hookline team uses');
    expect((await run('ada')).err).not.toContain('but not');
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
