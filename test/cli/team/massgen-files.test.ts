/** The configurations that MassGen's documents describe, run as they are with `hookline team` and `hookline run`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ModelRequest } from '../../../src/agent/models/port.js';
import { hasPython } from '../../dialects/massgen/support.js';
import { startBrains, type Think } from '../../team/support/brain-server.js';
import {
  authorOf,
  call as callTool,
  saidIn,
  type Turn,
  thinkAnswerThenVote,
  toolsIn,
} from '../../team/support/brains.js';
import { folder } from '../support.js';

async function bench(brains: Readonly<Record<string, Think>>) {
  const made = folder();
  const server = await startBrains(brains);
  onTestFinished(() => server.close());
  vi.stubEnv('ANTHROPIC_API_KEY', 'test-key');
  vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
  vi.stubEnv('ANTHROPIC_MODEL', 'brain-default');
  vi.stubEnv('OPENAI_API_KEY', '');
  return { ...made, server };
}

/** Does these things first, then hands in its answer and votes for the best. */
function does(steps: readonly Turn[], answer: string, best = answer): Think {
  const think = thinkAnswerThenVote(answer, best);
  return (request) => {
    const said = saidIn(request);
    const isFirst = toolsIn(request).includes('vote') && !said.includes('Your own answer');
    const done = request.messages.filter(({ role }) => role === 'assistant').length;
    return (isFirst ? steps[done] : undefined) ?? think(request);
  };
}

const write = (file_path: string): Turn => callTool('Write', { file_path, content: 'x\n' });
const all = (requests: readonly ModelRequest[] | undefined): string =>
  (requests ?? []).map(saidIn).join('\n');

const HANDLERS = `
import time

def audit(event):
    with open("audit.txt", "a") as file:
        file.write(f"{event.hook_type} {event.tool_name} {event.agent_id}\\n")

def keep_locks(event):
    path = event.tool_input.get("file_path", "")
    if path.endswith("crash.txt"):
        raise RuntimeError("the checker is out of order")
    if path.endswith(".lock"):
        return {"decision": "deny", "reason": "locks belong to nobody"}
    if path.endswith("draft.txt"):
        return {"updated_input": {**event.tool_input, "file_path": path.replace("draft", "final")}}

def crash(event):
    raise RuntimeError("out of order")

def slow(event):
    time.sleep(60)

def outside(event):
    return {"inject": {"content": "seen by the hook for all", "strategy": "user_message"}}
`;
const NOTE = `#!/usr/bin/env node
const event = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const names = ['HOOK_TYPE', 'TOOL_NAME', 'AGENT_ID'].map((name) => process.env['MASSGEN_' + name]);
console.log(JSON.stringify({ inject: { content: 'noted ' + event.tool_name + ' ' + names.join(' '), strategy: 'tool_result' } }));
`;

describe.skipIf(!hasPython)('hooks of a MassGen file in a team', () => {
  it('TM-1 TM-4 hooks for all and of one agent, override, fail_closed, timeout, commands', {
    timeout: 60_000,
  }, async () => {
    const lines = ['a.lock', 'crash.txt', 'draft.txt'].map(write);
    const {
      call,
      write: put,
      workspace,
      server,
    } = await bench({
      'brain-one': does(lines, 'one', 'two'),
      'brain-two': does([write('b.lock')], 'two'),
    });
    put('handlers.py', HANDLERS);
    put('note.cjs', NOTE);
    put(
      'team.yaml',
      `
hooks:
  PreToolUse:
    - { matcher: "*", handler: "handlers.audit", type: "python" }
    - { matcher: "Write", handler: "handlers.slow", timeout: 0.2 }
    - { matcher: "Write|Edit", handler: "handlers.crash" }
  PostToolUse:
    - { matcher: "Write", handler: "handlers.outside" }
agents:
  - id: "one"
    backend:
      type: "claude"
      model: "brain-one"
      cwd: "work1"
      hooks:
        PreToolUse:
          - { matcher: "Write", handler: "handlers.keep_locks", type: "python", fail_closed: true }
        PostToolUse:
          override: true
          hooks:
            - { matcher: "Write", handler: "note.cjs", type: "command" }
  - { id: "two", backend: { type: "claude", model: "brain-two", cwd: "work2" } }
`,
    );
    const { code, out, err } = await call(['team', 'team.yaml', 'Write.']);
    expect({ code, out, err: code === 0 ? '' : err }).toEqual({ code: 0, out: 'Final: two\n', err: '' });
    const [one, two] = ['brain-one', 'brain-two'].map((name) => all(server.requests.get(name)));
    // Global hooks see both agents, and what crashes or takes too long lets the tool run.
    const audit = readFileSync(join(workspace, 'audit.txt'), 'utf8');
    expect(audit).toContain('PreToolUse Write one');
    expect(audit).toContain('PreToolUse Write two');
    expect(audit).toContain('PreToolUse vote two');
    // The hooks of one agent: it is refused, and told why; a hook that fails closed refuses; an input is changed.
    expect(one).toContain('locks belong to nobody');
    expect(one).toContain('the checker is out of order');
    expect(
      ['a.lock', 'crash.txt', 'draft.txt', 'final.txt'].filter((name) =>
        existsSync(join(workspace, 'work1', name)),
      ),
    ).toEqual(['final.txt']);
    expect(existsSync(join(workspace, 'work2', 'b.lock'))).toBe(true);
    // After the tool: a command with its variables, and an override that leaves out the hook for all.
    expect(one).toContain('noted Write PostToolUse Write one');
    expect(one).not.toContain('seen by the hook for all');
    expect(two).toContain('seen by the hook for all');
    expect(two).not.toContain('noted');
  });

  it('MG-3 RU-15 a file with hooks only, in the form of a list, applies to `hookline run`', async () => {
    const {
      call,
      write: put,
      server,
    } = await bench({
      'brain-default': (request) => (request.messages.length === 1 ? write('a.txt') : { text: 'Done.' }),
    });
    put('handlers.py', HANDLERS);
    put(
      'hooks.yaml',
      'hooks:\n  - { type: PostToolUse, matcher: "Write|Edit", callable: "handlers.outside", fail_closed: false }\n',
    );
    const args = ['run', '-p', 'go', '--massgen', 'hooks.yaml', '--permission-mode', 'acceptEdits'];
    expect(await call(args)).toMatchObject({ code: 0, out: 'Done.\n', err: '' });
    expect(all(server.requests.get('brain-default'))).toContain('seen by the hook for all');
  });
});

