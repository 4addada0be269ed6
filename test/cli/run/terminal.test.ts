/** `hookline run` at a real (pseudo) terminal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRunning, until } from '../../support/process-harness.js';
import { missingTerminal, openTerminal } from './pseudo-terminal.js';
import { logging, type Place, place } from './support.js';

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });
const says = (text: string) => ({ text });

const SCRIPT = ['--script', 'turns.json'];

function open(where: Place, args: readonly string[] = [], env: Record<string, string> = {}, model = SCRIPT) {
  const home = join(where.workspace, '..', 'home');
  return openTerminal(['run', ...model, ...args], {
    cwd: where.workspace,
    env: {
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      HOOKLINE_HOME: join(home, '.hookline'),
      ...env,
    },
  });
}

/** Hooks that write every prompt to a file. */
const keepsPrompts = {
  hooks: {
    UserPromptSubmit: [
      { hooks: [{ type: 'command', command: 'cat >> prompts.jsonl; echo >> prompts.jsonl' }] },
    ],
  },
};

const promptsOf = (where: Place): string[] =>
  where
    .read('prompts.jsonl')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).prompt);

describe.skipIf(missingTerminal !== undefined)(
  `at a pseudo terminal${missingTerminal ? ` (${missingTerminal})` : ''}`,
  () => {
    it('LV-24 LV-26 shows tools and hooks as they run, and takes prompt after prompt until /exit', async () => {
      const where = place();
      where.write('turns.json', [{ text: 'I look.', ...bash('cat go') }, says('One.'), says('Two.')]);
      const settings = where.write('hooks.json', {
        hooks: {
          PreToolUse: [
            {
              hooks: [
                { type: 'command', command: 'echo first step >&2; while ! test -e go; do sleep 0.05; done' },
              ],
            },
          ],
          Stop: [{ hooks: [{ type: 'command', command: 'echo broken >&2; exit 1' }] }],
          SessionEnd: [{ hooks: [{ type: 'command', command: 'cat > end.json' }] }],
        },
      });
      const terminal = open(where, ['--settings', settings]);
      await terminal.see('› ');
      terminal.type('first\r');
      await terminal.see('I look.');
      await terminal.see('PreToolUse:Bash');
      await terminal.see('first step');
      await terminal.see(/[1-9]\.\d s/);
      expect(terminal.raw).toContain('\u001b[1m');
      where.write('go', 'went');
      await terminal.see('✓ PreToolUse:Bash');
      await terminal.see('● Bash cat go');
      await terminal.see('One.');
      await terminal.see('✗ Stop error, exit 1');
      await terminal.see('broken');
      await terminal.see('completed, 2 turns');
      await terminal.see('› ');
      terminal.type('second\r');
      await terminal.see('Two.');
      await terminal.see('completed, 1 turn');
      await terminal.see('› ');
      terminal.type('/exit\r');
      expect(await terminal.exit).toBe(0);
      expect(JSON.parse(where.read('end.json'))).toMatchObject({ reason: 'prompt_input_exit' });
    });

    it('LV-24 a guard that refuses is shown as one that refuses', async () => {
      const where = place();
      where.write('turns.json', [bash('rm -rf build'), says('Then not.')]);
      const guard = { type: 'command', command: 'echo no deleting >&2; exit 2' };
      const settings = where.write('settings.json', { hooks: { PreToolUse: [{ hooks: [guard] }] } });
      const terminal = open(where, ['--settings', settings, 'go']);
      await terminal.see('⊘ PreToolUse:Bash denied');
      await terminal.see('no deleting');
      await terminal.see('⊘ Bash rm -rf build');
      await terminal.see('Then not.');
      await terminal.see('completed, 2 turns');
      expect(terminal.raw).not.toContain('error, exit 2');
      terminal.type('/exit\r');
      expect(await terminal.exit).toBe(0);
    });

    it('RU-4 without a key the embedded model answers, and says what it is', async () => {
      const where = place();
      const terminal = open(where, ['--permission-mode', 'bypassPermissions'], {}, []);
      await terminal.see('› ');
      terminal.type('hello\r');
      await terminal.see('I am the embedded model');
      await terminal.see('ANTHROPIC_API_KEY');
      await terminal.see('completed, 1 turn');
      terminal.type('! ls\r');
      await terminal.see('● Bash');
      await terminal.see('completed, 2 turns');
      terminal.type('! while ! test -e go; do sleep 0.05; done\r');
      await terminal.see('Bash while');
      terminal.type('! touch queued\r');
      await terminal.see('(queued)');
      where.write('go', '');
      await terminal.see('● Bash touch queued');
      await terminal.see('completed, 3 turns');
      terminal.type('! echo > started; sleep 100\r');
      await until(() => where.has('started'), 'the tool');
      terminal.type('\u001b');
      await terminal.see('aborted');
      terminal.type('! touch after\r');
      await terminal.see('● Bash touch after');
      await terminal.see('completed, 2 turns');
      terminal.type('/exit\r');
      expect(await terminal.exit).toBe(0);
    });

    it('LV-25 asks before a tool runs: yes, no and always', async () => {
      const where = place();
      where.write('turns.json', [
        bash('touch one'),
        bash('mkdir two'),
        bash('mkdir three'),
        bash('mkdir four'),
        says('Done.'),
      ]);
      const terminal = open(where, ['go']);
      await terminal.see('command: touch one');
      await terminal.see('Allow it?');
      terminal.type('n\r');
      await terminal.see('⊘ Bash touch one');
      await terminal.see('denied the call');
      await terminal.see('command: mkdir two');
      await terminal.see('Allow it?');
      terminal.type('what?\r');
      await terminal.see('Answer yes, no or always.');
      await terminal.see('Allow it?');
      terminal.type('y\r');
      await terminal.see('● Bash mkdir two');
      await terminal.see('always: ');
      await terminal.see('[a]lways: ');
      terminal.type('a\r');
      await terminal.see('● Bash mkdir three');
      await terminal.see('● Bash mkdir four');
      await terminal.see('Done.');
      expect(['one', 'two', 'three', 'four'].filter((name) => where.has(name))).toEqual([
        'two',
        'three',
        'four',
      ]);
      await terminal.see('› ');
      terminal.type('\u0004');
      expect(await terminal.exit).toBe(0);
    });

    it('LV-25 LV-26 LO-51 what is typed before a question does not answer it, and reaches the agent; a command waits', async () => {
      const where = place();
      where.write('turns.json', [bash('while ! test -e go; do sleep 0.05; done; touch made'), says('One.')]);
      const settings = where.write('hooks.json', {
        hooks: {
          PreToolUse: [{ hooks: [{ type: 'command', command: 'while ! test -e go; do sleep 0.05; done' }] }],
          UserPromptSubmit: [
            { hooks: [{ type: 'command', command: 'cat >> prompts.jsonl; echo >> prompts.jsonl' }] },
          ],
        },
      });
      const terminal = open(where, ['first', '--settings', settings]);
      await terminal.see('PreToolUse:Bash');
      terminal.type('yess\u007f\r');
      await terminal.see('› yes  (queued)');
      terminal.type('/exit\r');
      await terminal.see('/exit  (when the agent is done)');
      where.write('go', '');
      await terminal.see('Allow it?');
      expect(where.has('made')).toBe(false);
      terminal.type('n\r');
      await terminal.see('› yes  (delivered)');
      await terminal.see('One.');
      await terminal.see('completed, 2 turns');
      expect(await terminal.exit).toBe(0);
      expect(promptsOf(where)).toEqual(['first', 'yes']);
    });

    it('LV-41 a paste is one message, and only Enter sends it, with marks around it or without, also while the agent works', async () => {
      const where = place();
      const waits = bash('while ! test -e go; do sleep 0.05; done');
      where.write('turns.json', [says('One.'), waits, says('Two.'), says('Three.'), says('Four.')]);
      const settings = where.write('settings.json', keepsPrompts);
      const terminal = open(where, ['--settings', settings, '--permission-mode', 'bypassPermissions']);
      const long = `${`line ${'x'.repeat(150)}\r\n`.repeat(400)}end`;
      await terminal.see('› ');
      terminal.type(`${long}\r\n`);
      await terminal.see('end⏎');
      expect(where.has('prompts.jsonl')).toBe(false);
      terminal.type('\r');
      await terminal.see('One.');
      await terminal.see('completed');
      terminal.type('work\r');
      await terminal.see('⠋ Bash');
      for (const read of ['three\n', 'fo', '\u001b[31mur\u001b[0m\n']) terminal.type(read);
      await terminal.see('three⏎four⏎');
      expect(terminal.shown).not.toContain('queued');
      terminal.type('\r');
      await terminal.see('› three  (queued)');
      where.write('go', '');
      await terminal.see('› three  (delivered)');
      await terminal.see('Two.');
      await terminal.see('completed');
      terminal.type(`\u001b[200~${long}\r\u001b[201~`);
      await terminal.see('end⏎');
      terminal.type('more\r');
      await terminal.see('Three.');
      await terminal.see('completed');
      // The terminal marks pastes, so these lines were typed: the first is sent, the second is being edited.
      terminal.type('five\rsix');
      await terminal.see('Four.');
      await terminal.see('› six');
      terminal.type('\u0015\u0004');
      expect(await terminal.exit).toBe(0);
      const pasted = long.replaceAll('\r\n', '\n');
      expect(promptsOf(where)).toEqual([pasted, 'work', 'three\nfour', `${pasted}\nmore`, 'five']);
    });

    it('LV-41 a terminal that shows the line itself: lines that arrive together wait for Enter, and are one message', async () => {
      const where = place();
      where.write('turns.json', [says('One.'), says('Two.')]);
      const settings = where.write('settings.json', keepsPrompts);
      const terminal = open(where, ['--settings', settings], { TERM: 'dumb' });
      await terminal.see('› ');
      terminal.type('one\ntwo\nthr');
      await terminal.see('2 lines are pasted');
      expect(where.has('prompts.jsonl')).toBe(false);
      terminal.type('ee\n');
      await terminal.see('One.');
      await terminal.see('completed');
      await terminal.see('› ');
      terminal.type('four\n');
      await terminal.see('Two.');
      await terminal.see('› ');
      terminal.type('/exit\n');
      expect(await terminal.exit).toBe(0);
      expect(promptsOf(where)).toEqual(['one\ntwo\nthree', 'four']);
    });

    it('LV-30 begins with what runs here; /hooks says what each hook did, and unknown commands are answered', async () => {
      const where = place();
      where.write('turns.json', [bash('ls'), says('# Done\n\n- **all** of it')]);
      where.write('.claude/settings.json', {
        hooks: { Stop: [{ hooks: [{ type: 'command', command: './never-approved.sh' }] }] },
      });
      const settings = where.write('hooks.json', {
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] },
      });
      const terminal = open(where, ['--settings', settings, '--permission-mode', 'acceptEdits']);
      await terminal.see(`hookline in ${where.workspace}`);
      await terminal.see('model scripted  mode acceptEdits  hooks 1 loaded, 1 skipped (untrusted)');
      terminal.type('/hooks\r');
      await terminal.see(/not yet {4}Bash {2}true +hooks\.json:1/);
      await terminal.see(/untrusted {2}\* {5}\.\/never-approved\.sh/);
      terminal.type('go\r');
      await terminal.see('Done');
      await terminal.see('• all of it');
      await terminal.see('completed, 2 turns');
      terminal.type('/hoo\t');
      await terminal.see('› /hooks');
      terminal.type('\r');
      await terminal.see(/fine +Bash {2}true +hooks\.json:1 +1 run, last \d+ ms/);
      terminal.type('/cots\r');
      await terminal.see('There is no command /cots. Did you mean /cost?');
      terminal.type('/exit now\r');
      await terminal.see('/exit takes nothing after it.');
      terminal.type('/\r');
      await terminal.see('There is no command /. /help lists them.');
      terminal.type('/cost\r');
      await terminal.see('$0.0000 in this session');
      terminal.type('/model\r');
      await terminal.see('The model is scripted.');
      terminal.type('/model gpt-5\r');
      await terminal.see('There is no key for the model "gpt-5".');
      terminal.type('/help\r');
      await terminal.see('/compact [INSTRUCTIONS]');
      terminal.type('/exit\r');
      expect(await terminal.exit).toBe(0);
    });

    it('LV-26 Escape ends the turn, and the session goes on', async () => {
      const where = place();
      where.write('turns.json', [bash('echo $$ > pid; sleep 100'), says('Two.')]);
      const terminal = open(where, ['first', '--permission-mode', 'bypassPermissions']);
      await until(() => where.has('pid') && where.read('pid').trim() !== '', 'the tool');
      terminal.type('\u001b');
      await terminal.see('interrupted');
      await terminal.see('aborted');
      await until(() => !isRunning(Number(where.read('pid'))), 'the end of the tool');
      await terminal.see('› ');
      terminal.type('second\r');
      await terminal.see('Two.');
      await terminal.see('› ');
      terminal.type('/quit\r');
      expect(await terminal.exit).toBe(0);
    });

    it.each(['the prompt', 'a run', 'a question'])(
      'LV-26 Ctrl-C ends the command with 130 during %s',
      async (when) => {
        const where = place();
        const settings = where.write('hooks.json', logging('SessionEnd'));
        where.write('turns.json', [bash('echo $$ > pid; sleep 100'), says('Never.')]);
        const args = [
          '--settings',
          settings,
          ...(when === 'a run' ? ['--permission-mode', 'bypassPermissions'] : []),
        ];
        const terminal = open(where, when === 'the prompt' ? args : ['go', ...args]);
        if (when === 'the prompt') await terminal.see('› ');
        else if (when === 'a question') await terminal.see('Allow it?');
        else await until(() => existsSync(join(where.workspace, 'pid')), 'the tool');
        terminal.type('\u0003');
        expect(await terminal.exit).toBe(130);
        if (when !== 'the prompt') expect(where.read('log.txt')).toBe('SessionEnd\n');
      },
    );

    it('LV-27 has no colours with NO_COLOR, and moves nothing on a dumb terminal', async () => {
      const where = place();
      where.write('turns.json', [bash('sleep 0.3'), says('One.')]);
      const run = async (env: Record<string, string>) => {
        const terminal = open(where, ['go', '--permission-mode', 'bypassPermissions'], env);
        await terminal.see('completed');
        await terminal.see('› ');
        terminal.type('/exit\r');
        await terminal.exit;
        return terminal;
      };
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC
      const colour = /\u001b\[\d*m/;
      const quiet = await run({ NO_COLOR: '1' });
      expect(quiet.raw).not.toMatch(colour);
      expect(quiet.raw).toMatch(/[⠋⠙⠹]/);
      const dumb = await run({ TERM: 'dumb' });
      expect(dumb.raw).not.toMatch(colour);
      expect(dumb.raw).not.toMatch(/[⠋⠙⠹]/);
    });

    it('LV-24 prints only the answer with -p, at a terminal too', async () => {
      const where = place();
      where.write('turns.json', [bash('true'), says('One.')]);
      const terminal = open(where, ['-p', 'go']);
      expect(await terminal.exit).toBe(0);
      expect(terminal.raw.trim()).toBe('One.');
    });
  },
);

describe('on a pipe', () => {
  it('LV-24 there is nothing of a live view', async () => {
    const where = place();
    where.write('turns.json', [bash('true'), says('One.')]);
    expect(await where.run(['go', '--script', 'turns.json'])).toMatchObject({
      code: 0,
      out: 'One.\n',
      err: '',
    });
  });
});
