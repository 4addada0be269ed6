/** `hookline run` as scripts use it: a process with flags, standard streams and an exit code. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anthropicWire } from '../../agent/models/servers/anthropic.js';
import { fails, sends, startLoopback } from '../../agent/models/servers/loopback.js';
import { isRunning, until } from '../../support/process-harness.js';
import { logging, place } from './support.js';

const SERVER = fileURLToPath(new URL('../../fixtures/tools/mcp-server.mjs', import.meta.url));
const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });
const says = (text: string) => ({ text });

describe('prompts and answers', () => {
  it('RU-1 RU-2: a prompt gets its answer, and nothing else is printed', async () => {
    const { write, run } = place();
    write('turns.json', [says('Hello.')]);
    expect(await run(['-p', 'hi', '--script', 'turns.json'])).toMatchObject({
      code: 0,
      out: 'Hello.\n',
      err: '',
    });
  });

  it('RU-1: what is piped in belongs to the prompt, or is it', async () => {
    const prompts: unknown[] = [];
    for (const [args, stdin] of [
      [['-p', 'explain this'], 'some text\n'],
      [['-p'], 'only text\nin two lines\n'],
    ] as const) {
      const folder = place();
      folder.write('turns.json', [says('Hello.')]);
      folder.write('.claude/settings.json', {
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'cat > prompt.json' }] }] },
      });
      await folder.run([...args, '--trust-workspace', '--script', 'turns.json'], { stdin });
      prompts.push(JSON.parse(folder.read('prompt.json')).prompt);
    }
    expect(prompts).toEqual(['explain this\n\nsome text', 'only text\nin two lines']);
  });

  it.each([
    [
      '.claude/settings.json',
      {
        hooks: { PreModelCall: [{ hooks: [{ type: 'command', command: 'echo "not today" >&2; exit 2' }] }] },
      },
    ],
    [
      'hookline.yaml',
      'hooks:\n  PreModelCall:\n    - hooks:\n        - { type: command, command: "echo not today >&2; exit 2" }\n',
    ],
  ])('RU-5 LO-48: a PreModelCall hook of %s is asked before the model', async (file, content) => {
    const { write, run } = place();
    write('turns.json', [says('Hello.')]);
    write(file, content);
    const ran = await run(['-p', 'hi', '--trust-workspace', '--script', 'turns.json']);
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('not today') });
    expect(ran.out).not.toContain('Hello.');
  });

  it('RU-1: each line of stream-json is a prompt of the same session', async () => {
    const { write, run } = place();
    write('turns.json', [says('One.'), says('Two.')]);
    const line = (content: unknown) => JSON.stringify({ type: 'user', message: { role: 'user', content } });
    const { code, lines } = await run(
      ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--script', 'turns.json'],
      { stdin: `${line('first')}\n\n${line([{ type: 'text', text: 'second' }])}\n` },
    );
    expect(code).toBe(0);
    const results = lines().filter(({ type }) => type === 'result');
    expect(results.map(({ result }) => result)).toEqual(['One.', 'Two.']);
    expect(new Set(lines().map(({ session_id }) => session_id)).size).toBe(1);
  });

  it('RU-1 RU-3: no prompt, and a line that is none, are mistakes of the call', async () => {
    const { write, run } = place();
    write('turns.json', [says('Hello.')]);
    const none = await run(['-p', '--script', 'turns.json']);
    expect(none).toMatchObject({ code: 64, out: '', err: expect.stringContaining('There is no prompt') });
    const wrong = await run(['-p', '--input-format', 'stream-json', '--script', 'turns.json'], {
      stdin: '{"a":1}\n',
    });
    expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining('is not a prompt') });
    const format = await run(['-p', 'hi', '--output-format', 'xml', '--script', 'turns.json']);
    expect(format).toMatchObject({ code: 64, err: expect.stringContaining('text, json, stream-json') });
  });

  it('RU-2: json is one result, stream-json every message, hooks and pieces only when asked for', async () => {
    const { write, run } = place();
    const settings = write('hooks.json', logging('SessionStart', 'Stop'));
    write('turns.json', [bash('echo out'), says('A text of some length.')]);
    const base = ['-p', 'hi', '--script', 'turns.json', '--settings', settings];
    const json = await run([...base, '--output-format', 'json']);
    expect(json.lines()).toEqual([
      expect.objectContaining({ type: 'result', subtype: 'success', num_turns: 2 }),
    ]);
    const plain = (await run([...base, '--output-format', 'stream-json', '--verbose'])).lines();
    expect(plain.map(({ type, subtype }) => subtype ?? type)).toEqual([
      'init',
      'assistant',
      'user',
      'assistant',
      'success',
    ]);
    const all = await run([
      ...base,
      '--output-format',
      'stream-json',
      '--include-hook-events',
      '--include-partial-messages',
    ]);
    const kinds = all.lines().map(({ type, subtype }) => subtype ?? type);
    expect(kinds.slice(0, 3)).toEqual(['hook_started', 'hook_response', 'init']);
    expect(kinds.filter((kind) => kind === 'stream_event').length).toBeGreaterThan(1);
  });

  it('RU-3 RU-4: a model that fails is an error on standard error and exit code 1', async () => {
    const { write, run } = place();
    write('turns.json', [{ error: { code: 'overloaded', message: 'too many people' } }]);
    const failed = await run(['-p', 'hi', '--script', 'turns.json']);
    expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringContaining('too many people') });
    const unknown = await run(['-p', 'hi', '--model', 'claude-haiku-5-5']);
    expect(unknown).toMatchObject({
      code: 64,
      err: expect.stringContaining('There is no key for the model'),
    });
    const script = await run(['-p', 'hi', '--script', 'missing.json']);
    expect(script).toMatchObject({ code: 64, err: expect.stringContaining('missing.json') });
  });

  it('RU-4: without a key the embedded model obeys its commands, so that a guard is seen at work', async () => {
    const { write, read, run } = place();
    write('.claude/settings.json', {
      permissions: { allow: ['Write', 'Bash'] },
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              {
                type: 'command',
                command: "grep -q 'rm -rf' && { echo 'no deleting' >&2; exit 2; } || exit 0",
              },
            ],
          },
        ],
      },
    });
    const ask = (prompt: string) => run(['-p', prompt, '--trust-workspace']);
    const refused = await ask('! rm -rf build');
    expect(refused).toMatchObject({ code: 0, out: expect.stringContaining('no deleting') });
    expect(refused.err).toContain('the embedded one answers');
    expect((await ask('! echo $((6 * 7))')).out).toContain('Done. The tool returned:\n\n42');
    expect((await ask('write notes.txt two words')).out).toContain('Done.');
    expect(read('notes.txt')).toBe('two words\n');
    expect((await ask('Read notes.txt')).out).toContain('two words');
    expect((await ask('task read notes.txt')).out).toContain('two words');
    const explains = await ask('what is the weather?');
    expect(explains.out).toContain('I am the embedded model');
    expect(explains.out).toContain('! LINE');
  });

  it('RU-4: the embedded model does not judge for a hook: a guard that asks it fails', async () => {
    const { write, has, run } = place();
    write('.claude/settings.json', { permissions: { allow: ['Bash'] } });
    write('hookline.yaml', {
      hooks: {
        PreToolUse: [{ onFailure: 'block', hooks: [{ type: 'prompt', prompt: 'Is this harmless?' }] }],
      },
    });
    const { out } = await run(['-p', '! touch made', '--trust-workspace']);
    expect(out).toContain('The call did not succeed');
    expect(out).toContain('cannot answer for a hook');
    expect(has('made')).toBe(false);
  });

  it('RU-4: with a key in the environment the service is asked', async () => {
    const server = await startLoopback(anthropicWire, [
      sends(anthropicWire.events({ texts: ['From the service.'] })),
      fails(anthropicWire, 400, 'not like this'),
    ]);
    const env = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url, ANTHROPIC_MODEL: 'claude-test' };
    const { run } = place();
    expect(await run(['-p', 'hi'], { env })).toMatchObject({ code: 0, out: 'From the service.\n' });
    expect(server.received[0]?.body).toMatchObject({ model: 'claude-test' });
    expect(await run(['-p', 'hi'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('not like this'),
    });
  });
});

describe('the folder', () => {
  it('RU-5: its hooks run when somebody approves them, and not before', async () => {
    const { write, run, has, read } = place();
    write('.claude/settings.json', logging('SessionStart', 'Stop', 'SessionEnd'));
    write('turns.json', [says('Hello.')]);
    await run(['-p', 'hi', '--script', 'turns.json']);
    expect(has('log.txt')).toBe(false);
    await run(['-p', 'hi', '--script', 'turns.json', '--trust-workspace']);
    expect(read('log.txt')).toBe('SessionStart\nStop\nSessionEnd\n');
  });

  it('RU-6: what it forbids counts always, what it allows when it is trusted', async () => {
    const { write, run, has } = place();
    write('.claude/settings.json', { permissions: { allow: ['Bash'], deny: ['Bash(touch secret*)'] } });
    write('turns.json', [bash('touch made'), bash('touch secret'), says('Done.')]);
    const base = ['-p', 'go', '--script', 'turns.json', '--output-format', 'json'];
    const [refused] = (await run(base)).lines();
    expect(refused).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }, { tool_name: 'Bash' }] });
    expect(has('made')).toBe(false);
    const [trusted] = (await run([...base, '--trust-workspace'])).lines();
    expect(trusted).toMatchObject({ permission_denials: [{ tool_input: { command: 'touch secret' } }] });
    expect([has('made'), has('secret')]).toEqual([true, false]);
  });

  it('RU-6: rules and modes come from flags too', async () => {
    const { write, run, has } = place();
    write('turns.json', [bash('touch one'), bash('mkdir two'), says('Done.')]);
    const base = ['-p', 'go', '--script', 'turns.json'];
    await run([...base, '--allowedTools', 'Bash(touch *) Edit,Read', '--disallowedTools', 'Bash(mkdir *)']);
    expect([has('one'), has('two')]).toEqual([true, false]);
    await run([...base, '--permission-mode', 'bypassPermissions']);
    expect(has('two')).toBe(true);
    const wrong = await run([...base, '--permission-mode', 'yolo']);
    expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining('acceptEdits') });
  });

  it('RU-7: sessions go on, by id and the latest', async () => {
    const { write, run } = place();
    write('turns.json', [says('One.')]);
    const base = ['--script', 'turns.json', '--output-format', 'json'];
    const [first] = (await run(['-p', 'first', ...base, '--session-id', 'abc-1'])).lines();
    expect(first?.['session_id']).toBe('abc-1');
    const settings = write('hooks.json', {
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'cat >> starts.jsonl' }] }] },
    });
    for (const how of [['--resume', 'abc-1'], ['--continue']]) {
      const [again] = (await run(['-p', 'again', ...base, ...how, '--settings', settings])).lines();
      expect(again?.['session_id']).toBe('abc-1');
    }
    const missing = await run(['-p', 'again', ...base, '--resume', 'nobody']);
    expect(missing).toMatchObject({ code: 64, err: expect.stringContaining('nobody') });
  });

  it('RU-7: a fork goes on in a session of its own', async () => {
    const { write, run } = place();
    write('turns.json', [says('One.')]);
    const base = ['-p', 'hi', '--script', 'turns.json', '--output-format', 'json'];
    await run([...base, '--session-id', 'abc-1']);
    const [fork] = (
      await run([...base, '--resume', 'abc-1', '--fork-session', '--session-id', 'abc-2'])
    ).lines();
    expect(fork?.['session_id']).toBe('abc-2');
    const alone = await run([...base, '--fork-session']);
    expect(alone).toMatchObject({ code: 64, err: expect.stringContaining('--resume or --continue') });
    for (const more of [['--fork-session'], []]) {
      const nowhere = await run([...base, '--continue', ...more, '--resume-session-at', 'nothing']);
      expect(nowhere).toMatchObject({ code: 64, err: expect.stringContaining('no message "nothing"') });
    }
  });

  it('RU-8: MCP servers bring tools; one that does not come up is said, and the run goes on', async () => {
    const { write, run, workspace } = place();
    write('turns.json', [{ tools: [{ name: 'mcp__fine__echo', input: { text: 'hi' } }] }, says('Done.')]);
    const config = {
      mcpServers: {
        fine: { command: process.execPath, args: [SERVER], env: { PIDS: `${workspace}/pids` } },
        broken: { command: '/nowhere/server' },
      },
    };
    const { code, err, lines } = await run([
      ...['-p', 'go', '--script', 'turns.json', '--output-format', 'stream-json'],
      ...['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__fine'],
    ]);
    expect(err).toContain('broken');
    expect(code).toBe(0);
    expect(lines()[0]).toMatchObject({
      mcp_servers: [
        { name: 'fine', status: 'connected' },
        { name: 'broken', status: 'failed' },
      ],
    });
    expect(JSON.stringify(lines().find(({ type }) => type === 'user'))).toContain('hi');
    const wrong = await run(['-p', 'go', '--script', 'turns.json', '--mcp-config', '{"a":']);
    expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining('mcpServers') });
  });

  it('RU-9: Setup comes first; with --init-only nothing but it and an empty session', async () => {
    const { write, run, read } = place();
    const settings = write(
      'hooks.json',
      logging('Setup', 'SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'),
    );
    write('turns.json', [bash('true'), says('Hello.')]);
    const base = ['-p', 'hi', '--script', 'turns.json', '--settings', settings];
    expect(await run([...base, '--init-only'])).toMatchObject({ code: 0, out: '' });
    expect(read('log.txt')).toBe('Setup\nSessionStart\nSessionEnd\n');
    write('log.txt', '');
    await run([...base, '--maintenance']);
    expect(read('log.txt')).toBe('Setup\nSessionStart\nUserPromptSubmit\nStop\nSessionEnd\n');
    const limited = await run([...base, '--max-turns', '1', '--output-format', 'json']);
    expect(limited.code).toBe(1);
    expect(limited.lines()[0]).toMatchObject({ subtype: 'error_max_turns', terminal_reason: 'max_turns' });
  });

  it('RU-9: a budget that cannot be kept and a model that cannot be asked are refused', async () => {
    const { write, run } = place();
    write('turns.json', [says('Hello.')]);
    const base = ['-p', 'hi', '--script', 'turns.json'];
    for (const [flags, why] of [
      [['--max-budget-usd', '1'], 'the price of the model "scripted" is not known'],
      [['--max-budget-usd', 'much'], 'above 0'],
      [['--fallback-model', 'claude-haiku-5-5'], 'needs ANTHROPIC_API_KEY'],
    ] as const)
      expect(await run([...base, ...flags])).toMatchObject({ code: 64, err: expect.stringContaining(why) });
  });

  it('RU-10: /compact and /clear are commands', async () => {
    const { write, run, read } = place();
    const settings = write(
      'hooks.json',
      logging('UserPromptSubmit', 'PreCompact', 'SessionStart', 'SessionEnd'),
    );
    write('turns.json', [says('One.'), { when: 'summary', text: '<summary>short</summary>' }]);
    const line = (content: string) =>
      `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
    const { lines } = await run(
      [
        ...['-p', '--script', 'turns.json', '--settings', settings],
        ...['--input-format', 'stream-json', '--output-format', 'stream-json'],
      ],
      { stdin: line('first') + line('/compact keep names') + line('/clear') },
    );
    const results = lines().filter(({ type }) => type === 'result');
    expect(results.map((result) => result['terminal_reason'])).toEqual(['completed', 'compacted', 'cleared']);
    expect(read('log.txt').trim().split('\n')).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreCompact',
      'SessionStart',
      'SessionEnd',
      'SessionStart',
      'SessionEnd',
    ]);
  });

  it('RU-11: a hook in the background may end by itself after the answer', async () => {
    const { write, run, has } = place();
    const settings = write('hooks.json', {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sleep 0.3; touch done', async: true }] }] },
    });
    write('turns.json', [says('Hello.')]);
    await run(['-p', 'hi', '--script', 'turns.json', '--settings', settings]);
    expect(has('done')).toBe(true);
  });
});

describe('calls that are easily written wrong', () => {
  it('RU-6: half a rule is refused, for it would allow more than was meant', async () => {
    const { write, run, has } = place();
    write('turns.json', [bash('touch made'), says('Done.')]);
    for (const rules of ['Bash(git log', 'Bash (git log)', 'Edit, (x)']) {
      const { code, err } = await run(['-p', 'go', '--script', 'turns.json', '--allowedTools', rules]);
      expect([code, err]).toEqual([64, expect.stringContaining('is not a list of rules')]);
    }
    expect(has('made')).toBe(false);
  });

  it('RU-6: the words behind a list of rules belong to it', async () => {
    const { write, run, has } = place();
    write('turns.json', [bash('touch made'), says('Done.')]);
    const { out } = await run([
      '-p',
      'go',
      '--script',
      'turns.json',
      '--allowedTools',
      'Read',
      'Bash(touch *)',
    ]);
    expect([out, has('made')]).toEqual(['Done.\n', true]);
  });

  it('RU-7: a new session needs a new id, and going on needs none', async () => {
    const { write, run } = place();
    write('turns.json', [says('One.')]);
    const base = ['-p', 'hi', '--script', 'turns.json'];
    await run([...base, '--session-id', 'abc']);
    const again = await run([...base, '--session-id', 'abc']);
    expect(again).toMatchObject({ code: 64, err: expect.stringContaining('already') });
    const both = await run([...base, '--session-id', 'abc', '--continue']);
    expect(both).toMatchObject({ code: 64, err: expect.stringContaining('leave it out') });
    const data = write('data.jsonl', '{"id":1}\n');
    const wrong = await run([...base, '--resume', data]);
    expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining('is not a transcript') });
  });

  it('RU-8: a configuration that is wrong is not quoted, for it may hold secrets', async () => {
    const { write, run } = place();
    write('turns.json', [says('One.')]);
    const config = '{"mcpServers":{"a":{"env":{"API_KEY":"sk-very-secret"}}}}';
    const { code, err } = await run(['-p', 'hi', '--script', 'turns.json', '--mcp-config', config]);
    expect(code).toBe(64);
    expect(err).not.toContain('sk-very-secret');
  });

  it('RU-10: a prompt that only begins like a command is a prompt', async () => {
    const { write, run } = place();
    write('turns.json', [says('Fixed.')]);
    const { out } = await run(['-p', '/clear-cache does not work', '--script', 'turns.json']);
    expect(out).toBe('Fixed.\n');
  });
});

describe('hook events', () => {
  const streamed = ['--output-format', 'stream-json', '--include-hook-events', '--script', 'turns.json'];

  it('RU-16: hooks in the background have a response, and SessionEnd hooks are there, each once', async () => {
    const { write, run } = place();
    write('turns.json', [says('Hello.')]);
    const command = (line: string, more: object = {}) => [
      { hooks: [{ type: 'command', command: line, ...more }] },
    ];
    const settings = write('hooks.json', {
      hooks: {
        Stop: command('sleep 0.2; echo done', { async: true }),
        SessionEnd: command('echo bye', { statusMessage: 'Tidying up' }),
      },
    });
    const { lines } = await run(['-p', 'hi', ...streamed, '--settings', settings]);
    const seen = lines().flatMap(({ subtype, hook_event, output = '' }) =>
      String(subtype).startsWith('hook_') ? [`${hook_event} ${subtype} ${String(output).trim()}`.trim()] : [],
    );
    const of = (event: string) => seen.filter((each) => each.startsWith(`${event} `));
    expect(of('Stop').at(0)).toBe('Stop hook_started');
    expect(of('Stop').at(-1)).toBe('Stop hook_response done');
    expect(of('SessionEnd').slice(0, 2)).toEqual([
      'SessionEnd hook_started',
      'SessionEnd hook_progress Tidying up',
    ]);
    expect(of('SessionEnd').at(-1)).toBe('SessionEnd hook_response bye');
    const uuids = lines().map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  it('RU-17: SessionEnd hooks may take as long as the longest timeout of one says', async () => {
    const { write, run, has } = place();
    write('turns.json', [says('Hello.')]);
    const line = 'sleep 1.8; touch ended';
    const hooks = (more: object) => ({
      hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: line, ...more }] }] },
    });
    const base = ['-p', 'hi', '--script', 'turns.json', '--settings'];
    await run([...base, write('short.json', hooks({}))]);
    expect(has('ended')).toBe(false);
    await run([...base, write('long.json', hooks({ timeout: 20 }))]);
    expect(has('ended')).toBe(true);
  });
});

describe('settings that change during a run', () => {
  const group = (...lines: string[]) => [{ hooks: lines.map((command) => ({ type: 'command', command })) }];
  /** Tool calls until the file is there, each different from the others. */
  const until40 = (file: string) =>
    Array.from({ length: 40 }, (_, i) => bash(`[ -e ${file} ] || sleep 0.1 # ${i}`));
  const home = (command: string) => bash(`cp ${command} "$CLAUDE_CONFIG_DIR/settings.json"`);
  const base = ['-p', 'hi', '--script', 'turns.json', '--permission-mode', 'bypassPermissions'];

  it('RU-18: fire ConfigChange, and their hooks count at once; a guard is not lost', async () => {
    const { write, run, read, has } = place();
    const guard = 'grep -q forbidden && { echo no >&2; exit 2; }; exit 0';
    const own = { PreToolUse: group(guard), ConfigChange: group('cat > change.json') };
    write('../home/.claude/settings.json', { hooks: own });
    write('next.json', { hooks: { PostToolUse: group('touch new') } });
    write('turns.json', [home('next.json'), ...until40('new'), bash('touch forbidden'), says('Done.')]);
    const { err, code } = await run(base);
    expect([code, has('new'), has('forbidden')]).toEqual([0, true, false]);
    expect(JSON.parse(read('change.json'))).toMatchObject({
      source: 'user_settings',
      file_path: expect.stringContaining('settings.json'),
    });
    expect(err).toMatch(/read again\. These hooks stay in force .*:\n.*settings\.json:\d/);
  });

  it('RU-18: a hook keeps them from counting', async () => {
    const { write, run, has } = place();
    write('../home/.claude/settings.json', { hooks: { ConfigChange: group('touch asked; exit 2') } });
    write('next.json', { hooks: { PostToolUse: group('touch new') } });
    write('turns.json', [home('next.json'), ...until40('asked'), bash('true'), says('Done.')]);
    const { err } = await run(base);
    expect([has('asked'), has('new')]).toEqual([true, false]);
    expect(err).not.toContain('read again');
  });

  it('RU-18: hooks that a folder gets during a run need an approval, also with --trust-workspace', async () => {
    const { write, run, has } = place();
    write('.claude/settings.json', { hooks: { ConfigChange: group('touch asked') } });
    write('next.json', { hooks: { PostToolUse: group('touch new') } });
    const copy = bash('cp next.json .claude/settings.json');
    write('turns.json', [copy, ...until40('asked'), ...until40('new').slice(0, 10), says('Done.')]);
    const { err } = await run([...base, '--trust-workspace']);
    expect([has('asked'), has('new')]).toEqual([true, false]);
    expect(err).toContain('read again');
  });
});

