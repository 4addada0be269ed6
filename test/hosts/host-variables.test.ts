/** The variables that hooks of hosts read, and what an approval knows about them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadHostConfig } from '../../src/dialects/host/load.js';
import { HOSTS } from '../../src/dialects/hosts.js';
import { SET_FOR_EACH_RUN } from '../../src/handlers/command/environment.js';
import { Runner } from '../../src/index.js';
import { type Folder, host, makeFolder } from './support.js';

const folders: Folder[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) folder.remove();
});

function written(files: Readonly<Record<string, object>>): Folder {
  const folder = makeFolder();
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
  }
  return folder;
}

const GEMINI = 'home/.gemini/settings.json';

describe('the variables of hooks', () => {
  /** What a hook of Gemini CLI sees, in a fire of its session `s`. */
  async function plansIn(folder: Folder, input: object = {}): Promise<string> {
    vi.stubEnv('HOME', folder.home);
    const runner = new Runner({ cwd: folder.project, onWarning: () => {} });
    try {
      runner.use(
        await loadHostConfig(host('gemini'), { cwd: folder.project, home: folder.home, trust: 'workspace' }),
        { onLostProtection: 'warn' },
      );
      const fired = { prompt: 'x', cwd: folder.project, session_id: 's', ...input };
      const { additionalContext = [] } = await runner.fire('UserPromptSubmit', fired as never);
      return additionalContext.join();
    } finally {
      await runner.dispose();
    }
  }
  const context = `{"hookSpecificOutput":{"hookEventName":"BeforeAgent","additionalContext":"$GEMINI_PLANS_DIR"}}`;
  const command = `cat > /dev/null; cat <<END\n${context}\nEND`;

  it.each([GEMINI, 'project/.gemini/settings.json'])(
    'HS-45 Gemini CLI names the folder for plans: %s',
    async (file) => {
      const folder = written({
        [file]: { hooks: { BeforeAgent: [{ hooks: [{ type: 'command', command }] }] } },
      });
      const tmp = join(folder.home, '.gemini/tmp');
      expect(await plansIn(folder)).toBe(join(tmp, 'project/s/plans'));
      const projects = { [folder.project]: 'project-1' };
      mkdirSync(join(folder.home, '.gemini'), { recursive: true });
      writeFileSync(join(folder.home, '.gemini/projects.json'), JSON.stringify({ projects }));
      expect(await plansIn(folder)).toBe(join(tmp, 'project-1/s/plans'));
      const transcript_path = '/h/.gemini/tmp/other/chats/session-1.jsonl';
      expect(await plansIn(folder, { transcript_path })).toBe('/h/.gemini/tmp/other/s/plans');
      expect(await plansIn(folder, { transcript_path: '/h/.hookline/chats/1.jsonl' })).toBe(
        join(tmp, 'project-1/s/plans'),
      );
    },
  );

  it('HS-45 Gemini CLI calls a project by the name of its folder', async () => {
    const folder = written({
      [GEMINI]: { hooks: { BeforeAgent: [{ hooks: [{ type: 'command', command }] }] } },
    });
    const cwd = join(folder.dir, 'My  Project_(2)');
    mkdirSync(cwd);
    mkdirSync(join(folder.home, '.gemini'), { recursive: true });
    writeFileSync(join(folder.home, '.gemini/projects.json'), '{ broken');
    expect(await plansIn(folder, { cwd })).toBe(join(folder.home, '.gemini/tmp/my-project-2/s/plans'));
  });

  it('HS-45 what is set for each session is unknown to an approval', () => {
    const ofSession = HOSTS.flatMap((each) =>
      Object.entries(each.environment('/p', '')).flatMap(([name, value]) => (value === '' ? [name] : [])),
    );
    expect(ofSession).toContain('GEMINI_PLANS_DIR');
    expect(SET_FOR_EACH_RUN).toEqual(expect.arrayContaining(ofSession));
  });
});
