/** What a terminal shows of a run, as a function of its messages. */
import colors from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { LoopMessage } from '../../../src/agent/index.js';
import { createPrinter } from '../../../src/cli/printer.js';
import { frameOf } from '../../../src/cli/run/terminal/frame.js';
import { createScreen } from '../../../src/cli/run/terminal/screen.js';
import { cutToWidth, widthOf } from '../../../src/cli/run/terminal/texts.js';
import { advance, EMPTY_VIEW, type View } from '../../../src/cli/run/terminal/view.js';
import type { HookResult } from '../../../src/index.js';

const plain = colors.createColors(false);
const IDLE = { since: undefined, queued: [] };
const SIZE = { columns: 60, rows: 24 };

/** Only the fields that are looked at. */
const message = (fields: object): LoopMessage => ({ session_id: 's', uuid: 'u', ...fields }) as never;
const says = (...content: object[]) =>
  message({ type: 'assistant', message: { content }, parent_tool_use_id: null });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: string, is_error = false) =>
  message({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] },
  });
const hook = (subtype: string, more: object = {}) =>
  message({ type: 'system', subtype, hook_id: 'h1', hook_name: 'guard', hook_event: 'PreToolUse', ...more });
const system = (subtype: string, more: object) => message({ type: 'system', subtype, ...more });

/** The messages, 100 ms apart: the last view, and all lines that stay. */
function play(
  messages: readonly LoopMessage[],
  paint = plain,
  results: Readonly<Record<string, Partial<HookResult>>> = {},
): { view: View; lines: string[]; now: number } {
  const resultOf = (id: string) => results[id] as HookResult | undefined;
  let view = EMPTY_VIEW;
  const lines: string[] = [];
  let now = 0;
  for (const each of messages) {
    view = advance(view, each, { now, paint, columns: 60, resultOf, waitedMs: () => 0 });
    lines.push(...view.lines);
    now += 100;
  }
  return { view, lines, now };
}

