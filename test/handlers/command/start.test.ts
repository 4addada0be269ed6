/** How commands are started: shell or not, what they read, where they are and what they find there. */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { command, HOOK_EVENTS, HookError, Runner } from '../../../src/index.js';
import { commandTest, only } from '../../support/command-harness.js';
import { bash, SAMPLES } from '../../support/runner.js';

commandTest('CO-1 a line goes to the shell, a program with args does not', async ({ fire, line, dir }) => {
  await fire(line('echo "$0 $#" > shell.txt'));
  expect(readFileSync(join(dir, 'shell.txt'), 'utf8')).toBe('/bin/sh 0\n');
  const exec = await fire(line('printf', { args: ['{"reason":"%s"}', '$HOME; echo x'] }));
  expect(exec.reason).toBe('$HOME; echo x');
});

commandTest('CO-1 another shell can be given', async ({ fire, line }) => {
  const outcome = await fire(line('[[ x == x ]] && echo \'{"reason":"bash"}\'', { shell: '/bin/bash' }));
  expect(outcome.reason).toBe('bash');
});

commandTest('CO-1 CO-5 startup files of shells are not read', async ({ fire, line, dir }) => {
  for (const file of ['.profile', '.bashrc', '.bash_profile', 'noise.sh']) {
    writeFileSync(join(dir, file), 'echo noise\n');
  }
  process.env['BASH_ENV'] = join(dir, 'noise.sh');
  process.env['ENV'] = join(dir, 'noise.sh');
  try {
    for (const shell of ['/bin/sh', '/bin/bash']) {
      const outcome = await fire(line("echo '{}'", { shell, env: { HOME: dir } }));
      expect(only(outcome).outcome, shell).toBe('success');
    }
  } finally {
    delete process.env['BASH_ENV'];
    delete process.env['ENV'];
  }
});

commandTest('CO-2 EV-2 stdin is the full input as one line of JSON', async ({ fire, line, dir }) => {
  await fire(line('cat > input.json'));
  const text = readFileSync(join(dir, 'input.json'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  expect(text.trimEnd()).not.toContain('\n');
  expect(JSON.parse(text)).toEqual({
    session_id: 'session',
    transcript_path: '',
    cwd: dir,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'use-1',
  });
});

commandTest('CO-2 strange characters arrive as they are', async ({ runner, line, dir }) => {
  runner.on('UserPromptSubmit', line('cat > input.json'));
  const prompt = 'a\u0000b\u2028c\ud83d\ude00d\ud800e"\\\n';
  await runner.fire('UserPromptSubmit', { prompt });
  expect(JSON.parse(readFileSync(join(dir, 'input.json'), 'utf8')).prompt).toBe(prompt);
});

describe('CO-2 an input that JSON cannot hold is refused before anything is started', () => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  let deep: unknown = 1;
  for (let i = 0; i < 50_000; i++) deep = { deep };
  const broken = {
    toJSON() {
      throw new Error('no');
    },
  };
  const unwritable = { 'a BigInt': 1n, 'a cycle': cycle, 'a toJSON that throws': broken, 'too deep': deep };
  for (const [what, tool_input] of Object.entries(unwritable)) {
    it(what, async () => {
      const runner = new Runner();
      let called = false;
      runner.on('PreToolUse', () => {
        called = true;
      });
      runner.on('PreToolUse', command('exit 2'));
      const fired = runner.fire('PreToolUse', { ...bash(), tool_input });
      await expect(fired).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(fired).rejects.toBeInstanceOf(HookError);
      expect(called).toBe(false);
    });
  }
});

commandTest(
  'OR-4 CO-2 a command reads the input as the hook before it left it',
  async ({ runner, line, dir }) => {
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls -l' } },
    }));
    runner.on('PreToolUse', line('cat > input.json'));
    await runner.fire('PreToolUse', bash());
    expect(JSON.parse(readFileSync(join(dir, 'input.json'), 'utf8')).tool_input).toEqual({
      command: 'ls -l',
    });
  },
);

commandTest(
  'CO-4 a command starts in its own cwd, else in that of the input',
  async ({ fire, line, runner, dir }) => {
    const own = join(dir, 'own');
    const session = join(dir, 'session');
    mkdirSync(own);
    mkdirSync(session);
    const pwd = 'printf \'{"reason":"%s"}\' "$(pwd -P)"';
    expect((await fire(line(pwd, { cwd: own }))).reason).toBe(realpathSync(own));
    runner.on('PreToolUse', line(pwd));
    expect((await runner.fire('PreToolUse', { ...bash(), cwd: session })).reason).toBe(realpathSync(session));
  },
);

