import { describe, expect, it, vi } from 'vitest';
import { type HookMessage, Runner } from '../../src/index.js';
import { recordMessages } from '../support/messages.js';
import { processorMs } from '../support/processor-time.js';
import {
  bash,
  gate,
  hasSettled,
  makeRunner,
  SAMPLES,
  soon,
  turns,
  untyped,
  watchProcess,
} from '../support/runner.js';

const watch = watchProcess();

const BASE = ['type', 'subtype', 'hook_id', 'hook_name', 'hook_event', 'uuid', 'session_id'];

describe('what is reported a hook', () => {
  it('MS-1 MS-3 each run: started, progress, response, under the id of its result', async () => {
    const { runner, record } = makeRunner();
    runner.on('PreToolUse', [
      (_input, _id, context) => {
        context.progress('one');
        context.progress('two');
      },
      async (_input, _id, context) => {
        await null;
        context.progress('three');
        throw new Error('broken');
      },
    ]);
    const { results } = await runner.fire('PreToolUse', bash());
    expect(results.map(({ hookId }) => record.storyOf(hookId))).toEqual([
      ['started', 'progress', 'progress', 'response'],
      ['started', 'progress', 'response'],
    ]);
    expect(record.messages).toHaveLength(7);
  });

  it('MS-1 the started message comes before the hook runs, the response before the outcome', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    runner.messages.on('message', ({ subtype }) => void log.push(subtype));
    runner.on('Stop', () => void log.push('hook'));
    await runner.fire('Stop', SAMPLES.Stop);
    log.push('outcome');
    expect(log).toEqual(['hook_started', 'hook', 'hook_response', 'outcome']);
  });

  it('MS-1 parallel hooks keep their own order each', async () => {
    const { runner, record } = makeRunner();
    const gates = [gate(), gate(), gate()];
    runner.on(
      'Stop',
      { parallel: true },
      gates.map(
        (each, i) => async (_input: unknown, _id: unknown, context: { progress(t: string): void }) => {
          await each.passed;
          context.progress(`${i}`);
        },
      ),
    );
    const fired = runner.fire('Stop', SAMPLES.Stop);
    for (const each of gates.toReversed()) {
      each.open();
      await turns();
    }
    const { results } = await soon(fired);
    for (const { hookId } of results) {
      expect(record.storyOf(hookId)).toEqual(['started', 'progress', 'response']);
    }
  });

  it('MS-2 the messages have exactly the fields of the Agent SDK', async () => {
    const { runner, record } = makeRunner({ sessionId: 'my session' });
    runner.on('PreToolUse', { name: 'mine' }, (_input, _id, context) => context.progress('text'));
    const { results } = await runner.fire('PreToolUse', bash());
    const [started, progress, response] = record.messages;
    expect(Object.keys(started ?? {}).sort()).toEqual([...BASE].sort());
    expect(Object.keys(progress ?? {}).sort()).toEqual([...BASE, 'stdout', 'stderr', 'output'].sort());
    expect(Object.keys(response ?? {}).sort()).toEqual(
      [...BASE, 'stdout', 'stderr', 'output', 'outcome'].sort(),
    );
    const common = {
      type: 'system',
      hook_id: results[0]?.hookId,
      hook_name: 'mine',
      hook_event: 'PreToolUse',
      session_id: 'my session',
    };
    expect(started).toMatchObject({ ...common, subtype: 'hook_started' });
    expect(progress).toMatchObject({
      ...common,
      subtype: 'hook_progress',
      stdout: 'text',
      stderr: '',
      output: 'text',
    });
    expect(response).toMatchObject({ ...common, subtype: 'hook_response', outcome: 'success', output: '' });
  });

  it('MS-2 the session is that of the input', async () => {
    const { runner, record } = makeRunner({ sessionId: 'of the runner' });
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', { ...SAMPLES.Stop, session_id: 'of the input' });
    expect(record.messages.map((message) => message.session_id)).toEqual(['of the input', 'of the input']);
  });

  it.each([
    ['success', () => ({ continue: true }), 'success', ''],
    [
      'a failure',
      () => {
        throw new Error('broken');
      },
      'error',
      'broken',
    ],
    ['an invalid answer', () => 5, 'error', 'a number'],
    ['a timeout', () => new Promise(() => {}), 'cancelled', '0.02 s'],
  ])('MS-2 FA-7 the response tells of %s', async (_, hook, outcome, text) => {
    const { runner, record } = makeRunner();
    untyped(runner).on('Stop', outcome === 'cancelled' ? { timeout: 0.02 } : {}, hook);
    await soon(runner.fire('Stop', SAMPLES.Stop));
    const response = record.messages.at(-1);
    expect(response).toMatchObject({ subtype: 'hook_response', outcome });
    expect(response).toHaveProperty('output', expect.stringContaining(text));
  });

  it('MS-3 ids are unique over runs, fires and runners', async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { runner } = makeRunner();
      runner.on('Stop', [() => undefined, () => undefined]);
      for (let j = 0; j < 5; j++) {
        for (const { hookId } of (await runner.fire('Stop', SAMPLES.Stop)).results) ids.add(hookId);
      }
    }
    expect(ids.size).toBe(30);
  });

  it('MS-3 a hook knows its own id and name', async () => {
    const { runner, record } = makeRunner();
    const seen: unknown[] = [];
    runner.on('Stop', { name: 'mine' }, (_input, _id, { hookId, name }) => void seen.push([hookId, name]));
    await runner.fire('Stop', SAMPLES.Stop);
    expect(seen).toEqual([[record.messages[0]?.hook_id, 'mine']]);
  });
});

