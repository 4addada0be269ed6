/** Shows items sent to agents from outside, and their state. */
import { addEntry, allAgents, isPrompt, noteArrival } from './agents.js';
import { announce, byId, chip, make, toneOf } from './dom.js';

const MAX_ITEMS = 200;
const items = new Map();

function itemOf(id) {
  const known = items.get(id);
  if (known !== undefined) return known;
  const from = make('span', 'from');
  const text = make('p', 'line');
  const states = make('ul', 'states');
  const root = make('li', 'item', from, text, states);
  byId('items').prepend(root);
  const item = { root, from, text, states, byAgent: new Map(), label: '', arrivals: [] };
  items.set(id, item);
  if (items.size > MAX_ITEMS) {
    const [oldest] = items.keys();
    items.get(oldest).root.remove();
    items.delete(oldest);
  }
  return item;
}

export function showItem({ item: id, to, state, from, label, reason, agent, turn }) {
  const item = itemOf(id);
  item.label = label ?? from;
  item.from.textContent = label === undefined || label === from ? from : `${label} (${from})`;
  const known = item.byAgent.get(to) ?? addState(item, to);
  known.state = state;
  known.word.replaceChildren(chip(state, toneOf(state)), reason === undefined ? '' : ` ${reason}`);
  if (agent !== undefined) showArrival(item, agent, turn);
  if (state === 'delivered') announce(`Delivered to ${nameOf(to)}.`);
  showWaiting();
}

function addState(item, to) {
  const word = make('span');
  const root = make(
    'li',
    '',
    make('span', 'to', to === '*' ? 'agents yet to arrive' : nameOf(to)),
    ' ',
    word,
  );
  item.states.append(root);
  const known = { state: '', word, root };
  item.byAgent.set(to, known);
  // Remove the entry for agents that had not arrived yet.
  if (to !== '*') {
    item.byAgent.get('*')?.root.remove();
    item.byAgent.delete('*');
  }
  return known;
}

/** Also shows a delivered item in the agent's turn. */
function showArrival(item, agent, turn) {
  if (isPrompt(agent, turn, item.text.textContent)) return;
  const words = make('span', 'words', item.text.textContent);
  const entry = make(
    'li',
    'entry arrival',
    make('span', 'kind', 'received'),
    make('strong', '', item.label),
    words,
  );
  item.arrivals.push(words);
  addEntry(agent, turn, entry);
  noteArrival(agent, entry, words);
}

export function showItemText({ item: id, text }) {
  const item = itemOf(id);
  item.text.textContent = text;
  for (const words of item.arrivals) words.textContent = text;
}

const nameOf = (address) => allAgents().find((agent) => agent.address === address)?.label ?? address;

/** The state of an item, for its sender. */
export function stateOf(id) {
  return [...(items.get(id)?.byAgent ?? [])].map(([to, { state }]) => `${state}: ${nameOf(to)}`);
}

function showWaiting() {
  const waiting = [...items.values()].filter(({ byAgent }) =>
    [...byAgent.values()].some(({ state }) => state === 'queued'),
  );
  byId('waiting').textContent = waiting.length === 0 ? 'none waiting' : `${waiting.length} waiting`;
}
