/** Reads the lines of a file one at a time, each up to a maximum length, so that a file of any size can be read. */
import type { FileHandle } from 'node:fs/promises';

const CHUNK = 256 * 1024;
const LINE_END = 0x0a;

export interface RawLine {
  /** Starts at 1. */
  readonly number: number;
  /** Undefined if the line is longer than the limit. */
  readonly text: string | undefined;
}

/** Only line feeds end a line. The last line need not have one. Does not close the handle. */
export async function* readLines(file: FileHandle, longest: number): AsyncGenerator<RawLine, void> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > longest) parts = [];
    else parts.push(part);
  };
  const take = (): RawLine => {
    const text = length > longest ? undefined : Buffer.concat(parts).toString('utf8');
    parts = [];
    length = 0;
    number += 1;
    return { number, text };
  };
  const chunks: AsyncIterable<Buffer> = file.createReadStream({ autoClose: false, highWaterMark: CHUNK });
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
