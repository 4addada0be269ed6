/** Events that another ecosystem knows by other names: a small dialect of that kind, from file to outcome. */
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/config/dialect.js';
import { eventsNamed, nameOfEvent, namesInDialect } from '../../src/config/event-names.js';
import { unknownEventProblem } from '../../src/config/unknown-event.js';
import { hookline } from '../../src/dialects/hookline/index.js';
import { command, Runner } from '../../src/index.js';

const other: Dialect = {
  ...hookline,
  name: 'other',
  eventNames: {
    PreToolUse: 'BeforeTool',
    PostToolUse: 'AfterTool',
    PostToolUseFailure: 'AfterTool',
    SessionStart: 'SessionStart',
  },
};

const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: '1' };

const answering = (answer: object): string => `cat > /dev/null; echo '${JSON.stringify(answer)}'`;

describe('a dialect with event names of its own', () => {
  it('DI-1 reads its names from files: one name may stand for two of our events', () => {
    expect(eventsNamed('BeforeTool', other)).toEqual(['PreToolUse']);
    expect(eventsNamed('AfterTool', other)).toEqual(['PostToolUse', 'PostToolUseFailure']);
    expect(eventsNamed('SessionStart', other)).toEqual(['SessionStart']);
    expect(eventsNamed('PreToolUse', other)).toEqual([]);
    expect(eventsNamed('toString', other)).toEqual([]);
    expect(namesInDialect(other)).toEqual(['BeforeTool', 'AfterTool', 'SessionStart']);
  });

  it('DI-1 without names of its own, ours count', () => {
    expect(eventsNamed('PreToolUse', hookline)).toEqual(['PreToolUse']);
    expect(eventsNamed('BeforeTool', hookline)).toEqual([]);
    expect(nameOfEvent('PreToolUse', hookline)).toBe('PreToolUse');
  });

  it('DI-2 an unknown name is compared with the names of the dialect', () => {
    expect(unknownEventProblem('BeforTool', other).message).toContain('Did you mean BeforeTool?');
    expect(unknownEventProblem('Whatever', other).message).toContain('BeforeTool, AfterTool, SessionStart');
  });

  it('DI-3 its commands get its name and answer with it; everything else has ours', async () => {
    await using runner = new Runner();
    const deny = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
    const line = answering({ hookSpecificOutput: { hookEventName: 'BeforeTool', ...deny } });
    const seen: unknown[] = [];
    runner.messages.on('hook_started', ({ hook_event }) => seen.push(hook_event));
    runner.on('PreToolUse', { dialect: other }, (input) => {
      seen.push(input.hook_event_name);
      return {};
    });
    runner.on(
      'PreToolUse',
      { dialect: other },
      command('grep -o "\\"hook_event_name\\":\\"[A-Za-z]*\\"" >&2'),
    );
    runner.on('PreToolUse', { dialect: other }, command(line));
    const { results, decision, reason, hookSpecificOutputs } = await runner.fire('PreToolUse', call);
    expect(results[1]?.stderr).toBe('"hook_event_name":"BeforeTool"\n');
    expect([decision, reason]).toEqual(['deny', 'no']);
    expect(hookSpecificOutputs).toEqual([{ hookEventName: 'PreToolUse', ...deny }]);
    expect(seen).toContain('PreToolUse');
    expect(seen).not.toContain('BeforeTool');
  });

  it('DI-3 a callback may answer with either name; the name of another event is a failure', async () => {
    await using runner = new Runner();
    const named = (name: string) => () => ({
      hookSpecificOutput: { hookEventName: name as 'PreToolUse', additionalContext: name },
    });
    for (const name of ['BeforeTool', 'PreToolUse', 'AfterTool'])
      runner.on('PreToolUse', { dialect: other }, named(name));
    const { additionalContext, failures } = await runner.fire('PreToolUse', call);
    expect(additionalContext).toEqual(['BeforeTool', 'PreToolUse']);
    expect(failures).toHaveLength(1);
  });
});