commandTest('CO-6 it finds what it is about in its environment', async ({ runner, line, dir }) => {
  const names =
    '$HOOKLINE_EVENT,$HOOKLINE_SESSION_ID,$HOOKLINE_TOOL_NAME,$HOOKLINE_AGENT_ID,$CLAUDE_PROJECT_DIR';
  runner.on('PreToolUse', line(`printf '{"reason":"%s"}' "${names}"`));
  const outcome = await runner.fire('PreToolUse', bash(), { agentId: 'ada' });
  expect(outcome.reason).toBe(`PreToolUse,session,Bash,ada,${dir}`);
});

commandTest(
  'CO-5 secrets and loaders are kept from a scrubbed command unless it names them',
  async ({ fire, line }) => {
    const variables = { SOME_API_KEY: 'k', GITHUB_TOKEN: 't', NODE_OPTIONS: '--no-warnings', HARMLESS: 'h' };
    Object.assign(process.env, variables);
    try {
      const show = 'printf \'{"reason":"%s"}\' "$SOME_API_KEY,$GITHUB_TOKEN,$NODE_OPTIONS,$HARMLESS"';
      expect((await fire(line(show))).reason).toBe('k,t,--no-warnings,h');
      expect((await fire(line(show, { environment: 'scrub' }))).reason).toBe(',,,h');
      const declared = line(show, { environment: 'scrub', env: { GITHUB_TOKEN: 'mine' } });
      expect((await fire(declared)).reason).toBe(',mine,,h');
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
  },
);

commandTest('CO-6 hostile names cannot keep a guard from starting', async ({ runner, line }) => {
  runner.on('PreToolUse', line("echo '{}'"));
  for (const tool_name of ['a\u0000b', 'x'.repeat(300_000), '\n', '$(exit 3)']) {
    const outcome = await runner.fire('PreToolUse', { ...bash(), tool_name });
    expect(only(outcome).outcome).toBe('success');
  }
});

/** Every text of a value replaced, except those that only a few words can be. */
function withTexts(value: unknown, text: () => string): unknown {
  if (typeof value === 'string') return text();
  if (Array.isArray(value)) return value.map((item) => withTexts(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      ['source', 'reason', 'trigger'].includes(key) ? [key, item] : [key, withTexts(item, text)],
    ),
  );
}

commandTest(
  'CO-3 no text of any input of any event is ever run by a shell',
  async ({ runner, line, dir }) => {
    const canary = join(dir, 'canary');
    for (const event of HOOK_EVENTS) {
      runner.on(
        event,
        line('cat >/dev/null; printf %s "$HOOKLINE_TOOL_NAME$HOOKLINE_SESSION_ID" >/dev/null; echo \'{}\''),
      );
    }
    const attack = fc
      .constantFrom(
        '$(X)',
        '`X`',
        '; X;',
        '\nX\n',
        "'; X; '",
        '"; X; "',
        '| X',
        '&& X &&',
        '\u0000X',
        '${IFS}X',
        '\\\nX',
      )
      .map((text) => text.replaceAll('X', `touch ${canary}`));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...HOOK_EVENTS),
        fc.array(attack, { minLength: 8, maxLength: 8 }),
        async (event, texts) => {
          let next = 0;
          const text = (): string => texts[next++ % texts.length] ?? '';
          const input = withTexts(
            { ...SAMPLES[event], session_id: 's', transcript_path: 't', agent_id: 'a' },
            text,
          );
          const outcome = await runner.fire(event, input as never);
          expect(only(outcome).outcome).toBe('success');
          expect(existsSync(canary)).toBe(false);
        },
      ),
      { numRuns: 120 },
    );
  },
  { timeout: 60_000 },
);

describe('RE-2 bad commands are refused at registration', () => {
  const bad: Readonly<Record<string, unknown>> = {
    'no line': { type: 'command' },
    'an empty line': { type: 'command', command: '  ' },
    'args that are no list': { type: 'command', command: 'x', args: 'y' },
    'args with a NUL': { type: 'command', command: 'x', args: ['a\0b'] },
    'env with numbers': { type: 'command', command: 'x', env: { A: 1 } },
    'an unknown environment': { type: 'command', command: 'x', environment: 'none' },
    'an unknown type': { type: 'carrier-pigeon' },
  };
  for (const [what, hook] of Object.entries(bad)) {
    it(what, () => {
      expect(() => new Runner().on('PreToolUse', hook as never)).toThrow(
        expect.objectContaining({ code: 'invalid_hook' }),
      );
    });
  }
  it('a timeout of 0', () => {
    expect(() => new Runner().on('PreToolUse', command('x', { timeout: 0 }))).toThrow(
      expect.objectContaining({ code: 'invalid_timeout' }),
    );
  });
});
