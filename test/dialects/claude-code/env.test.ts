/** The `env` of settings files, and secrets that an approval passes on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTrustStore, type Trust, trustSubjects } from '../../../src/index.js';
import { type Place, place, settings, short } from './support.js';

afterEach(() => void vi.unstubAllEnvs());

/** A command that writes its environment down under this name. */
const writing = (name: string): string => `env > "$CLAUDE_PROJECT_DIR/${name}.env"`;

const bash = { tool_name: 'Bash', tool_input: {}, tool_use_id: '1' };

async function variablesOf(where: Place, trust: Trust = 'workspace'): Promise<(name: string) => string[]> {
  const plugins = existsSync(where.plugin) ? [where.plugin] : [];
  const runner = where.runner(await where.load({ trust, plugins }), { onWarning: () => {} });
  await runner.fire('PreToolUse', bash);
  return (name) => readFileSync(join(where.workspace, `${name}.env`), 'utf8').split('\n');
}

describe('env of settings', () => {
  it('CF-27 of the user and the administrator reaches every command, that of the workspace only its own', async () => {
    const where = place();
    const env = (value: string) => ({ COMMON: value, [`OF_${value.toUpperCase()}`]: value });
    where.write('managed.json', { env: { BOUND: 'managed' } });
    where.write('home/settings.json', {
      ...settings('PreToolUse', writing('user')),
      env: { ...env('user'), BOUND: 'user' },
    });
    where.write('plugin/hooks/hooks.json', settings('PreToolUse', writing('plugin')));
    where.write('workspace/.claude/settings.json', {
      ...settings('PreToolUse', writing('project')),
      env: { ...env('project'), BOUND: 'project' },
    });
    where.write('workspace/.claude/settings.local.json', { env: env('local') });
    const of = await variablesOf(where);
    for (const name of ['user', 'plugin']) {
      expect(of(name)).toEqual(expect.arrayContaining(['COMMON=user', 'OF_USER=user', 'BOUND=managed']));
      expect(of(name).join('\n')).not.toMatch(/OF_PROJECT|OF_LOCAL/);
    }
    expect(of('project')).toEqual(
      expect.arrayContaining([
        'COMMON=local',
        'OF_USER=user',
        'OF_PROJECT=project',
        'OF_LOCAL=local',
        'BOUND=managed',
      ]),
    );
  });

  it('CF-27 counts more than what this process has, and secrets of the user stay away from the workspace', async () => {
    vi.stubEnv('MY_SETTING', 'exported');
    const where = place();
    where.write('home/settings.json', {
      ...settings('PreToolUse', writing('user')),
      env: { MY_SETTING: 'written', MY_API_KEY: 'secret' },
    });
    where.write('workspace/.claude/settings.json', settings('PreToolUse', writing('project')));
    const of = await variablesOf(where);
    expect(of('user')).toEqual(expect.arrayContaining(['MY_SETTING=written', 'MY_API_KEY=secret']));
    expect(of('project')).toContain('MY_SETTING=written');
    expect(of('project').join('\n')).not.toContain('secret');
  });

  it('CF-27 of a workspace is approved with each of its hooks: another value makes them modified', async () => {
    const where = place();
    const trust = createTrustStore({ file: join(where.dir, 'store/trust.json') });
    const write = (env: object) =>
      where.write('workspace/.claude/settings.json', { ...settings('PreToolUse', writing('project')), env });
    const statuses = async () => trust.status(where.workspace, trustSubjects(await where.load({ trust })));
    write({ LEVEL: 'high' });
    expect((await where.load({ trust })).groups[0]?.hooks[0]?.inactive?.reason).toBe('untrusted');
    await trust.approve(where.workspace, trustSubjects(await where.load({ trust })));
    expect((await variablesOf(where, trust))('project')).toContain('LEVEL=high');
    write({ LEVEL: 'low' });
    expect(await statuses()).toEqual(['modified']);
    where.write('workspace/.claude/settings.local.json', { env: { LEVEL: 'high' } });
    expect(await statuses()).toEqual(['trusted']);
  });

  it('CF-27 what makes programs load code is not set, nor a PATH of the workspace; each is said', async () => {
    const where = place();
    where.write('home/settings.json', {
      env: { NODE_OPTIONS: '--require ./x', PATH: process.env['PATH'], A: 'a' },
    });
    where.write('workspace/.claude/settings.json', {
      ...settings('PreToolUse', writing('project')),
      env: { LD_PRELOAD: './x.so', BASH_ENV: './x', PATH: './bin' },
    });
    const config = await where.load();
    const told = config.diagnostics.filter(({ code }) => code === 'loader_variable');
    expect(told.map(({ message }) => message.split(' ')[2])).toEqual([
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'BASH_ENV',
      'PATH',
    ]);
    const of = await variablesOf(where);
    expect(of('project').join('\n')).not.toMatch(/--require|x\.so|BASH_ENV|PATH=\.\/bin/);
    expect(of('project')).toContain('A=a');
  });

  it('CF-27 wrong types are reported at their place; a number and a flag count as their text', async () => {
    const where = place();
    where.write('home/settings.json', settings('PreToolUse', writing('user')));
    const file = where.write(
      'named.json',
      '{ "env": {\n"N": 5,\n"F": true,\n"L": [],\n"X": null,\n"": "a",\n"A=B": "c",\n"Z": "a\\u0000b" } }',
    );
    const config = await where.load({ files: [file, where.write('list.json', '{\n"env": [] }')] });
    expect(short(config)).toEqual([
      '2:6 warning wrong_type',
      '3:6 warning wrong_type',
      '4:6 error wrong_type',
      '5:6 error wrong_type',
      '6:5 error wrong_type',
      '7:8 error wrong_type',
      '8:6 error wrong_type',
      '2:8 error wrong_type',
    ]);
    await where.runner(config).fire('PreToolUse', bash);
    const written = readFileSync(join(where.workspace, 'user.env'), 'utf8').split('\n');
    expect(written).toEqual(expect.arrayContaining(['N=5', 'F=true']));
  });
});

