/** What counts as typed and what as pasted, for reads that are split anywhere. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPasteReader } from '../../../src/cli/run/terminal/pastes.js';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] }),
);
afterEach(() => void vi.useRealTimers());

const PAUSE = Symbol('nothing arrives for a while');
const ASKED = Symbol('a question is asked');
/** A number is a time in milliseconds. */
type Step = string | number | Buffer | typeof PAUSE | typeof ASKED;

/** What was read, as `typed` and `pasted` in turn; pieces of the same kind are one. */
function play(steps: readonly Step[]): string[] {
  const got: { kind: string; text: string }[] = [];
  const add = (kind: string, text: string): void => {
    const last = got.at(-1);
    if (last?.kind === kind) last.text += text;
    else got.push({ kind, text });
  };
  const reader = createPasteReader({
    typed: (text) => add('typed', text),
    pasteBegins: () => got.push({ kind: 'pasted', text: '' }),
    pasted: (text) => add('pasted', text),
  });
  for (const step of steps) {
    if (step === PAUSE) vi.runAllTimers();
    else if (step === ASKED) reader.settle();
    else if (typeof step === 'number') vi.advanceTimersByTime(step);
    else reader.read(Buffer.from(step));
  }
  vi.runAllTimers();
  return got.map(({ kind, text }) => `${kind} ${JSON.stringify(text)}`);
}

const B = '\u001b[200~';
const E = '\u001b[201~';
const LONG = 'x'.repeat(4000);

describe('LV-41 typed or pasted', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['a key', ['a'], ['typed "a"']],
    ['a line and Enter', ['go\r'], ['typed "go\\r"']],
    ['lines with pauses', ['one\r', PAUSE, 'two\r'], ['typed "one\\rtwo\\r"']],
    ['Enter held down', ['one\r', '\r', '\r'], ['typed "one\\r\\r\\r"']],
    ['Enter, then a cursor key at once', ['one\r', '\u001b[A'], ['typed "one\\r\\u001b[A"']],
    ['Escape alone', ['\u001b'], ['typed "\\u001b"']],
    ['a key in two reads', ['\u001b', '[', 'A'], ['typed "\\u001b[A"']],
    ['Control-C behind Enter', ['one\r', '\u0003'], ['typed "one\\r\\u0003"']],
    ['two lines', ['one\ntwo'], ['pasted "one\\ntwo"']],
    ['two lines and a line end', ['one\ntwo\n'], ['pasted "one\\ntwo\\n"']],
    ['CRLF', ['one\r\ntwo\r\n'], ['pasted "one\\r\\ntwo\\r\\n"']],
    ['a read per line', ['one\n', 'two\n', 'three\n'], ['typed "one"', 'pasted "\\ntwo\\nthree\\n"']],
    ['split inside CRLF', ['one\r', '\ntwo\r', '\n'], ['typed "one"', 'pasted "\\r\\ntwo\\r\\n"']],
    ['a read per character', [...'one\ntwo'], ['typed "one"', 'pasted "\\ntwo"']],
    [
      'split inside a character',
      [Buffer.from('a\nü').subarray(0, 3), Buffer.from('ü\nb').subarray(1)],
      ['typed "a"', 'pasted "\\nü\\nb"'],
    ],
    ['empty lines', ['one\n\n\ntwo'], ['pasted "one\\n\\n\\ntwo"']],
    ['colours', ['\u001b[31mone\u001b[0m\n\u001b[1mtwo\u0007'], ['pasted "one\\ntwo"']],
    ['a colour in two reads', ['one\ntwo\u001b[3', '1mthree'], ['pasted "one\\ntwothree"']],
    ['Escape and Control-C in it', ['one\ntw\u001bo\u0003\n', 'end\n'], ['pasted "one\\ntwo\\nend\\n"']],
    [
      'full reads, and a short pause',
      [`${LONG}\n${LONG}`, 200, `${LONG}\n`, 200, 'end'],
      [`pasted "${LONG}\\n${LONG}${LONG}\\nend"`],
    ],
    ['a message typed behind it', ['one\ntwo', PAUSE, 'three\r'], ['pasted "one\\ntwo"', 'typed "three\\r"']],
    ['a question in the middle', ['one\ntwo\n', ASKED, 'y\n'], ['pasted "one\\ntwo\\ny\\n"']],
    ['a question after Enter', ['one\r', ASKED, 'y'], ['typed "one\\ry"']],
    ['marks', [`${B}one\rtwo\r${E}`], ['pasted "one\\rtwo\\r"']],
    [
      'marks in any number of reads',
      [...`${B}one\r\ntwo${E}`, PAUSE, '\r'],
      ['pasted "one\\r\\ntwo"', 'typed "\\r"'],
    ],
    [
      'marks around full reads',
      [`${B}${LONG}\n`, `${LONG}\n`, PAUSE, `end${E}`, PAUSE, '\r'],
      [`pasted "${LONG}\\n${LONG}\\nend"`, 'typed "\\r"'],
    ],
    ['Enter right behind a mark', [`${B}one${E}\r`], ['pasted "one"', 'typed "\\r"']],
    [
      'lines behind a first paste with marks',
      [`${B}one${E}`, PAUSE, 'two\rthree\r'],
      ['pasted "one"', 'typed "two\\rthree\\r"'],
    ],
    [
      'a mark in the text that ends it early',
      [`${B}one${E}\rtwo\r${E}`],
      ['pasted "one"', 'pasted "\\rtwo\\r"'],
    ],
    ['the same, with nothing but a line end', [`${B}one${E}\r`, E], ['pasted "one"', 'pasted "\\r"']],
    [
      'marks in a text of a terminal without them',
      [`${B}${E}one\ntwo\n`, PAUSE, 'x\ny\n'],
      ['pasted ""', 'pasted "one\\ntwo\\n"', 'pasted "x\\ny\\n"'],
    ],
    ['no second mark: Control-C is a key', [`${B}one`, PAUSE, '\u0003'], ['pasted ""', 'typed "\\u0003"']],
  ])('%s', (_, steps, expected) => {
    expect(play(steps)).toEqual(expected);
  });
});
