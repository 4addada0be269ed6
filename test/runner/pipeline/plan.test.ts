import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/config/dialect.js';
import type { MatcherOptions } from '../../../src/config/types.js';
import { hookline } from '../../../src/dialects/hookline/index.js';
import type { HookEvent } from '../../../src/events/types.js';
import { type Plan, Planner } from '../../../src/runner/plan.js';
import { compileGroup } from '../../../src/runner/registration/group.js';
import { Registry } from '../../../src/runner/registration/registry.js';
import { processorMs } from '../../support/processor-time.js';

interface Counting extends Dialect {
  compiled: number;
  matched: number;
}

/** A dialect that counts what it is asked; a matcher matches the subjects that begin with it. */
function counting(order: Dialect['order'] = 'sequential'): Counting {
  const dialect: Counting = {
    ...hookline,
    name: `counting-${order}`,
    order,
    compiled: 0,
    matched: 0,
    compileMatcher: (pattern) => {
      dialect.compiled += 1;
      return (subject) => {
        dialect.matched += 1;
        return subject.startsWith(pattern);
      };
    },
    lintMatcher: () => undefined,
  };
  return dialect;
}

function setUp(dialect: Dialect = hookline) {
  const registry = new Registry();
  const planner = new Planner(registry);
  const defaults = { timeoutMs: 1000, onFailure: 'continue', warn: () => {} } as never;
  const add = (
    names: string,
    options: MatcherOptions = {},
    {
      event = 'PreToolUse' as HookEvent,
      agent,
      override = false,
    }: { event?: HookEvent; agent?: string; override?: boolean } = {},
  ): (() => void) => {
    const hooks = names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => ({ type: 'callback', name, callback: () => {} }));
    return registry.add(
      compileGroup(
        event,
        options,
        hooks.map((hook) => ({ hook })),
        dialect,
        defaults,
      ),
      agent,
      override,
    );
  };
  const planFor = (subject: string, agent?: string, event: HookEvent = 'PreToolUse'): Plan =>
    planner.plansFor(event, agent).planFor(subject);
  return { registry, planner, add, planFor };
}

/** A plan in short: names, in parentheses when they run at once. */
const shown = (plan: Plan): string =>
  plan.stages
    .map(({ parallel, hooks }) => {
      const names = hooks.map((hook) => hook.name).join(' ');
      return parallel ? `(${names})` : names;
    })
    .join(' > ');

describe('order', () => {
  it('OR-1 groups are stages in registration order, hooks are in the order of their group', () => {
    const { add, planFor } = setUp();
    add('a b');
    add('c');
    add('d e');
    expect(shown(planFor('Bash'))).toBe('a b > c > d e');
  });

  it('OR-1 groups stay apart, since `continue: false` ends its own group only', () => {
    const { add, planFor } = setUp();
    add('a');
    add('b');
    expect(planFor('Bash').stages).toHaveLength(2);
  });

  it('OR-2 a parallel group is a stage of its own, beside sequential ones and beside another parallel one', () => {
    const { add, planFor } = setUp();
    add('a b', { parallel: true });
    add('c d', { parallel: true });
    add('e');
    add('f', { parallel: false });
    expect(shown(planFor('Bash'))).toBe('(a b) > (c d) > e > f');
  });

  it('OR-2 `sequential: false` is parallel, `sequential: true` is not', () => {
    const { add, planFor } = setUp();
    add('a b', { sequential: false });
    add('c d', { sequential: true });
    expect(shown(planFor('Bash'))).toBe('(a b) > c d');
  });

  it('OR-2 neighbours of a parallel dialect run at once, across groups, unless a group chooses otherwise', () => {
    const { add, planFor } = setUp(counting('parallel'));
    add('a b');
    add('c');
    add('d e', { sequential: true });
    add('f');
    add('g');
    expect(shown(planFor('Bash'))).toBe('(a b c) > d e > (f g)');
  });

  it('OR-1 a group whose matcher does not match leaves no trace', () => {
    const { add, planFor } = setUp();
    add('a', { matcher: 'Bash' });
    add('b', { matcher: 'Write' });
    add('c', { matcher: 'Ba*|Edit' });
    expect(shown(planFor('Bash'))).toBe('a > c');
    expect(shown(planFor('Write'))).toBe('b');
    expect(shown(planFor('Read'))).toBe('');
  });

  it('EV-7 no hook registered, or only groups without hooks, is empty', () => {
    const { add, planner } = setUp();
    expect(planner.plansFor('PreToolUse', undefined).empty).toBe(true);
    add('');
    expect(planner.plansFor('PreToolUse', undefined).empty).toBe(true);
    add('a', { matcher: 'Bash' });
    expect(planner.plansFor('PreToolUse', undefined).empty).toBe(false);
    expect(planner.plansFor('Stop', undefined).empty).toBe(true);
  });

  it('MA-6 on an event without a subject every group counts', () => {
    const { add, planner } = setUp();
    add('a', { matcher: 'nothing-like-it' }, { event: 'Stop' });
    expect(shown(planner.plansFor('Stop', undefined).planFor(undefined))).toBe('a');
  });
});

