/** The entries of a turn: texts, tool calls, and fires with their hooks. */
import { addEntry, agentOf } from './agents.js';
import {
  announce,
  chip,
  clockTime,
  duration,
  firstLine,
  fold,
  make,
  pretty,
  startClock,
  stopClock,
  toneOf,
} from './dom.js';

const tools = new Map();
const fires = new Map();
const hooks = new Map();
const MAX_KEPT = 2000;
const MAX_OUTPUT = 16_000;

function keep(map, key, value) {
  map.set(key, value);
  if (map.size > MAX_KEPT) map.delete(map.keys().next().value);
  return value;
}

/** Call ids may be the same in two agents, and in two turns of one agent. */
const keyOf = (agent, turn, id) => `${agent}\n${turn}\n${id}`;

/** Some events of a session do not say which of its agents made a call. */
function findTool(agent, turn, id) {
  const exact = tools.get(keyOf(agent, turn, id));
  return exact ?? [...tools.entries()].findLast(([key]) => key.endsWith(`\n${id}`))?.[1];
}

export function showText({ agent, turn, text, before }) {
  const next = before === undefined ? undefined : tools.get(keyOf(agent, turn, before));
  addEntry(agent, turn, make('li', 'entry text', text), next?.root);
}

export function showNote({ agent, turn, level, text }) {
  const entry = make('li', `entry note ${level}`);
  if (text.length > 300) entry.append(fold(`${text.slice(0, 120)}…`, text));
  else entry.append(text);
  addEntry(agent, turn, entry);
}

/** Shows a tool call, which the model or a fire reports first. */
export function showTool({ agent, turn, tool: id, name, input, at }) {
  const key = keyOf(agent, turn, id);
  if (tools.has(key)) return tools.get(key);
  const state = make('span', 'outcome', chip('running', 'live'));
  const fireList = make('ol', 'fires');
  const result = make('div', 'result');
  const head = make(
    'div',
    'head',
    make('span', 'kind', 'tool'),
    make('strong', '', name),
    clockTime(at),
    state,
  );
  const shown = pretty(input);
  const call =
    shown.includes('\n') || shown.length > 90 ? fold(firstLine(shown), shown) : make('code', 'line', shown);
  const root = make('li', 'entry tool', head, call, fireList, result);
  addEntry(agent, turn, root);
  return keep(tools, key, { root, state, fireList, result, agent, name, denied: false });
}

export function showToolResult({ agent, turn, tool: id, ok, text }) {
  const tool = findTool(agent, turn, id);
  if (tool === undefined) return;
  if (!tool.denied) tool.state.replaceChildren(ok ? chip('done', 'good') : chip('failed', 'bad'));
  tool.result.replaceChildren(text === '' ? make('p', 'hint', 'no output') : textOrFold('result', text));
}

export function showDenied({ agent, turn, tool: id, by, reason }) {
  const tool = findTool(agent, turn, id);
  if (tool === undefined) return;
  tool.denied = true;
  tool.state.replaceChildren(chip(`refused by ${by}`, 'bad'));
  announce(`${agentOf(agent).label}: ${tool.name} was refused. ${reason}`);
}

/** A repeated fire stands alone: its call has ended. */
export function showFire({ agent, turn, fire: id, event, subject, tool: ofCall, again, at }) {
  if (fires.has(id)) return fires.get(id);
  const tool = again === undefined ? ofCall : undefined;
  const outcome = make('span', 'outcome');
  const title = make('a', 'event', event);
  title.href = `#fire-${id}`;
  const head = make('div', 'head', make('span', 'kind', 'hooks'), title, outcome);
  if (subject && tool === undefined) title.after(make('span', 'subject', subject));
  if (again !== undefined) title.after(chip('again'));
  if (tool === undefined) outcome.before(clockTime(at));
  const hookList = make('ol', 'hooks');
  const words = make('div', 'words');
  const root = make('li', tool === undefined ? 'entry fire' : 'fire', head, hookList, words);
  if (tool === undefined) addEntry(agent, turn, root);
  else {
    const card = showTool({ agent, turn, tool: tool.id, name: tool.name, input: tool.input, at });
    card.fireList.append(root);
  }
  return keep(fires, id, { root, outcome, hookList, words, agent, event });
}

