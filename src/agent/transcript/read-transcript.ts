/** Reads a transcript to resume its conversation. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf } from '../../base/errors.js';
import type { ModelMessage } from '../models/port.js';
import { totalTokens } from '../models/usage.js';
import { separateCalls } from './call-ids.js';
import { readLines } from './file-lines.js';
import { MAX_LINE } from './line.js';
import { type PastSpending, SpendingReader } from './past-spending.js';
import { type ReadLine, type ReadMessage, readLine } from './read-line.js';
import { repairConversation } from './repair.js';
import { replaceBlocks } from './replaced-blocks.js';

/** Further problems are only counted: a corrupt file can have one for every line. */
const MAX_PROBLEMS = 100;

export interface ReadOptions {
  /** Reads the conversation of this subagent instead of the main one. */
  readonly agentId?: string | undefined;
  /** Longer lines are skipped. Default: 64 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** Lines after this one are not read. Default: all are. */
  readonly lastLine?: number | undefined;
}

/** What a transcript contains of its session. */
export interface ReadTranscript {
  /** The messages since the last compaction or clear, repaired so that a model accepts them. */
  readonly messages: readonly ModelMessage[];
  /** The line to continue from. */
  readonly lastUuid?: string;
  readonly sessionId?: string;
  /** The title of the session. */
  readonly title?: string;
  /** The number of non-empty lines in the file. */
  readonly lines: number;
  /** Problems found; each message names its line. */
  readonly problems: readonly string[];
  /** The time of the last answer, in milliseconds since the epoch. */
  readonly lastAssistantAt?: number;
  /** The size of the conversation at the last request, including the answer. */
  readonly contextTokens?: number;
  /** What the session has used, also before a compaction or clear. */
  readonly spending?: PastSpending;
}

/** Contract: never rejects. If the file cannot be read, there are no messages, and a problem says why. */
export async function readTranscript(path: string, options: ReadOptions = {}): Promise<ReadTranscript> {
  const { agentId, maxLineBytes = MAX_LINE, lastLine = Number.POSITIVE_INFINITY } = options;
  const past = new Past(agentId);
  let file: FileHandle | undefined;
  try {
    // As when writing: does not follow links or wait for a pipe.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    file = await open(path, flags);
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    for await (const { number, text } of readLines(file, maxLineBytes)) {
      if (number > lastLine) break;
      if (text === undefined) past.skipLine(number, `is longer than ${maxLineBytes} bytes`);
      else if (text.trim() !== '') past.take(number, readLine(text));
    }
  } catch (error) {
    past.note(`The transcript ${path} cannot be read: ${messageOf(error)}.`);
  } finally {
    await file?.close();
  }
  return past.result();
}

/** The conversation read so far. Messages that a compaction has replaced are dropped. */
class Past {
  readonly #agentId: string | undefined;
  readonly #problems: string[] = [];
  #unlisted = 0;
  #messages: ReadMessage[] = [];
  #lines = 0;
  #lastUuid: string | undefined;
  #sessionId: string | undefined;
  #title: string | undefined;
  #lastAssistantAt: number | undefined;
  #contextTokens: number | undefined;
  readonly #spending = new SpendingReader();

  constructor(agentId: string | undefined) {
    this.#agentId = agentId;
  }

  take(number: number, line: ReadLine | string): void {
    if (typeof line === 'string') {
      this.skipLine(number, line);
      return;
    }
    this.#lines += 1;
    if (!this.#isPart(line)) return;
    for (const problem of line.problems) this.note(`Line ${number} ${problem}.`);
    this.#lastUuid = line.uuid ?? this.#lastUuid;
    this.#sessionId = line.sessionId ?? this.#sessionId;
    this.#title = line.title ?? this.#title;
    if (line.isClear) this.#forget();
    if (line.replaced.length > 0) {
      this.#messages = replaceBlocks(this.#messages, line.replaced);
      this.#contextTokens = undefined;
    }
    if (line.spending !== undefined) this.#spending.record(line.spending);
    if (line.message !== undefined) this.#addMessage(line.message, line.at);
  }

  skipLine(number: number, problem: string): void {
    this.#lines += 1;
    this.note(`Line ${number} was left out: it ${problem}.`);
  }

  note(problem: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
    else this.#unlisted += 1;
  }

  result(): ReadTranscript {
    const spending = this.#spending.result();
    const more = this.#unlisted === 0 ? [] : [`There are ${this.#unlisted} more problems.`];
    return {
      messages: repairConversation(separateCalls(this.#messages)),
      ...(this.#lastUuid !== undefined && { lastUuid: this.#lastUuid }),
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      ...(this.#title !== undefined && { title: this.#title }),
      lines: this.#lines,
      problems: [...this.#problems, ...more],
      ...(this.#lastAssistantAt !== undefined && { lastAssistantAt: this.#lastAssistantAt }),
      ...(this.#contextTokens !== undefined && { contextTokens: this.#contextTokens }),
      ...(spending !== undefined && { spending }),
    };
  }

  #isPart({ isSidechain, agentId }: ReadLine): boolean {
    return this.#agentId === undefined ? !isSidechain : agentId === this.#agentId;
  }

  #forget(): void {
    this.#messages = [];
    this.#contextTokens = undefined;
  }

  #addMessage(message: ReadMessage, at: number | undefined): void {
    // Cleared by the summary, not by the boundary before it: a boundary alone would leave nothing to continue from.
    if (message.isSummary) this.#forget();
    this.#messages.push(message);
    if (message.role !== 'assistant') return;
    this.#lastAssistantAt = at ?? this.#lastAssistantAt;
    // Sums all counts, because some services count cached tokens separately. 0: not counted.
    this.#contextTokens = totalTokens(message.usage) || this.#contextTokens;
    this.#spending.answer(message.id, message.model, message.usage);
  }
}
