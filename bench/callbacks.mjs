// Firing in-process callbacks, beside hookable and tapable. The limit is a bare `await callback(input)`.
import { createHooks } from 'hookable';
import { AsyncSeriesHook } from 'tapable';
import { Runner } from '../dist/index.js';
import { compare } from './measure.mjs';

const input = { tool_name: 'Bash', tool_input: { command: 'x'.repeat(900) }, tool_use_id: 'toolu_1' };
const callback = async () => ({});

function bare(count) {
  return async () => {
    for (let i = 0; i < count; i++) await callback(input);
  };
}

function hookline(groups, listen = false) {
  const runner = new Runner({ hooks: { PreToolUse: groups } });
  if (listen) runner.messages.on('message', () => {});
  return (options) => runner.fire('PreToolUse', input, options);
}

function hookable(count) {
  const hooks = createHooks();
  for (let i = 0; i < count; i++) hooks.hook('PreToolUse:Bash', callback);
  return () => hooks.callHook('PreToolUse:Bash', input);
}

function tapable(count) {
  const hook = new AsyncSeriesHook(['input']);
  for (let i = 0; i < count; i++) hook.tapPromise(`hook ${i}`, callback);
  return () => hook.promise(input);
}

function inOneGroup(count) {
  return [{ matcher: 'Bash', hooks: Array.from({ length: count }, () => callback) }];
}

export async function* callbackCases(rounds) {
  yield compare(
    'no hook registered (limit: bare await)',
    [
      { name: 'bare await callback(input)', run: () => callback(input) },
      { name: 'hookline', run: hookline([]) },
      { name: 'hookable', run: hookable(0) },
      { name: 'tapable', run: tapable(0) },
    ],
    { rounds, batch: 5000 },
  );
  yield compare(
    '1 callback, 1 KB input (limit: bare await)',
    [
      { name: 'bare await callback(input)', run: () => callback(input) },
      { name: 'hookline: validation, matcher, deadline, isolation', run: hookline(inOneGroup(1)) },
      { name: 'hookable (none of these)', run: hookable(1) },
      { name: 'tapable (none of these)', run: tapable(1) },
    ],
    { rounds },
  );
  yield compare(
    '10 callbacks (limit: ten bare awaits)',
    [
      { name: 'ten bare awaits', run: bare(10) },
      { name: 'hookline', run: hookline(inOneGroup(10)) },
      { name: 'hookable', run: hookable(10) },
      { name: 'tapable', run: tapable(10) },
    ],
    { rounds, batch: 500 },
  );
  const thousand = Array.from({ length: 1000 }, (_, i) => ({
    matcher: i === 500 ? 'Bash' : `Tool${i}_*`,
    hooks: [callback],
  }));
  yield compare(
    '1000 matchers, one hit (limit: 1 matcher)',
    [
      { name: 'hookline, 1 matcher', run: hookline(inOneGroup(1)) },
      { name: 'hookline, 1000 matchers', run: hookline(thousand) },
    ],
    { rounds },
  );
  const { signal } = new AbortController();
  const watched = hookline(inOneGroup(1), true);
  yield compare(
    '1 callback with a listener and a shared signal (limit: bare await)',
    [
      { name: 'bare await callback(input)', run: () => callback(input) },
      { name: 'hookline', run: () => watched({ signal }) },
    ],
    { rounds, batch: 1000 },
  );
}
