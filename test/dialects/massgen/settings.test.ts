/** What a MassGen file says beyond its hooks: every key that MassGen's documents name, wherever it may stand. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { FIXTURES, massgenTest } from './support.js';

massgenTest('MG-38 the debug configuration of the user guide is read whole', async ({ loadFile }) => {
  const { settings, diagnostics } = await loadFile('injection_delay_test.yaml');
  expect(diagnostics).toEqual([]);
  expect(settings).toMatchObject({ taskPlanning: true, tasksInFiles: true });
  expect(settings.agents).toMatchObject([
    {
      id: 'agent_a',
      backend: 'gemini',
      model: 'gemini-3-flash-preview',
      workspace: join(FIXTURES, 'workspace1'),
      commandLine: true,
    },
    { id: 'agent_b', debugDelay: { seconds: 30, afterTools: 2 } },
  ]);
  expect(settings.agents[0]?.debugDelay).toBeUndefined();
  expect(settings.agents[0]?.rounds).toBeUndefined();
});

massgenTest(
  'MG-38 settings stand with an agent, in the orchestrator, or at the top; the nearest counts',
  async ({ load }) => {
    const { settings, diagnostics } = await load(`
timeout_settings: { initial_round_timeout_seconds: 600, subsequent_round_timeout_seconds: 300, round_timeout_grace_seconds: 60 }
agents:
  - id: one
    system_message: Be brief.
    backend: { type: claude, defer_peer_updates_until_restart: false, debug_delay_seconds: 0, debug_delay_after_n_tools: 4 }
  - backend: { type: openai, base_url: "http://127.0.0.1:1/v1", timeout_settings: { initial_round_timeout_seconds: 10 } }
    max_midstream_injections_per_round: 7
orchestrator:
  defer_peer_updates_until_restart: false
  max_midstream_injections_per_round: 5
  max_new_answers_per_agent: 3
  coordination:
    defer_peer_updates_until_restart: yes
    allow_midstream_peer_updates_before_checklist_submit: true
    timeout_settings: { subsequent_round_timeout_seconds: 90 }
`);
    expect(diagnostics).toEqual([]);
    expect(settings.maxAnswers).toBe(3);
    const [one, two] = settings.agents;
    expect(one).toMatchObject({ id: 'one', systemMessage: 'Be brief.', commandLine: false });
    expect(one?.debugDelay).toBeUndefined();
    expect(one?.peerUpdates).toEqual({
      deferPeerUpdatesUntilRestart: false,
      allowMidstreamPeerUpdatesBeforeChecklistSubmit: true,
      maxPerRound: 5,
    });
    expect(one?.rounds).toEqual({ initialSeconds: 600, subsequentSeconds: 90, graceSeconds: 60 });
    expect(two).toMatchObject({ id: 'agent2', backend: 'openai', baseUrl: 'http://127.0.0.1:1/v1' });
    expect(two?.peerUpdates).toMatchObject({ deferPeerUpdatesUntilRestart: true, maxPerRound: 7 });
    expect(two?.rounds).toEqual({ initialSeconds: 10, subsequentSeconds: 90, graceSeconds: 60 });
  },
);

massgenTest('MG-39 every other key is named once; a misspelt one is a warning', async ({ load }) => {
  const { diagnostics, settings } = await load(`
ui: { display_type: rich_terminal }
agents:
  - { id: a, backend: { type: claude, max_tokens: 5, debug_delay_second: 3 } }
  - { id: b, backend: { type: claude, max_tokens: 6 } }
orchestrator: { snapshot_storage: snapshots, coordination: { broadcast: human } }
timeout_settings: { orchestrator_timeout_seconds: 5, wall_seconds: 9 }
`);
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'misspelt_key', message: expect.stringContaining('`debug_delay_seconds`') },
    {
      severity: 'info',
      code: 'not_read_here',
      message:
        'Not read here, so without effect: ui, orchestrator.snapshot_storage, orchestrator.coordination.broadcast, agents[].backend.max_tokens, timeout_settings.wall_seconds.',
    },
  ]);
  expect(settings.timeoutSeconds).toBe(5);
});

massgenTest('MG-39 hooks under a misspelt key are lost protection', async ({ load }) => {
  const { diagnostics } = await load(`
hook: { PreToolUse: [{ handler: guard.fn }] }
agents:
  - { id: a, backend: { hoks: {}, Hooks: {} } }
`);
  expect(diagnostics).toMatchObject([
    { severity: 'error', code: 'unknown_key', failsOpen: true, source: { line: 2 } },
    { severity: 'error', code: 'unknown_key', failsOpen: true, source: { line: 4 } },
    { severity: 'info', code: 'not_read_here', message: expect.stringContaining('agents[].backend.hoks') },
  ]);
});

massgenTest('MG-40 an agent that is not a mapping is an error', async ({ load }) => {
  const { diagnostics } = await load('agents: [ada, { id: ben }, 3]');
  expect(diagnostics.map(({ code, message }) => [code, message.split(';')[0]])).toEqual([
    ['invalid_setting', '`agents[]` is "ada"'],
  ]);
});

massgenTest(
  'MG-40 a setting of a wrong kind is an error at its place and counts as not given',
  async ({ load }) => {
    const { settings, diagnostics } = await load(`
agents:
  - { id: a, backend: { debug_delay_seconds: soon, debug_delay_after_n_tools: 0 } }
  - { id: a, backend: [], system_message: [x] }
orchestrator: { max_midstream_injections_per_round: -1, coordination: { defer_peer_updates_until_restart: 3 } }
timeout_settings: never
`);
    expect(
      diagnostics.map(({ code, message, source }) => [source.line, code, message.split(';')[0]]),
    ).toEqual([
      [3, 'invalid_setting', '`agents[].backend.debug_delay_seconds` is "soon"'],
      [3, 'invalid_setting', '`agents[].backend.debug_delay_after_n_tools` is 0'],
      [6, 'invalid_setting', '`timeout_settings` is "never"'],
      [5, 'invalid_setting', '`orchestrator.coordination.defer_peer_updates_until_restart` is 3'],
      [5, 'invalid_setting', '`orchestrator.max_midstream_injections_per_round` is -1'],
      [4, 'invalid_setting', '`agents[].backend` is a list'],
      [4, 'invalid_setting', '`agents[].system_message` is a list'],
      [3, 'duplicate_agent_id', 'Two agents have the id "a"'],
    ]);
    expect(diagnostics.every(({ failsOpen }) => failsOpen === undefined)).toBe(true);
    expect(settings.agents[0]).toMatchObject({ peerUpdates: { maxPerRound: undefined } });
  },
);

massgenTest('MG-40 counts are whole, and times fit into a timer', async ({ load }) => {
  const { settings, diagnostics } = await load(`
agents:
  - id: a
    backend:
      debug_delay_seconds: 3000000
      debug_delay_after_n_tools: 2.5
      max_midstream_injections_per_round: .nan
  - id: b
    backend: { debug_delay_seconds: -1, debug_delay_after_n_tools: 1e99 }
orchestrator: { max_new_answers_per_agent: 1.5, max_midstream_injections_per_round: 0.5 }
timeout_settings:
  initial_round_timeout_seconds: .inf
  subsequent_round_timeout_seconds: -0.5
  round_timeout_grace_seconds: 1.5
  orchestrator_timeout_seconds: 0
`);
  const lines = diagnostics.map(({ message, source }) => `${source.line} ${message}`);
  expect(lines.sort((x, y) => Number.parseInt(x, 10) - Number.parseInt(y, 10))).toEqual([
    '5 `agents[].backend.debug_delay_seconds` is 3000000; give a number of seconds from 0 to 2147483.',
    '6 `agents[].backend.debug_delay_after_n_tools` is 2.5; give a whole number of at least 1.',
    '7 `agents[].backend.max_midstream_injections_per_round` is NaN; give a whole number of at least 0.',
    '9 `agents[].backend.debug_delay_seconds` is -1; give a number of seconds from 0 to 2147483.',
    '9 `agents[].backend.debug_delay_after_n_tools` is 1e+99; give a whole number of at least 1.',
    '10 `orchestrator.max_new_answers_per_agent` is 1.5; give a whole number of at least 1.',
    '10 `orchestrator.max_midstream_injections_per_round` is 0.5; give a whole number of at least 0.',
    '12 `timeout_settings.initial_round_timeout_seconds` is Infinity; give a number of seconds from 0 to 2147483.',
    '13 `timeout_settings.subsequent_round_timeout_seconds` is -0.5; give a number of seconds from 0 to 2147483.',
    '15 `timeout_settings.orchestrator_timeout_seconds` is 0; give a number of seconds from 1 to 2147483.',
  ]);
  expect(settings).toMatchObject({ maxAnswers: undefined, timeoutSeconds: undefined });
  expect(settings.agents[0]).toMatchObject({ peerUpdates: { maxPerRound: undefined } });
});

massgenTest('MG-40 an id that no mailbox, folder or record can use is an error', async ({ load }) => {
  const wrong = ['*', '__proto__', '', 'a\nb', 'a\u0000b', 'a\u2028b', 'x'.repeat(101)];
  const fine = ['../../etc', 'a/b', 'agent 1', 'ü😀', 'constructor', '..', '"', 'x'.repeat(100)];
  const { diagnostics, settings } = await load(
    JSON.stringify({ agents: [...wrong, ...fine].map((id) => ({ id })) }),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(wrong.map(() => 'invalid_setting'));
  expect(diagnostics[0]?.message).toBe(
    '`agents[].id` is "*"; give 1 to 100 characters without line breaks and control characters, not * or __proto__.',
  );
  expect(settings.agents.slice(wrong.length).map(({ id }) => id)).toEqual(fine);
});
