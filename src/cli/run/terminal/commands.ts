/** The commands that a person can type instead of a prompt, such as `/hooks`. */
import type { ResultMessage } from '../../../agent/loop/messages.js';
import { type Skills, skillTyped } from '../../../agent/tools/skill.js';
import { messageOf, show } from '../../../base/errors.js';
import { didYouMean } from '../../../base/text/suggest.js';
import type { LoadedHook } from '../../../config/loaded.js';
import { alignRows, type Cell } from '../../columns.js';
import { EMBEDDED } from '../../embedded-model.js';
import { oneLine, shortPlace } from '../../hooks/place.js';
import { duration, wordColour } from '../../hooks/show-fire.js';
import type { Paint } from '../../printer.js';
import type { Prepared } from '../prepare.js';
import type { HookLog, HookRuns } from './hook-log.js';

export interface CommandContext {
  readonly paint: Paint;
  readonly cwd: string;
  readonly prepared: Prepared;
  readonly log: HookLog;
  /** The end of the last prompt. */
  readonly last: ResultMessage | undefined;
}

interface TerminalCommand {
  /** What follows the name, in the help. */
  readonly argument?: string;
  readonly help: string;
  /** What it prints, at once; absent: it waits until the agent is idle, and is a prompt of its own. */
  readonly answer?: (
    context: CommandContext,
    argument: string,
  ) => readonly string[] | Promise<readonly string[]>;
}

const COMMANDS: Readonly<Record<string, TerminalCommand>> = {
  '/help': { help: 'Show this list.', answer: helpLines },
  '/hooks': { help: 'Show the hooks, what each did last, and why some do not run.', answer: hookLines },
  '/model': { argument: '[NAME]', help: 'Show the model, or use another one from now on.', answer: model },
  '/cost': { help: 'Show the tokens and the cost of this session.', answer: costLines },
  '/compact': { argument: '[INSTRUCTIONS]', help: 'Replace the conversation by a summary of it.' },
  '/clear': { help: 'Forget the conversation.' },
  '/exit': { help: 'End the session. Ctrl-D does the same.' },
};

const MAX_MATCHER = 30;
const MAX_DESCRIPTION = 50;

const HIDDEN = ['/quit'];
export const EXITS: ReadonlySet<string> = new Set(['/exit', ...HIDDEN]);

/** For Tab. */
export function completions(line: string, skills: Skills): readonly string[] {
  const names = [...Object.keys(COMMANDS), ...Object.keys(typedBy(skills))];
  return line.startsWith('/') ? names.filter((name) => name.startsWith(line)) : [];
}

/** The skills that a person can load, with the slash before each name, and what each is for. */
function typedBy(skills: Skills): Readonly<Record<string, string>> {
  const own = Object.entries(skills).filter(([, { loadedBy = 'user' }]) => loadedBy === 'user');
  return Object.fromEntries(own.map(([name, { description }]) => [`/${name}`, description]));
}

/** A path at the beginning of a prompt is no command. */
export function isCommand(text: string): boolean {
  return /^\/(?:[\w:-]+(?:\s|$)|$)/.test(text);
}

/** What a command prints at once; undefined if it waits for its turn, as prompts do. */
export async function answerCommand(
  text: string,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const [name = '', ...words] = text.split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const argument = words.join(' ').trim();
  if (command === undefined) {
    const { skills } = context.prepared;
    if (HIDDEN.includes(text) || skillTyped(name.slice(1), skills) !== undefined) return undefined;
    const known = [...Object.keys(COMMANDS), ...Object.keys(typedBy(skills))];
    const hint = didYouMean(name, known) || ' /help lists them.';
    return [context.paint.magenta(`There is no command ${name}.${hint}`)];
  }
  if (argument !== '' && command.argument === undefined)
    return [context.paint.magenta(`${name} takes nothing after it.`)];
  return command.answer?.(context, argument);
}

function helpLines({ paint, prepared: { skills } }: CommandContext): string[] {
  const rows = [
    ...Object.entries(COMMANDS).map(
      ([name, { argument, help }]) => [argument === undefined ? name : `${name} ${argument}`, help] as const,
    ),
    ...Object.entries(typedBy(skills)).map(([name, help]) => [name, oneLine(help, 80)] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`),
    paint.dim(
      '  What you type while the agent works reaches it in the middle of its work. Escape interrupts it.',
    ),
  ];
}

/** As `hookline list` shows them, with what each did last. */
function hookLines({ paint, cwd, prepared: { hooks }, log }: CommandContext): string[] {
  if (hooks.entries.length === 0) return ['No hooks. `hookline init` writes a first one.'];
  const lines = alignRows(
    hooks.entries.map(({ group, hook }) => {
      const ran = log.runsOf(hook.source);
      return [
        stateOf(hook, ran, paint),
        { text: oneLine(group.options.matcher || '*', MAX_MATCHER) },
        { text: oneLine(hook.description, MAX_DESCRIPTION) },
        { text: shortPlace(hook.source, cwd), paint: paint.dim },
        { text: runsText(ran), paint: ran?.failures ? paint.red : paint.dim },
      ];
    }),
  );
  return [...new Set(hooks.entries.map(({ group }) => group.event))].flatMap((event) => [
    paint.bold(event),
    ...lines.filter((_, i) => hooks.entries[i]?.group.event === event).map((line) => `  ${line}`),
  ]);
}

function stateOf({ inactive }: LoadedHook, ran: HookRuns | undefined, paint: Paint): Cell {
  if (inactive !== undefined) return { text: inactive.reason, paint: paint.magenta };
  if (ran === undefined) return { text: 'not yet', paint: paint.dim };
  return { text: ran.last, paint: wordColour(ran.last, paint) };
}

function runsText(ran: HookRuns | undefined): string {
  if (ran === undefined) return '';
  const counts = [
    `${ran.runs} ${ran.runs === 1 ? 'run' : 'runs'}`,
    ...(ran.denials === 0 ? [] : [`${ran.denials} denied`]),
    ...(ran.failures === 0 ? [] : [`${ran.failures} failed`]),
  ];
  return `${counts.join(', ')}, last ${duration(ran.lastMs)}`;
}

async function model({ prepared, paint }: CommandContext, name: string): Promise<readonly string[]> {
  if (name === '') return [`The model is ${prepared.modelName()}.`];
  try {
    const used = await prepared.useModel(name);
    if (used !== undefined) return [`The model is ${used} from the next request on.`];
    return [`There is no key for the model ${show(name)}. Set ANTHROPIC_API_KEY or OPENAI_API_KEY.`];
  } catch (error) {
    return [paint.red(messageOf(error))];
  }
}

function costLines({ last, prepared }: CommandContext): string[] {
  if (last === undefined) return ['Nothing has been asked yet.'];
  if (prepared.modelName() === EMBEDDED && last.total_cost_usd === 0)
    return ['Nothing: the embedded model costs nothing.'];
  const { total_cost_usd: total, modelUsage, unpriced_models: unpriced = [] } = last;
  return [
    `$${total.toFixed(4)} in this session`,
    ...Object.entries(modelUsage).map(
      ([name, used]) =>
        `  ${name}  ${used.inputTokens} tokens in, ${used.outputTokens} out, ${used.cacheReadInputTokens} read from the cache, ${used.cacheCreationInputTokens} written to it, $${used.costUSD.toFixed(4)}`,
    ),
    ...(unpriced.length > 0 ? [`  The price of ${unpriced.join(', ')} is not known.`] : []),
  ];
}
