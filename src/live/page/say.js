/** The box in which a person types something for one agent or for all. */
import { allAgents } from './agents.js';
import { byId } from './dom.js';
import { stateOf } from './items.js';
import { send } from './send.js';

let last;
let chosen = false;

export function setUpSaying() {
  const form = byId('say');
  const words = byId('words');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(words);
  });
  words.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  byId('to').addEventListener('change', () => {
    chosen = true;
  });
}

async function submit(words) {
  const text = words.value.trim();
  if (text === '') return;
  words.value = '';
  byId('said').textContent = 'Sending.';
  const { id, error } = await send('say', { text, to: byId('to').value || null });
  if (error !== undefined) {
    words.value = text;
    byId('said').textContent = error;
    return;
  }
  last = id;
  showSaid();
}

/** What became of the last thing that was said here. */
export function showSaid() {
  if (last === undefined) return;
  const states = stateOf(last);
  byId('said').textContent = states.length === 0 ? 'Queued.' : `${capital(states.join(', '))}.`;
}

/** Whoever can be talked to can be chosen; with one agent alone it is that one. */
export function showTargets() {
  const select = byId('to');
  const agents = allAgents();
  const known = new Set([...select.options].map(({ value }) => value));
  for (const { address, label } of agents) {
    const option = [...select.options].find(({ value }) => value === address);
    if (option !== undefined) option.textContent = label;
    else if (!known.has(address)) select.append(new Option(label, address));
  }
  // An agent may have turned out to be called otherwise.
  for (const option of [...select.options])
    if (option.value !== '' && !agents.some(({ address }) => address === option.value)) option.remove();
  if (!chosen) select.value = agents.length === 1 ? agents[0].address : '';
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
