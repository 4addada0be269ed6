/** The bridge at its edges: odd inputs, problems after a tool, mistakes in the command line, and many calls at once. */
import { describe, expect, it } from 'vitest';
import { HOSTS } from '../../src/dialects/hosts.js';
import { answerHost, type BridgeAnswer, type Fired } from '../../src/hosts/bridge.js';
import { type AnyEvent, deny, Runner } from '../../src/index.js';
import { fireAny } from '../../src/runner/hook-runner.js';
import { folder as inProcess } from '../cli/support.js';
import { bridge, callOf, eventOf, host, makeFolder, readBy } from './support.js';

const runner = new Runner({ onWarning: () => {} });
runner.on('PreToolUse', () => deny('R-always'));

async function fire(event: AnyEvent, input: Readonly<Record<string, unknown>>): Promise<Fired> {
  return { outcome: await fireAny(runner, event, input as never), problems: [] };
}

const asDone = ({ stdout, stderr, exit }: BridgeAnswer) => ({ stdout, stderr: stderr.join('\n'), exit });

/** From a call as the host sends it, what it might send instead. */
const ODD: readonly (readonly [what: string, odd: (sent: string) => string])[] = [
  ['nothing', () => ''],
  ['null', () => 'null'],
  ['a list', (sent) => `[${sent}]`],
  ['a text', (sent) => JSON.stringify(sent)],
  ['two objects', (sent) => `${sent}\n${sent}`],
  ['a cut text', (sent) => sent.slice(0, -1)],
  ['a deep value', () => `${'['.repeat(50_000)}`],
  ['another event', (sent) => JSON.stringify({ ...JSON.parse(sent), hook_event_name: 'Elsewhere' })],
  ['an event that is a list', (sent) => JSON.stringify({ ...JSON.parse(sent), hook_event_name: [] })],
  ['null in every field', (sent) => nulls(sent)],
  ['a folder that is a list', (sent) => JSON.stringify({ ...JSON.parse(sent), cwd: [] })],
  ['a huge command', (sent) => sent.replace('"ls"', JSON.stringify('l'.repeat(5_000_000)))],
  ['a byte order mark', (sent) => `\uFEFF${sent}`],
];

function nulls(sent: string): string {
  const fields = Object.keys(JSON.parse(sent)).map((key) => [key, null]);
  return JSON.stringify(Object.fromEntries(fields));
}

describe('odd input', () => {
  it.each(HOSTS.map(({ name }) => name))(
    'HS-7 %s: refuses a tool, with one JSON object or an exit code alone',
    async (name) => {
      const own = host(name);
      const event = own.spellings[0].events['PreToolUse']?.name;
      for (const [what, odd] of ODD) {
        const answer = await answerHost({ host: own, text: odd(callOf(own, 'Bash')), event, fire });
        expect(readBy(own, asDone(answer)).refuse, `${name}: ${what}`).toBeDefined();
        if (answer.exit === 0) expect(Object.keys(JSON.parse(answer.stdout)).length).toBeGreaterThan(0);
        else expect([answer.exit, answer.stdout]).toEqual([2, '']);
      }
    },
  );

  it('HS-7 events that cannot refuse pass with a sentence on stderr, and stdout stays empty', async () => {
    for (const own of HOSTS) {
      const event = own.spellings[0].events['SessionStart']?.name;
      if (event === undefined) continue;
      const answer = await answerHost({ host: own, text: '[', event, fire });
      expect(answer).toMatchObject({ stdout: '', exit: 0, stderr: [expect.stringContaining('stdin')] });
    }
  });
});

