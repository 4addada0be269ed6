/** Where the prompts of `hookline run` come from: the command line, standard input, or a line of JSON for each. */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { HookError, show } from '../../base/errors.js';

/** As other headless agents do: whoever leaves standard input open without a word does not mean it. */
const FIRST_BYTE_MS = 3000;

const userLine = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
  }),
});

/** Throws a HookError when there is no prompt at all, or a line that is none. */
export async function* readPrompts(
  given: string | undefined,
  format: 'text' | 'stream-json',
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  if (format === 'stream-json') {
    let count = 0;
    if (given !== undefined) yield given;
    for await (const prompt of readLines(signal)) {
      count += 1;
      yield prompt;
    }
    if (count === 0 && given === undefined && !signal.aborted) throw noPrompt();
    return;
  }
  const piped = process.stdin.isTTY ? '' : await readPiped(given === undefined, signal);
  if (signal.aborted) return;
  const prompt = [given, piped.trim()].filter((text) => text?.trim()).join('\n\n');
  if (prompt === '') throw noPrompt();
  yield prompt;
}

const noPrompt = (): HookError =>
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
    throw new HookError('invalid_option', `A line of standard input is no JSON: ${show(line)}.`);
  }
  const read = userLine.safeParse(value);
  if (!read.success)
    throw new HookError(
      'invalid_option',
      `A line of standard input is no prompt: ${show(line)}. Write {"type":"user","message":{"role":"user","content":"…"}}.`,
    );
  const { content } = read.data.message;
  const prompt = typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('\n');
  if (prompt.trim() !== '') return prompt;
  throw new HookError('invalid_option', `A line of standard input has no text: ${show(line)}.`);
}

/** All of standard input; with a prompt already there, nobody waits long for its beginning. */
async function readPiped(patient: boolean, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  stdin.setEncoding('utf8');
  let text = '';
  await new Promise<void>((resolve) => {
    const timer = patient ? undefined : setTimeout(finish, FIRST_BYTE_MS);
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
