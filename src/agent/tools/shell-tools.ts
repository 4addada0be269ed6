/** The tools BashOutput and KillShell, for commands that Bash runs in the background. */
import { z } from 'zod';
import { BACKGROUND_SHELLS, BackgroundShells, type ShellOutput } from './background-shells.js';
import { capText } from './cap-content.js';
import { compileScan, type ScanLines } from './line-scan.js';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.js';

const MAX_SHOWN_CHARACTERS = 30_000;

/** Undefined outside a loop: nothing lasts longer than a call there. */
export function shellsOf({ host }: ToolContext): BackgroundShells | undefined {
  return host?.keep(BACKGROUND_SHELLS, () => new BackgroundShells());
}

/** The tool `BashOutput`: returns what a background command has printed since the last call. */
export const bashOutputTool = defineTool({
  name: 'BashOutput',
  aliases: ['TaskOutput'],
  description:
    'Returns what a command in the background has printed since you last asked, and whether it is still running. With a filter, only the lines that match; the others are gone.',
  input: z.strictObject({
    bash_id: z.string().describe('The id that Bash returned'),
    filter: z.string().min(1).optional().describe('A regular expression for lines'),
  }),
  harmless: true,
  async run({ bash_id, filter }, context): Promise<ToolOutcome> {
    const scan = filter === undefined ? undefined : compileScan(filter, false);
    if (typeof scan === 'string') return { ok: false, error: scan };
    const shells = shellsOf(context);
    const read = shells?.read(bash_id);
    if (read === undefined) return unknownShell(shells, bash_id);
    const matching = scan === undefined ? read.output : await filtered(read.output, scan, context.signal);
    // What was read is read only once, so it is returned in any case.
    const lines = matching ?? `[the filter takes too long: this is everything]\n${read.output}`;
    const { status, exitCode, command, dropped } = read;
    const output = capText(lines.trimEnd(), MAX_SHOWN_CHARACTERS);
    return {
      ok: true,
      content: [
        statusLine(read),
        ...(dropped === 0
          ? []
          : [`[${dropped} characters before this were dropped: nobody read them in time]`]),
        output === '' ? '(no new output)' : output,
      ].join('\n'),
      response: { shellId: bash_id, command, status, exitCode: exitCode ?? null, stdout: output, stderr: '' },
    };
  },
});

/** The tool `KillShell`: ends a background command. */
export const killShellTool = defineTool({
  name: 'KillShell',
  aliases: ['KillBash', 'TaskStop'],
  description: 'Ends a command that runs in the background, with everything that it started.',
  input: z.strictObject({ shell_id: z.string().describe('The id that Bash returned') }),
  harmless: true,
  async run({ shell_id }, context): Promise<ToolOutcome> {
    const shells = shellsOf(context);
    const before = shells?.list().find(({ id }) => id === shell_id);
    const ended = await shells?.kill(shell_id);
    if (ended === undefined) return unknownShell(shells, shell_id);
    const message =
      before?.status === 'running'
        ? `${shell_id} was ended.`
        : `${shell_id} had ended before: ${ended.status}.`;
    return { ok: true, content: message, response: { message, shell_id } };
  },
});

export function statusLine({
  id,
  status,
  exitCode,
}: Pick<ShellOutput, 'id' | 'status' | 'exitCode'>): string {
  const code = exitCode === undefined ? '' : ` (exit code ${exitCode})`;
  return status === 'running' ? `${id} is running.` : `${id} has ended: ${status}${code}.`;
}

/** Undefined if it would take too long. */
async function filtered(output: string, scan: ScanLines, signal: AbortSignal): Promise<string | undefined> {
  const lines = output.split('\n');
  return (await scan(lines, signal))?.map((at) => lines[at]).join('\n');
}

function unknownShell(shells: BackgroundShells | undefined, id: string): ToolOutcome {
  if (shells === undefined)
    return { ok: false, error: 'Commands run in the background only within an agent loop.' };
  const known = shells.list().map((shell) => `${shell.id} (${shell.status})`);
  return { ok: false, error: `There is no background command ${id}. Known: ${known.join(', ') || 'none'}.` };
}
