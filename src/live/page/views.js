/** The three views of the page, which the part of the address behind # chooses; and the keys. */
import { byId } from './dom.js';
import { choose, drawFires, step } from './fires.js';
import { drawHooks, loadHooks } from './hooks.js';

const VIEWS = ['agents', 'fires', 'hooks'];
const DRAW = { fires: drawFires, hooks: () => void loadHooks().then(drawHooks) };
let current = 'agents';

export function setUpViews() {
  window.addEventListener('hashchange', showHash);
  document.addEventListener('keydown', onKey);
  byId('help-button').addEventListener('click', () => byId('help').showModal());
  byId('close-help').addEventListener('click', () => byId('help').close());
  showHash();
}

/** A fire in a link may arrive later than the link. */
function showHash() {
  const name = location.hash.slice(1);
  const fire = /^fire-(.+)$/.exec(name)?.[1];
  const view = fire === undefined ? (VIEWS.includes(name) ? name : 'agents') : 'fires';
  if (view !== current) show(view);
  if (view === 'fires') choose(fire);
}

function show(view) {
  current = view;
  document.body.dataset.view = view;
  for (const each of VIEWS) {
    byId(`${each}-view`).hidden = each !== view;
    const tab = byId(`tab-${each}`);
    if (each === view) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
  DRAW[view]?.();
}

const KEYS = {
  '/': () => {
    goTo('fires');
    byId('find').focus();
    byId('find').select();
  },
  j: () => moveBy(1),
  k: () => moveBy(-1),
  '?': () => byId('help').showModal(),
  1: () => goTo('agents'),
  2: () => goTo('fires'),
  3: () => goTo('hooks'),
  m: () => byId('words').focus(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
  const isTyping = event.target.matches('input:not([type="checkbox"]), textarea, select');
  if (isTyping) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const act = KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
}

function goTo(view) {
  if (current === view) return;
  location.hash = view;
  showHash();
}

function moveBy(by) {
  goTo('fires');
  step(by);
}
