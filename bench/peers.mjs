// What others offer for the same job. None of the first three checks, matches, limits, isolates or reports anything.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHooks } from 'hookable';
import { AsyncSeriesHook } from 'tapable';
import { input, callback as nothing } from './inputs.mjs';

/** Where `--peers` installs those that are too large to come with the bench. */
export const LARGE_PEERS = join(import.meta.dirname, 'peers');

/** Everybody with so many callbacks for one tool. */
export async function callbackPeers(count, callback = nothing) {
  return [
    hookable(count, callback),
    tapable(count, callback),
    emitter(count, callback),
    ...(await optional(() => strands(count, callback))),
    ...(await optional(() =>
      gemini(
        Array.from({ length: count }, () => 'Bash'),
        callback,
      ),
    )),
  ];
}

/** Those who have matchers, or would have to look through all of their callbacks: so many, of which one is meant. */
export async function matcherPeers(count) {
  const names = Array.from({ length: count }, (_, i) => (i === count >> 1 ? 'Bash' : `Tool${i}_.*`));
  return optional(() => gemini(names));
}

function hookable(count, callback) {
  const hooks = createHooks();
  for (let i = 0; i < count; i++) hooks.hook('PreToolUse', callback);
  return { name: 'hookable', role: 'peer', run: () => hooks.callHook('PreToolUse', input) };
}

function tapable(count, callback) {
  const hook = new AsyncSeriesHook(['input']);
  for (let i = 0; i < count; i++) hook.tapPromise(`hook ${i}`, callback);
  return { name: 'tapable', role: 'peer', run: () => hook.promise(input) };
}

function emitter(count, callback) {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  for (let i = 0; i < count; i++) emitter.on('PreToolUse', callback);
  const run = () => Promise.all(emitter.listeners('PreToolUse').map((listener) => listener(input)));
  return { name: 'EventEmitter + Promise.all', role: 'peer', run };
}

async function strands(count, callback) {
  const place = dirname(resolve('@strands-agents/sdk'));
  const { HookRegistryImplementation } = await load(join(place, 'hooks/registry.js'));
  const { HookableEvent } = await load(join(place, 'hooks/events.js'));
  class BenchEvent extends HookableEvent {
    type = 'bench';
    input = input;
  }
  const registry = new HookRegistryImplementation();
  for (let i = 0; i < count; i++) registry.addCallback(BenchEvent, callback);
  return {
    name: 'Strands HookRegistry',
    role: 'peer',
    run: () => registry.invokeCallbacks(new BenchEvent()),
  };
}

/** Its three steps for callbacks: plan, run one after another, aggregate. It has matchers, timeouts and signals. */
async function gemini(matchers, callback = nothing) {
  console.debug = () => {};
  const place = join(dirname(resolve('@google/gemini-cli-core')), 'src/hooks');
  const { HookPlanner } = await load(join(place, 'hookPlanner.js'));
  const { HookRunner } = await load(join(place, 'hookRunner.js'));
  const { HookAggregator } = await load(join(place, 'hookAggregator.js'));
  const entries = matchers.map((matcher, i) => ({
    config: { type: 'runtime', name: `hook ${i}`, action: callback, timeout: 60_000 },
    source: 'runtime',
    eventName: 'BeforeTool',
    matcher,
    sequential: true,
    enabled: true,
  }));
  const planner = new HookPlanner({ getHooksForEvent: () => entries });
  const runner = new HookRunner({ isTrustedFolder: () => true });
  const aggregator = new HookAggregator();
  const run = async () => {
    const plan = planner.createExecutionPlan('BeforeTool', { toolName: 'Bash' });
    if (plan === null) return undefined;
    const results = await runner.executeHooksSequential(plan.hookConfigs, 'BeforeTool', input);
    return aggregator.aggregateResults(results, 'BeforeTool');
  };
  await run();
  return { name: 'gemini-cli-core plan, run, aggregate', role: 'peer', run };
}

function resolve(name) {
  return createRequire(join(LARGE_PEERS, 'from-here.js')).resolve(name);
}

function load(path) {
  return import(pathToFileURL(path).href);
}

async function optional(make) {
  try {
    return [await make()];
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND') return [];
    throw error;
  }
}
