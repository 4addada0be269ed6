/** The Bash tool: runs a shell command in its own process group, and keeps the directory the command changed to. */
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
import { shellsOf, statusLine } from './shell-tools.js';
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool.js';

/** Options of the Bash tool. */
export interface BashOptions {
  /** Starts the processes. Use it to limit their number. */
  readonly start?: (request: ProcessRequest) => RunningProcess;
  /** The complete environment of commands. Default: that of this process, without shell startup files. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: /bin/bash, or /bin/sh if it does not exist. */
  readonly shell?: string;
}

const OPTIONS: OptionNames<BashOptions> = { start: true, env: true, shell: true };

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 16_777_216;
const MAX_SHOWN_CHARACTERS = 30_000;
/** Short, because an aborted agent should end promptly. */
const KILL_GRACE_MS = 400;
/** The key for background processes, which belong to the session. */
const IN_BACKGROUND = {};

const input = z.strictObject({
  command: z.string().min(1).describe('The command line'),
  timeout: z
    .number()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .optional()
    .describe(`The timeout in milliseconds, at most ${MAX_TIMEOUT_MS}. Default: ${DEFAULT_TIMEOUT_MS}`),
  description: z.string().optional().describe('What the command does, in a few words'),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Return at once, and let the command run until it ends or the session does'),
});

type BashInput = z.output<typeof input>;

/**
 * Creates the tool `Bash`: runs one shell command and ends its whole process group. `cd` affects later calls.
 * Background processes end with the session. Throws a `HookError` only for an unknown option.
 */
export function createBashTool(options: BashOptions = {}): Tool<BashInput> {
  refuseUnknownOptions('createBashTool', options, OPTIONS);
  return defineTool({
    name: 'Bash',
    description:
      'Runs a shell command and returns what it printed. cd affects later calls; variables do not persist. For servers and other long work set run_in_background: you are told when it ends, BashOutput reads what it prints, and KillShell ends it. Other background processes (&) run until the session ends. There is no standard input: a command that reads it ends at once or at its timeout.',
    input,
    // The command has its own timeout, which also ends its processes; this one is a safety net.
    timeout: (MAX_TIMEOUT_MS + 30_000) / 1000,
    run: (asked, context) =>
      asked.run_in_background === true
        ? startInBackground(asked, context, options)
        : runCommand(asked, context, options),
    show: showStreams,
  });
}

async function startInBackground(
  { command, description }: BashInput,
  context: ToolContext,
  { start, env = inheritEnvironment(), shell = defaultShell() }: BashOptions,
): Promise<ToolOutcome> {
  const shells = shellsOf(context);
  if (shells === undefined)
    return { ok: false, error: 'Commands run in the background only within an agent loop.' };
  const cwd = await nearestDirectory(context.cwd);
  const startProcess = start ?? (await loadExecaStart());
  context.signal.throwIfAborted();
  const { host } = context;
  const started = shells.start(
    {
      command: shell,
      args: ['-c', shellScript(command, context.environmentFiles)],
      cwd,
      env,
      stdin: '',
      limits: { killGraceMs: KILL_GRACE_MS },
    },
    command,
    (request) => {
      const running = startProcess(request);
      void running.done.then(({ pid }) => noteLeftBehind(context, pid));
      return running;
    },
    (ended) => {
      const about = description === undefined ? command : `${description} (${command})`;
      host?.reportJob?.({
        id: ended.id,
        tool: 'Bash',
        status: ended.status === 'completed' ? 'completed' : 'failed',
        result: [about, statusLine(ended), shown(ended.output)].filter((text) => text !== '').join('\n'),
      });
    },
  );
  if ('problem' in started) return { ok: false, error: started.problem };
  return {
    ok: true,
    content: `The command runs in the background as ${started.id}. You will be told when it ends.`,
    response: { stdout: '', stderr: '', interrupted: false, isImage: false, backgroundTaskId: started.id },
  };
}

/** What a command left running ends with the session. */
function noteLeftBehind({ host }: ToolContext, pid: number | undefined): void {
  if (pid !== undefined) host?.keep(IN_BACKGROUND, () => new LeftBehind(KILL_GRACE_MS)).note(pid);
}

/** Counts what a command prints, for people who watch. */
function countOutput(context: ToolContext): (stream: unknown, text: string) => void {
  let totalBytes = 0;
  let totalLines = 0;
  return (_, text) => {
    totalBytes += Buffer.byteLength(text);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) totalLines += 1;
    context.progress?.({ totalBytes, totalLines });
  };
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
    // If aborted during preparation, do not start anything.
    context.signal.throwIfAborted();
    const running = startProcess({
      command: shell,
      args: ['-c', shellScript(command, context.environmentFiles, report.file)],
      cwd,
      env,
      stdin: '',
      timeoutMs,
      ...(context.progress && { onText: countOutput(context) }),
      limits: {
        killGraceMs: KILL_GRACE_MS,
        maxStdoutBytes: MAX_OUTPUT_BYTES,
        maxStderrBytes: MAX_OUTPUT_BYTES,
      },
    });
    const stop = onAbort(context.signal, () => running.abort());
    const result = await running.done.finally(stop);
    noteLeftBehind(context, result.pid);
    const now = await report.read();
    if (now !== undefined && now !== (await realpath(cwd).catch(() => cwd))) context.setCwd(now);
    else if (cwd !== context.cwd) context.setCwd(cwd);
    return toOutcome(result, timeoutMs, cwd === context.cwd ? '' : moved(context.cwd, cwd));
  } finally {
    report.close();
  }
}

/** A hook replaces the response with one of the same shape. */
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
      return `The command did not finish within ${timeoutMs / 1000} s and was terminated. Set a longer timeout, or split the work.`;
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
