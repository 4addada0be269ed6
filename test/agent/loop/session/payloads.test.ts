import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, type HookEvent } from '../../../../src/index.js';
import { place } from '../../../dialects/claude-code/support.js';
import { watchProcess } from '../../../support/runner.js';
import { everything } from './everything.js';
import { watchLoop } from './support.js';

watchProcess();

describe('what each of the fifteen events tells', () => {
  it('LO-3: every field of every event is there, and no other', async () => {
    const { options, act, noticed } = everything();
    const { loop, of, cwd } = await watchLoop({ options, hooks: { Notification: [{ hooks: [noticed] }] } });
    await act(loop);
    const { transcriptPath } = await loop.session();
    const early = {
      session_id: 'session-1',
      transcript_path: transcriptPath,
      cwd,
      permission_mode: 'default',
    };
    const base = { ...early, prompt_id: expect.any(String) };
    const named = (event: HookEvent, ...own: readonly object[]) =>
      own.map((each) => ({ hook_event_name: event, ...each }));
    const make = { tool_name: 'Bash', tool_input: { command: 'mkfifo made' } };
    const exit = { tool_name: 'Bash', tool_input: { command: 'mkfifo again; exit 3' } };
    const rule = { toolName: 'Bash', ruleContent: expect.any(String) };
    const suggestion = {
      type: 'addRules',
      rules: [rule],
      behavior: 'allow',
      destination: expect.any(String),
    };
    const scout = { agent_id: expect.stringMatching(/^a[0-9a-f]{16}$/), agent_type: 'scout' };
    const guard = { ...scout, agent_type: 'guard' };
    const stopping = { stop_hook_active: false, background_tasks: [], session_crons: [] };
    const duration = { duration_ms: expect.any(Number) };
    const member = { team_name: 'engine', teammate_name: 'ada' };

    expect(of('Setup')).toEqual(named('Setup', { ...early, trigger: 'init' }));
    expect(of('SessionStart')).toEqual(
      named(
        'SessionStart',
        { ...early, source: 'startup', model: 'main-model' },
        { ...base, source: 'compact', model: 'main-model' },
      ),
    );
    expect(of('UserPromptSubmit')).toEqual(
      named(
        'UserPromptSubmit',
        { ...base, prompt: 'Do everything.', source: 'sdk' },
        { ...base, prompt: expect.stringContaining('All quiet'), source: 'system' },
      ),
    );
    expect(of('PreToolUse').slice(0, 2)).toEqual(
      named(
        'PreToolUse',
        { ...base, ...make, tool_use_id: 'use-1' },
        { ...base, ...exit, tool_use_id: 'use-2' },
      ),
    );
    const response = { stdout: '', stderr: '', interrupted: false, isImage: false };
    expect(of('PostToolUse')[0]).toEqual({
      hook_event_name: 'PostToolUse',
      ...base,
      ...make,
      tool_response: response,
      tool_use_id: 'use-1',
      ...duration,
    });
    expect(of('PostToolUse').find((input) => input['tool_use_id'] === 'use-5')?.['tool_response']).toEqual({
      status: 'completed',
      prompt: 'Look around',
      agentId: scout.agent_id,
      content: [{ type: 'text', text: 'Nothing there' }],
    });
    expect(of('PostToolUseFailure')).toEqual(
      named('PostToolUseFailure', {
        ...base,
        ...exit,
        tool_use_id: 'use-2',
        error: 'Exit code 3',
        is_interrupt: false,
        ...duration,
      }),
    );
    expect(of('PermissionRequest')).toEqual(
      named(
        'PermissionRequest',
        { ...base, ...make, permission_suggestions: [suggestion] },
        { ...base, ...exit, permission_suggestions: expect.any(Array) },
      ),
    );
    expect(of('Notification')).toContainEqual({
      hook_event_name: 'Notification',
      ...base,
      notification_type: 'permission_prompt',
      message: expect.stringContaining('Bash'),
    });
    expect(of('TaskCompleted')).toEqual(
      named('TaskCompleted', {
        ...base,
        task_id: '1',
        task_subject: 'Dig',
        task_description: 'Until water comes',
      }),
    );
    expect(of('SubagentStart')).toEqual(named('SubagentStart', { ...base, ...scout }, { ...base, ...guard }));
    const path = { agent_transcript_path: expect.stringMatching(/subagents\/agent-a[0-9a-f]{16}\.jsonl$/) };
    expect(of('SubagentStop')).toEqual(
      named(
        'SubagentStop',
        { ...base, ...stopping, ...scout, ...path, last_assistant_message: 'Nothing there' },
        {
          ...base,
          ...stopping,
          ...guard,
          ...path,
          last_assistant_message: 'All quiet',
          background_tasks: [
            {
              id: guard.agent_id,
              type: 'teammate',
              status: 'running',
              description: 'Stay',
              agent_type: 'guard',
            },
          ],
        },
      ),
    );
    expect(of('TeammateIdle')).toEqual(named('TeammateIdle', { ...base, ...guard, ...member }));
    expect(of('Stop').at(-1)).toEqual({
      hook_event_name: 'Stop',
      ...base,
      ...stopping,
      last_assistant_message: 'Heard of it.',
    });
    expect(of('PreCompact')).toEqual(
      named('PreCompact', { ...base, trigger: 'manual', custom_instructions: 'keep the names' }),
    );
    expect(of('SessionEnd')).toEqual(named('SessionEnd', { ...base, reason: 'other' }));
    for (const event of HOOK_EVENTS) expect(of(event), event).not.toEqual([]);
  });

  it('LO-3: commands of a settings file read what Claude Code tells them, key by key', async () => {
    const { options, act, noticed } = everything();
    const { write, load, dir } = place();
    const log = join(dir, 'inputs.jsonl');
    const group = [{ hooks: [{ type: 'command', command: `cat >> '${log}'` }] }];
    write('workspace/.claude/settings.json', {
      hooks: Object.fromEntries(HOOK_EVENTS.map((event) => [event, group])),
    });
    const config = await load();
    const { loop } = await watchLoop({
      options,
      hooks: { Notification: [{ hooks: [noticed] }] },
      prepare: ({ runner }) => runner.use(config),
    });
    await act(loop);
    const keys: Record<string, string[]> = {};
    for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
      const input = JSON.parse(line) as Record<string, unknown>;
      keys[String(input['hook_event_name'])] ??= Object.keys(input).sort();
    }
    const base = ['session_id', 'transcript_path', 'cwd', 'hook_event_name'];
    const mode = [...base, 'prompt_id', 'permission_mode'];
    const tool = [...mode, 'tool_name', 'tool_input'];
    const end = [...mode, 'stop_hook_active', 'last_assistant_message', 'background_tasks', 'session_crons'];
    const wanted: Record<HookEvent, string[]> = {
      Setup: [...base, 'trigger'],
      SessionStart: [...base, 'source', 'model'],
      // The recordings have no source yet; its type does.
      UserPromptSubmit: [...mode, 'prompt', 'source'],
      PreToolUse: [...tool, 'tool_use_id'],
      PostToolUse: [...tool, 'tool_use_id', 'tool_response', 'duration_ms'],
      PostToolUseFailure: [...tool, 'tool_use_id', 'error', 'is_interrupt', 'duration_ms'],
      PermissionRequest: [...tool, 'permission_suggestions'],
      Notification: [...base, 'prompt_id', 'message', 'notification_type'],
      TaskCompleted: [...base, 'prompt_id', 'task_id', 'task_subject', 'task_description'],
      SubagentStart: [...base, 'prompt_id', 'agent_id', 'agent_type'],
      SubagentStop: [...end, 'agent_id', 'agent_type', 'agent_transcript_path'],
      TeammateIdle: [...mode, 'agent_id', 'agent_type', 'teammate_name', 'team_name'],
      Stop: end,
      PreCompact: [...base, 'prompt_id', 'trigger', 'custom_instructions'],
      SessionEnd: [...base, 'prompt_id', 'reason'],
    };
    for (const event of HOOK_EVENTS) expect(keys[event], event).toEqual(wanted[event].sort());
  });
});