const DEBUG = `
agents:
  - id: "agent_a"
    backend: { type: "gemini", model: "gemini-3-flash-preview", cwd: "workspace1", enable_mcp_command_line: true }
  - id: "agent_b"
    backend:
      type: "claude"
      model: "brain-b"
      cwd: "workspace2"
      enable_mcp_command_line: true
      debug_delay_seconds: 0.4
      debug_delay_after_n_tools: 2
`;
const PLANNING = `
orchestrator:
  coordination:
    enable_agent_task_planning: true
    task_planning_filesystem_mode: true
`;

/** The slow agent: two tools, the second of which is delayed; then whatever it was told. */
function slowAgent(fastHasAnswered: Promise<void>): Think {
  const think = thinkAnswerThenVote('a poem of b', 'a poem of a');
  return async (request) => {
    const said = saidIn(request);
    const done = request.messages.filter(({ role }) => role === 'assistant').length;
    if (!toolsIn(request).includes('vote') || said.includes('Your own answer')) return think(request);
    if (done === 0) return callTool('Glob', { pattern: '*' });
    await fastHasAnswered;
    if (done === 1) return callTool('Glob', { pattern: '*.txt' });
    if (done === 2 && authorOf(request, 'a poem of a') === undefined)
      return callTool('Glob', { pattern: '*' });
    return think(request);
  };
}

async function debugTeam(more: string) {
  let answered = (): void => {};
  const fastHasAnswered = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const plan = callTool('create_task_plan', {
    tasks: [{ id: 'poem', description: 'Write it', priority: 'high' }],
  });
  const done = callTool('update_task_status', { task_id: 'poem', status: 'completed' });
  const steps = [plan, write('poem.txt'), callTool('Bash', { command: 'ls', description: 'look' }), done];
  const made = await bench({
    'brain-default': does(steps, 'a poem of a'),
    'brain-b': slowAgent(fastHasAnswered),
  });
  made.write('team.yaml', DEBUG + more);
  const called = await made.call(['team', 'team.yaml', 'Create a simple poem and write it into a file'], {
    onPrint: (text) => {
      if (text.includes('answer agent_a.1')) answered();
    },
  });
  const [a, b] = ['brain-default', 'brain-b'].map((name) => made.server.requests.get(name) ?? []);
  return { ...made, ...called, a: a ?? [], b: b ?? [] };
}

