/** What every adapter has to do, written once. Each behaviour runs an agent on a real framework over a loopback model. */
import assert from 'node:assert/strict';
import { ask, context, deny, Runner, rewrite } from 'hookline';
import { createMailbox } from 'hookline/injection';
import type { Agent, End, Host, HostTool, Setup } from './host.js';
import { type ModelServer, type Plan, startModelServer } from './model-server.js';

interface Bench {
  readonly server: ModelServer;
  readonly runner: Runner;
  readonly mailbox: ReturnType<typeof createMailbox>;
  readonly agent: Agent;
  /** What the tools were run with, in order. */
  readonly ran: string[];
  /** The events that were fired, with what they are about. */
  readonly fired: string[];
  /** How many times a text is in a request. */
  times(index: number, text: string): number;
}

interface Plans {
  readonly plan: Plan;
  readonly hooks?: (runner: Runner) => void;
  readonly tools?: readonly HostTool[];
  readonly subagent?: Setup['subagent'];
  /** Default: one of its own. */
  readonly runner?: Runner;
}

export interface Behaviour {
  readonly id: string;
  /** The row of the table. */
  readonly title: string;
  run(open: (plans: Plans, check: (bench: Bench) => Promise<void>) => Promise<void>): Promise<void>;
}

const measure = { name: 'measure', input: { what: 'bridge' } };
const toolThen =
  (...answers: readonly string[]): Plan =>
  ({ index }) =>
    index === 0 ? [measure] : (answers[index - 1] ?? 'The plan is over.');

const say = (bench: Pick<Bench, 'mailbox'>, content = 'In metres, please.', id = 'eva-1') =>
  bench.mailbox.put({ id, content, source: { kind: 'human', label: 'Eva' } });

const completed = (end: End, text: string): void => assert.deepEqual(end, { status: 'completed', text });

const stateOf = async (bench: Bench, id = 'eva-1'): Promise<string | undefined> =>
  (await bench.mailbox.status(id))?.['main'];