describe('a session without a prompt', () => {
  it('RU-1: a SessionStart hook may give the first one, and a title; otherwise it is an error', async () => {
    const { write, run, read } = place();
    write('turns.json', [says('Read.')]);
    const answer = {
      hookEventName: 'SessionStart',
      initialUserMessage: 'Read the plan.',
      sessionTitle: 'plan',
    };
    const settings = write('hooks.json', {
      hooks: {
        SessionStart: [
          {
            hooks: [{ type: 'command', command: `echo '${JSON.stringify({ hookSpecificOutput: answer })}'` }],
          },
        ],
        UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'cat > prompt.json' }] }],
      },
    });
    const base = ['-p', '--script', 'turns.json'];
    expect(await run([...base, '--settings', settings])).toMatchObject({ code: 0, out: 'Read.\n' });
    expect(JSON.parse(read('prompt.json'))).toMatchObject({
      prompt: 'Read the plan.',
      session_title: 'plan',
      source: 'sdk',
    });
    expect(await run(base)).toMatchObject({ code: 64, err: expect.stringContaining('There is no prompt') });
    await run([
      ...base,
      'hi',
      '--name',
      'mine',
      '--settings',
      write('titled.json', {
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'cat > prompt.json' }] }] },
      }),
    ]);
    expect(JSON.parse(read('prompt.json'))).toMatchObject({ session_title: 'mine' });
  });
});

