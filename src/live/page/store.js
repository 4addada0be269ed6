/** What the page knows about fires, hooks and costs. It draws nothing: views read it, and are notified of changes. */

/** As many as the server keeps. */
const MAX_FIRES = 20_000;
/** The latest times of a hook, for its percentiles. */
const MAX_TIMES = 500;

/** Oldest first. */
export const fires = [];
/** By key, see `keyOf`. */
export const hooks = new Map();
const firesById = new Map();
const runs = new Map();
const spentBy = new Map();
const labels = new Map();
const listeners = new Set();
/** The agents and events that were fired, with their labels. */
export const agents = new Map();
export const events = new Map();
/** How often the views are drawn at most. */
const DRAW_MS = 100;
let isScheduled = false;
let drawnAt = 0;

export const fireOf = (id) => firesById.get(id);
export const labelOf = (agent) => labels.get(agent) ?? agent;

/** Calls the listener soon after a change, before a frame. */
export function onChange(listener) {
  listeners.add(listener);
}

function changed() {
  if (isScheduled) return;
  isScheduled = true;
  const wait = drawnAt + DRAW_MS - performance.now();
  if (wait > 0) setTimeout(requestAnimationFrame, wait, notify);
  else requestAnimationFrame(notify);
}

function notify() {
  isScheduled = false;
  for (const listener of listeners) listener();
  drawnAt = performance.now();
}

const READ = {
  agent: readAgent,
  fire: addFire,
  passed: addPassed,
  earlier: addEarlier,
  fire_end: endFire,
  hook: startHook,
  hook_end: endHook,
  turn_end: addSpent,
};

export function store(event) {
  const read = READ[event.type];
  if (read === undefined) return;
  read(event);
  changed();
}

function readAgent({ agent, label }) {
  labels.set(agent, label);
  if (agents.has(agent)) agents.set(agent, label);
}

function addFire({ fire: id, at, agent, event, subject, tool, again }) {
  const known = firesById.get(id);
  if (known !== undefined) return known;
  const input = tool?.input ?? '';
  const fire = { id, at, agent, event, subject, input, again, hooks: [], effects: [], version: 0 };
  fires.push(fire);
  agents.set(agent, labelOf(agent));
  events.set(event, event);
  firesById.set(id, fire);
  if (fires.length > MAX_FIRES) {
    // In steps, because moving the rest takes time.
    for (const { id: old } of fires.splice(0, MAX_FIRES / 10)) firesById.delete(old);
  }
  return fire;
}

function addPassed(event) {
  Object.assign(addFire(event), { passed: true, ended: true });
}

/** A fire of an earlier session: which hooks ran is not known. */
function addEarlier(event) {
  const { durationMs, decision, reason, effects, failures, continue: goesOn, input = '' } = event;
  const failed = failures.length > 0;
  Object.assign(addFire(event), {
    ...{ durationMs, decision, reason, goesOn, input, failed, earlier: true, ended: true },
    effects: [...effects, ...failures],
  });
}

function endFire({
  fire: id,
  durationMs,
  decision,
  reason,
  effects,
  error,
  hooks: verdicts,
  continue: goesOn,
}) {
  const fire = firesById.get(id);
  if (fire === undefined) return;
  Object.assign(fire, { durationMs, decision, reason, effects, error, goesOn, ended: true });
  fire.version += 1;
  fire.text = undefined;
  for (const { hook, decision: own, reason: why } of verdicts) {
    const run = fire.hooks.find(({ id: of }) => of === hook);
    if (run !== undefined) Object.assign(run, { decision: own, reason: why });
  }
}

function startHook({ hook: id, fire: of, agent, event, name, place, at }) {
  const fire = addFire({ fire: of, agent, event, at });
  const run = { id, name, place, key: keyOf({ event, name, place }), fire };
  fire.hooks.push(run);
  fire.version += 1;
  fire.text = undefined;
  runs.set(id, run);
  statsOf({ event, name, place }).runs += 1;
}

function endHook({ hook: id, outcome, decision, durationMs, exitCode, output }) {
  const run = runs.get(id);
  if (run === undefined) return;
  runs.delete(id);
  const failed = outcome === 'error' && decision === undefined;
  Object.assign(run, { outcome, failed, durationMs, exitCode, output });
  if (decision !== undefined) run.decision = decision;
  run.fire.version += 1;
  if (failed) run.fire.failed = true;
  const stats = hooks.get(run.key);
  if (failed) stats.failures += 1;
  if (decision === 'deny') stats.refusals += 1;
  stats.times.push(durationMs);
  if (stats.times.length > MAX_TIMES) stats.times.shift();
}

/** A hook of a file is where it is defined, whatever its name; a callback without a name is one of its event. */
function keyOf({ event, name, place }) {
  return `${event}\n${place ?? nameOf(event, name)}`;
}

export function nameOf(event, name) {
  return name === event || name.startsWith(`${event}:`) ? 'callback' : name;
}

function statsOf({ event, name, place }) {
  const key = keyOf({ event, name, place });
  const known = hooks.get(key);
  if (known !== undefined) return known;
  const stats = {
    key,
    event,
    name: nameOf(event, name),
    place,
    runs: 0,
    failures: 0,
    refusals: 0,
    times: [],
  };
  hooks.set(key, stats);
  return stats;
}

/** Hooks that are loaded, whether they have run or not. */
export function addLoaded(loaded) {
  for (const { event, name, place, matcher, inactive } of loaded)
    Object.assign(statsOf({ event, name, place }), { matcher, inactive, loaded: true });
  changed();
}

export function percentile(times, share) {
  if (times.length === 0) return undefined;
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

function addSpent({ agent, spent }) {
  if (spent === undefined) return;
  const before = spentBy.get(agent) ?? { inputTokens: 0, outputTokens: 0 };
  spentBy.set(agent, {
    inputTokens: before.inputTokens + spent.inputTokens,
    outputTokens: before.outputTokens + spent.outputTokens,
    usd: spent.sessionUsd,
  });
}

/** What all agents have used together; undefined if nothing is known. */
export function totalSpent() {
  const all = [...spentBy.values()];
  if (all.length === 0) return undefined;
  const sum = (field) => all.reduce((total, each) => total + each[field], 0);
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), usd: sum('usd') };
}

/** What a search looks at, in lower case. */
export function searchText(fire) {
  fire.text ??= [
    fire.event,
    fire.subject,
    labelOf(fire.agent),
    fire.input,
    fire.decision,
    fire.reason,
    fire.error,
    ...fire.effects,
    ...fire.hooks.flatMap(({ name, place, reason }) => [name, place, reason]),
  ]
    .filter((text) => text !== undefined)
    .join('\n')
    .toLowerCase();
  return fire.text;
}