describe('the debug configuration', () => {
  it('TM-2 TM-10 the slow agent gets the answer in the middle of its work, with the files and the plan of its peer', async () => {
    const { code, out, err, a, b, workspace } = await debugTeam(PLANNING);
    expect({ code, out, err: code === 0 ? '' : err }).toEqual({
      code: 0,
      out: 'Final: a poem of a\n',
      err: '',
    });
    expect(err).toMatch(/agent_b {2}\[INJECTION\] peer agent\d as tool_result/);
    // With the result of the delayed tool, behind its output, with the folder of the peer's files.
    const third = b[2];
    const result = JSON.stringify(third?.messages.at(-1)?.content[0]);
    expect(result).toContain('"type":"tool_result"');
    expect(result).toContain('a poem of a');
    expect(result).toContain('vote for an answer that is complete and right');
    const [, copy = ''] = /can be read in (\S+?)\\n/.exec(result) ?? [];
    expect(readFileSync(join(copy, 'poem.txt'), 'utf8')).toBe('x\n');
    expect(JSON.parse(readFileSync(join(copy, 'tasks', 'plan.json'), 'utf8'))).toEqual({
      tasks: [{ id: 'poem', description: 'Write it', priority: 'high', status: 'completed' }],
    });
    expect(existsSync(join(workspace, 'workspace1', 'poem.txt'))).toBe(true);
    // Planning tools, a command line, and the reminder after a task of high priority.
    expect(toolsIn(a[0] as ModelRequest)).toEqual(
      expect.arrayContaining(['Bash', 'create_task_plan', 'add_task', 'update_task_status', 'get_task_plan']),
    );
    expect(all(a)).toContain('memory/long_term/lessons_learned.md');
  });

  it('TM-2 TM-10 without the planning keys there are no planning tools and no file', async () => {
    const { a, workspace, code } = await debugTeam('');
    expect(code).toBe(0);
    expect(toolsIn(a[0] as ModelRequest)).not.toContain('create_task_plan');
    expect(existsSync(join(workspace, 'workspace1', 'tasks'))).toBe(false);
  });

  it('TM-2 defer_peer_updates_until_restart: the answer waits for the next round', async () => {
    const { code, err, b } = await debugTeam('orchestrator: { defer_peer_updates_until_restart: true }\n');
    expect(code).toBe(0);
    expect(err).not.toContain('as tool_result');
    expect(err).toMatch(/agent_b {2}\[INJECTION\] peer agent\d as user_message/);
    const later = b.find((request) => saidIn(request).includes('a poem of a'));
    expect(later?.messages).toHaveLength(1);
  });

  it.each([
    ['defer_peer_updates_until_restart: true', 'user_message'],
    ['max_midstream_injections_per_round: 0', 'user_message'],
    ['max_midstream_injections_per_round: 1', 'tool_result'],
  ])('TM-2 with %s the first answer of the peer arrives as %s', async (keys, way) => {
    const { code, err } = await debugTeam(`orchestrator: { coordination: { ${keys} } }\n`);
    expect(code).toBe(0);
    const [, first] = /agent_b {2}\[INJECTION\] peer agent\d as (\w+)/.exec(err) ?? [];
    expect(first).toBe(way);
  });

  it('TM-2 allow_midstream_peer_updates_before_checklist_submit is without effect, because there is no checklist, and that is said', async () => {
    const keys =
      'defer_peer_updates_until_restart: true, allow_midstream_peer_updates_before_checklist_submit: true';
    const { code, err } = await debugTeam(`orchestrator: { ${keys} }\n`);
    expect(code).toBe(0);
    expect(err).not.toContain('as tool_result');
    expect(err.split('Without effect here, because agents of a team submit no checklist')).toHaveLength(2);
  });

  it('TM-2 timeout_settings: after the limit and its grace only new_answer and vote are left', async () => {
    const limits = 'initial_round_timeout_seconds: 0.001, round_timeout_grace_seconds: 0';
    const {
      call,
      write: put,
      server,
    } = await bench({
      'brain-default': does(['a.txt', 'b.txt'].map(write), 'eight'),
    });
    put('team.yaml', `agents: [{ id: solo, backend: { type: claude } }]\ntimeout_settings: { ${limits} }\n`);
    const { code, out } = await call(['team', 'team.yaml', 'How many?']);
    expect({ code, out }).toEqual({ code: 0, out: 'Final: eight\n' });
    const said = all(server.requests.get('brain-default'));
    expect(said).toContain('The time of this round is over');
    expect(said).toContain('Write is refused (1 in a row)');
  });

  it('TM-2 timeout_settings: later rounds have a limit of their own, and a grace in which tools still run', async () => {
    const think = thinkAnswerThenVote('eight', 'eight');
    /** Two files in every round. The limit is noticed after the first, and counts from then on. */
    const writes: Think = (request) => {
      const done = request.messages.filter(({ role }) => role === 'assistant').length;
      const round = saidIn(request).includes('Your own answer') ? 'later' : 'first';
      return toolsIn(request).includes('vote') && done < 2 ? write(`${round}${done}.txt`) : think(request);
    };
    const filesWith = async (grace: number) => {
      const { call, write: put, workspace } = await bench({ 'brain-default': writes });
      const limits = `subsequent_round_timeout_seconds: 0, round_timeout_grace_seconds: ${grace}`;
      put(
        'team.yaml',
        `agents: [{ id: solo, backend: { type: claude, cwd: work } }]\ntimeout_settings: { ${limits} }\n`,
      );
      expect((await call(['team', 'team.yaml', 'How many?'])).code).toBe(0);
      return readdirSync(join(workspace, 'work'))
        .filter((name) => name.endsWith('.txt'))
        .sort();
    };
    expect(await filesWith(0)).toEqual(['first0.txt', 'first1.txt', 'later0.txt']);
    expect(await filesWith(600)).toEqual(['first0.txt', 'first1.txt', 'later0.txt', 'later1.txt']);
  });
});
