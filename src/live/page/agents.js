/** Shows the agents and their turns, which contain the entries. */
import { byId, chip, clockTime, duration, make, stayAtEnd, toneOf } from './dom.js';

/** Older entries of an agent are removed, so that the page stays fast; the list of fires has them. */
export const MAX_ENTRIES = 200;

const agents = new Map();

export function agentOf(name) {
  return agents.get(name) ?? addAgent(name);
}

export const allAgents = () => [...agents.values()];

function addAgent(name) {
  const title = make('h2', '', name);
  const detail = make('span', 'detail');
  const state = make('span', 'state');
  const older = make('a', 'older', 'Older entries are not shown here. All fires are in the list of fires.');
  older.href = '#fires';
  older.hidden = true;
  const list = make('div', 'turns');
  const body = make('div', 'scroller', older, list);
  body.tabIndex = 0;
  body.setAttribute('role', 'region');
  body.setAttribute('aria-label', `What ${name} does`);
  const root = make('article', 'agent', make('header', '', title, detail, state), body);
  root.dataset.agent = name;
  byId('columns').append(root);
  stayAtEnd(body, list);
  const agent = {
    ...{ name, address: name, label: name, title, detail, state, body, list, older },
    turns: new Map(),
    count: 0,
  };
  agents.set(name, agent);
  return agent;
}

export function showAgent({ agent: name, address, label, detail = '' }) {
  const agent = agentOf(name);
  Object.assign(agent, { address, label });
  agent.title.textContent = label;
  agent.detail.textContent = detail;
  agent.body.setAttribute('aria-label', `What ${label} does`);
}

function turnOf(agent, number, at) {
  const known = agent.turns.get(number);
  if (known !== undefined) return known;
  const title = make('h3', '', number === 0 ? 'Before the first prompt' : `Turn ${number}`);
  const prompt = make('p', 'prompt');
  prompt.hidden = true;
  const started = at === undefined ? '' : clockTime(at);
  const end = make('span', 'end');
  const list = make('ol', 'entries');
  const root = make('section', 'turn', make('header', '', title, started, end), prompt, list);
  const turn = { number, root, prompt, end, list };
  agent.list.append(root);
  agent.turns.set(number, turn);
  return turn;
}

export function showTurn({ agent: name, turn: number, prompt, at }) {
  const agent = agentOf(name);
  const turn = turnOf(agent, number, at);
  // A turn without entries counts too: there may be many of them.
  agent.count += 1;
  removeOld(agent);
  if (prompt !== undefined) {
    turn.prompt.textContent = prompt;
    turn.prompt.hidden = false;
    dropArrival(agent, prompt);
  }
  if (number > 0) showState(agent, 'working', 'live');
}

/** A message sent to an idle agent becomes its next prompt, so its arrival is not shown twice. */
function dropArrival(agent, prompt) {
  const { arrival } = agent;
  agent.arrival = undefined;
  if (arrival?.words.textContent !== prompt) return;
  const list = arrival.entry.parentNode;
  arrival.entry.remove();
  const first = agent.turns.get(0);
  if (first?.list !== list || list.childElementCount > 0) return;
  first.root.remove();
  agent.turns.delete(0);
}

/** A message that was the prompt of its turn is not shown again when it counts as delivered. */
export function isPrompt(name, number, text) {
  const prompt = agentOf(name).turns.get(number)?.prompt;
  return text !== '' && prompt?.textContent === text;
}

export function noteArrival(name, entry, words) {
  agentOf(name).arrival = { entry, words };
}

export function showTurnEnd({ agent: name, turn: number, ok, reason, durationMs, error, spent }) {
  const agent = agentOf(name);
  const turn = turnOf(agent, number);
  const word = reason.replaceAll('_', ' ');
  turn.end.replaceChildren(chip(word, ok ? toneOf(reason) : 'bad'));
  if (durationMs !== undefined) turn.end.append(' ', make('span', 'time', duration(durationMs)));
  if (spent !== undefined && spent.outputTokens > 0)
    turn.end.append(
      ' ',
      make('span', 'time', `${(spent.inputTokens + spent.outputTokens).toLocaleString()} tokens`),
    );
  if (error !== undefined) addEntry(name, number, make('li', 'entry note warning', error));
  showState(agent, 'idle', 'plain');
}

function showState(agent, word, tone) {
  agent.state.textContent = word;
  agent.state.dataset.tone = tone;
}

/** Adds an entry to a turn, at the end or before another entry. */
export function addEntry(name, number, entry, before) {
  const agent = agentOf(name);
  const { list } = turnOf(agent, number);
  list.insertBefore(entry, before?.parentNode === list ? before : null);
  agent.count += 1;
  removeOld(agent);
}

/** Removes the oldest entries, and turns that have none left. The latest turn stays. */
function removeOld(agent) {
  while (agent.count > MAX_ENTRIES) {
    const [oldest] = agent.turns.values();
    const entry = oldest.list.firstElementChild;
    agent.count -= 1;
    agent.older.hidden = false;
    if (entry !== null) entry.remove();
    else if (agent.turns.size > 1) {
      oldest.root.remove();
      agent.turns.delete(oldest.number);
    } else return;
  }
}
