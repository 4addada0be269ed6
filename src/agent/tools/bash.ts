/** Bash: one shell command, in a process group of its own, after which the agent is where the command went. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { onAbort } from '../../base/async/abortable.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { inheritEnvironment } from '../../process/environment.js';
import { LeftBehind } from '../../process/left-behind.js';
import {
  loadExecaStart,
  type ProcessRequest,
  type ProcessResult,
  type RunningProcess,
} from '../../process/run-process.js';
import { capText } from './cap-content.js';
import { nearestDirectory, openCwdReport, shellScript } from './shell-script.js';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool.js';

/** How shell commands are run. */
export interface BashOptions {
  /** Starts the processes; give the one that counts them where their number is limited. */
  readonly start?: (request: ProcessRequest) => RunningProcess;
  /** The commands' whole environment. Default: this process's, without shell startup files. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: /bin/bash, or /bin/sh where there is none. */
  readonly shell?: string;
}

const OPTIONS: OptionNames<BashOptions> = { start: true, env: true, shell: true };

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 16_777_216;
const MAX_SHOWN_CHARACTERS = 30_000;
/** Short, because an agent that is told to end should do so at once. */
const KILL_GRACE_MS = 400;
/** What commands leave in the background is the session's. */
const IN_BACKGROUND = {};

const input = z.strictObject({
  command: z.string().min(1).describe('The command line'),
  timeout: z
    .number()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .optional()
    .describe(`Milliseconds until it is ended, at most ${MAX_TIMEOUT_MS}. Default: ${DEFAULT_TIMEOUT_MS}`),
  description: z.string().optional().describe('What the command does, in a few words'),
});

type BashInput = z.output<typeof input>;

/**
 * The tool `Bash`: one shell command, ended with its whole process group. `cd` has effect on later calls. What it leaves
 * in the background ends with the session. Throws a `HookError` only for an option that does not exist.
 */
export function createBashTool(options: BashOptions = {}): Tool<BashInput> {
  refuseUnknownOptions('createBashTool', options, OPTIONS);
  return defineTool({
    name: 'Bash',
    description:
      'Runs a shell command and returns what it printed. cd has effect on later calls, variables have not. What is left in the background (&) runs until the session ends. There is no input to read from; a command that waits for some ends at once or at its timeout.',
    input,
    // The command has a deadline of its own, which also ends its processes; this one is for the unforeseen.
    timeout: (MAX_TIMEOUT_MS + 30_000) / 1000,
    run: (asked, context) => runCommand(asked, context, options),
    show: showStreams,
  });
}

async function runCommand(
  { command, timeout = DEFAULT_TIMEOUT_MS }: BashInput,
  context: ToolContext,
  { start, env = inheritEnvironment(), shell = defaultShell() }: BashOptions,
): Promise<ToolOutcome> {
  const timeoutMs = Math.ceil(timeout);
  const cwd = await nearestDirectory(context.cwd);
  const startProcess = start ?? (await loadExecaStart());
  const report = openCwdReport();
  try {
    // An abort while the ground was prepared: nothing is started.
    context.signal.throwIfAborted();
    const running = startProcess({
      command: shell,
      args: ['-c', shellScript(command, context.environmentFiles, report.file)],
      cwd,
      env,
      stdin: '',
      timeoutMs,
      limits: {
        killGraceMs: KILL_GRACE_MS,
        maxStdoutBytes: MAX_OUTPUT_BYTES,
        maxStderrBytes: MAX_OUTPUT_BYTES,
      },
    });
    const stop = onAbort(context.signal, () => running.abort());
    const result = await running.done.finally(stop);
    if (result.pid !== undefined)
      context.host?.keep(IN_BACKGROUND, () => new LeftBehind(KILL_GRACE_MS)).note(result.pid);
    const now = await report.read();
    if (now !== undefined && now !== (await realpath(cwd).catch(() => cwd))) context.setCwd(now);
    else if (cwd !== context.cwd) context.setCwd(cwd);
    return toOutcome(result, timeoutMs, cwd === context.cwd ? '' : moved(context.cwd, cwd));
  } finally {
    report.close();
  }
}

/** A hook replaces the response in the response's own shape. */
function showStreams(response: unknown): string | undefined {
  const streams = z.looseObject({ stdout: z.string(), stderr: z.string().default('') }).safeParse(response);
  return streams.success ? joinTexts(streams.data.stdout, streams.data.stderr) : undefined;
}

function toOutcome(result: ProcessResult, timeoutMs: number, note: string): ToolOutcome {
  const stdout = shown(result.stdout);
  const stderr = shown(result.stderr);
  const { end } = result;
  if (end.kind === 'exited' && end.exitCode === 0) {
    const printed = joinTexts(stdout, stderr) || '(no output)';
    return {
      ok: true,
      content: joinTexts(note, printed),
      response: { stdout, stderr, interrupted: false, isImage: false },
    };
  }
  const error = joinTexts(note, sentenceFor(end, timeoutMs), stdout, stderr);
  return end.kind === 'aborted' ? { ok: false, error, interrupted: true } : { ok: false, error };
}

function sentenceFor(end: ProcessResult['end'], timeoutMs: number): string {
  switch (end.kind) {
    case 'exited':
      return `Exit code ${end.exitCode}`;
    case 'signalled':
      return `The command was ended by ${end.signal}.`;
    case 'timed-out':
      return `The command did not finish within ${timeoutMs / 1000} s and was ended. Give a longer timeout, or let it do less.`;
    case 'aborted':
      return 'The command was interrupted.';
    case 'too-much-output':
      return `The command printed more than ${end.limit} bytes on ${end.stream} and was ended. Send the output to a file and look at parts of it.`;
    case 'failed-to-start':
      return `The command could not be started: ${end.message}`;
  }
}

const defaultShell = (): string => (existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh');
const shown = (text: string): string => capText(text.trimEnd(), MAX_SHOWN_CHARACTERS);
const joinTexts = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n');
const moved = (gone: string, cwd: string): string =>
  `[the working directory ${gone} is gone; the command ran in ${cwd}]`;