/** Resolves when something holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const BEHAVIOURS = [
  {
    id: 'deny',
    title: 'a hook denies a tool call; the model reads why',
    run: (open) =>
      open(
        {
          plan: toolThen('Then not.'),
          hooks: (runner) =>
            runner.on('PreToolUse', () => ({
              ...deny('the bridge is closed'),
              ...context('PreToolUse', 'it opens on Monday'),
            })),
        },
        async ({ agent, ran, server, fired }) => {
          completed(await agent.run('Measure the bridge.'), 'Then not.');
          assert.deepEqual(ran, []);
          assert.match(server.said(1), /the bridge is closed/);
          assert.match(server.said(1), /it opens on Monday/);
          assert.ok(!fired.some((event) => event.startsWith('PostToolUse')), String(fired));
        },
      ),
  },
  {
    id: 'rewrite',
    title: 'hooks rewrite the input and the output of a tool',
    run: (open) =>
      open(
        {
          plan: toolThen('Done.'),
          hooks: (runner) => {
            runner.on('PreToolUse', () => rewrite({ what: 'tower' }));
            runner.on('PostToolUse', ({ tool_input }) => ({
              hookSpecificOutput: {
                hookEventName: 'PostToolUse',
                updatedToolOutput: `redacted ${JSON.stringify(tool_input)}`,
              },
            }));
          },
        },
        async ({ agent, ran, server }) => {
          completed(await agent.run('Measure the bridge.'), 'Done.');
          assert.deepEqual(ran, ['tower']);
          assert.match(server.said(1), /redacted \{"what":"tower"\}/);
          assert.doesNotMatch(server.said(1), /the tower is 42 m/);
        },
      ),
  },
  {
    id: 'invalid-rewrite',
    title: 'an input that a hook made invalid does not reach the tool',
    run: (open) =>
      open(
        { plan: toolThen('Done.'), hooks: (runner) => runner.on('PreToolUse', () => rewrite({ what: 7 })) },
        async ({ agent, ran }) => {
          completed(await agent.run('Measure the bridge.'), 'Done.');
          assert.deepEqual(ran, []);
        },
      ),
  },
  {
    id: 'context',
    title: 'the model reads what hooks add to the start, the prompt and a result',
    run: (open) =>
      open(
        {
          plan: toolThen('Done.'),
          hooks: (runner) => {
            runner.on('SessionStart', () => context('SessionStart', 'the policy'));
            runner.on('UserPromptSubmit', () => context('UserPromptSubmit', 'it is Monday'));
            runner.on('PostToolUse', () => context('PostToolUse', 'the scale is new'));
          },
        },
        async ({ agent, server, times }) => {
          completed(await agent.run('Measure the bridge.'), 'Done.');
          for (const text of ['the policy', 'it is Monday']) {
            assert.equal(times(0, text), 1);
            assert.equal(times(1, text), 1);
          }
          assert.equal(times(1, 'the scale is new'), 1);
          assert.match(server.said(1), /the bridge is 42 m/);
        },
      ),
  },
  {
    id: 'failure',
    title: 'a tool that fails fires PostToolUseFailure; the model reads both',
    run: (open) =>
      open(
        {
          plan: toolThen('I see.'),
          tools: [
            {
              name: 'measure',
              run: () => {
                throw new Error('the tape is torn');
              },
            },
          ],
          hooks: (runner) =>
            runner.on('PostToolUseFailure', () => context('PostToolUseFailure', 'there is another tape')),
        },
        async ({ agent, server, fired }) => {
          completed(await agent.run('Measure the bridge.'), 'I see.');
          assert.match(server.said(1), /the tape is torn/);
          assert.match(server.said(1), /there is another tape/);
          assert.ok(fired.includes('PostToolUseFailure measure'));
          assert.ok(!fired.includes('PostToolUse measure'));
        },
      ),
  },
  {
    id: 'blocked-prompt',
    title: 'a blocked prompt never reaches the model',
    run: (open) =>
      open(
        {
          plan: () => 'Hello.',
          hooks: (runner) =>
            runner.on('UserPromptSubmit', ({ prompt }) =>
              prompt.includes('password') ? { decision: 'block', reason: 'no passwords' } : undefined,
            ),
        },
        async ({ agent, server }) => {
          assert.deepEqual(await agent.run('My password is 1234.'), {
            status: 'blocked',
            text: 'no passwords',
          });
          assert.equal(server.requests.length, 0);
          completed(await agent.run('Good morning.'), 'Hello.');
          assert.doesNotMatch(server.said(0), /1234/);
        },
      ),
  },
  {
    id: 'stop-continue',
    title: 'a Stop hook makes the agent continue',
    run: (open) =>
      open(
        {
          plan: toolThen('Forty-two.', 'I measured it: 42 m.'),
          hooks: (runner) =>
            runner.on('Stop', ({ stop_hook_active }) =>
              stop_hook_active ? undefined : { decision: 'block', reason: 'say what you did' },
            ),
        },
        async ({ agent, server, fired }) => {
          completed(await agent.run('Measure the bridge.'), 'I measured it: 42 m.');
          assert.equal(server.requests.length, 3);
          assert.match(server.said(2), /Forty-two\..*say what you did/s);
          assert.match(server.said(2), /the bridge is 42 m/);
          assert.deepEqual(
            fired.filter((event) => event.startsWith('Stop')),
            ['Stop', 'Stop'],
          );
        },
      ),
  },
  {
    id: 'halt',
    title: '`continue: false` ends the run; no further request is made',
    run: (open) =>
      open(
        {
          plan: toolThen('This is not said.'),
          hooks: (runner) =>
            runner.on('PostToolUse', () => ({ continue: false, stopReason: 'that is enough' })),
        },
        async ({ agent, server, ran }) => {
          assert.deepEqual(await agent.run('Measure the bridge.'), {
            status: 'halted',
            text: 'that is enough',
          });
          assert.deepEqual(ran, ['bridge']);
          assert.equal(server.requests.length, 1);
        },
      ),
  },
  {
    id: 'halt-before',
    title: '`continue: false` before a tool: it does not run, nor do others, and no further request is made',
    run: (open) =>
      open(
        {
          plan: ({ index }) => (index === 0 ? [measure, measure] : 'This is not said.'),
          hooks: (runner) =>
            runner.on('PreToolUse', () => ({ continue: false, stopReason: 'that is enough' })),
        },
        async ({ agent, server, ran, fired }) => {
          assert.deepEqual(await agent.run('Measure the bridge.'), {
            status: 'halted',
            text: 'that is enough',
          });
          assert.deepEqual(ran, []);
          assert.equal(server.requests.length, 1);
          assert.ok(!fired.includes('Stop'));
        },
      ),
  },
  {
    id: 'halt-stop',
    title: '`continue: false` of a Stop hook ends the run, and the next prompt begins anew',
    run: async (open) => {
      let stops = 0;
      await open(
        {
          plan: toolThen('42 m.', 'Good night.'),
          hooks: (runner) =>
            runner.on('Stop', () =>
              stops++ === 0 ? { continue: false, stopReason: 'that is enough' } : undefined,
            ),
        },
        async ({ agent, server }) => {
          assert.deepEqual(await agent.run('Measure the bridge.'), {
            status: 'halted',
            text: 'that is enough',
          });
          assert.equal(server.requests.length, 2);
          completed(await agent.run('Good night.'), 'Good night.');
        },
      );
    },
  },
  {
    id: 'inputs',
    title: 'hooks see a call as it is: its name, input and id, and the output that the tool returned',
    run: async (open) => {
      const seen: unknown[] = [];
      await open(
        {
          plan: toolThen('42 m.'),
          hooks: (runner) => {
            runner.on('PreToolUse', ({ tool_name, tool_input, tool_use_id }) => {
              seen.push(tool_name, tool_input, tool_use_id);
            });
            runner.on('PostToolUse', ({ tool_input, tool_response, tool_use_id, duration_ms }) => {
              seen.push(tool_input, tool_response, tool_use_id, typeof duration_ms);
            });
            runner.on('Stop', ({ last_assistant_message }) => void seen.push(last_assistant_message));
          },
        },
        async ({ agent }) => {
          completed(await agent.run('Measure the bridge.'), '42 m.');
          const [, , id] = seen;
          assert.ok(typeof id === 'string' && id !== '');
          assert.deepEqual(seen, [
            'measure',
            { what: 'bridge' },
            id,
            { what: 'bridge' },
            'the bridge is 42 m',
            id,
            'number',
            '42 m.',
          ]);
        },
      );
    },
  },
  {
    id: 'ask',
    title: 'a hook asks; the host’s own approval decides, and no hook runs twice',
    run: async (open) => {
      const hooks = (runner: Runner) => runner.on('PreToolUse', () => ask('is it safe?'));
      const plan: Plan = ({ said }) =>
        /the bridge is 42 m|denied|not approved|approval|rejected|refused/i.test(said) ? 'Done.' : [measure];
      await open({ plan, hooks }, async ({ agent, ran, fired }) => {
        assert.equal((await agent.run('Measure the bridge.')).status, 'waiting');
        assert.deepEqual(ran, []);
        completed(await decide(agent, true), 'Done.');
        assert.deepEqual(ran, ['bridge']);
        assert.equal(fired.filter((event) => event === 'PreToolUse measure').length, 1);
      });
      await open({ plan, hooks }, async ({ agent, ran, fired }) => {
        assert.equal((await agent.run('Measure the bridge.')).status, 'waiting');
        completed(await decide(agent, false), 'Done.');
        assert.deepEqual(ran, []);
        assert.ok(!fired.includes('PostToolUse measure'));
      });
    },
  },
  {
    id: 'abort',
    title: 'an abort in the middle of a tool ends the run; no further hook runs',
    run: async (open) => {
      const controller = new AbortController();
      await open(
        {
          plan: toolThen('This is not said.'),
          tools: [
            {
              name: 'measure',
              run: () => {
                controller.abort();
                return 'too late';
              },
            },
          ],
        },
        async ({ agent, server, fired }) => {
          await assert.rejects(async () => {
            const { status } = await agent.run('Measure the bridge.', { signal: controller.signal });
            if (status === 'other') throw new Error('the host ends an aborted run without an error');
          });
          assert.equal(server.requests.length, 1);
          assert.ok(!fired.includes('Stop'));
        },
      );
    },
  },
  {
    id: 'parallel',
    title: 'calls of one answer: each with its hooks, one denied, one run',
    run: (open) =>
      open(
        {
          plan: ({ index }) =>
            index === 0
              ? [
                  measure,
                  { name: 'measure', input: { what: 'cellar' } },
                  { name: 'measure', input: { what: 'tower' } },
                ]
              : 'Done.',
          hooks: (runner) =>
            runner.on('PreToolUse', ({ tool_input }) =>
              (tool_input as { what: string }).what === 'cellar' ? deny('the cellar is closed') : undefined,
            ),
        },
        async ({ agent, server, ran }) => {
          completed(await agent.run('Measure all.'), 'Done.');
          assert.deepEqual(ran.toSorted(), ['bridge', 'tower']);
          for (const text of [/the bridge is 42 m/, /the cellar is closed/, /the tower is 42 m/])
            assert.match(server.said(1), text);
        },
      ),
  },
  {
    id: 'inject-tool',
    title: 'a person’s message during a tool is in every later request, once',
    run: async (open) => {
      let stops = 0;
      await open(
        {
          plan: toolThen('42 m.', 'In metres: 42 m.', 'The second answer.'),
          hooks: (runner) =>
            runner.on('Stop', () =>
              stops++ === 0 ? { decision: 'block', reason: 'say it again' } : undefined,
            ),
        },
        async (bench) => {
          const { agent, runner, server, times } = bench;
          runner.on('PostToolUse', async () => void (await say(bench)));
          completed(await agent.run('Measure the bridge.'), 'In metres: 42 m.');
          assert.equal(times(0, 'In metres, please.'), 0);
          // After the tool, after the Stop hook, and after the next prompt.
          assert.equal((await agent.run('And now?')).text, 'The second answer.');
          assert.equal(server.requests.length, 4);
          for (const index of [1, 2, 3])
            assert.equal(times(index, 'In metres, please.'), 1, `request ${index}`);
          assert.equal(await stateOf(bench), 'delivered');
        },
      );
    },
  },
  {
    id: 'inject-delivered',
    title: 'a message is delivered once the model has answered to it, in the middle of a run',
    run: async (open) => {
      const states: unknown[] = [];
      let look: () => Promise<unknown> = async () => {};
      const plan: Plan = async ({ index }) => {
        if (index > 0) states.push(await look());
        return index < 2 ? [measure] : 'Done.';
      };
      await open({ plan }, async (bench) => {
        let wasPut = false;
        bench.runner.on('PostToolUse', async () => {
          if (!wasPut) await say(bench);
          wasPut = true;
        });
        look = () => stateOf(bench);
        completed(await bench.agent.run('Measure the bridge.'), 'Done.');
        assert.equal(states.length, 2);
        assert.notEqual(states[0], 'delivered');
        assert.equal(states[1], 'delivered');
      });
    },
  },
  {
    id: 'inject-end',
    title: 'a message that arrives with the last answer makes the agent continue',
    run: async (open) => {
      let put: () => Promise<unknown> = async () => {};
      const plan: Plan = async ({ index }) => {
        if (index === 0) await put();
        return index === 0 ? '42 feet.' : '42 m.';
      };
      await open({ plan }, async (bench) => {
        put = () => say(bench);
        completed(await bench.agent.run('How long is the bridge?'), '42 m.');
        assert.equal(bench.times(1, 'In metres, please.'), 1);
        assert.equal(await stateOf(bench), 'delivered');
      });
    },
  },
  {
    id: 'failed-request',
    title: 'a message in a request that fails is not lost: it is sent again, or waits',
    run: async (open) => {
      const plan: Plan = ({ index }) => (index === 0 ? [measure] : index === 1 ? 400 : 'In metres: 42 m.');
      await open({ plan }, async (bench) => {
        bench.runner.on('PostToolUse', async () => void (await say(bench)));
        await assert.rejects(bench.agent.run('Measure the bridge.'));
        assert.equal(bench.times(1, 'In metres, please.'), 1);
        assert.notEqual(await stateOf(bench), 'delivered');
        const end = await (bench.agent.retry?.() ?? bench.agent.run('Again, please.'));
        completed(end, 'In metres: 42 m.');
        assert.equal(bench.times(2, 'In metres, please.'), 1);
        assert.equal(await stateOf(bench), 'delivered');
      });
      await open({ plan }, async (bench) => {
        bench.runner.on('PostToolUse', async () => void (await say(bench)));
        await assert.rejects(bench.agent.run('Measure the bridge.'));
        await bench.agent.end();
        assert.equal(await stateOf(bench), 'queued');
      });
    },
  },
  {
    id: 'subagent',
    title: 'a subagent has SubagentStart and SubagentStop; its calls carry its id',
    run: (open) =>
      open(
        {
          plan: ({ said, index }) => {
            if (index === 0) return [{ name: 'scout', input: { what: 'bridge' } }];
            if (/You are a scout/.test(said))
              return /the bridge is 42 m/.test(said) ? 'The scout says 42 m.' : [measure];
            return '42 m, says the scout.';
          },
          subagent: { tool: 'scout', type: 'scout' },
        },
        async ({ agent, fired, runner }) => {
          const ids: unknown[] = [];
          runner.on(
            'PreToolUse',
            { matcher: 'measure' },
            ({ agent_id, agent_type }) => void ids.push(agent_type, typeof agent_id),
          );
          assert.equal((await agent.run('Measure the bridge.')).text, '42 m, says the scout.');
          assert.deepEqual(ids, ['scout', 'string']);
          assert.deepEqual(
            fired.filter((event) => /^(Subagent|Stop)/.test(event)),
            ['SubagentStart scout', 'SubagentStop scout', 'Stop'],
          );
        },
      ),
  },
  {
    id: 'session-end',
    title: 'SessionStart and SessionEnd are fired, once each',
    run: (open) =>
      open({ plan: () => 'Hello.' }, async ({ agent, fired }) => {
        await agent.run('Good morning.');
        await agent.run('Good evening.');
        await agent.end();
        await agent.end();
        assert.deepEqual(fired, [
          'SessionStart startup',
          'UserPromptSubmit',
          'Stop',
          'UserPromptSubmit',
          'Stop',
          'SessionEnd other',
        ]);
      }),
  },
  {
    id: 'abort-drops',
    title: 'an abort drops results of tools; the messages in them are not lost',
    run: async (open) => {
      const controller = new AbortController();
      let isCarried: () => Promise<boolean> = async () => true;
      await open(
        {
          plan: ({ index }) =>
            index === 0 ? [measure, { name: 'measure', input: { what: 'tower' } }] : 'In metres: 42 m.',
          tools: [
            {
              name: 'measure',
              run: async ({ what }) => {
                if (what === 'bridge') return 'the bridge is 42 m';
                await until(isCarried);
                controller.abort();
                return 'too late';
              },
            },
          ],
        },
        async (bench) => {
          let wasPut = false;
          bench.runner.on('PostToolUse', async ({ tool_input }) => {
            if (wasPut || (tool_input as { what: string }).what !== 'bridge') return;
            await say(bench);
            wasPut = true;
          });
          // The item is taken for the result of the bridge.
          isCarried = async () => wasPut && (await bench.mailbox.pending('main')).length === 0;
          await bench.agent.run('Measure all.', { signal: controller.signal }).catch(() => {});
          const again = bench.agent.recover?.() ?? bench.agent.run('Again, please.');
          assert.equal((await again).text, 'In metres: 42 m.');
          assert.equal(bench.times(1, 'In metres, please.'), 1);
          assert.equal(await stateOf(bench), 'delivered');
        },
      );
    },
  },
  {
    id: 'abort-hook',
    title: 'an abort during a hook ends the run; the tool does not run',
    run: async (open) => {
      const controller = new AbortController();
      await open(
        {
          plan: toolThen('This is not said.'),
          hooks: (runner) =>
            runner.on('PreToolUse', async () => {
              controller.abort();
              return undefined;
            }),
        },
        async ({ agent, server, fired, ran }) => {
          await agent.run('Measure the bridge.', { signal: controller.signal }).catch(() => {});
          assert.deepEqual(ran, []);
          assert.equal(server.requests.length, 1);
          assert.ok(!fired.some((event) => /^(PostToolUse|Stop)/.test(event)), String(fired));
        },
      );
    },
  },
  {
    id: 'ask-parallel',
    title: 'a hook asks about one of several calls; the others run, and each once',
    run: (open) =>
      open(
        {
          // Hosts that cannot wait refuse the call: the model may not try again for ever.
          plan: ({ index }) =>
            index > 0 ? 'Done.' : [measure, { name: 'measure', input: { what: 'cellar' } }],
          hooks: (runner) =>
            runner.on('PreToolUse', ({ tool_input }) =>
              (tool_input as { what: string }).what === 'cellar' ? ask('is it safe?') : undefined,
            ),
        },
        async ({ agent, ran, server, fired }) => {
          assert.equal((await agent.run('Measure both.')).status, 'waiting');
          completed(await decide(agent, true), 'Done.');
          assert.deepEqual(ran.toSorted(), ['bridge', 'cellar']);
          assert.equal(fired.filter((event) => event === 'PreToolUse measure').length, 2);
          for (const text of [/the bridge is 42 m/, /the cellar is 42 m/]) assert.match(server.said(1), text);
        },
      ),
  },
  {
    id: 'broken-stream',
    title: 'an answer that breaks off is an error; a message in its request is not lost',
    run: async (open) => {
      const plan: Plan = ({ index }) =>
        index === 0 ? [measure] : index === 1 ? 'broken' : 'In metres: 42 m.';
      await open({ plan }, async (bench) => {
        bench.runner.on('PostToolUse', async () => void (await say(bench)));
        await assert.rejects(bench.agent.run('Measure the bridge.'));
        assert.ok(!bench.fired.includes('Stop'));
        const end = await (bench.agent.retry?.() ?? bench.agent.run('Again, please.'));
        completed(end, 'In metres: 42 m.');
        assert.equal(bench.times(2, 'In metres, please.'), 1);
        assert.equal(await stateOf(bench), 'delivered');
      });
    },
  },
  {
    id: 'two-agents',
    title: 'two agents share a runner; hooks and messages of each stay apart',
    run: (open) =>
      open({ plan: toolThen('Done.') }, async (first) => {
        first.runner.on('PostToolUse', async () => void (await say(first)));
        await open({ plan: toolThen('Done too.'), runner: first.runner }, async (second) => {
          const ends = await Promise.all([first.agent.run('Measure.'), second.agent.run('Measure, too.')]);
          assert.deepEqual(
            ends.map(({ text }) => text),
            ['Done.', 'Done too.'],
          );
          assert.equal(first.times(1, 'In metres, please.'), 1);
          assert.equal(second.times(1, 'In metres, please.'), 0);
          assert.equal(first.fired.filter((event) => event === 'PreToolUse measure').length, 2);
        });
      }),
  },
  {
    id: 'after-end',
    title: 'a run after the end works; the session is not begun again',
    run: (open) =>
      open({ plan: toolThen('Done.', 'Again.') }, async ({ agent, fired }) => {
        completed(await agent.run('Measure the bridge.'), 'Done.');
        await agent.end();
        completed(await agent.run('And now?'), 'Again.');
        assert.equal(fired.filter((event) => event.startsWith('Session')).length, 2);
      }),
  },
  {
    id: 'empty-prompt',
    title: 'hooks see a prompt without text, and can block it',
    run: (open) =>
      open(
        {
          plan: () => 'Hello.',
          hooks: (runner) =>
            runner.on('UserPromptSubmit', ({ prompt }) =>
              prompt === '' ? { decision: 'block', reason: 'say something' } : undefined,
            ),
        },
        async ({ agent, server }) => {
          assert.deepEqual(await agent.run(''), { status: 'blocked', text: 'say something' });
          assert.equal(server.requests.length, 0);
        },
      ),
  },
  {
    id: 'conversation',
    title: 'a conversation in place of a prompt: hooks see the last message, the model all of them',
    run: (open) =>
      open(
        {
          plan: () => 'Then 42 m.',
          hooks: (runner) =>
            runner.on('UserPromptSubmit', ({ prompt }) => context('UserPromptSubmit', `seen: ${prompt}`)),
        },
        async ({ agent, server, times }) => {
          assert.ok(agent.converse, 'the driver has no `converse`');
          const said = ['Which bridge?', 'The old one.', 'How long is it?'] as const;
          completed(await agent.converse(said), 'Then 42 m.');
          for (const text of said.slice(0, 2))
            assert.match(server.said(0), new RegExp(text.replace('?', '\\?')));
          assert.equal(times(0, 'seen: How long is it?'), 1);
          assert.equal(times(0, 'seen: '), 1);
        },
      ),
  },
  {
    id: 'namespace',
    title: 'a tool name with a namespace is matched as it is',
    run: (open) =>
      open(
        {
          plan: ({ index }) => (index === 0 ? [{ ...measure, name: 'mcp__site__measure' }] : 'Then not.'),
          tools: [{ name: 'mcp__site__measure', run: ({ what }) => `the ${what} is 42 m` }],
          hooks: (runner) => runner.on('PreToolUse', { matcher: 'mcp__site__*' }, () => deny('it is closed')),
        },
        async ({ agent, ran, server }) => {
          completed(await agent.run('Measure the bridge.'), 'Then not.');
          assert.deepEqual(ran, []);
          assert.match(server.said(1), /it is closed/);
        },
      ),
  },
] as const satisfies readonly Behaviour[];

export type BehaviourId = (typeof BEHAVIOURS)[number]['id'];

export const behaviours: readonly (Behaviour & { readonly id: BehaviourId })[] = BEHAVIOURS;

function decide(agent: Agent, approved: boolean): Promise<End> {
  assert.ok(agent.decide, 'the driver has no `decide`');
  return agent.decide(approved);
}

/** Runs one behaviour in one host; rejects with what went wrong. */
export async function runBehaviour(host: Host, { run }: Behaviour): Promise<void> {
  await run(async ({ plan, hooks, tools, subagent, runner: given }, check) => {
    const server = await startModelServer(plan);
    const runner = given ?? new Runner();
    const mailbox = createMailbox({ agents: ['main'] });
    const fired: string[] = [];
    const problems: Error[] = [];
    const ran: string[] = [];
    runner.observe((fire) => {
      const { tool_name, source, reason, agent_type } = fire.input as Record<string, unknown>;
      const about = tool_name ?? source ?? (fire.event === 'SessionEnd' ? reason : undefined);
      const subagentType = fire.event.startsWith('Subagent') ? agent_type : undefined;
      fired.push([fire.event, about ?? subagentType].filter(Boolean).join(' '));
    });
    hooks?.(runner);
    const measured: HostTool = { name: 'measure', run: ({ what }) => `the ${what} is 42 m` };
    const kept = (tools ?? [measured]).map((tool) => ({
      ...tool,
      run: (input: { what: string }) => {
        ran.push(input.what);
        return tool.run(input);
      },
    }));
    const onProblem = (problem: Error) => void problems.push(problem);
    const agent = await host.open({ url: server.url, runner, mailbox, tools: kept, subagent, onProblem });
    const times = (index: number, text: string) => server.said(index).split(text).length - 1;
    try {
      await check({ server, runner, mailbox, agent, ran, fired, times });
      assert.deepEqual(problems, []);
    } finally {
      await agent.end();
      if (given === undefined) await runner.dispose();
      await server.close();
    }
  });
}
