/** Reads the prompts of `hookline run`: from the command line, from standard input, or one per line of JSON. */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { HookError, show } from '../../base/errors.js';

/** As in other headless agents: if a prompt was given and standard input stays open without data, it is ignored. */
const FIRST_BYTE_MS = 3000;

const userLine = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
  }),
});

/** Throws a HookError for a line that is not a prompt. */
export async function* readPrompts(
  given: string | undefined,
  format: 'text' | 'stream-json',
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  if (format === 'stream-json') {
    if (given !== undefined) yield given;
    yield* readLines(signal);
    return;
  }
  const piped = process.stdin.isTTY ? '' : await readPiped(given === undefined, signal);
  if (signal.aborted) return;
  const prompt = [given, piped.trim()].filter((text) => text?.trim()).join('\n\n');
  if (prompt !== '') yield prompt;
}

export const noPrompt = (): HookError =>
  new HookError('invalid_option', 'There is no prompt. Give one: hookline run -p "what to do".');

/** Ends with standard input, or with the signal. */
async function* readLines(signal: AbortSignal): AsyncGenerator<string, void> {
  const lines = createInterface({ input: process.stdin, signal });
  for await (const line of lines) {
    if (signal.aborted) return;
    if (line.trim() === '') continue;
    yield readLine(line);
  }
}

function readLine(line: string): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new HookError('invalid_option', `A line of standard input is not JSON: ${show(line)}.`);
  }
  const read = userLine.safeParse(value);
  if (!read.success)
    throw new HookError(
      'invalid_option',
      `A line of standard input is not a prompt: ${show(line)}. Write {"type":"user","message":{"role":"user","content":"…"}}.`,
    );
  const { content } = read.data.message;
  const prompt = typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');
  if (prompt.trim() !== '') return prompt;
  throw new HookError('invalid_option', `A line of standard input has no text: ${show(line)}.`);
}

/** Reads all of standard input. Unless `required`, gives up if the first byte does not arrive in time. */
async function readPiped(required: boolean, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  stdin.setEncoding('utf8');
  let text = '';
  await new Promise<void>((resolve) => {
    const timer = required ? undefined : setTimeout(finish, FIRST_BYTE_MS);
    function take(piece: string): void {
      clearTimeout(timer);
      text += piece;
    }
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      stdin.off('data', take).off('end', finish).off('error', finish);
      stdin.pause();
      resolve();
    }
    signal.addEventListener('abort', finish, { once: true });
    stdin.on('data', take).once('end', finish).once('error', finish);
    if (signal.aborted) finish();
  });
  return text;
}
