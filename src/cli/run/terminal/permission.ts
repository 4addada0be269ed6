/** Asks the user at the terminal whether a call may run, one question at a time. */
import type { CanUseTool, PermissionAnswer } from '../../../agent/loop/ask-permission.js';
import { escapeControls } from '../../../base/json/escape-controls.js';
import { describeUpdates } from '../../../live/describe-update.js';
import type { Paint } from '../../printer.js';
import type { Keyboard } from './keyboard.js';
import type { Screen } from './screen.js';
import { indent } from './texts.js';

/** Enough to see what is asked about; a long input can be scrolled. */
const MAX_LINES = 200;

export interface Questions {
  readonly canUseTool: CanUseTool;
  /** Questions can be shown from now on. */
  start(keyboard: Keyboard, screen: Screen, redraw: () => void): void;
  isOpen(): boolean;
  /** What stands before the answer. */
  sign(): string;
  /** How long the user was asked about a call; without an id, about all calls since the session began. */
  waitedMs(toolUseId?: string): number;
}

interface Place {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly redraw: () => void;
}

export function createQuestions(paint: Paint): Questions {
  const waited = new Map<string, number>();
  let place: Place | undefined;
  let sign: string | undefined;
  let before: Promise<unknown> = Promise.resolve();
  let allMs = 0;

  const read = (
    question: string,
    signal: AbortSignal,
    { keyboard, redraw }: Place,
  ): Promise<string | undefined> =>
    new Promise((resolve) => {
      sign = question;
      const answer = keyboard.beginAnswer((text) => {
        signal.removeEventListener('abort', answer.cancel);
        sign = undefined;
        redraw();
        resolve(text);
      });
      signal.addEventListener('abort', answer.cancel, { once: true });
      redraw();
    });

  const ask = async (...[name, input, options]: Parameters<CanUseTool>): Promise<PermissionAnswer> => {
    const { signal, suggestions = [], decisionReason } = options;
    if (signal.aborted || place === undefined)
      return { behavior: 'deny', message: 'The run was interrupted.' };
    const updates = describeUpdates(suggestions);
    place.screen.print([
      `${paint.magenta('?')} ${paint.bold(escapeControls(name))} wants to run`,
      ...indent(inputText(input), MAX_LINES, 4),
      ...(decisionReason === undefined ? [] : indent(decisionReason, 3).map(paint.dim)),
      ...(updates === '' ? [] : indent(`always: ${updates}`, MAX_LINES).map(paint.dim)),
    ]);
    const choices = updates === '' ? '[y]es, [n]o' : '[y]es, [n]o, [a]lways';
    for (;;) {
      const typed = await read(`  Allow it? ${choices}: `, signal, place);
      if (typed === undefined) return DENIED;
      const answer = answerOf(typed.trim().toLowerCase(), updates !== '');
      if (answer !== undefined) {
        place.screen.print([paint.dim(`  ${SAID[answer]}`)]);
        if (answer === 'no') return DENIED;
        return { behavior: 'allow', ...(answer === 'always' && { updatedPermissions: suggestions }) };
      }
      place.screen.print([paint.dim(`  Answer ${updates === '' ? 'yes or no' : 'yes, no or always'}.`)]);
    }
  };

  return {
    canUseTool: (name, input, options) => {
      const asked = performance.now();
      const answer = before.then(async () => {
        const shown = performance.now();
        try {
          return await ask(name, input, options);
        } finally {
          allMs += performance.now() - shown;
        }
      });
      before = answer.catch(() => {}).then(() => waited.set(options.toolUseID, performance.now() - asked));
      return answer;
    },
    start: (keyboard, screen, redraw) => {
      place = { keyboard, screen, redraw };
    },
    isOpen: () => sign !== undefined,
    sign: () => sign ?? '',
    waitedMs: (id) => (id === undefined ? allMs : (waited.get(id) ?? 0)),
  };
}

const DENIED = { behavior: 'deny', message: 'The user denied the call.' } as const;
const SAID = { yes: 'You allowed it.', always: 'You allowed it, always.', no: 'You denied it.' } as const;

function answerOf(typed: string, canAlways: boolean): keyof typeof SAID | undefined {
  if (/^no?$/.test(typed)) return 'no';
  if (/^y(es)?$/.test(typed)) return 'yes';
  return canAlways && /^a(lways)?$/.test(typed) ? 'always' : undefined;
}

/** Every field in turn; the value of one cannot be mistaken for another field. */
function inputText(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${key}: ${text.replace(/\n$/, '').replaceAll('\n', '\n  | ')}`;
    })
    .join('\n');
}
