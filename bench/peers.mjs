// What others offer for the same job. None of the first three checks, matches, limits, isolates or reports anything.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { input, callback as nothing } from './inputs.mjs';
import { areInstalled, folderOf } from './installs.mjs';

const GEMINI = 'gemini-cli-core plan, run, aggregate';

/** Made by name, so that a process can load one of them alone. */
const CALLBACK_PEERS = {
  hookable,
  tapable,
  'EventEmitter + Promise.all': emitter,
  'Strands HookRegistry': strands,
  [GEMINI]: (count, callback) =>
    gemini(
      Array.from({ length: count }, () => 'Bash'),
      callback,
    ),
};

/** Those who are installed, without loading any of them. */
export function callbackPeerNames() {
  const large = areInstalled();
  return Object.keys(CALLBACK_PEERS).filter((name) => large || !/^(Strands|gemini)/.test(name));
}

/** One of them with so many callbacks for one tool. */
export async function callbackPeer(name, count, callback = nothing) {
  return { name, role: 'peer', run: await CALLBACK_PEERS[name](count, callback) };
}

/** Everybody with so many callbacks for one tool. */
export function callbackPeers(count, callback) {
  return Promise.all(callbackPeerNames().map((name) => callbackPeer(name, count, callback)));
}

/** Those who have matchers, or would have to look through all of their callbacks: so many, of which one is meant. */
export async function matcherPeers(count) {
  const names = Array.from({ length: count }, (_, i) => (i === count >> 1 ? 'Bash' : `Tool${i}_.*`));
  if (!callbackPeerNames().includes(GEMINI)) return [];
  return [{ name: GEMINI, role: 'peer', run: await gemini(names) }];
}

async function hookable(count, callback) {
  const { createHooks } = await import('hookable');
  const hooks = createHooks();
  for (let i = 0; i < count; i++) hooks.hook('PreToolUse', callback);
  return () => hooks.callHook('PreToolUse', input);
}

async function tapable(count, callback) {
  const { AsyncSeriesHook } = (await import('tapable')).default;
  const hook = new AsyncSeriesHook(['input']);
  for (let i = 0; i < count; i++) hook.tapPromise(`hook ${i}`, callback);
  return () => hook.promise(input);
}

function emitter(count, callback) {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  for (let i = 0; i < count; i++) emitter.on('PreToolUse', callback);
  return () => Promise.all(emitter.listeners('PreToolUse').map((listener) => listener(input)));
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
  return () => registry.invokeCallbacks(new BenchEvent());
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
  return run;
}

function resolve(name) {
  return createRequire(join(folderOf(name), 'from-here.js')).resolve(name);
}

function load(path) {
  return import(pathToFileURL(path).href);
}