describe('secrets of an approved hook', () => {
  const needing = (name: string) => `test -n "$${name}" || { echo "no ${name}" >&2; exit 1; }`;

  async function approved(hook: string | Record<string, unknown>, env?: readonly string[]) {
    const where = place();
    const trust = createTrustStore({ file: join(where.dir, 'store/trust.json') });
    where.write('workspace/.claude/settings.json', settings('Stop', hook));
    where.write('workspace/notify.sh', `#!/bin/sh\n${needing('SLACK_WEBHOOK_URL')}\n`);
    const [fingerprint = ''] = await trust.approve(
      where.workspace,
      trustSubjects(await where.load({ trust })),
      { env },
    );
    const runner = where.runner(await where.load({ trust }));
    const outcome = await runner.fire('Stop', { stop_hook_active: false });
    return { outcome, runner, fingerprint };
  }

  it('TR-17 CF-6 reach it when the approval names them, and not before', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'key');
    const { outcome } = await approved(needing('OPENAI_API_KEY'), ['OPENAI_API_KEY']);
    expect(outcome.failures).toEqual([]);
    expect((await approved(needing('OPENAI_API_KEY'))).outcome.failures).toHaveLength(1);
  });

  it('CF-26 are named when it fails and speaks of them, in its line or in its script', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'key');
    vi.stubEnv('SLACK_WEBHOOK_URL', 'http://localhost/');
    vi.stubEnv('OTHER_TOKEN', 'other');
    const { outcome, fingerprint } = await approved(`./notify.sh; ${needing('OPENAI_API_KEY')}`);
    expect(outcome.failures[0]?.message).toBe(
      `it exited with code 1; stderr begins with "no SLACK_WEBHOOK_URL\\nno OPENAI_API_KEY"; OPENAI_API_KEY, SLACK_WEBHOOK_URL are set but withheld from this hook; use hookline trust approve ${fingerprint.slice(0, 8)} --env OPENAI_API_KEY,SLACK_WEBHOOK_URL to pass them`,
    );
  });

  it('CF-26 are named of a hook in the background, too', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'key');
    const { outcome } = await approved({ type: 'command', command: needing('OPENAI_API_KEY'), async: true });
    const ended = await outcome.pending[0]?.completion;
    expect(ended?.failure?.message).toContain('OPENAI_API_KEY is set but withheld from this hook;');
  });

  it('CF-26 are not named when they are not set, are passed on, load code, or the hook refuses', async () => {
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    vi.stubEnv('OPENAI_API_KEY', 'key');
    const messages = [
      await approved('echo $NODE_OPTIONS $UNSET_TOKEN >/dev/null; exit 1'),
      await approved('echo $OPENAI_API_KEY >/dev/null; exit 1', ['OPENAI_API_KEY']),
      await approved('echo $OPENAI_API_KEY >/dev/null; exit 2'),
    ].map(({ outcome }) => outcome.failures[0]?.message ?? outcome.reason);
    expect(messages).toEqual(['it exited with code 1', 'it exited with code 1', 'No stderr output']);
  });
});