describe('names', () => {
  function checkSize(): void {}

  it.each([
    ['its own', { name: 'group' }, { type: 'callback', callback: checkSize, name: 'own' }, 'own'],
    ["its group's", { name: 'group' }, { type: 'callback', callback: checkSize }, 'group'],
    ["its function's", {}, { type: 'callback', callback: checkSize }, 'checkSize'],
    ["its function's, given plainly", {}, checkSize, 'checkSize'],
    ["its group's, before the function's", { name: 'group' }, checkSize, 'group'],
    ['the event and its subject', {}, [() => undefined][0], 'PreToolUse:Bash'],
  ])('MS-4 the name of a hook is %s', async (_, options, hook, expected) => {
    const { runner, record } = makeRunner();
    untyped(runner).on('PreToolUse', options, hook);
    const { results } = await runner.fire('PreToolUse', bash());
    expect(results[0]?.name).toBe(expected);
    expect(record.messages.map((message) => message.hook_name)).toEqual([expected, expected]);
  });

  it.each([
    ['Stop', 'Stop'],
    ['SessionStart', 'SessionStart:startup'],
    ['Notification', 'Notification:idle_prompt'],
    ['SubagentStop', 'SubagentStop:explorer'],
  ] as const)('MS-4 a nameless hook of %s is called %s', async (event, expected) => {
    const { runner } = makeRunner();
    untyped(runner).on(event, [() => undefined]);
    const { results } = await untyped(runner).fire(event, SAMPLES[event]);
    expect(results[0]?.name).toBe(expected);
  });
});

