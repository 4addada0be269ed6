/** Reads a page of the documentation as a program: the files it shows, the commands it runs, the output it promises. */

/** One fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The file that the block shows, named in the fence: ```ts [guard.ts]. */
  readonly file: string | undefined;
  readonly text: string;
  readonly line: number;
}

/** What a reader does with one block. */
export type Step =
  | { readonly kind: 'write'; readonly file: string; readonly text: string; readonly line: number }
  | {
      readonly kind: 'run';
      readonly script: string;
      readonly output: string | undefined;
      readonly line: number;
    }
  | { readonly kind: 'show'; readonly language: string; readonly text: string; readonly line: number };

/** The fenced blocks of a page, in order. */
export function readBlocks(page: string): Block[] {
  const fences = page.matchAll(/^( *)```([\w-]*)(?: \[([^\]\n]+)\])?\n([\s\S]*?)^\1```$/gm);
  return [...fences].map(({ 1: indent = '', 2: language = '', 3: file, 4: text = '', index }) => ({
    language,
    file,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: page.slice(0, index).split('\n').length,
  }));
}

/**
 * The steps of a page. A block with a file is written, `sh` without one is run, and the `text` right after it is what it
 * prints. Everything else is only shown.
 */
export function readSteps(page: string): Step[] {
  const steps: Step[] = [];
  for (const { language, file, text, line } of readBlocks(page)) {
    const last = steps.at(-1);
    if (file !== undefined) steps.push({ kind: 'write', file, text, line });
    else if (language === 'sh') steps.push({ kind: 'run', script: text, output: undefined, line });
    else if (language === 'text' && last?.kind === 'run' && last.output === undefined)
      steps.splice(-1, 1, { ...last, output: text });
    else steps.push({ kind: 'show', language, text, line });
  }
  return steps;
}

const anyText = (text: string): string => text.split('…').map(escapePattern).join('[^\\n]*?');

/** Whether a printed text is the promised one; `…` stands for any text within a line, and alone on a line for any lines. `… ms` is any duration. */
export function isPromised(promised: string, printed: string): boolean {
  const pattern = promised
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.trim() === '…'
        ? '[\\s\\S]*?'
        : line
            .split(/… ms\b/)
            .map(anyText)
            .join('[\\d.]+ m?s')
            .trimEnd(),
    )
    .join('\\n');
  return new RegExp(`^${pattern}$`).test(printed.replaceAll(/[ \t]+$/gm, '').trimEnd());
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
