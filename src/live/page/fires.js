/** The list of all fires, with a search and filters. */
import { showFireDetails } from './details.js';
import { byId, clockTime, duration, make, summary } from './dom.js';
import { marksOf } from './marks.js';
import { agents, events, fireOf, fires, hooks, labelOf, onChange, searchText } from './store.js';
import { virtualList } from './virtual-list.js';

const FILTERS = ['find', 'by-agent', 'by-event', 'by-hook', 'by-decision', 'only-failures'];
let list;
let shown = fires;
/** How many were shown when the list was last drawn: without filters, the list of all fires itself grows. */
let drawn = 0;
let chosen;
let chosenVersion;

export function setUpFires() {
  list = virtualList(byId('fire-scroller'), byId('fire-list'), makeRow);
  for (const id of FILTERS) byId(id).addEventListener('input', () => filter());
  byId('clear').addEventListener('click', () => {
    for (const id of FILTERS.slice(0, -1)) byId(id).value = '';
    byId('only-failures').checked = false;
    filter();
  });
  onChange(update);
}

/** Shows only the fires of one hook. */
export function showFiresOf(key) {
  fillFilters();
  byId('by-hook').value = key;
  filter();
}

function update() {
  byId('fire-count').textContent = fires.length === 0 ? '' : String(fires.length);
  if (byId('fires-view').hidden) return;
  fillFilters();
  select();
  list.show(shown, Math.max(0, shown.length - drawn));
  drawn = shown.length;
  showChosen();
}

function filter() {
  select();
  byId('fire-scroller').scrollTop = 0;
  list.show(shown);
  drawn = shown.length;
}

/** Draws everything: the view was hidden until now. */
export function drawFires() {
  fillFilters();
  filter();
}

function select() {
  const find = byId('find').value.trim().toLowerCase();
  const [agent, event, hook, decision] = FILTERS.slice(1, 5).map((id) => byId(id).value);
  const failures = byId('only-failures').checked;
  const isFiltered = [find, agent, event, hook, decision].some((value) => value !== '') || failures;
  shown = isFiltered
    ? fires.filter(
        (fire) =>
          (agent === '' || fire.agent === agent) &&
          (event === '' || fire.event === event) &&
          (hook === '' || fire.hooks.some(({ key }) => key === hook)) &&
          (decision === '' || decisionOf(fire) === decision) &&
          (!failures || fire.failed === true || fire.error !== undefined) &&
          (find === '' || searchText(fire).includes(find)),
      )
    : fires;
  byId('clear').hidden = !isFiltered;
  byId('shown-count').textContent = isFiltered ? `${shown.length} of ${fires.length}` : `${fires.length}`;
  byId('no-fires').hidden = shown.length > 0;
  byId('no-fires').textContent =
    fires.length === 0 ? 'No hook has run yet.' : 'No fire matches these filters.';
}

function decisionOf({ decision, passed, goesOn }) {
  if (passed) return 'passed';
  if (decision !== undefined) return decision;
  return goesOn === false ? 'stop' : 'none';
}

/** Adds what has appeared since; what is chosen stays chosen. */
function fillFilters() {
  fill('by-agent', agents);
  fill('by-event', events);
  const ran = [...hooks.values()].filter(({ runs }) => runs > 0);
  fill('by-hook', new Map(ran.map(({ key, name, place }) => [key, place ? `${name} (${place})` : name])));
}

function fill(id, options) {
  const select = byId(id);
  const known = new Map([...select.options].map((option) => [option.value, option]));
  for (const [value, label] of options) {
    if (!known.has(value)) select.append(new Option(label, value));
    else if (known.get(value).textContent !== label) known.get(value).textContent = label;
  }
}

function makeRow(fire) {
  const { id, at, event, subject, agent, input, hooks: ran, durationMs } = fire;
  const link = make(
    'a',
    'fire-link',
    clockTime(at),
    make('span', 'what', make('span', 'event', event), subject === undefined ? '' : ` ${subject}`),
    make('span', 'given', summary(input)),
    make('span', 'by', ran.map(({ name }) => name).join(', ')),
    make('span', 'who', labelOf(agent)),
    make('span', 'marks', ...marksOf(fire)),
    make('span', 'time', durationMs === undefined ? '' : duration(durationMs)),
  );
  link.href = `#fire-${id}`;
  if (id === chosen) link.setAttribute('aria-current', 'true');
  return make('li', 'row', link);
}

/** Opens a fire by its id, from a link; undefined closes it. */
export function choose(id) {
  chosen = id;
  chosenVersion = undefined;
  byId('fires-view').classList.toggle('has-chosen', id !== undefined);
  list.refresh();
  const fire = id === undefined ? undefined : fireOf(id);
  if (fire !== undefined) list.reveal(fire);
  showChosen();
}

function showChosen() {
  const fire = chosen === undefined ? undefined : fireOf(chosen);
  const version = fire === undefined ? chosen : `${chosen} ${fire.version}`;
  if (version === chosenVersion && chosen !== undefined) return;
  chosenVersion = version;
  showFireDetails(chosen, fire);
}

/** Moves to the next older (1) or newer (-1) fire. */
export function step(by) {
  if (shown.length === 0) return;
  const at = shown.findIndex(({ id }) => id === chosen);
  const next = at === -1 ? shown.length - 1 : Math.min(shown.length - 1, Math.max(0, at - by));
  location.hash = `fire-${shown[next].id}`;
  const row = list.reveal(shown[next]);
  row?.querySelector('a').focus({ preventScroll: true });
}
