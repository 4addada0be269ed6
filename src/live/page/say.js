/** The message box, for one agent or all. */
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

/** Shows the state of the last message. */
export function showSaid() {
  if (last === undefined) return;
  const states = stateOf(last);
  byId('said').textContent = states.length === 0 ? 'Queued.' : `${capital(states.join(', '))}.`;
}

/** Updates the list of recipients; a single agent is selected automatically. */
export function showTargets() {
  const select = byId('to');
  const agents = allAgents();
  const known = new Set([...select.options].map(({ value }) => value));
  for (const { address, label } of agents) {
    const option = [...select.options].find(({ value }) => value === address);
    if (option !== undefined) option.textContent = label;
    else if (!known.has(address)) select.append(new Option(label, address));
  }
  // Remove agents whose name has changed.
  for (const option of [...select.options])
    if (option.value !== '' && !agents.some(({ address }) => address === option.value)) option.remove();
  if (!chosen) select.value = agents.length === 1 ? agents[0].address : '';
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
