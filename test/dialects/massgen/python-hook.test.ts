/** `pythonHook` and `PythonHost` by themselves: what comes before a runner reads it. */
import { expect, test } from 'vitest';
import { massgen } from '../../../src/dialects/massgen/index.js';
import { PythonHost } from '../../../src/dialects/massgen/python/host.js';
import {
  checkPythonHandler,
  pythonHook,
  readPythonHandler,
} from '../../../src/dialects/massgen/python/python.js';
import { CANCELLED, Cancellation } from '../../../src/handlers/cancellation.js';
import type { HookRun } from '../../../src/handlers/hook.js';
import { SAMPLES } from '../../support/runner.js';
import { FIXTURES, massgenTest } from './support.js';

const run = (more: Partial<HookRun> = {}): HookRun => ({
  event: 'PreToolUse',
  input: { session_id: 's', ...SAMPLES.PreToolUse },
  toolUseID: undefined,
  agentId: undefined,
  hookId: 'h',
  name: 'n',
  timeoutMs: 10_000,
  cancellation: new Cancellation(),
  depth: 1,
  watched: false,
  wire: () => Buffer.from(`${JSON.stringify(massgen.encode?.('PreToolUse', { ...SAMPLES.PreToolUse }))}\n`),
  onProgress: () => {},
  ...more,
});

function handlerOf(text: string) {
  const read = readPythonHandler(text, FIXTURES);
  if ('problem' in read) throw new Error(read.problem);
  return read.handler;
}

test('MG-26 handlers are dotted names or a name in a file; anything else is explained', () => {
  expect(readPythonHandler('a.b.c', '/f')).toEqual({ handler: { name: 'a.b.c' } });
  expect(readPythonHandler('./x.py:f', '/f')).toEqual({ handler: { name: 'f', file: '/f/x.py' } });
  expect(readPythonHandler('/abs/x.py:A.f', '/f')).toEqual({ handler: { name: 'A.f', file: '/abs/x.py' } });
  for (const text of [
    '',
    'word',
    'a..b',
    'a.b()',
    'a b.c',
    'x.py',
    'x.py:',
    'x.py:f()',
    'a.1b',
    'os.system("x")',
  ]) {
    expect(readPythonHandler(text, '/f'), text).toHaveProperty('problem');
  }
});

massgenTest('MG-8 MG-11 a handler that was not checked fails to start at its first call', async () => {
  const host = new PythonHost({ cwd: FIXTURES, paths: [FIXTURES] });
  try {
    const completion = await pythonHook(handlerOf('broken_import.check'), { host })(run());
    expect(completion).toMatchObject({ kind: 'failed-to-start' });
    expect(massgen.interpret('PreToolUse', completion, {}).decision).toBe('deny');
    expect(await checkPythonHandler(handlerOf('handlers.deny'), host, 10_000)).toBeUndefined();
    expect(await checkPythonHandler(handlerOf('handlers.Guard'), host, 10_000)).toContain('is a class');
  } finally {
    await host.close();
  }
});

massgenTest('MG-31 a fire that is already over calls nothing, and a closed host starts nothing', async () => {
  const host = new PythonHost({ cwd: FIXTURES, paths: [FIXTURES] });
  const hook = pythonHook(handlerOf('handlers.deny'), { host });
  expect(await hook(run({ cancellation: CANCELLED }))).toEqual({ kind: 'aborted' });
  expect(host.pid).toBeUndefined();
  await host.close();
  expect(await hook(run())).toEqual({ kind: 'aborted' });
  expect(host.pid).toBeUndefined();
});

massgenTest('MG-31 the deadline also covers the start of the process', async () => {
  const host = new PythonHost({ cwd: FIXTURES, paths: [FIXTURES] });
  const started = performance.now();
  const completion = await pythonHook(handlerOf('handlers.deny'), { host })(run({ timeoutMs: 1 }));
  expect(completion).toEqual({ kind: 'timed-out', timeoutMs: 1 });
  expect(performance.now() - started).toBeLessThan(15_000);
  await host.close();
});

massgenTest('MG-34 an input that Python cannot read fails its own call only', async () => {
  const host = new PythonHost({ cwd: FIXTURES, paths: [FIXTURES] });
  const hook = pythonHook(handlerOf('handlers.nothing'), { host });
  const deep = Buffer.from(`{"tool_input":${'['.repeat(200_000)}${']'.repeat(200_000)}}\n`);
  const completion = await hook(run({ wire: () => deep }));
  expect(completion).toMatchObject({ kind: 'threw' });
  expect(completion.kind === 'threw' && completion.error.message).toContain('cannot be read in Python');
  expect(await hook(run())).toEqual({ kind: 'returned', output: null });
  await host.close();
});
