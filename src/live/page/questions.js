/** Permission questions, with buttons. */
import { agentOf } from './agents.js';
import { announce, byId, make } from './dom.js';
import { send } from './send.js';

const open = new Map();

export function showQuestion({ question, agent, name, input, reason, always }) {
  const who = agentOf(agent).label;
  const problem = make('p', 'problem');
  problem.setAttribute('role', 'alert');
  const answers = make('div', 'answers', ...buttons(question, always, problem));
  const root = make(
    'div',
    'question',
    make('p', '', make('strong', '', who), ' wants to use ', make('strong', '', name), '.'),
    fieldsOf(input),
    make('p', 'hint', reason ?? ''),
    make('p', 'hint', always === undefined ? '' : `Always means, until the session ends: ${always}.`),
    answers,
    problem,
  );
  root.setAttribute('role', 'group');
  root.setAttribute('aria-label', `${who} wants to use ${name}`);
  byId('questions').append(root);
  byId('questions').hidden = false;
  open.set(question, root);
  announce(`${who} asks for permission to use ${name}.`);
}

/** Shows each field separately, so that a value cannot imitate another field. */
function fieldsOf(input) {
  const list = make('dl', 'fields');
  for (const [name, value] of entriesOf(input)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = make('pre', '', text);
    shown.tabIndex = 0;
    list.append(make('dt', '', name), make('dd', '', shown));
  }
  return list;
}

/** A truncated input is not valid JSON. */
function entriesOf(input) {
  try {
    return Object.entries(JSON.parse(input));
  } catch {
    return [['input', input]];
  }
}

function buttons(question, always, problem) {
  const choices = [
    ['yes', 'Allow'],
    ...(always === undefined ? [] : [['always', 'Always allow']]),
    ['no', 'Refuse'],
  ];
  return choices.map(([answer, label]) => {
    const button = make('button', answer, label);
    button.type = 'button';
    button.addEventListener('click', async () => {
      const { error } = await send('answer', { question, answer });
      if (error !== undefined) problem.textContent = error;
    });
    return button;
  });
}

export function showAnswered({ question }) {
  open.get(question)?.remove();
  open.delete(question);
  byId('questions').hidden = open.size === 0;
}