describe('remembering', () => {
  it('MA-10 a matcher is compiled once, at registration', () => {
    const dialect = counting();
    const { add, planFor } = setUp(dialect);
    add('a b', { matcher: 'B' });
    expect(dialect.compiled).toBe(1);
    for (let i = 0; i < 100; i++) planFor(`B${i}`);
    expect(dialect.compiled).toBe(1);
  });

  it('MA-10 each matcher is asked once per subject, however many fires there are', () => {
    const dialect = counting();
    const { add, planFor } = setUp(dialect);
    for (let i = 0; i < 50; i++) add(`h${i}`, { matcher: i % 2 === 0 ? 'Bash' : 'Write' });
    const first = planFor('Bash');
    expect(dialect.matched).toBe(50);
    for (let i = 0; i < 1_000; i++) expect(planFor('Bash')).toBe(first);
    expect(dialect.matched).toBe(50);
    planFor('Write');
    expect(dialect.matched).toBe(100);
  });

  it('MA-10 without any matcher, subjects are not even looked up', () => {
    const dialect = counting();
    const { add, planFor } = setUp(dialect);
    add('a');
    expect(planFor('Bash')).toBe(planFor('Write'));
    expect(dialect.matched).toBe(0);
  });

  it('MA-10 the memory of subjects is bounded: of endless new names only the newest are kept', () => {
    const dialect = counting();
    const { add, planFor } = setUp(dialect);
    add('a', { matcher: 'tool' });
    for (let i = 0; i < 10_000; i++) planFor(`tool-${i}`);
    expect(dialect.matched).toBe(10_000);
    planFor('tool-9999');
    expect(dialect.matched).toBe(10_000);
    planFor('tool-0');
    expect(dialect.matched).toBe(10_001);
    let forgotten = 0;
    for (let i = 9_999; i >= 0; i--) {
      const before = dialect.matched;
      planFor(`tool-${i}`);
      if (dialect.matched > before) forgotten += 1;
    }
    expect(forgotten).toBeGreaterThanOrEqual(10_000 - 2_048);
  });

  it('MA-10 an empty name, and names like those of object methods, are ordinary subjects', () => {
    const dialect = counting();
    const { add, planFor } = setUp(dialect);
    add('a', { matcher: 'x' });
    for (const subject of ['', '__proto__', 'constructor', 'toString'])
      expect(shown(planFor(subject))).toBe('');
    expect(dialect.matched).toBe(4);
  });

  it('RE-3 a plan that was handed out does not change; the next one knows the change', () => {
    const { add, planner } = setUp();
    const off = add('a');
    const plans = planner.plansFor('PreToolUse', undefined);
    const plan = plans.planFor('Bash');
    add('b');
    off();
    expect(shown(plan)).toBe('a');
    expect(shown(plans.planFor('Bash'))).toBe('a');
    expect(shown(planner.plansFor('PreToolUse', undefined).planFor('Bash'))).toBe('b');
  });

  it('RE-1 taking hooks out twice is harmless', () => {
    const { add, planFor } = setUp();
    const off = add('a');
    add('a');
    off();
    off();
    expect(shown(planFor('Bash'))).toBe('a');
  });

  it('RE-1 of two equal registrations the right one is taken out', () => {
    const { add, planFor } = setUp();
    add('a', { matcher: 'Bash' });
    const off = add('b', { matcher: 'Bash' });
    add('c', { matcher: 'Bash' });
    off();
    expect(shown(planFor('Bash'))).toBe('a > c');
  });
});

