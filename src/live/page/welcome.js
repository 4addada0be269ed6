/** What a page shows until something happens: the loaded hooks, and prompts to try. */
import { button, byId, make } from './dom.js';
import { loadHooks } from './hooks.js';

const SHOWN = 8;
let isOver = false;

export async function showWelcome(examples) {
  if (isOver) return;
  byId('welcome').hidden = false;
  const list = byId('examples');
  list.replaceChildren(
    ...examples.map((text) =>
      make(
        'li',
        '',
        button(text, () => {
          byId('words').value = text;
          byId('words').focus();
        }),
      ),
    ),
  );
  byId('try').hidden = examples.length === 0;
  showLoaded(await loadHooks());
}

function showLoaded(loaded) {
  const active = loaded.filter(({ inactive }) => inactive === undefined).length;
  const skipped = loaded.length - active;
  byId('loaded-title').textContent =
    loaded.length === 0
      ? 'No hooks are loaded. “hookline init” writes a first one.'
      : `${active} ${active === 1 ? 'hook is' : 'hooks are'} loaded${skipped === 0 ? '' : `, ${skipped} skipped`}.`;
  const shown = loaded
    .slice(0, SHOWN)
    .map(({ event, matcher, name, place, inactive }) =>
      make(
        'li',
        '',
        make('span', 'event', matcher === undefined ? event : `${event} ${matcher}`),
        ' ',
        make('span', 'name', name),
        ' ',
        place === undefined ? '' : make('code', 'place', place),
        inactive === undefined ? '' : make('p', 'inactive', inactive),
      ),
    );
  if (loaded.length > SHOWN) {
    const all = make('a', '', `All ${loaded.length} hooks`);
    all.href = '#hooks';
    shown.push(make('li', '', all));
  }
  byId('loaded').replaceChildren(...shown);
}

/** Something has happened. */
export function endWelcome({ type, turn }) {
  if (isOver || !(type === 'fire' || type === 'passed' || (type === 'turn' && turn > 0))) return;
  isOver = true;
  byId('welcome').hidden = true;
}