describe('after a tool', () => {
  const REDACT = (policy: string): string =>
    `hooks: { PostToolUse: [{ matcher: Read, hooks: [{ type: command, command: "exit 3", onFailure: ${policy} }] }] }`;

  it('HS-31 a problem hides the output where a hook is set to block and the host can replace it', async () => {
    const place = inProcess();
    const call = {
      tool_name: 'Read',
      tool_input: { file_path: 'a' },
      tool_response: 'SECRET',
      session_id: 's',
    };
    for (const own of HOSTS) {
      const can = own.spellings[0].events['PostToolUse']?.can ?? [];
      const stdin = eventOf(own, 'PostToolUse', { ...call, cwd: place.workspace, tool_use_id: 't' });
      const answered = async (input: string) => {
        const done = await place.call(bridge(own, 'PostToolUse'), { stdin: input });
        return readBy(own, { stdout: done.out, stderr: done.err, exit: done.code }, 'PostToolUse');
      };
      const hidden = can.includes('replace') ? expect.any(String) : undefined;
      // Not approved; input that cannot be read, so that its folder is unknown; a hook that fails.
      place.write('hookline.yaml', REDACT('block'));
      expect((await answered(stdin)).replace, own.name).toEqual(hidden);
      await place.call(['trust', 'approve', '--yes']);
      expect((await answered('[')).replace, own.name).toEqual(hidden);
      expect((await answered(stdin)).replace, own.name).toEqual(hidden);
      // Hooks that are not set to block hide nothing.
      place.write('hookline.yaml', REDACT('continue'));
      await place.call(['trust', 'approve', '--yes']);
      expect((await answered(stdin)).replace, own.name).toBeUndefined();
    }
  });

  it('HS-31 hooks that are not done in time hide it too, and while it is unknown what hooks there are', async () => {
    const gemini = host('gemini');
    const text = eventOf(gemini, 'PostToolUse', {
      tool_name: 'Read',
      tool_input: {},
      tool_response: 'SECRET',
    });
    const never = {
      host: gemini,
      text,
      event: 'AfterTool',
      deadlineMs: 20,
      fire: () => new Promise<never>(() => {}),
    };
    for (const blocks of [true, false]) {
      const answer = await answerHost({ ...never, blocks: () => blocks });
      const { replace } = readBy(gemini, asDone(answer), 'PostToolUse');
      expect(replace !== undefined).toBe(blocks);
    }
  });
});

describe('a call of the bridge', () => {
  it('HS-33 a mistake in the command line refuses: most hosts would let the tool run', async () => {
    const place = inProcess();
    for (const args of [
      ['hook', '--hots', 'gemini'],
      ['hook', '--host', 'gemni', '--event', 'BeforeTool'],
      ['hook', '--host', 'gemini', '--event', 'BeforeTol'],
      ['hook', '--host'],
      ['hook'],
      ['hook', '--host', 'gemini', 'BeforeTool'],
      ['hook', '--host', 'gemini', '--deadline', 'soon'],
    ]) {
      const done = await place.call(args, { stdin: callOf(host('gemini'), 'Bash') });
      expect(done, args.join(' ')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/\S/) });
    }
    const unknown = await place.call(['hook', '--host', 'gemni', '--event', 'BeforeTool']);
    expect(unknown.err).toContain('gemini');
  });

  it('HS-33 stdout has the answer alone, whatever hooks print in the process, also for ten calls at once', {
    timeout: 60_000,
  }, async () => {
    const place = makeFolder({
      'hookline.mjs': `console.log('on import');
export default { PreToolUse: [{ hooks: [({ tool_input }) => {
  console.log('noise');
  process.stdout.write('more noise');
  return tool_input.command.includes('HOSTILE') ? { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'R' } } : undefined;
}] }] };`,
    });
    await place.hookline(['trust', 'approve', '--yes']);
    const gemini = host('gemini');
    const calls = Array.from({ length: 10 }, (_, i) =>
      place.hookline(bridge(gemini), callOf(gemini, 'Bash', { command: i % 2 === 0 ? 'HOSTILE' : 'ls' })),
    );
    for (const [i, done] of (await Promise.all(calls)).entries()) {
      expect(done.stderr).toContain('noise');
      if (i % 2 === 0) expect(JSON.parse(done.stdout)).toEqual({ decision: 'deny', reason: 'R' });
      else expect(done).toMatchObject({ stdout: '', exit: 0 });
    }
    place.remove();
  });
});