export function showFireEnd(end) {
  const fire = fires.get(end.fire);
  if (fire === undefined) return;
  const { decision, durationMs, effects, reason, error } = end;
  const chips = [];
  if (decision !== undefined) chips.push(chip(decision, toneOf(decision)));
  if (end.continue === false) chips.push(chip('ends the run', 'bad'));
  if (end.continue === true) chips.push(chip('continues', 'care'));
  if (error !== undefined) chips.push(chip('not fired', 'bad'));
  fire.outcome.replaceChildren(...chips, make('span', 'time', duration(durationMs)));
  for (const text of [...(error === undefined ? [] : [error]), ...effects])
    fire.words.append(textOrFold('more', text));
  for (const verdict of end.hooks) showVerdict(verdict, decision === verdict.decision ? reason : undefined);
  if (decision === 'deny')
    announce(`${agentOf(fire.agent).label}: ${fire.event} was denied. ${reason ?? ''}`);
}

function showVerdict({ hook: id, decision, reason, pending }, fireReason) {
  const hook = hooks.get(id);
  if (hook === undefined) return;
  if (decision !== undefined) hook.verdict.replaceChildren(chip(decision, toneOf(decision)));
  // A decision implies that the hook has ended; the word is kept for screen readers.
  hook.outcome.classList.toggle('unseen', decision !== undefined && hook.root.dataset.state !== 'error');
  if (pending) hook.verdict.append(chip('in the background', 'live'));
  const why = reason ?? fireReason;
  if (why === undefined) return;
  // Output that only repeats the reason is not shown twice; the output of a failed hook is open.
  const isPrinted = why.trim() === hook.text.trim();
  if (isPrinted && hook.root.dataset.state === 'error') return;
  hook.reason.textContent = why;
  if (isPrinted) hook.output.hidden = true;
}

export function showHook({ agent, turn, fire: id, event, hook, name, place, at }) {
  const fire = showFire({ agent, turn, fire: id, event, at });
  const time = make('span', 'time');
  const outcome = make('span', 'word', 'running');
  const verdict = make('span', 'verdict');
  const reason = make('p', 'reason');
  const output = make('details', 'fold output', make('summary', '', 'output'), make('pre'));
  output.hidden = true;
  const head = make(
    'div',
    'line-of-hook',
    make('span', 'dot'),
    make('span', 'name', name),
    verdict,
    outcome,
    time,
  );
  const root = make('li', 'hook', head, reason, output);
  if (place !== undefined) head.after(make('code', 'place', place));
  root.dataset.state = 'running';
  fire.hookList.append(root);
  startClock(time, at);
  keep(hooks, hook, { root, time, outcome, verdict, reason, output, agent, text: '' });
}

export function showProgress({ hook: id, text }) {
  const hook = hooks.get(id);
  if (hook === undefined) return;
  hook.text = (hook.text + text).slice(-MAX_OUTPUT);
  showOutput(hook, true);
}

export function showHookEnd({ hook: id, name, outcome, decision, durationMs, exitCode, output }) {
  const hook = hooks.get(id);
  if (hook === undefined) return;
  stopClock(hook.time);
  hook.time.textContent = duration(durationMs);
  // A hook that denies with its exit code has not failed.
  const word = decision === 'deny' ? 'refused' : outcome;
  const failed = word === 'error';
  hook.root.dataset.state = word;
  hook.outcome.textContent = failed && exitCode ? `${word}, exit ${exitCode}` : word;
  if (output !== '') hook.text = output;
  showOutput(hook, failed);
  if (failed) announce(`The hook ${name} failed.`);
}

function showOutput(hook, isOpen) {
  hook.output.hidden = hook.text.trim() === '';
  hook.output.open = isOpen;
  const pre = hook.output.lastElementChild;
  const isAtEnd = pre.scrollHeight - pre.scrollTop - pre.clientHeight < 8;
  pre.textContent = hook.text.trimEnd();
  if (isAtEnd) pre.scrollTop = pre.scrollHeight;
}

function textOrFold(label, text) {
  const isShort = text.length <= 160 && !text.includes('\n');
  return isShort ? make('p', 'line', text) : fold(label === 'more' ? firstLine(text) : label, text);
}
