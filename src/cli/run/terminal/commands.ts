/** The commands that a person can type instead of a prompt, such as `/hooks`. */
import type { ResultMessage } from '../../../agent/loop/messages.js';
import type { Skills } from '../../../agent/tools/skill.js';
import { messageOf, show } from '../../../base/errors.js';
import { didYouMean } from '../../../base/text/suggest.js';
import type { HookEntry } from '../../hooks/load.js';
import { oneLine, shortPlace } from '../../hooks/place.js';
import { duration } from '../../hooks/show-fire.js';
import type { Paint } from '../../printer.js';
import type { Prepared } from '../prepare.js';
import type { HookLog } from './hook-log.js';
import { aligned } from './texts.js';

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
  '/hooks': { help: 'Show the hooks, what each did last, and which do not run.', answer: hookLines },
  '/model': { argument: '[NAME]', help: 'Show the model, or use another one from now on.', answer: model },
  '/cost': { help: 'Show the tokens and the cost of this session.', answer: costLines },
  '/compact': { argument: '[INSTRUCTIONS]', help: 'Replace the conversation by a summary of it.' },
  '/clear': { help: 'Forget the conversation.' },
  '/exit': { help: 'End the session. Ctrl-D does the same.' },
};

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
  return /^\/[\w:-]+(?:\s|$)/.test(text);
}

/** What a command prints at once; undefined if it waits for its turn, as prompts do. */
export async function answerCommand(
  text: string,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const [name = '', ...words] = text.split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const skills = Object.keys(typedBy(context.prepared.skills));
    if (HIDDEN.includes(name) || skills.includes(name)) return undefined;
    const hint = didYouMean(name, [...Object.keys(COMMANDS), ...skills]) || ' /help lists them.';
    return [context.paint.yellow(`There is no command ${name}.${hint}`)];
  }
  return command.answer?.(context, words.join(' ').trim());
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
    ...rows.map(([name, help]) => `  ${paint.cyan(name.padEnd(width))}  ${help}`),
    paint.dim(
      '  What you type while the agent works reaches it in the middle of its work. Escape interrupts it.',
    ),
  ];
}

function hookLines({ paint, cwd, prepared: { hooks }, log }: CommandContext): string[] {
  if (hooks.entries.length === 0) return ['No hooks. `hookline init` writes a first one.'];
  return [...new Set(hooks.entries.map(({ group }) => group.event))].flatMap((event) => {
    const entries = hooks.entries.filter(({ group }) => group.event === event);
    const rows = entries.map((entry) => [
      paint.cyan(oneLine(entry.group.options.matcher || '*', 30)),
      oneLine(entry.hook.description, 50),
      stateOf(entry, log, paint),
      paint.dim(shortPlace(entry.hook.source, cwd)),
    ]);
    return [paint.bold(event), ...aligned(rows)];
  });
}

function stateOf({ hook }: HookEntry, log: HookLog, paint: Paint): string {
  if (hook.inactive !== undefined) return paint.yellow(`does not run: ${hook.inactive.reason}`);
  const ran = log.runsOf(hook.source);
  if (ran === undefined) return paint.dim('has not run');
  const count = ran.runs === 1 ? 'once' : `${ran.runs} times`;
  const failures = ran.failures === 0 ? '' : paint.red(`, ${ran.failures} failed`);
  return `ran ${count}, last: ${ran.last}, ${duration(ran.lastMs)}${failures}`;
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

function costLines({ last }: CommandContext): string[] {
  if (last === undefined) return ['Nothing has been asked yet.'];
  const { total_cost_usd: total, modelUsage, unpriced_models: unpriced = [] } = last;
  return [
    `$${total.toFixed(4)} in this session`,
    ...Object.entries(modelUsage).map(
      ([name, used]) =>
        `  ${name}: ${used.inputTokens} tokens in, ${used.outputTokens} out, ${used.cacheReadInputTokens} read from the cache, ${used.cacheCreationInputTokens} written to it, $${used.costUSD.toFixed(4)}`,
    ),
    ...(unpriced.length > 0 ? [`  The price of ${unpriced.join(', ')} is not known.`] : []),
  ];
}
