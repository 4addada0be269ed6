import { describe, expect, test } from 'vitest';
import { inheritEnvironment, scrubEnvironment } from '../../src/process/environment.js';
import { processTest } from '../support/process-harness.js';

const named = (names: string): Record<string, string> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, 'value']));

describe('a scrubbed environment', () => {
  test('has no secrets', () => {
    const secrets = named(
      `OPENAI_API_KEY ANTHROPIC_API_KEY GITHUB_TOKEN NPM_TOKEN GH_TOKEN AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
       AWS_SESSION_TOKEN AWS_PROFILE CLIENT_SECRET SECRET_KEY_BASE DB_PASSWORD PGPASSWORD MYSQL_PWD SMTP_PASS
       GOOGLE_APPLICATION_CREDENTIALS AZURE_CLIENT_SECRET DOCKER_AUTH_CONFIG SSH_AUTH_SOCK NPM_CONFIG__AUTH
       npm_config_//registry.npmjs.org/:_authToken apiKey accessToken APIKEY MY_APITOKEN SESSION_COOKIE SENTRY_DSN
       KEY TOKEN SIGNING_KEYS GPG_PASSPHRASE AZURE_STORAGE_CONNECTION_STRING SLACK_WEBHOOK_URL SSHPASS`,
    );
    expect(scrubEnvironment(secrets, [])).toEqual({});
  });

  test('has no secrets under harmless names either', () => {
    const base = {
      DATABASE_URL: 'postgres://user:hunter2@db/x',
      HTTPS_PROXY: 'http://me:hunter2@proxy:8080',
      LLM: `sk-${'a'.repeat(40)}`,
      BOT: `ghp_${'a'.repeat(36)}`,
      PEM: '-----BEGIN RSA PRIVATE KEY-----\nabc',
      SESSION: 'eyJhbGciOi.eyJzdWIiOi.c2ln',
    };
    expect(scrubEnvironment(base, [])).toEqual({});
  });

  test('has nothing that loads code into programs', () => {
    const loaders = named(
      `NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND
       PYTHONSTARTUP PYTHONPATH PERL5OPT RUBYOPT GIT_SSH_COMMAND GIT_CONFIG_COUNT GIT_EXTERNAL_DIFF GIT_ASKPASS
       BASH_FUNC_ls%% SHELLOPTS PS4 JAVA_TOOL_OPTIONS`,
    );
    expect(scrubEnvironment(loaders, [])).toEqual({});
  });

  test('keeps what programs need', () => {
    const needed = named(
      `PATH HOME USER SHELL LANG LC_ALL TERM TMPDIR PWD OLDPWD EDITOR NODE_ENV CI GIT_AUTHOR_NAME GIT_DIR
       XDG_CONFIG_HOME VIRTUAL_ENV DISPLAY KEYBOARD_LAYOUT MONKEY AUTHOR COMPASS TOKENIZERS_PARALLELISM NO_PROXY`,
    );
    expect(scrubEnvironment(needed, [])).toEqual(needed);
    const urls = {
      HTTPS_PROXY: 'http://proxy:8080',
      REPO: 'https://github.com/a/b',
      GIT: 'git@github.com:a/b',
    };
    expect(scrubEnvironment(urls, [])).toEqual(urls);
  });

  test('has what was declared by name, whatever it is', () => {
    const base = named('GITHUB_TOKEN NPM_TOKEN LD_PRELOAD BASH_ENV');
    expect(scrubEnvironment(base, ['GITHUB_TOKEN', 'BASH_ENV', 'ABSENT'])).toEqual(
      named('GITHUB_TOKEN BASH_ENV'),
    );
  });
});

describe('an inherited environment', () => {
  test('is all of it but the startup files of shells, unless these were declared', () => {
    const base = { ...named('GITHUB_TOKEN NODE_OPTIONS BASH_ENV ENV'), GONE: undefined };
    expect(inheritEnvironment(base)).toEqual(named('GITHUB_TOKEN NODE_OPTIONS'));
    expect(inheritEnvironment(base, ['ENV'])).toEqual(named('GITHUB_TOKEN NODE_OPTIONS ENV'));
    expect(Object.keys(inheritEnvironment()).length).toBeGreaterThan(0);
  });

  test('is a copy, whatever the names are', () => {
    const base = Object.fromEntries([['__proto__', 'x']]);
    const copy = inheritEnvironment(base);
    expect(Object.hasOwn(copy, '__proto__')).toBe(true);
    expect(copy).not.toBe(base);
  });
});

describe('the environment of a child', () => {
  processTest('is exactly what was given', async ({ fixture, dir }) => {
    const { stdout } = await fixture('print-environment.sh', [], { env: { GIVEN: 'a=b' } }).done;
    const names = stdout.split('\n').map((line) => line.split('=')[0] ?? '');
    // The shell adds the working directory and its own bookkeeping.
    expect(names.filter((name) => name && !['PWD', 'OLDPWD', '_', 'SHLVL'].includes(name)).sort()).toEqual([
      'GIVEN',
      'PATH',
      'PIDS',
    ]);
    expect(stdout).toContain('GIVEN=a=b\n');
    expect(stdout).toContain(`PWD=${dir}\n`);
  });

  processTest('makes no shell read a profile', async ({ run, dir }) => {
    const noise = 'for f in .profile .bashrc .bash_profile .zshrc; do echo "echo noise" > $f; done';
    await run({ command: noise }).done;
    const env = inheritEnvironment({ HOME: dir, BASH_ENV: `${dir}/.bashrc`, ENV: `${dir}/.profile` });
    for (const shell of ['/bin/sh', '/bin/bash']) {
      expect((await run({ command: 'echo clean', shell, env }).done).stdout).toBe('clean\n');
    }
  });
});
