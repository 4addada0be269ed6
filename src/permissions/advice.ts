/** What to do about a call that nobody could be asked about: for those who run a command, and for those who write code. */
import type { PermissionUpdate, PermissionVerdict } from './types.js';

const NOBODY = 'Nobody is there to be asked, so it was refused.';

/** `suggestions`: what, agreed to together, would allow the call. Pure. */
export function adviseUnasked(
  { toolName, readOnly }: { readonly toolName: string; readonly readOnly: boolean },
  { by }: Pick<PermissionVerdict, 'by'>,
  suggestions: readonly PermissionUpdate[],
): string {
  if (by !== 'default')
    return `${NOBODY} No other rule changes that: a person has to be asked, at a terminal, or in code with canUseTool.`;
  const ways = suggestions.flatMap(waysOf);
  const isWhole = suggestions.some((update) => update.type === 'addRules' && isWholeTool(update.rules));
  const known = ways.length > 0 ? ways : [partlyWay(toolName)];
  const flags = known.map(({ flag }) => flag).join(' ');
  const options = known.map(({ option }) => option).join(', ');
  const reads = isWhole && !readOnly ? ', or readOnly: true on the tool if it changes nothing' : '';
  return `${NOBODY} To allow it, on the command line: ${flags}, or the permissions of a settings file; in code: permissions: { ${options} }, or canUseTool to ask somebody${reads}.`;
}

interface Way {
  readonly flag: string;
  readonly option: string;
}

function waysOf(update: PermissionUpdate): Way[] {
  if (update.type === 'addRules') {
    const [name = ''] = update.rules.map(({ toolName }) => toolName);
    return [isWholeTool(update.rules) ? wholeWay(name) : partlyWay(name)];
  }
  if (update.type === 'setMode')
    return [{ flag: `--permission-mode ${update.mode}`, option: `mode: ${JSON.stringify(update.mode)}` }];
  if (update.type !== 'addDirectories') return [];
  const paths = update.directories.map((path) => JSON.stringify(path));
  return [{ flag: `--add-dir ${paths.join(' ')}`, option: `additionalDirectories: [${paths.join(', ')}]` }];
}

function wholeWay(toolName: string): Way {
  const name = JSON.stringify(toolName);
  return { flag: `--allowedTools ${name}`, option: `allow: [${name}]` };
}

/** The call itself is not repeated: the model knows it, and a rule that holds for more is what most people want. */
function partlyWay(toolName: string): Way {
  return {
    flag: `--allowedTools with a rule for ${toolName}`,
    option: `allow: [a rule for ${toolName}]`,
  };
}

type Rule = Extract<PermissionUpdate, { type: 'addRules' }>['rules'][number];

const isWholeTool = (rules: readonly Rule[]): boolean =>
  rules.some(({ ruleContent }) => ruleContent === undefined);
