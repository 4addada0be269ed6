/** Asks the user at the terminal whether a call may run, one question at a time. */

import type { CanUseTool, PermissionAnswer } from '../../../agent/loop/ask-permission.js';
import { escapeControls } from '../../../base/json/escape-controls.js';
import { describeUpdates } from '../../../live/describe-update.js';
import type { Printer } from '../../printer.js';
import type { Keyboard } from './keyboard.js';
import type { Screen } from './screen.js';
import { indent } from './texts.js';

/** Enough to see what is asked about; a long input can be scrolled. */
const MAX_LINES = 200;

export function askAtTerminal(screen: Screen, keyboard: Keyboard, printer: Printer): CanUseTool {
  let before: Promise<unknown> = Promise.resolve();
  return (name, input, options) => {
    const answer = before.then(() => ask(name, input, options, screen, keyboard, printer));
    before = answer.catch(() => {});
    return answer;
  };
}

async function ask(
  name: string,
  input: Readonly<Record<string, unknown>>,
  { signal, suggestions = [], decisionReason }: Parameters<CanUseTool>[2],
  screen: Screen,
  keyboard: Keyboard,
  { line, paint }: Printer,
): Promise<PermissionAnswer> {
  if (signal.aborted) return { behavior: 'deny', message: 'The run was interrupted.' };
  const release = screen.yield();
  try {
    line(`${paint.yellow('?')} ${paint.bold(escapeControls(name))} wants to run`);
    for (const each of indent(inputText(input), MAX_LINES, 4)) line(each);
    if (decisionReason !== undefined) for (const each of indent(decisionReason, 3)) line(paint.dim(each));
    const updatesText = describeUpdates(suggestions);
    if (updatesText !== '')
      for (const each of indent(`always: ${updatesText}`, MAX_LINES)) line(paint.dim(each));
    const choices = updatesText === '' ? '[y]es, [n]o' : '[y]es, [n]o, [a]lways';
    for (;;) {
      const typed = (await keyboard.ask(`  Allow it? ${choices}: `, signal))?.trim().toLowerCase();
      if (typed === undefined || /^no?$/.test(typed))
        return { behavior: 'deny', message: 'The user denied the call.' };
      if (/^y(es)?$/.test(typed)) return { behavior: 'allow' };
      if (updatesText !== '' && /^a(lways)?$/.test(typed))
        return { behavior: 'allow', updatedPermissions: suggestions };
    }
  } finally {
    release();
  }
}

/** Every field in turn; the value of one cannot be mistaken for another field. */
function inputText(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${key}: ${text.replaceAll('\n', '\n  | ')}`;
    })
    .join('\n');
}
