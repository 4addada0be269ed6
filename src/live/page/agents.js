/** Shows the agents and their turns, which contain the entries. */
import { byId, chip, duration, make, stayAtEnd, toneOf } from './dom.js';

/** Older turns are removed from the page. */
const MAX_TURNS = 50;
const MAX_ENTRIES = 400;

const agents = new Map();

export function agentOf(name) {
  return agents.get(name) ?? addAgent(name);
}

export const allAgents = () => [...agents.values()];

function addAgent(name) {
  byId('empty').hidden = true;
  const title = make('h2', '', name);
  const detail = make('span', 'detail');
  const state = make('span', 'state');
  const list = make('div', 'turns');
  const body = make('div', 'scroller', list);
  body.tabIndex = 0;
  body.setAttribute('role', 'region');
  body.setAttribute('aria-label', `What ${name} does`);
  const root = make('article', 'agent', make('header', '', title, detail, state), body);
  root.dataset.agent = name;
  byId('agents').append(root);
  stayAtEnd(body, list);
  const agent = { name, address: name, label: name, title, detail, state, body, list, turns: new Map() };
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

function turnOf(agent, number) {
  const known = agent.turns.get(number);
  if (known !== undefined) return known;
  const title = make('h3', '', number === 0 ? 'Before the first prompt' : `Turn ${number}`);
  const prompt = make('p', 'prompt');
  prompt.hidden = true;
  const end = make('span', 'end');
  const list = make('ol', 'entries');
  const root = make('section', 'turn', make('header', '', title, end), prompt, list);
  const turn = { number, root, prompt, end, list };
  agent.list.append(root);
  agent.turns.set(number, turn);
  if (agent.turns.size > MAX_TURNS) {
    const [oldest] = agent.turns.values();
    oldest.root.remove();
    agent.turns.delete(oldest.number);
  }
  return turn;
}

export function showTurn({ agent: name, turn: number, prompt }) {
  const agent = agentOf(name);
  const turn = turnOf(agent, number);
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

export function noteArrival(name, entry, words) {
  agentOf(name).arrival = { entry, words };
}

export function showTurnEnd({ agent: name, turn: number, ok, reason, durationMs, error }) {
  const agent = agentOf(name);
  const turn = turnOf(agent, number);
  const word = reason.replaceAll('_', ' ');
  turn.end.replaceChildren(chip(word, ok ? toneOf(reason) : 'bad'));
  if (durationMs !== undefined) turn.end.append(' ', make('span', 'time', duration(durationMs)));
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
  if (list.childElementCount > MAX_ENTRIES) list.firstElementChild.remove();
}
