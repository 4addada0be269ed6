/** One fire in full: its hooks, what they rewrote, which hooks did not run, and what can be done with it. */
import { diffTable } from './diff.js';
import { button, byId, chip, clockTime, duration, fold, make, toneOf } from './dom.js';
import { marksOf } from './marks.js';
import { send } from './send.js';
import { labelOf } from './store.js';

let request = 0;

export function showFireDetails(id, fire) {
  const root = byId('fire-details');
  request += 1;
  if (id === undefined) {
    root.replaceChildren(make('p', 'hint', 'Choose a fire to see it in full. Press ? for the keys.'));
    return;
  }
  const more = make('div', 'more');
  if (fire === undefined) {
    root.replaceChildren(backLink(), make('p', 'hint', 'This fire is not available here.'));
    return;
  }
  root.replaceChildren(...headOf(fire), more);
  if (fire.ended) void load(id, more, request);
}

function headOf(fire) {
  const { id, at, event, subject, agent, hooks, reason, error, effects, durationMs, again, earlier } = fire;
  const title = make('h2', '', event, subject === undefined ? '' : ` ${subject}`);
  const facts = make('p', 'facts', clockTime(at), ' ', labelOf(agent), ' ');
  if (durationMs !== undefined) facts.append(make('span', 'time', duration(durationMs)));
  if (again !== undefined) facts.append(' ', linkTo(again, 'the first time'));
  // What a hook said is shown with the hook, and what was rewritten as a comparison.
  const isSaid = hooks.some((hook) => hook.reason === reason);
  const others = effects.filter((text) => !/^new (input|output): /.test(text));
  const said = [error, isSaid ? undefined : reason, ...others].filter((text) => text !== undefined);
  return [
    backLink(),
    make('header', '', title, make('span', 'marks', ...marksOf(fire))),
    facts,
    make('div', 'actions', ...actionsOf(id)),
    make('p', 'result problem'),
    ...said.map((text) => make('p', 'said', text)),
    ...(earlier ? [] : [section('Hooks', hookList(hooks))]),
  ];
}

function hookList(hooks) {
  if (hooks.length === 0) return make('p', 'hint', 'No hook ran.');
  return make(
    'ol',
    'ran',
    ...hooks.map(({ name, place, decision, failed, outcome, durationMs, exitCode, reason, output }) => {
      const line = make('p', 'line-of-hook', make('span', 'name', name));
      if (decision !== undefined) line.append(chip(decision, toneOf(decision)));
      if (failed) line.append(chip(exitCode ? `failed, exit ${exitCode}` : 'failed', 'bad'));
      else if (outcome === undefined) line.append(chip('running', 'live'));
      if (durationMs !== undefined) line.append(make('span', 'time', duration(durationMs)));
      const item = make('li', '', line);
      if (place !== undefined) item.append(make('code', 'place', place));
      if (reason !== undefined) item.append(make('p', 'reason', reason));
      if (output?.trim() && output.trim() !== reason?.trim()) item.append(fold('output', output.trimEnd()));
      return item;
    }),
  );
}

function actionsOf(id) {
  const link = button('Copy link', async () => say(await copy(new URL(`#fire-${id}`, location.href).href)));
  const again = button('Fire again', async () => {
    again.disabled = true;
    const { fire, error } = await send('fire', { fire: id });
    again.disabled = false;
    if (error !== undefined) say(error);
    else location.hash = `fire-${fire}`;
  });
  again.id = 'fire-again';
  again.disabled = true;
  again.title = 'Runs the hooks with this input. The agent does not see the outcome.';
  return [again, link];
}

const say = (text) => {
  byId('fire-details').querySelector('.result').textContent = text;
};

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    return 'The browser does not allow copying here.';
  }
}

async function load(id, more, number) {
  more.replaceChildren(make('p', 'hint', 'Loading.'));
  const details = await fetch(`fires/${id}`)
    .then((response) => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
  // Another fire was chosen meanwhile.
  if (number !== request) return;
  if (details === undefined) {
    more.replaceChildren(make('p', 'hint', 'The input of this fire is no longer available.'));
    return;
  }
  const { input, rewrites, left, test, canFire } = details;
  byId('fire-again').disabled = !canFire;
  more.replaceChildren(
    ...rewrites.map(({ field, hunks }) => section(`Rewritten: ${field}`, diffTable(field, hunks))),
    ...(left === undefined || left.length === 0
      ? []
      : [section('Hooks that do not run for this input', leftList(left))]),
    fold('Input', input, true),
    testFold(id, test),
  );
}

function leftList(left) {
  return make(
    'ul',
    'left-out',
    ...left.map(({ name, place, why }) =>
      make(
        'li',
        '',
        make('span', 'name', name),
        place === undefined ? '' : make('code', 'place', place),
        make('p', 'hint', why),
      ),
    ),
  );
}

function testFold(id, test) {
  const details = fold('Save as hook test', test);
  const save = make('a', 'button', 'Download');
  save.href = `fires/${id}.yaml`;
  save.download = 'hookline.test.yaml';
  details.append(
    make('p', 'hint', 'Put it into hookline.test.yaml, then run hookline test.'),
    make(
      'div',
      'actions',
      button('Copy test', async () => say(await copy(test))),
      save,
    ),
  );
  details.id = 'as-test';
  return details;
}

function section(title, content) {
  return make('section', '', make('h3', '', title), content);
}

function linkTo(id, words) {
  const link = make('a', '', words);
  link.href = `#fire-${id}`;
  return link;
}

/** On a phone, the details cover the list. */
function backLink() {
  const link = make('a', 'back', 'All fires');
  link.href = '#fires';
  return link;
}
