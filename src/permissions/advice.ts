/**
 * What to do about a call that was denied because no one could be asked, for users of the command and for developers.
 */
import type { PermissionUpdate, PermissionVerdict } from './types.js';

const DENIED = 'It was denied, because there is no user to ask.';

/** `suggestions`: the updates that together would allow the call. Pure. */
export function adviseUnasked(
  { toolName, readOnly }: { readonly toolName: string; readonly readOnly: boolean },
  { by }: Pick<PermissionVerdict, 'by'>,
  suggestions: readonly PermissionUpdate[],
): string {
  if (by !== 'default')
    return `${DENIED} No other rule changes that: a user must confirm it, at a terminal, or in code with canUseTool.`;
  const ways = suggestions.flatMap(waysOf);
  const isWhole = suggestions.some((update) => update.type === 'addRules' && isWholeTool(update.rules));
  const known = ways.length > 0 ? ways : [partlyWay(toolName)];
  const flags = known.map(({ flag }) => flag).join(' ');
  const options = known.map(({ option }) => option).join(', ');
  const reads = isWhole && !readOnly ? ', or readOnly: true on the tool if it changes nothing' : '';
  return `${DENIED} To allow it, on the command line: ${flags}, or the permissions of a settings file; in code: permissions: { ${options} }, or canUseTool to ask a user${reads}.`;
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

/** Does not repeat the call: the model knows it, and most users want a more general rule. */
function partlyWay(toolName: string): Way {
  return {
    flag: `--allowedTools with a rule for ${toolName}`,
    option: `allow: [a rule for ${toolName}]`,
  };
}

type Rule = Extract<PermissionUpdate, { type: 'addRules' }>['rules'][number];

const isWholeTool = (rules: readonly Rule[]): boolean =>
  rules.some(({ ruleContent }) => ruleContent === undefined);