describe('the view', () => {
  it('LV-24 has a line for each tool and hook that runs, with the time it has taken and what it said last', () => {
    const { view, lines, now } = play([
      says(text('I look first.'), call('t1', 'Bash', { command: 'ls -l' })),
      hook('hook_started'),
      hook('hook_progress', { output: 'one\ntwo\n' }),
      hook('hook_progress', { output: 'three\nfour\n' }),
    ]);
    expect(lines).toEqual(['I look first.']);
    expect(frameOf(view, IDLE, now, SIZE, plain)).toEqual([
      '⠼ Bash ls -l 400 ms',
      '  ⠸ guard (PreToolUse) 300 ms',
      '    two',
      '    three',
      '    four',
    ]);
    expect(frameOf(view, IDLE, now + 1000, SIZE, plain)[0]).toBe('⠼ Bash ls -l 1.4 s');
  });

  it('LV-24 then has a line with what came of it', () => {
    const { view, lines } = play([
      says(call('t1', 'Bash', { command: 'ls -l' })),
      hook('hook_started'),
      hook('hook_response', { outcome: 'success', output: '' }),
      hook('hook_started', { hook_id: 'h2', hook_name: 'PreToolUse:Bash' }),
      hook('hook_response', {
        hook_id: 'h2',
        hook_name: 'PreToolUse:Bash',
        outcome: 'error',
        exit_code: 3,
        output: 'a\nb',
      }),
      result('t1', 'fine'),
      says(text('Done.')),
      message({
        type: 'result',
        terminal_reason: 'completed',
        result: 'Done.',
        num_turns: 2,
        duration_ms: 1500,
      }),
    ]);
    expect(lines).toEqual([
      '  ✓ guard (PreToolUse) 100 ms',
      '  ✗ PreToolUse:Bash error, exit 3 100 ms',
      '    a',
      '    b',
      '● Bash ls -l 500 ms',
      '  fine',
      'Done.',
      'completed, 2 turns, 1.5 s',
    ]);
    expect(view.running).toEqual([]);
  });

  it('LV-24 a hook that refuses is shown as one that refuses, by its exit code, its output or its answer alike', () => {
    const refusal = { decision: 'deny', reason: 'not today\nask tomorrow' } as const;
    const ends = (hook_id: string, more: object) => [
      hook('hook_started', { hook_id }),
      hook('hook_response', { hook_id, ...more }),
    ];
    const { lines } = play(
      [
        ...ends('h1', { outcome: 'error', exit_code: 2, output: 'not today\nask tomorrow\n' }),
        ...ends('h2', { outcome: 'success', exit_code: 0, output: '{"decision":"block"}' }),
        ...ends('h3', { outcome: 'success', output: '' }),
      ],
      plain,
      { h1: { ...refusal, outcome: 'error', exitCode: 2 }, h2: refusal, h3: refusal },
    );
    const shown = ['  ⊘ guard (PreToolUse) denied 100 ms', '    not today', '    ask tomorrow'];
    expect(lines).toEqual([...shown, ...shown, ...shown]);
  });

  it('LV-24 a refusal is not red; one that is only there because the hook failed is an error', () => {
    const colours = colors.createColors(true);
    const response = hook('hook_response', { outcome: 'error', exit_code: 2, output: 'no' });
    const refused = play([response], colours, { h1: { decision: 'deny', reason: 'no' } }).lines.join('');
    expect(refused).not.toContain(colours.red('x').slice(0, 5));
    const failure = {
      hookId: 'h1',
      name: 'guard',
      kind: 'exit-code',
      message: 'code 3',
      blocked: true,
    } as const;
    const failed = { h1: { decision: 'deny', reason: 'it failed', failure } } as const;
    const broken = hook('hook_response', { outcome: 'error', exit_code: 3, output: 'oops' });
    expect(play([broken], plain, failed).lines).toEqual(['  ✗ guard (PreToolUse) error, exit 3', '    oops']);
    const late = {
      h1: { ...failed.h1, failure: { ...failure, kind: 'timed-out', message: 'it took longer than 3 s' } },
    } as const;
    const cancelled = hook('hook_response', { outcome: 'cancelled', output: '' });
    expect(play([cancelled], plain, late).lines).toEqual(['  ✗ guard (PreToolUse) took too long']);
  });

  it('LV-24 shows the input that a hook has rewritten', () => {
    const updatedInput = { command: 'ls -la' };
    const rewritten = { h1: { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } } } as const;
    const response = hook('hook_response', { outcome: 'success', output: '' });
    expect(play([response], plain, rewritten).lines).toEqual([
      '  ✓ guard (PreToolUse)',
      '    new input: ls -la',
    ]);
  });

  it('LV-24 says what else a hook has decided', () => {
    const response = hook('hook_response', { outcome: 'success', output: '' });
    const asks = { h1: { decision: 'ask', reason: 'sure?' } } as const;
    expect(play([response], plain, asks).lines).toEqual(['  ✓ guard (PreToolUse) asks', '    sure?']);
    expect(play([response], plain, { h1: { decision: 'allow' } }).lines).toEqual([
      '  ✓ guard (PreToolUse) allowed',
    ]);
  });

  it('LV-24 says why something was refused or failed, and how a turn ended', () => {
    const { lines } = play([
      says(call('t1', 'Bash', { command: 'rm -rf /' }), call('t2', 'Read', { file_path: '/a', limit: 3 })),
      system('permission_denied', { tool_use_id: 't1', message: 'not today' }),
      result('t1', 'PreToolUse hook refused this call: not today', true),
      result('t2', 'there is no such file', true),
      system('informational', { content: 'guard says: mind the step', level: 'info' }),
      system('api_retry', {
        error: 'rate_limit',
        error_status: 429,
        retry_delay_ms: 1500,
        attempt: 1,
        max_retries: 10,
      }),
      message({
        type: 'result',
        terminal_reason: 'model_error',
        errors: ['too many people'],
        result: '',
        num_turns: 1,
        duration_ms: 9,
      }),
    ]);
    expect(lines).toEqual([
      '⊘ Bash rm -rf / refused',
      '  not today',
      '✗ Read /a 300 ms',
      '  there is no such file',
      '  guard says: mind the step',
      '  The model did not answer (rate limit, 429). Trying again in 1.5 s, 1 of 10.',
      'too many people',
      'model error, 1 turn, 9 ms',
    ]);
  });

  it('LV-24 shows the reason of a refusal once, with the hook that gave it', () => {
    const refuse = (reason: string, message: string) =>
      play(
        [
          says(call('t1', 'Bash', { command: 'rm -rf /' })),
          hook('hook_started'),
          hook('hook_response', { outcome: 'error', exit_code: 2, output: reason }),
          system('permission_denied', { tool_use_id: 't1', message }),
          result('t1', message, true),
        ],
        plain,
        { h1: { decision: 'deny', reason } },
      ).lines;
    const hookLines = ['  ⊘ guard (PreToolUse) denied 100 ms', '    not today'];
    expect(refuse('not today\n', 'PreToolUse:Bash hook refused this call: not today')).toEqual([
      ...hookLines,
      '⊘ Bash rm -rf / refused',
    ]);
    expect(refuse('not today', 'The rule `Bash(rm *)` denies it.')).toEqual([
      ...hookLines,
      '⊘ Bash rm -rf / refused',
      '  The rule `Bash(rm *)` denies it.',
    ]);
  });

  it('LV-24 ignores what it does not show, and tools it has not seen begin', () => {
    const { lines, view } = play([
      message({ type: 'stream_event' }),
      system('init', {}),
      system('status', { status: 'compacting' }),
      result('nobody', 'x'),
      hook('hook_response', { outcome: 'cancelled', output: '' }),
    ]);
    expect(lines).toEqual(['  - guard (PreToolUse) cancelled']);
    expect(view.running).toEqual([]);
  });

  it('LV-27 nothing that is shown steers the terminal, in lines or in what moves', () => {
    const bad = 'a\u001b[2J\u001b]0;t\u0007b\u202e\rc';
    const { lines, view, now } = play([
      says(text(bad), call('t1', bad, { [bad]: bad })),
      hook('hook_started', { hook_name: bad }),
      hook('hook_progress', { output: bad }),
      system('informational', { content: bad, level: 'warning' }),
      system('injection', { state: 'delivered', source_kind: bad, agent_id: bad, strategy: 'tool_result' }),
      system('task_started', { subagent_type: bad, description: bad }),
    ]);
    const shown = [...lines, ...frameOf(view, IDLE, now, SIZE, plain)].join('\n');
    expect(shown).toContain('␛[2J');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('LV-27 has colours only where they are wanted', () => {
    const messages = [says(call('t1', 'Bash', {})), result('t1', 'x')];
    expect(play(messages, colors.createColors(true)).lines.join('')).toContain('\u001b[32m');
    expect(play(messages).lines.join('')).not.toContain('\u001b');
  });
});

describe('what moves', () => {
  it('LV-27 is cut to the width of the terminal, whatever signs it has', () => {
    const { view, now } = play([
      says(call('t1', 'Bash', { command: '日本語のとても長い命令'.repeat(9) })),
      hook('hook_started', { hook_name: 'x'.repeat(300) }),
    ]);
    for (const columns of [20, 40, 80])
      for (const line of frameOf(view, IDLE, now, { columns, rows: 24 }, plain))
        expect(widthOf(line)).toBeLessThanOrEqual(columns);
    expect([widthOf('日本'), widthOf('e\u0301'), widthOf('👍')]).toEqual([4, 1, 2]);
    expect(cutToWidth('日本語', 4)).toBe('日…');
  });

  it('LV-27 never has more lines than fit', () => {
    const calls = Array.from({ length: 30 }, (_, i) => call(`t${i}`, 'Look', { at: String(i) }));
    const { view, now } = play([says(...calls)]);
    const lines = frameOf(view, IDLE, now, { columns: 80, rows: 10 }, plain);
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe('… 24 more');
  });

  it('LV-24 lines that stay go above it; what is typed is its last line, with the cursor in it', () => {
    let out = '';
    const stream = { isTTY: true, columns: 30, write: (words: string) => (out += words) };
    const screen = createScreen(stream, createPrinter(stream, stream, { NO_COLOR: '1' }), true);
    const input = { sign: '› ', text: 'hello', cursor: 2 };
    screen.draw(['one', 'two'], input);
    const live = '\u001b[?7lone\ntwo\n› hello\u001b[?7h\r\u001b[4C';
    expect(out).toBe(live);
    out = '';
    screen.print(['stays']);
    expect(out).toBe(`\r\u001b[2A\u001b[Jstays\n${live}`);
    out = '';
    screen.print([`  ${'word '.repeat(8)}`.trimEnd()]);
    expect(out).toContain('  word word word word word\n  word word word\n');
    out = '';
    screen.draw([], { sign: '› ', text: 'x'.repeat(100), cursor: 100 });
    expect(out).toContain(`› ${'x'.repeat(26)}\u001b[?7h\r\u001b[28C`);
  });

  it('LV-24 shows the text that arrives, that the agent works, and what is queued', () => {
    const piece = (text: string) =>
      message({
        type: 'stream_event',
        event: { delta: { type: 'text_delta', text } },
        parent_tool_use_id: null,
      });
    const { view, now } = play([piece('I th'), piece('ink.\nSo')]);
    const state = { since: 0, queued: ['use metres\nplease'] };
    expect(frameOf(view, state, now, SIZE, plain)).toEqual([
      'I think.',
      'So',
      '⠹ Working, 200 ms. Escape interrupts.',
      '› use metres  (queued)',
    ]);
    expect(play([piece('I th'), says(text('I think.'))]).view.partial).toBe('');
  });

  it('LV-24 a tool’s time is without the time in which a person was asked', () => {
    const context = { now: 0, paint: plain, columns: 60, resultOf: () => undefined, waitedMs: () => 5000 };
    const begun = advance(EMPTY_VIEW, says(call('t1', 'Bash', { command: 'ls' })), context);
    const ended = advance(begun, result('t1', 'a\nb\nc\nd\ne\nf'), { ...context, now: 5250 });
    expect(ended.lines).toEqual(['● Bash ls 250 ms', '  a', '  b', '  c', '  d', '  e', '  (1 more line)']);
    const end = message({ type: 'result', terminal_reason: 'completed', num_turns: 1, duration_ms: 5260 });
    expect(advance(ended, end, context).lines).toEqual(['completed, 1 turn, 260 ms']);
  });

  it('LV-27 does not exist on a terminal that does not understand it', () => {
    let out = '';
    const stream = { isTTY: true, write: (words: string) => (out += words) };
    const screen = createScreen(stream, createPrinter(stream, stream, { TERM: 'dumb' }), false);
    screen.draw(['one']);
    screen.print(['stays']);
    expect(out).toBe('stays\n');
  });
});