describe("agents' plans", () => {
  it('SC-1 global hooks come first, then those of the agent, whatever the order of registration', () => {
    const { add, planFor } = setUp();
    add('mine', {}, { agent: 'x' });
    add('global');
    expect(shown(planFor('Bash', 'x'))).toBe('global > mine');
    expect(shown(planFor('Bash', 'y'))).toBe('global');
    expect(shown(planFor('Bash'))).toBe('global');
  });

  it("SC-1 an agent named like an object's method is an agent like others", () => {
    const { add, planFor } = setUp();
    add('mine', {}, { agent: '__proto__' });
    expect(shown(planFor('Bash', '__proto__'))).toBe('mine');
    expect(shown(planFor('Bash', 'constructor'))).toBe('');
  });

  it('SC-2 override switches off the global hooks of that event for that agent, even with an empty list', () => {
    const { add, planFor } = setUp();
    add('global');
    add('global-stop', {}, { event: 'Stop' });
    add('', {}, { agent: 'x', override: true });
    expect(shown(planFor('Bash', 'x'))).toBe('');
    expect(shown(planFor('Bash', 'y'))).toBe('global');
    expect(shown(planFor('', 'x', 'Stop'))).toBe('global-stop');
  });

  it('SC-3 override never switches off protected hooks', () => {
    const { add, planFor } = setUp();
    add('a');
    add('guard', { protected: true });
    add('mine', {}, { agent: 'x', override: true });
    expect(shown(planFor('Bash', 'x'))).toBe('guard > mine');
  });

  it('SC-4 when the last overriding registration is taken out, the global hooks count again', () => {
    const { add, planFor } = setUp();
    add('global');
    const one = add('one', {}, { agent: 'x', override: true });
    const two = add('', {}, { agent: 'x', override: true });
    one();
    expect(shown(planFor('Bash', 'x'))).toBe('');
    two();
    expect(shown(planFor('Bash', 'x'))).toBe('global');
  });

  it('SC-1 an agent whose hooks were all taken out is forgotten, and may come back', () => {
    const { registry, add, planFor } = setUp();
    const off = add('a', {}, { agent: 'x' });
    off();
    expect(registry.knows('x')).toBe(false);
    off();
    add('b', {}, { agent: 'x' });
    off();
    expect(registry.knows('x')).toBe(true);
    expect(shown(planFor('Bash', 'x'))).toBe('b');
  });

  it('MA-10 agents without hooks of their own share one plan', () => {
    const dialect = counting();
    const { add, planFor } = setUp(dialect);
    add('a', { matcher: 'Bash' });
    for (let i = 0; i < 5_000; i++) planFor('Bash', `agent-${i}`);
    expect(dialect.matched).toBe(1);
  });

  it('MA-10 agents with hooks of their own are planned once each', () => {
    const dialect = counting();
    const { add, planFor } = setUp(dialect);
    for (let i = 0; i < 100; i++) add(`own-${i}`, { matcher: 'Bash' }, { agent: `agent-${i}` });
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 100; i++) expect(shown(planFor('Bash', `agent-${i}`))).toBe(`own-${i}`);
    }
    expect(dialect.matched).toBe(100);
  });
});

describe('many matchers', () => {
  it('MA-9 MA-10 ten thousand matchers are compiled and looked up quickly', () => {
    const { add, planFor } = setUp();
    const started = processorMs();
    for (let i = 0; i < 10_000; i++) add(`h${i}`, { matcher: `mcp__server_${i}__*` });
    const plan = planFor('mcp__server_77__read');
    expect(processorMs() - started).toBeLessThan(5_000);
    expect(shown(plan)).toBe('h77');
    const again = processorMs();
    for (let i = 0; i < 10_000; i++) planFor('mcp__server_77__read');
    expect(processorMs() - again).toBeLessThan(4_000);
  });
});