describe('listeners', () => {
  it('MS-5 a listener hears its kind only, `message` hears all', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    for (const kind of ['hook_started', 'hook_progress', 'hook_response', 'message'] as const) {
      runner.messages.on(kind, ({ subtype }: HookMessage) => void log.push(`${kind} ${subtype}`));
    }
    runner.on('Stop', (_input, _id, context) => context.progress('x'));
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual([
      'hook_started hook_started',
      'message hook_started',
      'hook_progress hook_progress',
      'message hook_progress',
      'hook_response hook_response',
      'message hook_response',
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('listener');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('listener'))],
    ['throws nothing', () => Promise.reject()],
  ])('MS-5 one that %s changes nothing, and its error goes to onListenerError', async (_, listener) => {
    const errors: [Error, HookMessage][] = [];
    const runner = new Runner({ onListenerError: (error, message) => void errors.push([error, message]) });
    const before: string[] = [];
    runner.messages.on('message', ({ subtype }) => void before.push(subtype));
    runner.messages.on('message', listener as () => void);
    const after = recordMessages(runner);
    runner.on('PreToolUse', () => ({ decision: 'block' }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    await turns();
    expect(outcome).toMatchObject({ decision: 'deny', failures: [] });
    expect(before).toEqual(['hook_started', 'hook_response']);
    after.check();
    expect(after.messages).toHaveLength(2);
    expect(errors.map(([error]) => error instanceof Error)).toEqual([true, true]);
    expect(errors.map(([, message]) => message.subtype)).toEqual(['hook_started', 'hook_response']);
  });

  it('MS-5 an onListenerError that throws is ignored', async () => {
    const runner = new Runner({
      onListenerError: () => {
        throw new Error('reporter');
      },
    });
    const fail = () => {
      throw new Error('listener');
    };
    runner.messages.on('message', fail);
    runner.messages.on('message', async () => fail());
    runner.on('Stop', () => ({ continue: true }));
    expect((await soon(runner.fire('Stop', SAMPLES.Stop))).continue).toBe(true);
  });

  it('MS-5 by default the process is warned, once per runner', async () => {
    const runner = new Runner();
    runner.messages.on('message', () => {
      throw new Error('my listener is broken');
    });
    runner.on('Stop', () => undefined);
    for (let i = 0; i < 5; i++) await runner.fire('Stop', SAMPLES.Stop);
    const warnings = await watch.take();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({
      code: 'HOOKLINE_LISTENER',
      message: expect.stringContaining('my listener is broken'),
    });
  });

  it('MS-5 a listener may remove itself and others while it is called', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    const removeOther = runner.messages.on('message', () => void log.push('other'));
    const removeSelf = runner.messages.on('message', () => {
      log.push('self');
      removeSelf();
      removeOther();
    });
    runner.messages.on('message', ({ subtype }) => void log.push(subtype));
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['other', 'self', 'hook_started', 'hook_response']);
  });

  it('MS-5 a listener may add others, and the fire ends', async () => {
    const { runner } = makeRunner();
    let added = 0;
    const remove = runner.messages.on('hook_started', () => {
      remove();
      runner.messages.on('hook_response', () => {
        added += 1;
      });
    });
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(added).toBe(1);
  });

  it('MS-5 removing twice is harmless: others still count', async () => {
    const runner = new Runner();
    const log: string[] = [];
    const listener = ({ subtype }: HookMessage): void => void log.push(subtype);
    const remove = runner.messages.on('message', listener);
    runner.messages.on('message', listener);
    remove();
    remove();
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(log).toEqual(['hook_started', 'hook_response']);
    expect(runner.messages.watched).toBe(true);
  });

  it('MS-5 the fire does not wait for a slow listener', async () => {
    const { runner } = makeRunner();
    runner.messages.on('message', () => new Promise(() => {}) as never);
    runner.on('Stop', () => undefined);
    await soon(runner.fire('Stop', SAMPLES.Stop));
  });

  it('MS-5 a listener may fire another event', async () => {
    const { runner, record } = makeRunner();
    const inner: Promise<unknown>[] = [];
    runner.messages.on('hook_response', ({ hook_event }) => {
      if (hook_event === 'Stop') inner.push(runner.fire('Notification', SAMPLES.Notification));
    });
    runner.on('Stop', () => undefined);
    runner.on('Notification', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    await soon(Promise.all(inner));
    const ids = new Set(record.messages.map((message) => message.hook_id));
    expect([...ids].map((id) => record.storyOf(id))).toEqual([
      ['started', 'response'],
      ['started', 'response'],
    ]);
  });

  it('MS-5 a hundred listeners do not make the process warn', async () => {
    const { runner } = makeRunner();
    let heard = 0;
    for (let i = 0; i < 100; i++)
      runner.messages.on('hook_started', () => {
        heard += 1;
      });
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(heard).toBe(100);
  });
});

