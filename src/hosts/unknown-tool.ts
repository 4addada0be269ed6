/** A call of a tool that the description of its host does not name is also judged as what its input says that it does. */
import { patchedFiles } from '../dialects/codex/patch.js';
import { isObject } from '../dialects/host/answers.js';
import type { Json, Spelling } from '../dialects/host/host.js';
import type { HostCall } from './decode.js';

/** Guards know the inputs of these. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'NotebookRead'],
  ...['Glob', 'Grep', 'LS', 'WebFetch', 'WebSearch', 'Task', 'apply_patch'],
]);

const COMMANDS = ['command', 'cmd', 'command_line', 'commandLine', 'shell_command', 'script'];
/** What is typed into a program that runs. */
const TYPED = ['input', 'chars', 'text', 'keys'];
const PATHS =
  /^(?:(?:file|absolute|target|notebook|relative)_?(?:path|file)|(?:file|target|notebook)Path|paths?|files?|filename|include)$/;
const CHANGES = /^(?:contents?|file_text|new_?(?:str(?:ing)?|text|source)|edits|diff|patch|replacements?)$/i;
const CHANGING = /write|edit|create|delete|remove|move|rename|replace|insert|patch/i;

/** As inputs of our own tools. They can refuse, and change nothing. Empty for a tool that is known, and after a tool. */
export function partsOfUnknown({ spelling, event, input }: HostCall): readonly Json[] {
  const { tool_name: name, tool_input: given } = input;
  if (spelling.events[event]?.form === undefined || typeof name !== 'string' || isKnown(spelling, name))
    return [];
  const as = (tool_name: string, tool_input: Json): Json => ({ ...input, tool_name, tool_input });
  const fields = fieldsIn(given);
  const isTyped = /shell|bash|terminal|stdin|console/i.test(name);
  const commands = fields.filter(
    ([key, value]) =>
      (COMMANDS.includes(key) || (isTyped && TYPED.includes(key))) &&
      (typeof value === 'string' || Array.isArray(value)),
  );
  const changes = CHANGING.test(name) || fields.some(([key]) => CHANGES.test(key));
  const texts = fields
    .flatMap(([key, value]) => (CHANGES.test(key) && typeof value === 'string' ? [value] : []))
    .join('\n');
  const paths = fields.flatMap(([key, value]) => (PATHS.test(key) ? [value].flat() : []));
  const files = [...new Set(paths.filter((path) => typeof path === 'string' && path !== ''))];
  return [
    ...commands.map(([, command]) => as('Bash', { command })),
    ...files.map((file_path) =>
      changes ? as('Write', { file_path, content: texts }) : as('Read', { file_path }),
    ),
    ...patchedFiles(input),
  ];
}

/** A tool of an MCP server is known by its own name. */
function isKnown({ tools }: Spelling, name: string): boolean {
  return (
    KNOWN.has(name) ||
    name.startsWith('mcp__') ||
    tools.some(({ ours, theirs }) => ours === name || theirs === name)
  );
}

/** All fields, however deep. */
function fieldsIn(value: unknown): readonly [key: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    [key, each] as [string, unknown],
    ...fieldsIn(each),
  ]);
}