describe('an end from outside', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'RU-3: %s ends the tool, fires SessionEnd, and the exit code says so',
    async (signal, expected) => {
      const { write, start, read, workspace } = place();
      const settings = write('hooks.json', logging('SessionEnd'));
      write('turns.json', [bash('echo $$ > pid; sleep 100'), says('Never.')]);
      const base = ['-p', 'hi', '--script', 'turns.json', '--settings', settings, '--output-format', 'json'];
      const running = start([...base, '--permission-mode', 'bypassPermissions']);
      await until(() => existsSync(`${workspace}/pid`) && read('pid').trim() !== '');
      const pid = Number(read('pid'));
      running.kill(signal);
      const { code, lines } = await running.ended;
      expect(code).toBe(expected);
      expect(lines()).toEqual([expect.objectContaining({ terminal_reason: 'aborted', is_error: true })]);
      expect(read('log.txt')).toBe('SessionEnd\n');
      await until(() => !isRunning(pid));
    },
  );

  it('RU-3: a signal is heard while prompts are waited for', async () => {
    const { write, start, read, has } = place();
    const settings = write('hooks.json', logging('SessionStart', 'SessionEnd'));
    write('turns.json', [says('Hello.')]);
    const line = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'hi' } })}\n`;
    const running = start(
      ['-p', '--input-format', 'stream-json', '--script', 'turns.json', '--settings', settings],
      { stdin: line, open: true },
    );
    // The shell creates the file before it writes to it.
    await until(() => has('log.txt') && read('log.txt') !== '');
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(143);
    expect(read('log.txt')).toBe('SessionStart\nSessionEnd\n');
  });
});