describe('the iterator', () => {
  it('MS-6 gives all messages in order', async () => {
    const { runner, record } = makeRunner();
    const read: HookMessage[] = [];
    const reading = (async () => {
      for await (const message of runner.messages) {
        read.push(message);
        if (read.length === 6) break;
      }
    })();
    await turns();
    runner.on('Stop', (_input, _id, context) => context.progress('x'));
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop);
    await soon(reading);
    expect(read).toEqual(record.messages);
  });

  it('MS-6 several readers each get everything', async () => {
    const { runner } = makeRunner();
    const readers = [runner.messages[Symbol.asyncIterator](), runner.messages[Symbol.asyncIterator]()];
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    for (const reader of readers) {
      expect((await reader.next()).value?.subtype).toBe('hook_started');
      expect((await reader.next()).value?.subtype).toBe('hook_response');
    }
  });

  it('MS-6 several waiting reads are served in order', async () => {
    const { runner } = makeRunner();
    const iterator = runner.messages[Symbol.asyncIterator]();
    const reads = [iterator.next(), iterator.next()];
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    const subtypes = (await soon(Promise.all(reads))).map(({ value }) => value?.subtype);
    expect(subtypes).toEqual(['hook_started', 'hook_response']);
  });

  it('MS-6 leaving a `for await` removes its listener', async () => {
    const runner = new Runner();
    expect(runner.messages.watched).toBe(false);
    runner.on('Stop', () => undefined);
    const reading = (async () => {
      for await (const _ of runner.messages) break;
    })();
    expect(runner.messages.watched).toBe(true);
    await runner.fire('Stop', SAMPLES.Stop);
    await soon(reading);
    expect(runner.messages.watched).toBe(false);
  });

  it('MS-6 an exception inside `for await` removes its listener too', async () => {
    const runner = new Runner();
    runner.on('Stop', () => undefined);
    const reading = (async () => {
      for await (const _ of runner.messages) throw new Error('reader');
    })();
    const failed = expect(reading).rejects.toThrow('reader');
    await runner.fire('Stop', SAMPLES.Stop);
    await failed;
    expect(runner.messages.watched).toBe(false);
  });

  async function readAll(runner: Runner, iterator: AsyncIterator<HookMessage>): Promise<HookMessage[]> {
    await runner.dispose();
    const messages: HookMessage[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      messages.push(next.value);
    return messages;
  }

  it('MS-6 10,000 unread messages: at most 4096 are kept, the newest among them', async () => {
    const runner = new Runner();
    const iterator = runner.messages[Symbol.asyncIterator]();
    let last = '';
    runner.on('Stop', () => undefined);
    for (let i = 0; i < 5000; i++) last = (await runner.fire('Stop', SAMPLES.Stop)).results[0]?.hookId ?? '';
    const { dropped } = iterator;
    const messages = await readAll(runner, iterator);
    expect(messages.length).toBeLessThanOrEqual(4096);
    expect(messages.length).toBeGreaterThan(1000);
    expect(dropped).toBe(10_000 - messages.length);
    expect(messages.at(-1)).toMatchObject({ subtype: 'hook_response', hook_id: last });
    const uuids = messages.map((message) => message.uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  it('MS-6 a reader that has stopped reading does not make the fires slow', async () => {
    const runner = new Runner();
    const iterator = runner.messages[Symbol.asyncIterator]();
    runner.on('Stop', () => undefined);
    const fires = async (count: number): Promise<number> => {
      const start = processorMs();
      for (let i = 0; i < count; i++) await runner.fire('Stop', SAMPLES.Stop);
      return processorMs() - start;
    };
    /** The best of several tries: what else the machine does must not count. */
    const best = async (tries: number): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < tries; i++) least = Math.min(least, await fires(100));
      return least;
    };
    await fires(500);
    const roomy = await best(10);
    expect(iterator.dropped).toBe(0);
    await fires(800);
    const full = await best(10);
    expect(iterator.dropped).toBeGreaterThan(0);
    expect(full / roomy, 'how many times as long a fire takes').toBeLessThan(25);
    await runner.dispose();
  });

  it('MS-6 progress goes first: starts and responses before it stay', async () => {
    const runner = new Runner();
    const iterator = runner.messages[Symbol.asyncIterator]();
    runner.on('Stop', (_input, _id, context) => {
      for (let i = 0; i < 10_000; i++) context.progress(`${i}`);
    });
    await runner.fire('Stop', SAMPLES.Stop);
    const { dropped } = iterator;
    const messages = await readAll(runner, iterator);
    expect(messages.length).toBeLessThanOrEqual(4096);
    expect(messages[0]?.subtype).toBe('hook_started');
    expect(messages.at(-1)?.subtype).toBe('hook_response');
    expect(messages.at(-2)).toMatchObject({ subtype: 'hook_progress', stdout: '9999' });
    expect(dropped).toBe(10_002 - messages.length);
  });

  it('MS-6 however many starts and responses come before it, newer progress goes before any of them', async () => {
    const runner = new Runner();
    const iterator = runner.messages[Symbol.asyncIterator]();
    runner.on('Stop', () => undefined);
    for (let i = 0; i < 1100; i++) await runner.fire('Stop', SAMPLES.Stop);
    runner.on('Notification', (_input, _id, context) => {
      for (let i = 0; i < 3000; i++) context.progress(`${i}`);
    });
    await runner.fire('Notification', SAMPLES.Notification);
    const messages = await readAll(runner, iterator);
    const lasting = messages.filter((message) => message.subtype !== 'hook_progress');
    expect(lasting).toHaveLength(2202);
  });
});

describe('no one watches', () => {
  it('MS-7 without listeners no message is made', async () => {
    const runner = new Runner();
    const emit = vi.spyOn(runner.messages, 'emit');
    runner.on('Stop', [
      (_input, _id, context) => context.progress('x'),
      () => Promise.reject(new Error('no')),
    ]);
    expect(runner.messages.watched).toBe(false);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(emit).not.toHaveBeenCalled();
    runner.messages.on('hook_progress', () => {});
    expect(runner.messages.watched).toBe(true);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(emit).toHaveBeenCalledTimes(5);
  });

  it('MS-7 a hook that started unwatched stays unwatched', async () => {
    const runner = new Runner();
    const free = gate();
    runner.on('Stop', [
      async (_input, _id, context) => {
        await free.passed;
        context.progress('unseen');
      },
      () => undefined,
    ]);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await turns();
    const record = recordMessages(runner);
    free.open();
    const { results } = await soon(fired);
    expect(results.map(({ hookId }) => record.storyOf(hookId))).toEqual([[], ['started', 'response']]);
    record.check();
  });

  it('MS-7 a listener that is gone does not get the rest', async () => {
    const runner = new Runner();
    const free = gate();
    const record = recordMessages(runner);
    runner.on('Stop', () => free.passed);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await turns();
    record.stop();
    free.open();
    await soon(fired);
    expect(record.messages.map((message) => message.subtype)).toEqual(['hook_started']);
  });
});

describe('progress', () => {
  it('MS-8 after the hook has ended it does nothing', async () => {
    const { runner, record } = makeRunner({ timeout: 0.02 });
    const kept: ((text: string) => void)[] = [];
    runner.on('Stop', [
      (_input, _id, context) => void kept.push((text) => context.progress(text)),
      async (_input, _id, context) => void kept.push((text) => context.progress(text)),
      (_input, _id, context) => {
        kept.push((text) => context.progress(text));
        throw new Error('ended');
      },
      (_input, _id, context) => {
        kept.push((text) => context.progress(text));
        return new Promise(() => {});
      },
    ]);
    runner.on('Stop', () => {
      for (const progress of kept) progress('during a later hook');
    });
    await soon(runner.fire('Stop', SAMPLES.Stop));
    for (const progress of kept) progress('after the fire');
    expect(kept).toHaveLength(4);
    expect(record.messages.filter((message) => message.subtype === 'hook_progress')).toEqual([]);
  });

  it('MS-8 it works when it is taken out of the context', async () => {
    const { runner, record } = makeRunner();
    runner.on('Stop', (_input, _id, { progress }) => progress('half way'));
    const { failures } = await runner.fire('Stop', SAMPLES.Stop);
    expect(failures).toEqual([]);
    expect(record.messages[1]).toMatchObject({ subtype: 'hook_progress', stdout: 'half way' });
  });

  it.each([
    ['a number', 5, '5'],
    ['undefined', undefined, 'undefined'],
    ['an empty text', '', ''],
  ])('MS-8 %s is sent as text', async (_, value, text) => {
    const { runner, record } = makeRunner();
    runner.on('Stop', (_input, _id, context) => context.progress(value as string));
    expect((await runner.fire('Stop', SAMPLES.Stop)).failures).toEqual([]);
    expect(record.messages[1]).toMatchObject({ stdout: text, output: text });
  });

  it('MS-8 no listener is needed', async () => {
    const runner = new Runner();
    runner.on('Stop', (_input, _id, context) => {
      context.progress('unheard');
      return { continue: true };
    });
    expect(await runner.fire('Stop', SAMPLES.Stop)).toMatchObject({ continue: true, failures: [] });
  });
});

describe('the end', () => {
  it('MS-9 disposing ends all iterators, also those that wait, after the last response', async () => {
    const runner = new Runner();
    const iterators = [1, 2].map(() => runner.messages[Symbol.asyncIterator]());
    runner.on('Stop', () => new Promise(() => {}));
    const fired = runner.fire('Stop', SAMPLES.Stop);
    const reading = iterators.map(async (iterator) => {
      const read: string[] = [];
      for await (const { subtype } of iterator) read.push(subtype);
      return read;
    });
    await turns();
    await soon(runner.dispose());
    await soon(fired);
    for (const read of await soon(Promise.all(reading)))
      expect(read).toEqual(['hook_started', 'hook_response']);
    expect(runner.messages.watched).toBe(false);
  });

  it('MS-9 what was unread can still be read after the end', async () => {
    const runner = new Runner();
    const iterator = runner.messages[Symbol.asyncIterator]();
    runner.on('Stop', () => undefined);
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.dispose();
    expect((await iterator.next()).value?.subtype).toBe('hook_started');
    expect((await iterator.next()).value?.subtype).toBe('hook_response');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('MS-9 an iterator made after the disposal ends at once', async () => {
    const runner = new Runner();
    await runner.dispose();
    const next = runner.messages[Symbol.asyncIterator]().next();
    expect(await hasSettled(next)).toBe(true);
    expect((await next).done).toBe(true);
  });
});
